"""Exact answers with every card known: can one mind win, with how few draws, and how.

Every state that can come about is found, set of gone places by set (`gipfelsturm.agents.solver_sets`), so one and two
piles are settled in a bounded time: at most about half a millisecond and a tenth of a second for a whole deal. Compiled
code calls `gipfelsturm.agents.solver_answers`.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.solver_answers import (
    ANSWER,
    UNSETTLED,
    WINNABLE,
    answer_piles,
    answer_solo,
    judge_actions,
    judge_all,
)
from gipfelsturm.agents.solver_memory import Memory, solver_memory
from gipfelsturm.agents.solver_position import check_position
from gipfelsturm.envs.cores import usable_cores
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.deals import DEALS
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import Settings

T = TypeVar("T")
CHUNK = 16


class Solution(NamedTuple):
    """What can be reached from a position of one mind.

    Attributes:
        settled: whether all this is exact, as it always is with one and two piles. Otherwise the memory did not
            suffice: there may be wins, or wins with fewer draws, or more removable cards than were found.
        winnable: whether a win was found.
        min_draws: the fewest draws from here with which it can be won, -1 if no win was found.
        max_removed: the most of the 28 peak cards that can be gone, those already gone included.
        moves: flat actions of a shortest win that was found, none if none was.
    """

    settled: bool
    winnable: bool
    min_draws: int
    max_removed: int
    moves: tuple[int, ...]


class Ceiling(NamedTuple):
    """Which deals can be won with every card known: what no player can exceed."""

    winnable: NDArray[np.bool_]  # (deals,)
    settled: NDArray[np.bool_]  # (deals,) always true with one and two piles

    @property
    def share(self) -> float:
        """Of the deals that can be won; a lower bound where some are not settled."""
        return float(self.winnable.mean())


def solve(game: Games, memory: Memory) -> Solution:
    """Solve one game (an array of one) from where it stands.

    Raises:
        ValueError: for a real-time game, an impossible position, a card that is unknown, or memory for other piles.
    """
    check_position(game[0])
    _check_memory(int(game[0]["seats"]), memory)
    return _solutions(game, memory)[0]


def verdicts_after(game: Games, memory: Memory) -> NDArray[np.int8]:
    """For each action of a game (an array of one): `WINNABLE`, `LOST` or `UNSETTLED` after it; refused ones are LOST.

    Raises:
        ValueError: as `solve` does.
    """
    check_position(game[0])
    piles = int(game[0]["seats"])
    _check_memory(piles, memory)
    verdicts = np.zeros(int(wait_action(piles)), np.int8)
    judge_actions(game, memory, verdicts)
    return verdicts


def solve_all(games: Games, *, threads: int | None = None, sheets: int | None = None) -> list[Solution]:
    """Solve games of one number of piles from where they stand, in their order.

    Args:
        threads: None for one a core.
        sheets: how much memory each thread may use, as `gipfelsturm.agents.solver_memory.SHEETS` tells.

    Raises:
        ValueError: as `solve` does, or for games with different numbers of piles.
    """
    for g in games:
        check_position(g)
    if len(piles := np.unique(games["seats"])) > 1:
        raise ValueError(f"games must have one number of piles, not {' and '.join(map(str, piles))}")
    if not len(games):
        return []
    parts = _on_threads(_solutions, games, threads, sheets)
    return [solution for part in parts for solution in part]


def ceiling(
    settings: Settings, deals: Iterable[int], *, threads: int | None = None, sheets: int | None = None
) -> Ceiling:
    """Which numbered deals one mind can win with every card known; for `threads` and `sheets` see `solve_all`.

    Raises:
        ValueError: for the real-time table, or no deals.
    """
    if not settings.one_mind:
        raise ValueError("the ceiling is that of one mind without time: settings must come from one_mind()")
    numbers = list(deals)
    if not numbers:
        raise ValueError("the ceiling needs at least one deal")
    if not 0 <= min(numbers) <= max(numbers) < DEALS:
        raise ValueError(f"deals are numbered 0 to {DEALS - 1}, not {min(numbers)} to {max(numbers)}")
    games = deal_games(settings, numbers)
    verdicts = np.concatenate(_on_threads(_verdicts, games, threads, sheets))
    return Ceiling(verdicts == WINNABLE, verdicts != UNSETTLED)


def _check_memory(piles: int, memory: Memory) -> None:
    if 13**piles != memory.sheets.shape[1]:
        raise ValueError(f"the memory is not for {piles} piles: make it with solver_memory({piles})")


def _solutions(games: Games, memory: Memory) -> list[Solution]:
    answers = np.zeros(len(games), ANSWER)
    answer = answer_solo if games[0]["seats"] == 1 else answer_piles
    answer(games, memory, answers)
    return [_solution(answer) for answer in answers]


def _solution(answer: np.void) -> Solution:
    draws = int(answer["draws"])
    moves = tuple(answer["moves"][: answer["length"]].tolist())
    return Solution(bool(answer["settled"]), draws >= 0, draws, int(answer["removed"]), moves)


def _verdicts(games: Games, memory: Memory) -> NDArray[np.int8]:
    verdicts = np.zeros(len(games), np.int8)
    judge_all(games, memory, verdicts)
    return verdicts


def _on_threads(work: Callable[[Games, Memory], T], games: Games, threads: int | None, sheets: int | None) -> list[T]:
    """Do the work on chunks of games, each thread with a memory of its own; the results in order."""
    workers = usable_cores() if threads is None else threads
    if workers < 1:
        raise ValueError(f"threads must be 1 or more, not {workers}")
    idle: SimpleQueue[Memory] = SimpleQueue()
    for _ in range(workers):
        idle.put(solver_memory(int(games[0]["seats"]), sheets))

    def on_chunk(start: int) -> T:
        memory = idle.get()
        try:
            return work(games[start : start + CHUNK], memory)
        finally:
            idle.put(memory)

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(on_chunk, range(0, len(games), CHUNK)))
