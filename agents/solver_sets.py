"""The sets of places whose cards can be gone together, and which card may go next from each.

Only 22,932 of the 2^28 sets keep to the covers (rules.md section 1), whatever the cards are. They stand in the order of
their size, so that every play leads to a later one.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import compiled, count_bits, signed
from gipfelsturm.envs.rules.table import COVER_MASK

SETS = 22_932
STEPS = 119_364
"""Pairs of a set and a place that is free in it."""


class Sets(NamedTuple):
    """Every set, and its steps: those of set `s` are `first[s]`..`first[s + 1]` - 1, by place."""

    gone: NDArray[np.uint32]  # (SETS,) mask of the places, by number of places, then by mask
    first: NDArray[np.uint32]  # (SETS + 1,)
    place: NDArray[np.uint8]  # (STEPS,) that the step plays
    after: NDArray[np.uint16]  # (STEPS,) set that it leads to
    of_size: NDArray[np.uint32]  # (PLACES + 2,) first set of each size, and SETS


@cache
def all_sets() -> Sets:
    """The sets, size by size, made once."""
    layer = np.zeros(1, np.uint32)
    layers, frees, afters = [], [], []
    behind = 0
    while len(layer):
        free = _free(layer)
        rows, places = np.nonzero(free)
        larger, numbers = np.unique(layer[rows] | np.uint32(1) << places.astype(np.uint32), return_inverse=True)
        behind += len(layer)
        layers.append(layer)
        frees.append(free)
        afters.append(behind + numbers)
        layer = larger
    free = np.concatenate(frees)
    sets = Sets(
        gone=np.concatenate(layers),
        first=np.concatenate([[0], np.cumsum(free.sum(1))]).astype(np.uint32),
        place=np.nonzero(free)[1].astype(np.uint8),
        after=np.concatenate(afters).astype(np.uint16),
        of_size=np.cumsum([0, *map(len, layers)]).astype(np.uint32),
    )
    for array in sets:
        array.flags.writeable = False
    return sets


def _free(layer: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which places (sets, 28) are free in each set (sets,)."""
    gone = layer[:, np.newaxis]
    there = gone >> np.arange(PLACES, dtype=np.uint32) & 1 == 0
    free: NDArray[np.bool_] = there & (gone & COVER_MASK == COVER_MASK)
    return free


@compiled
def find_set(sets: Sets, gone: int) -> int:
    """The number of the set with that mask, -1 if the covers do not allow it."""
    size = count_bits(gone)
    low = signed(sets.of_size[size])
    end = signed(sets.of_size[size + 1])
    high = end
    while low < high:
        middle = (low + high) >> 1
        if sets.gone[middle] < gone:
            low = middle + 1
        else:
            high = middle
    return low if low < end and sets.gone[low] == gone else -1
