"""The layout of the 28 places: who covers whom (rules.md section 1), as data and as bit fields."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.jit import inlined, signed

ROWS = (range(0, 3), range(3, 9), range(9, 18), range(18, 28))
FULL = np.uint32((1 << 28) - 1)


def _covers() -> tuple[tuple[int, ...], ...]:
    tips = [(3 + 2 * i, 4 + 2 * i) for i in range(3)]
    row2 = [(9 + 3 * p + k, 10 + 3 * p + k) for p in range(3) for k in range(2)]
    row3 = [(18 + m, 19 + m) for m in range(9)]
    return tuple(tips + row2 + row3 + [()] * 10)


COVERS = _covers()
"""For each place the places that cover it: two for 0..17, none for the base row."""

LIES_ON = tuple(tuple(below for below in range(28) if place in COVERS[below]) for place in range(28))
"""For each place the places that it covers: the other way round."""

# The same as masks, for compiled code.
COVER_MASK = np.array([sum(1 << c for c in cover) for cover in COVERS], np.uint32)  # (28,)
UNDER = np.array([(places + 2 * (place,))[:2] for place, places in enumerate(LIES_ON)], np.uint8)
"""(28, 2): the two places that each covers, filled up with its own, which can never turn up again."""
LIES_ON_MASK = np.array([sum(1 << p for p in places) for places in LIES_ON], np.uint32)  # (28,)


@inlined
def free_places(present: int) -> int:
    """The places whose covers are both gone, as a bit mask, from the mask of the places still there.

    Rows are bit fields: a card is covered by its own bit or the next one of the row below, and in the upper rows each
    peak has one bit less than below, which the shifts close up.
    """
    row4 = present >> 18
    row3 = (present >> 9) & 0x1FF
    row2 = (present >> 3) & 0x3F
    free3 = row3 & ~(row4 | row4 >> 1)
    over2 = row3 | row3 >> 1
    free2 = row2 & ~((over2 & 3) | (over2 >> 1 & 12) | (over2 >> 2 & 48))
    over1 = row2 | row2 >> 1
    free1 = present & 7 & ~((over1 & 1) | (over1 >> 1 & 2) | (over1 >> 2 & 4))
    return free1 | free2 << 3 | free3 << 9 | row4 << 18


@inlined
def lowest(bits: int) -> int:
    """The number of the lowest bit that is set (de Bruijn multiplication); `bits` is a non-zero mask of places."""
    return signed(_DE_BRUIJN[((bits & -bits) * 0x077CB531 & 0xFFFFFFFF) >> 27])


def _de_bruijn() -> NDArray[np.int64]:
    table = np.zeros(32, np.int64)
    for i in range(32):
        table[(0x077CB531 << i & 0xFFFFFFFF) >> 27] = i
    return table


_DE_BRUIJN = _de_bruijn()
