"""Sequential halving: which of a few choices wins the most playouts (Karnin, Koren, Somekh 2013).

The budget is cut into rounds, and the worse half of the choices drops out after each; who is far behind drops out at
once, and where one choice is left the rest of the budget is saved. Every choice of a round is judged on the same
determinizations, with the same random numbers: their differences are less noisy than their values.
What the playout policy thinks of a choice counts as some won or lost playouts, as prior knowledge does: much after few
playouts, little after many.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.choices import CHOICE, MOST_CHOICES, draws_under_way
from gipfelsturm.agents.compact import (
    BIT_NUMBER,
    POSITION,
    TABLE,
    draw_on,
    free_bits,
    lay_known,
    place_on,
    read_position,
)
from gipfelsturm.agents.counting import draw_value, play_value, visible_ranks, weights_for
from gipfelsturm.agents.determinization import deal_pool, fill_pool, places_to_fill, shuffle
from gipfelsturm.agents.network import DRAWS, NETWORK, PILE_STEP, STANDING, chance, move_features, think
from gipfelsturm.agents.playouts import LEARNED, play_out
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.chance import mix
from gipfelsturm.envs.rules.jit import compiled, inlined
from gipfelsturm.envs.rules.record import MOST_SEATS
from gipfelsturm.envs.rules.settings import Settings

PRIOR_WINS = 5.0
"""Won playouts that a point of the policy's weights is worth."""
PRIOR_PLAYOUTS = 50.0
"""Playouts that the network's own view of a choice counts for."""
LOOK, NETWORK_LOOK = 1000, 16
"""Playouts of a choice between two looks at who is far behind.

By won and lost playouts most decisions are close. Those that a network judges differ less, and tell far sooner.
"""
DEVIATIONS = 4.0
"""So many standard deviations are far."""
MOST_PLAYOUTS = 2**63 - 1
"""As many as compiled code can count: nobody sees the end of them."""
WORST_PRIOR = -3.0
LATER = -1.0
"""What a draw, or waiting, is worth beside the best play, in points."""


ROOM = np.dtype(
    [
        ("choices", CHOICE, (MOST_CHOICES,)),
        ("order", np.int64, (MOST_CHOICES,)),
        ("positions", POSITION, (2,)),
        ("table", TABLE),
        ("network", NETWORK),  # read for the policy LEARNED alone
        ("pool", np.int64, (52,)),
    ]
)
"""What a search works in."""


def blank_room(settings: Settings) -> NDArray[np.void]:
    """Room (1,) of `ROOM` for tables of one kind, with the weights of `counting` for them."""
    room, weights = np.zeros(1, ROOM), weights_for(settings.seats, settings.ring)
    room["table"]["weights"][0, : len(weights)] = weights
    return room


