"""Draws on a sheet, all at once: the bits that stand for numbers of drawn cards, and how a draw moves them."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.solver_memory import Memory, rank_drawn
from gipfelsturm.envs.rules.jit import inlined, signed
from gipfelsturm.envs.rules.record import MOST_SEATS

Words = NDArray[np.uint64]
Axis = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]
"""Of one stock: by how many bits a draw moves; the bits of at least 1, 2 and 4 draws; those of none."""

WIDTHS = (8, 4)
"""Numbers of draws that a block holds of each stock, with two and with three piles."""


def _drawn(piles: int) -> NDArray[np.int64]:
    """How many cards of each stock each bit stands for (64, 3)."""
    width = WIDTHS[piles - 2]
    return np.array([[bit // width**pile % width if pile < piles else 0 for pile in range(3)] for bit in range(64)])


def _axis(piles: int, pile: int) -> list[int]:
    drawn = _drawn(piles)[:, pile]
    masks = (drawn >= 1, drawn >= 2, drawn >= 4, drawn == 0)
    return [WIDTHS[piles - 2] ** pile, *(sum(1 << int(bit) for bit in np.flatnonzero(mask)) for mask in masks)]


DRAWN = np.stack([_drawn(2), _drawn(3)])  # (2, 64, 3)
AXES = np.array([[_axis(piles, pile) for pile in range(3)] for piles in (2, 3)], np.uint64)  # (2, 3, 5)


@inlined
def width_of(piles: int) -> int:
    """How many numbers of draws a block holds of each stock."""
    return WIDTHS[piles - 2]


@inlined
def words_of(piles: int) -> int:
    """How many words a sheet has."""
    return 169 if piles == 2 else 2197


@inlined
def draws_in(piles: int, block: int, bit: int) -> int:
    """How many cards a bit of a block stands for, over all stocks."""
    total = 0
    for pile in range(piles):
        total += DRAWN[piles - 2, bit, pile] + width_of(piles) * (block >> pile & 1)
    return total


@inlined
def write_draws(g: np.void, block: int, most: int, drawn: Words) -> None:
    """Write into `drawn` (3, 13) which bits put a card of each rank on each pile by a draw.

    Only draws that make no more than `most` cards in all count.
    """
    piles = signed(g["seats"])
    drawn[:] = 0
    for bit in range(64):
        if draws_in(piles, block, bit) > most:
            continue
        for pile in range(piles):
            nth = DRAWN[piles - 2, bit, pile] + width_of(piles) * (block >> pile & 1)
            if 0 < nth <= signed(g["stock"][pile]):
                drawn[pile, rank_drawn(g, pile, nth)] |= np.uint64(1) << np.uint64(bit)


@inlined
def draw_on(piles: int, memory: Memory, block: int, s: int, drawn: Words, lanes: Words) -> None:
    """Add to the sheet of a set whatever draws can make of its states, and of those of fewer draws.

    From stock 0 first, then from the others: in between nothing is played, so every order comes to the same.

    Args:
        piles: 2 or 3, a literal, so that every loop here is compiled for its length.
        lanes: (13,) to work in.
    """
    slot = signed(memory.slots[block, s])
    sheets = memory.sheets
    for pile in range(MOST_SEATS):
        if pile == piles:
            break
        a = piles - 2
        axis = AXES[a, pile, 0], AXES[a, pile, 1], AXES[a, pile, 2], AXES[a, pile, 3], AXES[a, pile, 4]
        before = signed(memory.slots[block ^ 1 << pile, s]) if block >> pile & 1 else -1
        if pile == 0:
            for base in range(0, words_of(piles), 13):
                _draw_first(sheets, slot, before, base, axis, drawn)
        elif pile == 1:
            for base in range(0, words_of(piles), 169):
                _draw_lanes(sheets, slot, before, base, 1, axis, drawn, lanes)
        else:
            for base in range(0, 169, 13):
                _draw_lanes(sheets, slot, before, base, 2, axis, drawn, lanes)


@inlined
def _draw_first(sheets: Words, slot: int, before: int, base: int, axis: Axis, drawn: Words) -> None:
    """Draw for pile 0 with the other tops as they are; `before` is the sheet of fewer draws, -1 if there is none."""
    found = np.uint64(0)
    for rank in range(13):
        found |= sheets[slot, base + rank]
    found = _later(found, axis)
    if before >= 0:
        earlier = np.uint64(0)
        for rank in range(13):
            earlier |= sheets[before, base + rank]
        found |= _any_number(earlier, axis)
    for rank in range(13):
        sheets[slot, base + rank] |= found & drawn[0, rank]


@inlined
def _draw_lanes(
    sheets: Words, slot: int, before: int, base: int, pile: int, axis: Axis, drawn: Words, lanes: Words
) -> None:
    """The same for pile 1 or 2, all tops of pile 0 abreast."""
    step = 13 if pile == 1 else 169
    for lane in range(13):
        lanes[lane] = 0
    for rank in range(13):
        for lane in range(13):
            lanes[lane] |= sheets[slot, base + step * rank + lane]
    for lane in range(13):
        lanes[lane] = _later(lanes[lane], axis)
    if before >= 0:
        for lane in range(13):
            earlier = np.uint64(0)
            for rank in range(13):
                earlier |= sheets[before, base + step * rank + lane]
            lanes[lane] |= _any_number(earlier, axis)
    for rank in range(13):
        bits = drawn[pile, rank]
        for lane in range(13):
            sheets[slot, base + step * rank + lane] |= lanes[lane] & bits


@inlined
def _later(bits: np.uint64, axis: Axis) -> np.uint64:
    """Every number of draws from a stock that is above one of these, within the block."""
    unit, one, two, four, _ = axis
    later = bits << unit & one
    later |= later << unit & one
    later |= later << (unit * np.uint64(2)) & two
    return later | later << (unit * np.uint64(4)) & four


@inlined
def _any_number(bits: np.uint64, axis: Axis) -> np.uint64:
    """Every number of draws from a stock of which one is given."""
    unit, _, _, four, none = axis
    bits |= bits >> unit
    bits |= bits >> (unit * np.uint64(2))
    if four:  # a block of 8, not of 4
        bits |= bits >> (unit * np.uint64(4))
    bits &= none
    bits |= bits << unit
    bits |= bits << (unit * np.uint64(2))
    if four:
        bits |= bits << (unit * np.uint64(4))
    return bits
