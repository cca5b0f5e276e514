"""Everything that can happen with one pile, all draws at once.

A play leads to a larger set and a draw to a later card, so one pass over the sets in order settles a game, in the same
time whether it can be won or not.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.solver_memory import Memory, rank_drawn, rank_of
from gipfelsturm.agents.solver_sets import SETS, find_set
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import compiled, count_bits, inlined, signed
from gipfelsturm.envs.rules.table import FULL

Words = NDArray[np.uint32]


@compiled
def explore_solo(g: np.void, memory: Memory) -> tuple[int, int]:
    """Find every possible state from a game's own on.

    Returns:
        The fewest draws with which it can be won, -1 if it cannot; and the most places whose card can be gone.
    """
    sets, words = memory.sets, memory.words
    start = find_set(sets, signed(FULL) & ~signed(g["present"]))
    words[start:] = 0
    words[start, 1 + rank_of(g["top"][0])] = 1
    drawn = _draws_by_rank(g)
    ranks = np.zeros(PLACES, np.uint64)
    for place in range(PLACES):
        ranks[place] = rank_of(g["deck"][place])
    furthest = start
    for s in range(start, SETS):
        if not _draw_on(words, s, drawn):
            continue
        furthest = s
        words[s, 0] = words[s, 13] if g["ring"] else 0
        words[s, 14] = words[s, 1] if g["ring"] else 0
        for step in range(sets.first[s], sets.first[s + 1]):
            rank = ranks[sets.place[step]]
            # Written even if nothing fits: a branch on that, which nobody can foresee, would cost more.
            words[sets.after[step], rank + np.uint64(1)] |= words[s, rank] | words[s, rank + np.uint64(2)]
    return _fewest(words), count_bits(signed(sets.gone[furthest]))


@inlined
def _draws_by_rank(g: np.void) -> Words:
    """For each column of `words` the numbers of draws, as bits, that put a card of its rank on top (16,)."""
    drawn = np.zeros(16, np.uint32)
    for nth in range(1, signed(g["stock"][0]) + 1):
        drawn[1 + rank_drawn(g, 0, nth)] |= np.uint32(1 << nth)
    return drawn


@inlined
def _draw_on(words: Words, s: int, drawn: Words) -> bool:
    """Draw on to the end of the stock from the earliest state of a set; False if no state of it is possible."""
    found = np.uint32(0)
    for column in range(1, 14):
        found |= words[s, column]
    later = found ^ np.uint32(-signed(found))  # the bits above the lowest one
    for column in range(1, 14):
        words[s, column] |= drawn[column] & later
    return bool(found != 0)


@inlined
def _fewest(words: Words) -> int:
    found = np.uint32(0)
    for column in range(1, 14):
        found |= words[SETS - 1, column]
    for draws in range(24):
        if found >> draws & 1:
            return draws
    return -1
