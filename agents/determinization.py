"""Determinizations: unseen cards dealt at random among all unseen places, in accord with what has been seen."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.compact import lay, unseen_of
from gipfelsturm.envs.rules.chance import GOLDEN, below, mix
from gipfelsturm.envs.rules.jit import inlined, lowest_bit_number
from gipfelsturm.envs.rules.record import MOST_SEATS


@inlined
def fill_pool(p: np.void, pool: NDArray[np.int64]) -> int:
    """Write the unseen cards' ranks in rank order into a pool (52,); returns how many there are."""
    cards = 0
    for rank in range(13):
        for _ in range(unseen_of(p["unseen"], rank)):
            pool[cards] = rank
            cards += 1
    return cards


@inlined
def shuffle(pool: NDArray[np.int64], cards: int, needed: int, random: np.uint64) -> None:
    """Bring any of the cards of a pool, each order as likely, to its first `needed` slots (Fisher and Yates)."""
    for slot in range(needed):
        random += GOLDEN
        other = slot + below(mix(random), cards - slot)
        pool[slot], pool[other] = pool[other], pool[slot]


@inlined
def deal_pool(p: np.void, t: np.void, pool: NDArray[np.int64]) -> None:
    """Lay a pool on the hidden places and in the stocks of a position; what is left lies aside."""
    t["fit"][:] = t["known_fit"]
    used, hidden = 0, t["hidden"]
    while hidden:
        lay(t, lowest_bit_number(hidden), pool[used])
        used += 1
        hidden &= hidden - 1
    for pile in range(MOST_SEATS):
        if pile == t["piles"]:
            break
        for card in range(t["dealt"] - p["left"][pile], t["dealt"]):
            t["stock"][pile, card] = pool[used]
            used += 1


@inlined
def places_to_fill(p: np.void, t: np.void) -> int:
    """How many unseen cards a determinization of a position lays down."""
    hidden, stocks = t["hidden"], p["left"][0] + p["left"][1] + p["left"][2]
    while hidden:
        stocks += 1
        hidden &= hidden - 1
    return int(stocks)