@compiled
def best_choice(g: np.void, room: np.void, found: int, playouts: int, policy: int, depth: int, seed: np.uint64) -> int:
    """The index of the best of the choices in a room (`ROOM`); adds to their wins and playouts.

    Args:
        g: the table that the chooser foresees.
        found: how many choices there are.
        playouts: the budget over all choices, of which each gets at least one in each round that it is in; or 0, to go
            by the prior alone.
        depth: of a playout, in moves.
    """
    choices, order, positions, pool = room["choices"], room["order"], room["positions"], room["pool"]
    t, n = room["table"], room["network"]
    root = positions[0]
    read_position(g, root)
    lay_known(g, t)
    if policy == LEARNED:
        _judge_by_network(root, t, n, choices, found)
    else:
        _judge_by_weights(root, t, choices, found)
    cards, needed = fill_pool(root, t, pool), places_to_fill(root, t)
    drawing = draws_under_way(g)
    for i in range(found):
        order[i] = i
    _sort(choices, order, found)
    alive, rounds = found, _halvings(found) if playouts else 0
    look = NETWORK_LOOK if policy == LEARNED else LOOK
    for _ in range(rounds):
        for played in range(max(1, playouts // (rounds * alive))):
            if played and played % look == 0:
                alive = _drop_hopeless(choices, order, alive)
            if alive == 1:
                break
            seed = mix(seed)
            shuffle(pool, cards, needed, seed)
            deal_pool(root, t, pool)
            for i in range(alive):
                choice = choices[order[i]]
                positions[1] = root
                _carry_out(choice["action"], drawing, positions[1], t)
                value = play_out(policy, depth, positions[1], t, n, seed)
                choice["wins"] += value
                choice["squares"] += value * value
                choice["playouts"] += 1
        _sort(choices, order, alive)
        alive = (alive + 1) // 2
    return int(order[0])


@inlined
def _halvings(found: int) -> int:
    """After how many halvings one choice is left."""
    halvings = 0
    while 1 << halvings < found:
        halvings += 1
    return halvings


@inlined
def _judge_by_weights(root: np.void, t: np.void, choices: NDArray[np.void], found: int) -> None:
    """Write the priors: how far each choice lies below the best one of its kind."""
    free = free_bits(root["board"]) & ~t["hidden"]
    ranks = visible_ranks(t, free)
    plays, draws = PLACES * t["piles"], (PLACES + 1) * t["piles"]
    best_play, best_draw = -np.inf, -np.inf
    for i in range(found):
        action = choices[i]["action"]
        if action < plays:
            choices[i]["prior"] = play_value(root, t, free, ranks, BIT_NUMBER[action % PLACES], action // PLACES)
            best_play = max(best_play, choices[i]["prior"])
        elif action < draws:
            choices[i]["prior"] = draw_value(root, t, action - plays)
            best_draw = max(best_draw, choices[i]["prior"])
    for i in range(found):
        choice = choices[i]
        best = best_play if choice["action"] < plays else best_draw
        below = choice["prior"] - best if choice["action"] < draws else 0.0
        points = max(below, WORST_PRIOR) + (LATER if choice["action"] >= plays and best_play > -np.inf else 0.0)
        choice["prior"] = PRIOR_WINS * points


@inlined
def _judge_by_network(root: np.void, t: np.void, n: np.void, choices: NDArray[np.void], found: int) -> None:
    """Write the priors: the chance of winning that the network sees in each choice."""
    plays, draws = PLACES * t["piles"], (PLACES + 1) * t["piles"]
    unknown = free_bits(root["board"]) & t["hidden"]
    for i in range(found):
        action = choices[i]["action"]
        if action < plays:
            move = PILE_STEP * (action // PLACES) + BIT_NUMBER[action % PLACES]
        elif action < draws:
            move = DRAWS + action - plays
        else:
            move = STANDING
        active = move_features(root, t, move, unknown, n["active"])
        choices[i]["prior"] = PRIOR_PLAYOUTS * chance(think(n, active))


@inlined
def _carry_out(action: int, drawing: int, p: np.void, t: np.void) -> None:
    """Move a position on by an action, and by the draws (a mask of piles) that were under way."""
    plays, draws = PLACES * t["piles"], (PLACES + 1) * t["piles"]
    if action < plays:
        place_on(p, t, BIT_NUMBER[action % PLACES], action // PLACES)
    elif action < draws:
        draw_on(p, t, action - plays)
    for pile in range(MOST_SEATS):
        if drawing >> pile & 1:
            draw_on(p, t, pile)


@inlined
def score(choice: np.void) -> float:
    """Wins of playouts and of the prior."""
    return float(choice["wins"] + choice["prior"])


@inlined
def _drop_hopeless(choices: NDArray[np.void], order: NDArray[np.int64], alive: int) -> int:
    """How many choices are left without those of which chance does not explain how far they lie behind the best."""
    _sort(choices, order, alive)
    best = choices[order[0]]
    while alive > 1:
        last = choices[order[alive - 1]]
        behind = _share(best) - _share(last)
        if behind <= DEVIATIONS * np.sqrt(_variance(best) + _variance(last)):
            break
        alive -= 1
    return alive


@inlined
def _share(choice: np.void) -> float:
    """The playouts that were won, if one more were won and one more lost: so that luck at first convinces nobody."""
    return float((choice["wins"] + 1) / (choice["playouts"] + 2))


@inlined
def _variance(choice: np.void) -> float:
    """Of that share, as if each choice were judged on determinizations of its own: it is less."""
    mean_square = (choice["squares"] + 1) / (choice["playouts"] + 2)
    return float((mean_square - _share(choice) ** 2) / choice["playouts"])


@inlined
def _sort(choices: NDArray[np.void], order: NDArray[np.int64], alive: int) -> None:
    """Bring the best to the front; among equals the first found."""
    for i in range(1, alive):
        at = i
        while at and score(choices[order[at]]) > score(choices[order[at - 1]]):
            order[at], order[at - 1] = order[at - 1], order[at]
            at -= 1
