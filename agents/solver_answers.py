"""The solver's answers to compiled code: one game record in, a verdict or a whole solution out."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.solver_line import LONGEST_LINE, write_line
from gipfelsturm.agents.solver_memory import Memory
from gipfelsturm.agents.solver_piles import explore_piles
from gipfelsturm.agents.solver_sets import find_set
from gipfelsturm.agents.solver_solo import explore_solo
from gipfelsturm.envs.rules.actions import ACCEPTED
from gipfelsturm.envs.rules.cards import CARDS, PLACES
from gipfelsturm.envs.rules.jit import compiled, signed
from gipfelsturm.envs.rules.moves import act
from gipfelsturm.envs.rules.record import MOST_SEATS, Games
from gipfelsturm.envs.rules.table import FULL

UNSETTLED, LOST, WINNABLE = range(-1, 2)
"""Verdicts on a game: nobody knows, it cannot be won, it can."""

ANSWER = np.dtype(
    [
        ("draws", np.int8),  # fewest of the wins found, -1 if none was
        ("removed", np.uint8),  # most places whose card can be gone
        ("settled", np.bool_),
        ("length", np.uint8),  # of the line
        ("moves", np.uint8, (LONGEST_LINE,)),
    ]
)


@compiled
def can_win(g: np.void, memory: Memory) -> int:
    """Whether one mind can win a game, all cards known, from where it stands: a verdict.

    A hand, a clock and the status are not looked at. UNSETTLED where a card that still lies or is still to be drawn is
    unknown, and where three piles need more sheets than there are.

    Raises:
        ValueError: for memory that was made for another number of piles.
    """
    if memory.sheets.shape[1] != 13 ** signed(g["seats"]):
        raise ValueError("the memory is for another number of piles: make it with solver_memory(piles)")
    if not _all_known(g) or find_set(memory.sets, signed(FULL) & ~signed(g["present"])) < 0:
        return UNSETTLED
    if g["seats"] == 1:
        return WINNABLE if explore_solo(g, memory)[0] >= 0 else LOST
    draws, _, settled = explore_piles(g, memory, False)
    if draws >= 0:
        return WINNABLE
    return LOST if settled else UNSETTLED


@compiled
def _all_known(g: np.void) -> bool:
    for place in range(PLACES):
        if signed(g["present"]) >> place & 1 and g["deck"][place] >= CARDS:
            return False
    for pile in range(MOST_SEATS):
        if pile == g["seats"]:
            break
        if g["top"][pile] >= CARDS:
            return False
        end = PLACES + (pile + 1) * signed(g["dealt"])
        for i in range(end - signed(g["stock"][pile]), end):
            if g["deck"][i] >= CARDS:
                return False
    return True


@compiled
def judge_actions(games: Games, memory: Memory, verdicts: NDArray[np.int8]) -> None:
    """Write for each action of one game of one mind (an array of one) whether it can be won after it.

    Args:
        verdicts: (actions,); LOST for an action that would be refused.
    """
    for action in range(len(verdicts)):
        memory.trial[0] = games[0]
        verdicts[action] = LOST
        if act(memory.trial[0], action) == ACCEPTED:
            verdicts[action] = can_win(memory.trial[0], memory)


@compiled
def judge_all(games: Games, memory: Memory, verdicts: NDArray[np.int8]) -> None:
    """`can_win` for each record."""
    for i in range(len(games)):
        verdicts[i] = can_win(games[i], memory)


@compiled
def answer_solo(games: Games, memory: Memory, answers: NDArray[np.void]) -> None:
    """Solve each record of one pile; answers are of `ANSWER`."""
    for i in range(len(games)):
        draws, removed = explore_solo(games[i], memory)
        _write_answer(games[i], memory, answers[i], draws, removed, True)


@compiled
def answer_piles(games: Games, memory: Memory, answers: NDArray[np.void]) -> None:
    """Solve each record of two or three piles."""
    for i in range(len(games)):
        draws, removed, settled = explore_piles(games[i], memory, True)
        _write_answer(games[i], memory, answers[i], draws, removed, settled)


@compiled
def _write_answer(g: np.void, memory: Memory, answer: np.void, draws: int, removed: int, settled: bool) -> None:
    answer["draws"] = draws
    answer["removed"] = removed
    answer["settled"] = settled
    answer["length"] = write_line(g, memory, draws, answer["moves"]) if draws >= 0 else 0
