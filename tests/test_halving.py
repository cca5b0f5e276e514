"""Sequential halving: who gets how many playouts, what knowledge beforehand counts, and who drops out early."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.agents.belief import rebuild_game
from gipfelsturm.agents.choices import find_choices
from gipfelsturm.agents.compact import BIT_NUMBER, lay_known, read_position
from gipfelsturm.agents.counting import draw_value, play_value, visible_ranks
from gipfelsturm.agents.halving import LATER, LOOK, NETWORK_LOOK, PRIOR_WINS, WORST_PRIOR, best_choice, blank_room
from gipfelsturm.agents.network import network_of
from gipfelsturm.agents.network_weights import in_whole_numbers
from gipfelsturm.agents.playouts import COUNTING, LEARNED, TO_THE_END
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games
from gipfelsturm.envs.rules.settings import Settings, one_mind
from networks import at_random
from random_play import begin

SOLO = one_mind()
MINDS = [one_mind("normal"), one_mind("hard", ring=False), one_mind(piles=3), SOLO]


@compiled
def _judge(games: Games, rooms: NDArray[np.void], playouts: int, policy: int, depth: int) -> tuple[int, int]:
    g, room = games[0], rooms[0]
    found = find_choices(g, 0, True, False, room["choices"])
    return found, best_choice(g, room, found, playouts, policy, depth, np.uint64(5))


@compiled
def _values(games: Games, rooms: NDArray[np.void], actions: NDArray[np.int64], each: NDArray[np.float64]) -> None:
    """What `counting` gives each action of one mind (actions,)."""
    p, t, plays = rooms[0]["positions"][0], rooms[0]["table"], 28 * games[0]["seats"]
    read_position(games[0], p)
    lay_known(games[0], t)
    free = 0
    for place in range(18, 28):
        free |= int(p["board"]) & 1 << int(BIT_NUMBER[place])
    ranks = visible_ranks(t, free)
    for i, action in enumerate(actions):
        if action < plays:
            each[i] = play_value(p, t, free, ranks, BIT_NUMBER[action % 28], action // 28)
        else:
            each[i] = draw_value(p, t, action - plays)


def believed(table: Settings, deal: int) -> Games:
    """A dealt game (an array of one) as its player knows it."""
    return rebuild_game(table, begin(table, 1, deal).observations[0, 0])


def judged(
    table: Settings, deal: int, playouts: int, policy: int = COUNTING, depth: int = TO_THE_END
) -> tuple[int, NDArray[np.void]]:
    """The index of the best choice of a deal, and all of them as they were judged."""
    room = blank_room(table)
    room["network"] = network_of(in_whole_numbers(at_random(3, 256, 0.2)))
    found, best = _judge(believed(table, deal), room, playouts, policy, depth)
    return best, room["choices"][0, :found].copy()


def shares_of_budget(found: int, budget: int) -> list[int]:
    """The playouts of each choice, most first: a round for each halving, in which all that are left get as many."""
    alive, rounds, given = found, (found - 1).bit_length(), [0] * found
    for _ in range(rounds):
        for i in range(alive):
            given[i] += max(1, budget // (rounds * alive))
        alive = -(-alive // 2)
    return given


@pytest.mark.parametrize("budget", [1, 60, 700])
@pytest.mark.parametrize("table", MINDS, ids=range(len(MINDS)))
def test_each_round_has_its_share_of_the_budget_and_the_better_half_goes_on(table: Settings, budget: int) -> None:
    sizes = set()
    for deal in range(40):
        best, choices = judged(table, deal, budget)
        if len(choices) == 1:
            continue
        sizes.add(len(choices))
        given = shares_of_budget(len(choices), budget)
        assert sorted(choices["playouts"].tolist(), reverse=True) == given
        assert choices["playouts"][best] == given[0]
        last = choices[choices["playouts"] == given[0]]
        assert choices["wins"][best] + choices["prior"][best] == (last["wins"] + last["prior"]).max()
    assert len(sizes) >= 4 or table.seats == 1


@pytest.mark.parametrize(
    ("policy", "depth", "budget", "look"), [(COUNTING, TO_THE_END, 12_000, LOOK), (LEARNED, 2, 1000, NETWORK_LOOK)]
)
def test_who_is_far_behind_drops_out_at_a_look_and_who_is_not_stays(
    policy: int, depth: int, budget: int, look: int
) -> None:
    """Of two choices the worse one has as many playouts as the better one, or stops at a look."""
    stayed = dropped = 0
    for deal in range(60):
        _, choices = judged(SOLO, deal, budget, policy, depth)
        if len(choices) != 2:
            continue
        (least, most), shares = sorted(choices["playouts"]), choices["wins"] / choices["playouts"]
        sigma = np.sqrt(((choices["squares"] / least - shares**2) / least).sum())
        if most == budget // 2:
            stayed += 1
            assert abs(shares[0] - shares[1]) <= 5 * sigma
        else:
            dropped += 1
            assert least == most and most % look == 0 and abs(shares[0] - shares[1]) > 3.9 * sigma
    assert stayed and dropped


def test_what_the_policy_thinks_counts_as_playouts_lost_beside_the_best_of_its_kind() -> None:
    floored = 0
    for table, deal in product(MINDS, range(60)):
        _, choices = judged(table, deal, 0)
        values = np.zeros(len(choices))
        _values(believed(table, deal), blank_room(table), choices["action"], values)
        draws = choices["action"] >= 28 * table.seats
        expected = np.zeros(len(choices))
        for kind in {*draws.tolist()}:
            below = np.maximum(values[draws == kind] - values[draws == kind].max(), WORST_PRIOR)
            expected[draws == kind] = below + (LATER if kind and not draws.all() else 0)
        floored += int((expected == WORST_PRIOR).sum())
        np.testing.assert_allclose(choices["prior"], PRIOR_WINS * expected, atol=1e-9)
    assert floored


def test_without_playouts_the_first_of_the_policys_best_is_chosen() -> None:
    for deal in range(40):
        best, choices = judged(one_mind("normal"), deal, 0)
        assert best == int(choices["prior"].argmax()) and not choices["playouts"].any()


def test_the_depth_is_that_of_each_playout() -> None:
    """After a choice and so many moves no more than that and one card of the peaks can be gone."""
    for depth in (1, 4):
        _, choices = judged(SOLO, 8, 200, depth=depth)
        assert (0 < choices["wins"]).any() and (choices["wins"] <= choices["playouts"] * (depth + 1) / 28 + 1e-9).all()
