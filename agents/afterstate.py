"""What a network is shown of an action: the table once it is done, before it turns up a card (the afterstate).

An afterstate is a list of the features that hold, each a row of the network's first layer. Ranks are told as distances
from a reference, the card played (the pile's top for a draw): what is learned of a chain holds for each rank alike. The
other piles share their features, and so have no order.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.compact import NEIGHBOURS, PLACE, free_bits, unseen_of
from gipfelsturm.agents.counting import LONGEST_RUN, run, unseen_that_fit, visible_ranks
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import count_bits, inlined, lowest_bit_number
from gipfelsturm.envs.rules.record import MOST_SEATS
from gipfelsturm.envs.rules.table import ROWS

RANKS = 13
DISTANCES = 25
"""From 12 ranks below the reference to 12 above; with the ring 13, upwards from the reference."""
FACES = DISTANCES + 2
HIDDEN, TURNING = DISTANCES, DISTANCES + 1
"""Of a place whose card nobody sees: it is covered, or turns up next."""
STOCKS = 25
RUNS = LONGEST_RUN + 1
MOST_UNSEEN_FIT = 8
MOST_FIT = 3
FITS = MOST_FIT * (MOST_UNSEEN_FIT + 1)
"""Up to two free cards that fit, and the unseen ones."""
TENTHS = 11
MOST_FREE = 10
"""Free places there can be: those of the base row."""
MOST_GROUPS = 7
"""Of ranks that are not neighbours: without the ring every other one of 13."""

# The first feature of each group, and how many it has.
AT_PLACE = 0  # each place still there: its face
AT_UNSEEN = AT_PLACE + PLACES * FACES  # each rank of which cards are unseen: how many, 1..4
AT_STOCK = AT_UNSEEN + 4 * DISTANCES  # cards left in the stock of the pile, after a play, and after a draw
AT_OTHER = AT_STOCK + 2 * STOCKS  # each other pile: its top, and the cards left in its stock
AT_RUNS = AT_OTHER + DISTANCES * STOCKS  # after a play: free ranks that follow upwards, and downwards
AT_UNSEEN_FIT = AT_RUNS + RUNS * RUNS  # after a play: places that turn up, and unseen cards that fit
AT_FIT = AT_UNSEEN_FIT + 3 * (MOST_UNSEEN_FIT + 1)  # free cards that fit, after a play, and before a draw
AT_CHANCE = AT_FIT + 2 * (MOST_FIT + 1)  # for a draw: tenths of the unseen cards that some free card would fit
AT_LEFT = AT_CHANCE + TENTHS  # places still there
AT_OTHER_FIT = AT_LEFT + PLACES + 1  # each other pile: free cards that fit, and unseen ones
AT_REFERENCE = AT_OTHER_FIT + FITS  # without the ring: the reference's rank
AT_PLACE_FIT = AT_REFERENCE + RANKS  # each free place: other free cards that fit its own, and unseen ones
AT_GROUPS = AT_PLACE_FIT + PLACES * FITS  # ranks of the free cards: into how many groups of neighbours they fall
FEATURES = AT_GROUPS + (MOST_GROUPS + 1) * (MOST_FREE + 1)

MOST_ACTIVE = 64
"""No afterstate has more features: 28 places, 10 of which may be free, 13 ranks, and at most 11 others."""

NO_PLACE = -1
"""Instead of a place's bit number: a draw, or waiting for cards that are about to turn up."""


@inlined
def distance(ring: int, rank: int, reference: int) -> int:
    """How far a rank lies above a reference, as a number from 0."""
    if ring:
        return (rank - reference) % RANKS
    return rank - reference + RANKS - 1


@inlined
def count_up_to(bits: int, most: int) -> int:
    """How many bits are set, at most so many."""
    counted = 0
    while bits and counted < most:
        counted += 1
        bits &= bits - 1
    return counted


@inlined
def draw_features(p: np.void, t: np.void, pile: int, unknown: int, active: NDArray[np.uint16]) -> int:
    """Write the features of a draw on a pile (MOST_ACTIVE,); returns how many hold.

    Args:
        unknown: free places whose cards are about to turn up.
    """
    free = free_bits(p["board"]) & ~unknown
    ranks, old = visible_ranks(t, free), p["top"][pile]
    found = _shared(p, t, p["board"], free, ranks, unknown, old, pile, active)
    able, unseen = 0, 0
    for rank in range(RANKS):
        cards = unseen_of(p["unseen"], rank)
        unseen += cards
        if (1 << NEIGHBOURS[t["ring"], rank, 0] | 1 << NEIGHBOURS[t["ring"], rank, 1]) & ranks:
            able += cards
    active[found] = AT_STOCK + STOCKS + p["left"][pile] - 1
    active[found + 1] = AT_FIT + MOST_FIT + 1 + count_up_to(free & t["fit"][old], MOST_FIT)
    active[found + 2] = AT_CHANCE + (TENTHS - 1) * able // max(unseen, 1)
    return found + 3


