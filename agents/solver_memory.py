"""What the solver works in: one piece of memory, made once and used for any number of games of so many piles."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.solver_sets import SETS, Sets, all_sets
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.checks import whole
from gipfelsturm.envs.rules.jit import inlined, signed
from gipfelsturm.envs.rules.record import GAME, Games

SHEETS = (0, 4 * SETS, 30_000)
"""How many sheets there are for one, two and three piles if nothing else is asked for.

One pile needs none, and two never need more (124 MB, of which most games touch a quarter). Three piles could need
8 * `SETS` (3.2 GB); this many take up to 530 MB, and what they do not suffice for is not settled.
"""


class Memory(NamedTuple):
    """Which states have been found to be possible: a set of gone places, the tops of the piles, the cards drawn.

    One pile: bit `d` of `words[s, 1 + r]` says that with set `s` gone and `d` cards drawn the top can be of rank `r`.
    Columns 0 and 14 stand for the ranks beyond ace and king.

    Several piles: a sheet holds a word for each combination of tops, number `r0 + 13*r1 + 169*r2`, and bit
    `d0 + w*d1 + w*w*d2` of a word stands for the cards drawn from each stock, where `w` is 8 with two piles and 4 with
    three. Bit `k` of a block's number says that `w` more were drawn from stock `k`. `slots[b, s]` is the sheet of set
    `s` in block `b`, -1 if none of its states is possible.
    """

    sets: Sets
    words: NDArray[np.uint32]  # (SETS, 16), (0, 16) for several piles
    slots: NDArray[np.int32]  # (2**piles, SETS), (0, SETS) for one pile
    sheets: NDArray[np.uint64]  # (sheets, 13**piles)
    trial: Games  # (1,) a game to try an action in


def solver_memory(piles: int, sheets: int | None = None) -> Memory:
    """Memory for games of so many piles; what no game touches takes none of the machine's.

    Raises:
        ValueError: for another number than 1, 2 or 3 piles, or no sheets for several.
    """
    if whole("piles", piles) not in (1, 2, 3):
        raise ValueError(f"piles must be 1, 2 or 3, not {piles}")
    most = SHEETS[piles - 1] if sheets is None else whole("sheets", sheets)
    if most < (piles > 1):
        raise ValueError(f"sheets must be 1 or more, not {most}")
    return Memory(
        sets=all_sets(),
        words=np.empty((SETS if piles == 1 else 0, 16), np.uint32),
        slots=np.empty((2**piles if piles > 1 else 0, SETS), np.int32),
        sheets=np.empty((most, 13**piles), np.uint64),
        trial=np.zeros(1, GAME),
    )


@inlined
def rank_of(card: int) -> int:
    """The rank of a card, 0..12."""
    return signed(card) >> 2


@inlined
def rank_drawn(g: np.void, pile: int, nth: int) -> int:
    """The rank of the n-th card, from 1, that a stock gives from now on."""
    end = PLACES + (pile + 1) * signed(g["dealt"])
    return rank_of(g["deck"][end - signed(g["stock"][pile]) + nth - 1])
