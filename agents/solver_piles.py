"""Everything that can happen with two or three piles: set by set as with one, and block by block of numbers of draws.

Blocks come in the order of the fewest draws that they stand for, so that most games are settled by the first.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.chain import neighbour
from gipfelsturm.agents.solver_draws import Words, draw_on, draws_in, width_of, words_of, write_draws
from gipfelsturm.agents.solver_memory import Memory, rank_of
from gipfelsturm.agents.solver_sets import SETS, find_set
from gipfelsturm.envs.rules.jit import compiled, count_bits, inlined, signed
from gipfelsturm.envs.rules.record import MOST_SEATS
from gipfelsturm.envs.rules.table import FULL

NO_WIN = 99
ORDER = np.array(sorted(range(2**MOST_SEATS), key=int.bit_count))  # (8,) blocks


@compiled
def explore_piles(g: np.void, memory: Memory, fewest: bool) -> tuple[int, int, bool]:
    """Find every possible state from a game's own on, until it is settled.

    Args:
        fewest: go on after a first win while there may be one with fewer draws.

    Returns:
        The fewest draws of the wins that were found, -1 if none was; the most places whose card can be gone; and
        whether this is the answer, which with three piles it is not once the sheets are used up.
    """
    piles = signed(g["seats"])
    start = find_set(memory.sets, signed(FULL) & ~signed(g["present"]))
    memory.slots[:, start:] = -1
    used = _begin(g, memory, start)
    drawn = np.zeros((MOST_SEATS, 13), np.uint64)
    best = NO_WIN
    for block in ORDER:
        if width_of(piles) * count_bits(block) >= best or (best < NO_WIN and not fewest):
            break
        if _beyond_stocks(g, block):
            continue
        write_draws(g, block, best - 1, drawn)
        if piles == 2:
            used = _explore_two(g, memory, block, start, used, drawn)
        else:
            used = _explore_three(g, memory, block, start, used, drawn)
        best = min(best, _fewest(piles, memory, block))
        if used < 0:
            break
    return best if best < NO_WIN else -1, _most_gone(memory), used >= 0


@inlined
def _begin(g: np.void, memory: Memory, start: int) -> int:
    """Write the state of the game itself; the number of sheets used so far."""
    state, unit = 0, 1
    for pile in range(signed(g["seats"])):
        state += unit * rank_of(g["top"][pile])
        unit *= 13
    memory.slots[0, start] = 0
    memory.sheets[0] = 0
    memory.sheets[0, state] = 1
    return 1


@inlined
def _beyond_stocks(g: np.void, block: int) -> bool:
    """Whether a block stands for more draws from some stock than it has cards left."""
    piles = signed(g["seats"])
    for pile in range(MOST_SEATS):
        if block >> pile & 1 and (pile >= piles or signed(g["stock"][pile]) < width_of(piles)):
            return True
    return False


@compiled
def _explore_two(g: np.void, memory: Memory, block: int, start: int, used: int, drawn: Words) -> int:
    return _explore(2, g, memory, block, start, used, drawn)


@compiled
def _explore_three(g: np.void, memory: Memory, block: int, start: int, used: int, drawn: Words) -> int:
    return _explore(3, g, memory, block, start, used, drawn)


@inlined
def _explore(piles: int, g: np.void, memory: Memory, block: int, start: int, used: int, drawn: Words) -> int:
    """Find every state of a block, those of fewer draws being known.

    Sheets are indexed, not passed on as rows here: counting references to a row would take longer than all else.

    Returns:
        The number of sheets used so far, -1 if they do not suffice.
    """
    slots = memory.slots
    lanes = np.zeros(13, np.uint64)
    for s in range(start, SETS):
        if slots[block, s] < 0:
            if not _drawn_into(slots, block, s):
                continue
            if used == len(memory.sheets):
                return -1
            used = _new_sheet(memory, block, s, used)
        draw_on(piles, memory, block, s, drawn, lanes)
        used = _play_on(piles, g, memory, block, s, used)
        if used < 0:
            return -1
    return used


@inlined
def _new_sheet(memory: Memory, block: int, s: int, used: int) -> int:
    memory.slots[block, s] = used
    memory.sheets[used] = 0
    return used + 1


@inlined
def _drawn_into(slots: NDArray[np.int32], block: int, s: int) -> bool:
    """Whether draws lead into a block at a set."""
    for pile in range(MOST_SEATS):
        if block >> pile & 1 and slots[block ^ 1 << pile, s] >= 0:
            return True
    return False


@inlined
def _play_on(piles: int, g: np.void, memory: Memory, block: int, s: int, used: int) -> int:
    """Play each free card of a set on each pile; the number of sheets used so far, -1 if they do not suffice."""
    sets, slots, sheets = memory.sets, memory.slots, memory.sheets
    slot = signed(slots[block, s])
    for step in range(sets.first[s], sets.first[s + 1]):
        rank = rank_of(g["deck"][sets.place[step]])
        above, below = neighbour(rank, 1, g["ring"]), neighbour(rank, 0, g["ring"])
        above, below = above if above >= 0 else below, below if below >= 0 else above
        after = sets.after[step]
        if slots[block, after] < 0:
            if not _any_fits(piles, sheets, slot, above, below):
                continue
            if used == len(sheets):
                return -1
            used = _new_sheet(memory, block, after, used)
        _put(piles, sheets, slot, signed(slots[block, after]), rank, above, below)
    return used


@inlined
def _any_fits(piles: int, sheets: Words, slot: int, above: int, below: int) -> bool:
    """Whether a card with these neighbours fits a pile in any state of a sheet."""
    found = np.uint64(0)
    for base in range(0, words_of(piles), 13):
        found |= sheets[slot, base + above] | sheets[slot, base + below]
    for base in range(0, words_of(piles), 169):
        for lane in range(13):
            found |= sheets[slot, base + 13 * above + lane] | sheets[slot, base + 13 * below + lane]
    if piles == 3:
        for lane in range(169):
            found |= sheets[slot, 169 * above + lane] | sheets[slot, 169 * below + lane]
    return bool(found != 0)


@inlined
def _put(piles: int, sheets: Words, slot: int, after: int, rank: int, above: int, below: int) -> None:
    """Add to the sheet `after` what comes of putting a card of this rank on each pile in every state of a sheet."""
    for base in range(0, words_of(piles), 13):
        sheets[after, base + rank] |= sheets[slot, base + above] | sheets[slot, base + below]
    for base in range(0, words_of(piles), 169):
        for lane in range(13):
            fitting = sheets[slot, base + 13 * above + lane] | sheets[slot, base + 13 * below + lane]
            sheets[after, base + 13 * rank + lane] |= fitting
    if piles == 3:
        for lane in range(169):
            sheets[after, 169 * rank + lane] |= sheets[slot, 169 * above + lane] | sheets[slot, 169 * below + lane]


@inlined
def _fewest(piles: int, memory: Memory, block: int) -> int:
    """The fewest draws of the wins in a block, NO_WIN if there is none."""
    slot = memory.slots[block, SETS - 1]
    if slot < 0:
        return NO_WIN
    found = np.uint64(0)
    for word in memory.sheets[slot]:
        found |= word
    best = NO_WIN
    for bit in range(64):
        if found >> np.uint64(bit) & np.uint64(1):
            best = min(best, draws_in(piles, block, bit))
    return best


@inlined
def _most_gone(memory: Memory) -> int:
    for s in range(SETS - 1, 0, -1):
        for block in range(len(memory.slots)):
            if memory.slots[block, s] >= 0:
                return count_bits(signed(memory.sets.gone[s]))
    return 0
