"""How long a run of plays the cards that are visible now allow."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.jit import compiled, inlined

# Ranks are packed four bits each: how many cards of each rank lie visible, and the rank on top of each pile.
RANK_BITS = 4
RANKS = 13
LONGEST_CHAIN = 6


@inlined
def neighbour(rank: int, up: int, ring: int) -> int:
    """The rank above (`up` 1) or below (`up` 0), -1 if there is none."""
    if up:
        return rank + 1 if rank < RANKS - 1 else (0 if ring else -1)
    return rank - 1 if rank else (RANKS - 1 if ring else -1)


def chain_stack() -> NDArray[np.int64]:
    """Room for `longest_chain` to work in: (depth, 3) of visible ranks, tops, and the next choice to try."""
    return np.zeros((LONGEST_CHAIN + 1, 3), np.int64)


@compiled
def longest_chain(visible: int, tops: int, piles: int, ring: int, stack: NDArray[np.int64]) -> int:
    """The longest run of plays, `LONGEST_CHAIN` at most, from packed counts of visible ranks and packed tops.

    Depth first with a stack of its own: a compiled function that calls itself crashes when it comes from the cache.
    """
    depth, best = 0, 0
    stack[0, 0], stack[0, 1], stack[0, 2] = visible, tops, 0
    while depth >= 0:
        choice = stack[depth, 2]
        if choice == 2 * piles:
            depth -= 1
            continue
        stack[depth, 2] += 1
        shift = RANK_BITS * (choice >> 1)
        rank = neighbour(stack[depth, 1] >> shift & 15, choice & 1, ring)
        if rank < 0 or not stack[depth, 0] >> (RANK_BITS * rank) & 15:
            continue
        stack[depth + 1, 0] = stack[depth, 0] - (1 << (RANK_BITS * rank))
        stack[depth + 1, 1] = stack[depth, 1] & ~(15 << shift) | rank << shift
        stack[depth + 1, 2] = 0
        depth += 1
        if depth > best:
            best = depth
            if best == LONGEST_CHAIN:
                break
    return best
