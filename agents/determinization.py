"""Determinizations: unseen cards dealt at random among all unseen places, in accord with what has been seen."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.compact import NO_RANK, free_bits, lay, seen, unseen_of
from gipfelsturm.envs.rules.chance import GOLDEN, below, mix
from gipfelsturm.envs.rules.jit import count_bits, inlined, lowest_bit_number
from gipfelsturm.envs.rules.record import MOST_SEATS


@inlined
def fill_pool(p: np.void, t: np.void, pool: NDArray[np.int64]) -> int:
    """Write the unknown cards' ranks in rank order into a pool (52,); returns how many there are.

    A position counts as unseen what has not turned up in it; what is known all the same is none of them.
    """
    unseen = _unknown(p, t)
    cards = 0
    for rank in range(13):
        for _ in range(unseen_of(unseen, rank)):
            pool[cards] = rank
            cards += 1
    return cards


@inlined
def _unknown(p: np.void, t: np.void) -> int:
    unseen = p["unseen"]
    face_down = p["board"] & ~free_bits(p["board"]) & ~t["hidden"]
    while face_down:
        unseen = seen(unseen, t["rank"][lowest_bit_number(face_down)])
        face_down &= face_down - 1
    for pile in range(MOST_SEATS):
        known = t["known_stock"][pile]
        while known:
            unseen = seen(unseen, t["stock"][pile, lowest_bit_number(known)])
            known &= known - 1
    return int(unseen)


@inlined
def shuffle(pool: NDArray[np.int64], cards: int, needed: int, random: np.uint64) -> None:
    """Bring any of the cards of a pool, each order as likely, to its first `needed` slots (Fisher and Yates)."""
    for slot in range(needed):
        random += GOLDEN
        other = slot + below(mix(random), cards - slot)
        pool[slot], pool[other] = pool[other], pool[slot]


@inlined
def deal_pool(p: np.void, t: np.void, pool: NDArray[np.int64]) -> None:
    """Lay a pool on the hidden places and where the stocks of a position are unknown; what is left lies aside."""
    t["fit"][:] = t["known_fit"]
    used, hidden = 0, t["hidden"]
    while hidden:
        lay(t, lowest_bit_number(hidden), pool[used])
        used += 1
        hidden &= hidden - 1
    t["fit"][NO_RANK] = 0
    for pile in range(t["piles"]):
        known, stock = t["known_stock"][pile], t["stock"][pile]
        for card in range(t["dealt"] - p["left"][pile], t["dealt"]):
            if not known >> card & 1:
                stock[card] = pool[used]
                used += 1


@inlined
def places_to_fill(p: np.void, t: np.void) -> int:
    """How many unknown cards a determinization of a position lays down."""
    hidden, cards = t["hidden"], p["left"][0] + p["left"][1] + p["left"][2]
    while hidden:
        cards += 1
        hidden &= hidden - 1
    for pile in range(MOST_SEATS):
        cards -= count_bits(t["known_stock"][pile])
    return int(cards)