@inlined
def play_features(p: np.void, t: np.void, number: int, pile: int, unknown: int, active: NDArray[np.uint16]) -> int:
    """Write the features of a play of a place's card on a pile (MOST_ACTIVE,); returns how many hold.

    Args:
        number: the bit number of the place, NO_PLACE if the card on the pile has just been played.
        unknown: free places whose cards are about to turn up anyway.
    """
    board, reference = p["board"], p["top"][pile]
    free = free_bits(board) & ~unknown
    turning = unknown
    if number != NO_PLACE:
        reference = t["rank"][number]
        board ^= 1 << number
        free ^= 1 << number
        turning = free_bits(board) & ~free
    ranks = visible_ranks(t, free)
    found = _shared(p, t, board, free, ranks, turning, reference, pile, active)
    up, down = run(t, ranks, reference, 0), run(t, ranks, reference, 1)
    unseen = unseen_that_fit(t, p["unseen"], reference)
    active[found] = AT_STOCK + p["left"][pile]
    active[found + 1] = AT_FIT + count_up_to(free & t["fit"][reference], MOST_FIT)
    active[found + 2] = AT_RUNS + RUNS * up + down
    active[found + 3] = AT_UNSEEN_FIT + (MOST_UNSEEN_FIT + 1) * count_up_to(turning, 2) + unseen
    return found + 4


@inlined
def _shared(
    p: np.void,
    t: np.void,
    board: int,
    free: int,
    ranks: int,
    turning: int,
    reference: int,
    pile: int,
    active: NDArray[np.uint16],
) -> int:
    """The features of plays and draws alike."""
    ring, found = t["ring"], _place_features(p, t, board, free, turning, reference, active)
    follows = ranks << 1 | ranks >> RANKS - 1 & ring
    active[found] = AT_LEFT + count_bits(board)
    active[found + 1] = AT_GROUPS + (MOST_FREE + 1) * count_bits(ranks & ~follows) + count_bits(ranks)
    found += 2
    for rank in range(RANKS):
        unseen = unseen_of(p["unseen"], rank)
        if unseen:
            active[found] = AT_UNSEEN + 4 * distance(ring, rank, reference) + unseen - 1
            found += 1
    if not ring:
        active[found] = AT_REFERENCE + reference
        found += 1
    for other in range(MOST_SEATS):
        if other == t["piles"]:
            break
        if other != pile:
            top = p["top"][other]
            active[found] = AT_OTHER + STOCKS * distance(ring, top, reference) + p["left"][other]
            active[found + 1] = AT_OTHER_FIT + _fits(p, t, free, top)
            found += 2
    return found


@inlined
def _place_features(
    p: np.void, t: np.void, board: int, free: int, turning: int, reference: int, active: NDArray[np.uint16]
) -> int:
    """The features of the places still there."""
    found, places = 0, board
    while places:
        bit, number = places & -places, lowest_bit_number(places)
        places ^= bit
        face = TURNING if turning & bit else HIDDEN
        if free & bit:
            rank = t["rank"][number]
            face = distance(t["ring"], rank, reference)
            active[found] = AT_PLACE_FIT + FITS * PLACE[number] + _fits(p, t, free, rank)
            found += 1
        active[found] = AT_PLACE + FACES * PLACE[number] + face
        found += 1
    return found


@inlined
def _fits(p: np.void, t: np.void, free: int, rank: int) -> int:
    """The free cards that fit a rank (two stand for more) and the unseen ones, as a number below `FITS`."""
    unseen = unseen_that_fit(t, p["unseen"], rank)
    return (MOST_UNSEEN_FIT + 1) * count_up_to(free & t["fit"][rank], MOST_FIT - 1) + unseen


def mirrored() -> NDArray[np.int64]:
    """(FEATURES,): what each feature becomes if the peaks are mirrored left to right."""
    becomes = np.arange(FEATURES)
    for row in ROWS:
        for place, other in zip(row, reversed(row), strict=True):
            for start, width in ((AT_PLACE, FACES), (AT_PLACE_FIT, FITS)):
                becomes[start + width * place : start + width * (place + 1)] = start + width * other + np.arange(width)
    return becomes


def reversed_ranks(ring: bool) -> NDArray[np.int64]:
    """(FEATURES,): what each feature becomes if the ranks run the other way."""
    becomes = np.arange(FEATURES)
    for far in range(RANKS if ring else DISTANCES):
        other = -far % RANKS if ring else DISTANCES - 1 - far
        for place in range(PLACES):
            becomes[AT_PLACE + FACES * place + far] = AT_PLACE + FACES * place + other
        for start, width in ((AT_UNSEEN, 4), (AT_OTHER, STOCKS)):
            becomes[start + width * far : start + width * (far + 1)] = start + width * other + np.arange(width)
    runs = np.arange(RUNS * RUNS).reshape(RUNS, RUNS)
    becomes[AT_RUNS + runs] = AT_RUNS + runs.T
    becomes[AT_REFERENCE : AT_REFERENCE + RANKS] = AT_REFERENCE + np.arange(RANKS)[::-1]
    return becomes
