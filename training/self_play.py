"""Games that a network plays with itself, as one mind, and what it may learn from them.

The network takes what it thinks best. In some games one action is random instead, and only what follows it counts: so
it also learns of what it would not do, and each lesson is of its own play.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.afterstate import FEATURES
from gipfelsturm.agents.compact import lay_deal, read_position
from gipfelsturm.agents.network import best_move, carry_out, chance, move_features, write_moves
from gipfelsturm.envs.rules.chance import GOLDEN, below, mix
from gipfelsturm.envs.rules.jit import compiled, inlined
from gipfelsturm.envs.rules.record import Games

LONGEST_GAME = 52
"""Moves of one mind: each takes a card."""
LATEST = 40
"""A random action is one of the first so many that are choices."""
NEVER = -1


@compiled
def play_games(
    games: Games,
    explore: float,
    trace: float,
    positions: NDArray[np.void],
    tables: NDArray[np.void],
    networks: NDArray[np.void],
    rows: NDArray[np.uint16],
    targets: NDArray[np.float32],
) -> tuple[int, int, int]:
    """Play dealt games to their ends, and write afterstates with what they were worth.

    Args:
        explore: the share of games with a random action.
        trace: how far the end of a game counts beside what the network thought on the way: 1 is the end alone (the
            lambda of Sutton 1988).
        positions: room for one.
        tables: room for one.
        networks: one.
        rows: (LONGEST_GAME * games, MOST_ACTIVE), for the features that hold, FEATURES where there are no more.
        targets: (LONGEST_GAME * games,), for chances of winning.

    Returns:
        Rows written, games without a random action, and how many of these were won.
    """
    p, t, n = positions[0], tables[0], networks[0]
    written, plain, won_plain = 0, 0, 0
    for i in range(len(games)):
        read_position(games[i], p)
        lay_deal(games[i], t)
        random = mix(games[i]["tie_seed"])
        when = NEVER
        if below(random, 1000) < 1000 * explore:
            random += GOLDEN
            when = below(mix(random), LATEST)
        start = written
        written, won = _play(p, t, n, random, when, rows, targets, start)
        _look_back(targets, start, written, won, trace)
        if when == NEVER:
            plain += 1
            won_plain += won
    return written, plain, won_plain


@inlined
def _play(
    p: np.void,
    t: np.void,
    n: np.void,
    random: np.uint64,
    when: int,
    rows: NDArray[np.uint16],
    targets: NDArray[np.float32],
    start: int,
) -> tuple[int, int]:
    """Play one game, its `when`-th choice at random; returns the row after its last one, and 1 if it was won."""
    end, choices = start, 0
    while p["board"]:
        found = write_moves(p, t, n)
        if found == 0:
            return end, 0
        chosen, logit = best_move(p, t, n, found)
        if found > 1:
            if choices == when:
                random += GOLDEN
                chosen, end = below(mix(random), found), start
            choices += 1
        move = n["moves"][chosen]
        active = move_features(p, t, move, 0, rows[end])
        rows[end, active:] = FEATURES
        targets[end] = chance(logit)
        end += 1
        carry_out(p, t, move)
    return end, 1


@inlined
def _look_back(targets: NDArray[np.float32], start: int, end: int, won: int, trace: float) -> None:
    """Turn what the network thought of a game's afterstates into what it should have thought.

    Of a random action it is not told what it thought but what it thought best; nothing before it counts, and so neither
    does that.
    """
    target = float(won)
    for i in range(end - 1, start - 1, -1):
        thought = targets[i]
        targets[i] = target
        target = trace * target + (1 - trace) * thought
