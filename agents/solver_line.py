"""A winning line, found backwards from the end through states that are known to be possible."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.chain import neighbour
from gipfelsturm.agents.solver_draws import width_of
from gipfelsturm.agents.solver_memory import Memory, rank_drawn, rank_of
from gipfelsturm.agents.solver_sets import SETS, find_set
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import compiled, count_bits, inlined, signed
from gipfelsturm.envs.rules.record import MOST_SEATS
from gipfelsturm.envs.rules.table import FULL, LIES_ON_MASK

LONGEST_LINE = PLACES + 23
"""Every card is played, and 23 can be drawn at most."""

Numbers = NDArray[np.int64]


@compiled
def write_line(g: np.void, memory: Memory, draws: int, moves: NDArray[np.uint8]) -> int:
    """Write the flat actions of a win with so many draws, which exploring this game has found.

    Draws come as late as they can. All lines with the fewest draws are of one length, and none is shorter.

    Returns:
        How many actions there are.
    """
    tops = np.zeros(MOST_SEATS, np.int64)
    drawn = np.zeros(MOST_SEATS, np.int64)
    _find_end(g, memory, draws, tops, drawn)
    length = count_bits(signed(g["present"])) + draws
    gone = signed(FULL)
    for at in range(length - 1, -1, -1):
        move = _take_back_draw(g, memory, gone, tops, drawn)
        if move < 0:
            move = _take_back_play(g, memory, gone, tops, drawn)
            gone &= ~(1 << move % PLACES)
        moves[at] = move
    return length


@inlined
def _possible(g: np.void, memory: Memory, s: int, tops: Numbers, drawn: Numbers) -> bool:
    """Whether a state has been found."""
    piles = signed(g["seats"])
    if piles == 1:
        return bool(memory.words[s, 1 + tops[0]] >> np.uint32(drawn[0]) & np.uint32(1) != 0)
    width = width_of(piles)
    block, bit, state = 0, 0, 0
    for k in range(piles):
        pile = piles - 1 - k
        block = 2 * block + drawn[pile] // width
        bit = width * bit + drawn[pile] % width
        state = 13 * state + tops[pile]
    slot = memory.slots[block, s]
    return bool(slot >= 0 and memory.sheets[slot, state] >> np.uint64(bit) & np.uint64(1) != 0)


@inlined
def _find_end(g: np.void, memory: Memory, draws: int, tops: Numbers, drawn: Numbers) -> None:
    """Write the first won state with so many draws."""
    piles = signed(g["seats"])
    for split in range(24 * 24):
        drawn[1], drawn[2] = split % 24, split // 24
        drawn[0] = draws - drawn[1] - drawn[2]
        if _beyond_stocks(g, drawn):
            continue
        for state in range(13**piles):
            tops[0], tops[1], tops[2] = state % 13, state // 13 % 13, state // 169
            if _possible(g, memory, SETS - 1, tops, drawn):
                return


@inlined
def _beyond_stocks(g: np.void, drawn: Numbers) -> bool:
    for pile in range(MOST_SEATS):
        left = signed(g["stock"][pile]) if pile < signed(g["seats"]) else 0
        if not 0 <= drawn[pile] <= left:
            return True
    return False


@inlined
def _take_back_draw(g: np.void, memory: Memory, gone: int, tops: Numbers, drawn: Numbers) -> int:
    """Go back to a state from which a draw leads to this one; the action, -1 if there is none."""
    s = find_set(memory.sets, gone)
    for pile in range(signed(g["seats"])):
        top = tops[pile]
        if drawn[pile] == 0 or rank_drawn(g, pile, drawn[pile]) != top:
            continue
        drawn[pile] -= 1
        for before in range(13):
            tops[pile] = before
            if _possible(g, memory, s, tops, drawn):
                return PLACES * signed(g["seats"]) + pile
        tops[pile] = top
        drawn[pile] += 1
    return -1


@inlined
def _take_back_play(g: np.void, memory: Memory, gone: int, tops: Numbers, drawn: Numbers) -> int:
    """Go back to a state from which a play leads to this one; the action, -1 if there is none."""
    for place in range(PLACES):
        # Cards of the game's own set are not taken back: no state without them has been found.
        if not gone >> place & 1 or gone & signed(LIES_ON_MASK[place]) or not signed(g["present"]) >> place & 1:
            continue
        s = find_set(memory.sets, gone & ~(1 << place))
        rank = rank_of(g["deck"][place])
        for pile in range(signed(g["seats"])):
            if tops[pile] != rank:
                continue
            for up in range(2):
                tops[pile] = neighbour(rank, up, g["ring"])
                if tops[pile] >= 0 and _possible(g, memory, s, tops, drawn):
                    return PLACES * pile + place
            tops[pile] = rank
    return -1
