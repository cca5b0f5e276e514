"""A rule of thumb that counts cards: each play is worth a weighted sum of a few plain features.

The weights were found by the cross-entropy method on games won (`gipfelsturm.training.tune_counting`). The rule is a
player of its own and the playout policy of `search`.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.compact import NEIGHBOURS, free_bits, turns_left_and_right, unseen_of
from gipfelsturm.envs.rules.chance import mix
from gipfelsturm.envs.rules.jit import inlined, lowest_bit_number, signed
from gipfelsturm.envs.rules.record import MOST_SEATS

# What each feature is worth, in points: for one pile without and with the ring, for several piles without and with it.
FEATURES = (
    ("turns up one card", -0.24, -0.085, 0.623, 0.01),
    ("turns up two cards", -0.174, 1.892, 1.671, 1.788),
    ("lies in row 3", -0.248, -0.675, -0.372, -0.533),
    ("lies in row 2", -0.471, -1.154, -0.684, -0.986),
    ("lies in row 1", -0.718, -1.471, -0.808, -1.076),
    ("one free card fits then", 0.011, -0.212, 0.101, -0.05),
    ("more free cards fit then", -0.078, -0.974, -1.307, -0.889),
    ("longest run of free ranks then, up or down", 0.044, 0.17, 0.175, 0.184),
    ("the other run", -0.707, -1.005, 0.017, -0.593),
    ("unseen cards that fit then", -0.508, -0.551, -0.681, -0.451),
    ("the same, if it turns up a card", 0.247, 0.21, 0.057, 0.169),
    ("another pile's top is one apart then", 0, 0, -0.524, -0.162),
    ("another pile's top is equal then", 0, 0, -0.309, -0.229),
    ("unseen cards that fitted the old top", 0, 0, -0.147, 0.033),
    ("another free card fits the old top", 0, 0, -0.983, -0.591),
    ("draw: unseen cards that fit the old top, beside the cards in the stock", 0, 0, -1.114, -1.04),
)
ONE, TWO, ROW_3, ROW_2, ROW_1, FIT, FITS, LONG_RUN, SHORT_RUN, UNSEEN, UNSEEN_TURN = range(11)
APART, EQUAL, OLD_UNSEEN, OLD_FIT, DRAW_UNSEEN = range(11, 16)
LONGEST_RUN = 6

SEVERAL_PILES = APART
"""The first of those that are about several piles."""

NOTHING = -1
PILE_STEP = 64
"""A choice is `PILE_STEP * pile` and the bit number of the place."""
JITTER = 1e-4 / 256
"""Of a random byte: equal plays come in any order, unequal ones in theirs."""


def weights_for(piles: int, ring: bool) -> NDArray[np.float64]:
    """The weights (features,) for a table, in points."""
    column = 1 + 2 * (piles > 1) + ring
    return np.array([feature[column] for feature in FEATURES], np.float64)


@inlined
def visible_ranks(t: np.void, free: int) -> int:
    """The ranks of the free cards, as a bit mask."""
    ranks = 0
    while free:
        ranks |= 1 << t["rank"][lowest_bit_number(free)]
        free &= free - 1
    return ranks


@inlined
def run(t: np.void, ranks: int, rank: int, side: int) -> int:
    """How many ranks follow on a rank, upwards (`side` 0) or downwards (1), among these; `LONGEST_RUN` at most."""
    length = 0
    rank = NEIGHBOURS[t["ring"], rank, side]
    while ranks >> rank & 1 and length < LONGEST_RUN:
        length += 1
        rank = NEIGHBOURS[t["ring"], rank, side]
    return length


@inlined
def unseen_that_fit(t: np.void, unseen: int, rank: int) -> int:
    """How many unseen cards fit a rank."""
    return unseen_of(unseen, NEIGHBOURS[t["ring"], rank, 0]) + unseen_of(unseen, NEIGHBOURS[t["ring"], rank, 1])


@inlined
def card_value(p: np.void, t: np.void, free: int, ranks: int, number: int) -> float:
    """What playing the card of a place is worth on any pile."""
    w, bit, rank = t["weights"], 1 << number, t["rank"][number]
    left, right = turns_left_and_right(p["board"])
    turned = signed(left & bit != 0) + signed(right & bit != 0)
    value = 0.0
    if turned:
        value += w[ONE] if turned == 1 else w[TWO]
    if number >= 11:
        value += w[ROW_3] if number < 22 else (w[ROW_2] if number < 33 else w[ROW_1])
    others = (free ^ bit) & t["fit"][rank]
    if others:
        value += w[FITS] if others & (others - 1) else w[FIT]
    up, down = run(t, ranks, rank, 0), run(t, ranks, rank, 1)
    value += w[LONG_RUN] * max(up, down) + w[SHORT_RUN] * min(up, down)
    unseen = unseen_that_fit(t, p["unseen"], rank)
    value += (w[UNSEEN] + (w[UNSEEN_TURN] if turned else 0.0)) * unseen
    return float(value)


@inlined
def pile_value(p: np.void, t: np.void, free: int, number: int, pile: int) -> float:
    """What it is worth beside that to play it on this pile of several."""
    w, rank, old = t["weights"], t["rank"][number], p["top"][pile]
    value = w[OLD_UNSEEN] * unseen_that_fit(t, p["unseen"], old)
    if (free ^ (1 << number)) & t["fit"][old]:
        value += w[OLD_FIT]
    for other in range(MOST_SEATS):
        if other == t["piles"]:
            break
        top = p["top"][other]
        if other != pile and top == rank:
            value += w[EQUAL]
        elif other != pile and (NEIGHBOURS[t["ring"], rank, 0] == top or NEIGHBOURS[t["ring"], rank, 1] == top):
            value += w[APART]
    return float(value)


@inlined
def play_value(p: np.void, t: np.void, free: int, ranks: int, number: int, pile: int) -> float:
    """What playing the card of a place on a pile is worth."""
    value = card_value(p, t, free, ranks, number)
    return value + pile_value(p, t, free, number, pile) if t["piles"] > 1 else value


@inlined
def best_play(p: np.void, t: np.void, random: np.uint64) -> int:
    """The play of the highest value as a choice, NOTHING if nothing fits."""
    free = free_bits(p["board"])
    ranks, chosen, best = -1, NOTHING, -np.inf
    for pile in range(MOST_SEATS):
        if pile == t["piles"]:
            break
        fitting = free & t["fit"][p["top"][pile]]
        while fitting:
            number = lowest_bit_number(fitting)
            fitting &= fitting - 1
            if chosen == NOTHING and not fitting and pile + 1 == t["piles"]:
                return PILE_STEP * pile + number  # the only one
            if ranks < 0:
                ranks = visible_ranks(t, free)
            random = mix(random)
            value = play_value(p, t, free, ranks, number, pile) + JITTER * (random & np.uint64(255))
            if value > best:
                chosen, best = PILE_STEP * pile + number, value
    return chosen


@inlined
def draw_value(p: np.void, t: np.void, pile: int) -> float:
    """What drawing on a pile is worth beside drawing on another."""
    return float(p["left"][pile] + t["weights"][DRAW_UNSEEN] * unseen_that_fit(t, p["unseen"], p["top"][pile]))


@inlined
def best_draw(p: np.void, t: np.void) -> int:
    """The pile that is best drawn on, NOTHING if all stocks are empty."""
    chosen, best = NOTHING, -np.inf
    for pile in range(MOST_SEATS):
        if pile == t["piles"]:
            break
        value = draw_value(p, t, pile)
        if p["left"][pile] and value > best:
            chosen, best = pile, value
    return chosen
