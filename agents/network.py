"""A small network over afterstates: how likely a game is won, as a logit. Compiled, and of a few microseconds.

The first layer is a sum of few rows, one for each feature that holds, as in the evaluation networks of chess engines
(Nasu 2018): in whole numbers, of which a processor adds many at once. Its positive outputs are squared, which tells at
once what two features mean together; two dense layers follow. All sums are taken in one order, so that every machine
comes to the same numbers.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.afterstate import FEATURES, MOST_ACTIVE, NO_PLACE, draw_features, play_features
from gipfelsturm.agents.compact import draw_on, free_bits, place_on
from gipfelsturm.agents.network_weights import MOST_WIDE, NARROW
from gipfelsturm.envs.rules.jit import inlined, lowest_bit_number
from gipfelsturm.envs.rules.record import MOST_SEATS

PILE_STEP = 64
DRAWS = MOST_SEATS * PILE_STEP
MOST_MOVES = 28 * MOST_SEATS + MOST_SEATS
"""A move is `PILE_STEP * pile` and the bit number of the place, or `DRAWS + pile`."""
STANDING = DRAWS + MOST_SEATS
"""Instead of a move: leaving the table as it is until cards have turned up."""


NETWORK = np.dtype(
    [("width", np.int64)]  # outputs of the first layer, of which there is room for the most
    + [("rows", np.int16, (FEATURES, MOST_WIDE)), ("unit", np.float32), ("first_bias", np.float32, (MOST_WIDE,))]
    + [("second", np.float32, (MOST_WIDE, NARROW)), ("second_bias", np.float32, (NARROW,))]
    + [("last", np.float32, (NARROW,)), ("last_bias", np.float32, (1,))]
    + [("sums", np.int32, (MOST_WIDE,)), ("wide", np.float32, (MOST_WIDE,)), ("narrow", np.float32, (NARROW,))]
    + [("active", np.uint16, (MOST_ACTIVE,)), ("moves", np.int64, (MOST_MOVES,))]
    + [("positive", np.int64, (MOST_WIDE + 1,))]
)
"""The weights, and room to work in."""


def network_of(weights: Mapping[str, NDArray[Any]]) -> NDArray[np.void]:
    """A network (1,) of `NETWORK` that holds weights of `gipfelsturm.agents.network_weights.tensors`."""
    network = np.zeros(1, NETWORK)
    network["width"] = wide = len(weights["first_bias"])
    for name in ("unit", "second_bias", "last", "last_bias"):
        network[name] = weights[name]
    network["rows"][:, :, :wide] = weights["rows"]
    network["first_bias"][:, :wide] = weights["first_bias"]
    network["second"][:, :wide] = weights["second"]
    return network


@inlined
def think(n: np.void, found: int) -> float:
    """The logit of an afterstate, of which so many features stand in `active`."""
    _first_layer(n, found)
    _second_layer(n)
    narrow, logit = n["narrow"], n["last_bias"][0]
    for i in range(NARROW):
        logit += max(narrow[i], np.float32(0)) * n["last"][i]
    return float(logit)


@inlined
def _first_layer(n: np.void, found: int) -> None:
    """Add up the rows of the features, four at a time, which spares most of the loads and stores."""
    sums, rows, active, width = n["sums"], n["rows"], n["active"], n["width"]
    sums[:] = 0
    for i in range(0, found - 3, 4):
        a, b, c, d = rows[active[i]], rows[active[i + 1]], rows[active[i + 2]], rows[active[i + 3]]
        for j in range(width):  # in 16 bits, or the compiler takes 64
            sums[j] += np.int16(np.int16(a[j] + b[j]) + np.int16(c[j] + d[j]))
    for i in range(found & ~3, found):
        a = rows[active[i]]
        for j in range(width):
            sums[j] += a[j]


@inlined
def _second_layer(n: np.void) -> None:
    """Add up the rows of the first layer's positive outputs, weighted by their squares."""
    sums, bias, unit, width = n["sums"], n["first_bias"], n["unit"], n["width"]
    wide, narrow, second, positive = n["wide"], n["narrow"], n["second"], n["positive"]
    narrow[:] = n["second_bias"]
    for i in range(width):
        wide[i] = np.float32(sums[i]) * unit + bias[i]
    found = 0
    for i in range(width):  # without a branch, which would be foreseen wrongly all the time
        positive[found] = i
        found += wide[i] > 0
        wide[i] *= wide[i]
    for k in range(0, found - 3, 4):
        h, i, j, m = positive[k], positive[k + 1], positive[k + 2], positive[k + 3]
        a, b, c, d = second[h], second[i], second[j], second[m]
        for x in range(NARROW):
            narrow[x] += (wide[h] * a[x] + wide[i] * b[x]) + (wide[j] * c[x] + wide[m] * d[x])
    for k in range(found & ~3, found):
        i = positive[k]
        a = second[i]
        for x in range(NARROW):
            narrow[x] += wide[i] * a[x]


@inlined
def write_moves(p: np.void, t: np.void, n: np.void) -> int:
    """Write what may be done in a position whose free cards are known into `moves`; returns how much."""
    moves, free, found = n["moves"], free_bits(p["board"]), 0
    for pile in range(MOST_SEATS):
        if pile == t["piles"]:  # nothing would fit the others, nor is anything left in their stocks
            break
        fitting = free & t["fit"][p["top"][pile]]
        while fitting:
            moves[found] = PILE_STEP * pile + lowest_bit_number(fitting)
            found += 1
            fitting &= fitting - 1
    for pile in range(MOST_SEATS):
        if p["left"][pile]:
            moves[found] = DRAWS + pile
            found += 1
    return found


@inlined
def move_features(p: np.void, t: np.void, move: int, unknown: int, active: NDArray[np.uint16]) -> int:
    """Write the features of a move (MOST_ACTIVE,); returns how many hold.

    Args:
        unknown: free places whose cards are about to turn up.
    """
    if move == STANDING:
        return play_features(p, t, NO_PLACE, 0, unknown, active)
    if move >= DRAWS:
        return draw_features(p, t, move - DRAWS, unknown, active)
    return play_features(p, t, move % PILE_STEP, move // PILE_STEP, unknown, active)


@inlined
def best_move(p: np.void, t: np.void, n: np.void, found: int) -> tuple[int, float]:
    """The index of what the network thinks best among `moves`, and its logit; free cards are known."""
    chosen, best = 0, -np.inf
    for i in range(found):
        logit = think(n, move_features(p, t, n["moves"][i], 0, n["active"]))
        if logit > best:
            chosen, best = i, logit
    return chosen, best


@inlined
def carry_out(p: np.void, t: np.void, move: int) -> None:
    """Move a position on by a move."""
    if move >= DRAWS:
        draw_on(p, t, move - DRAWS)
    else:
        place_on(p, t, move % PILE_STEP, move // PILE_STEP)


@inlined
def chance(logit: float) -> float:
    """The probability (0 to 1) that a logit stands for."""
    return float(1 / (1 + np.exp(-logit)))
