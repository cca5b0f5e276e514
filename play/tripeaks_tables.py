"""The TriPeaks tables of everybody, by token: all of them in the file, and a part in memory."""

import asyncio
import secrets
import sqlite3
import sys
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import msgspec

from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.envs.session import Session
from gipfelsturm.play.advice import Adviser
from gipfelsturm.play.messages import (
    NO_TABLE,
    TOO_BUSY,
    Act,
    Asked,
    Fault,
    Film,
    Hint,
    Hinted,
    Replay,
    Seated,
    Show,
    Sit,
    Statistics,
    Tally,
    View,
)
from gipfelsturm.play.tripeaks_results import Results
from gipfelsturm.play.tripeaks_table import NewDeal, Result, Saved, TriPeaksTable
from gipfelsturm.play.turns import Turns

MOST_IN_MEMORY = 1000
"""Beyond which those at which least was done make room, the longest unused first; they come back from the file."""
Answer = Seated | View | Hinted | Film | Tally | Fault
Given = TypeVar("Given")
Gone = Callable[[], bool]
"""Whether whoever asked has gone, and nobody waits for the answer; any thread may ask."""


class TriPeaksTables:
    """Answers every message; one event loop uses it, and the file has a thread of its own.

    Args:
        clock: milliseconds that never go back.
    """

    def __init__(self, results: Results, adviser: Adviser, new_deal: NewDeal, clock: Callable[[], int]) -> None:
        self._results, self._adviser, self._new_deal, self._clock = results, adviser, new_deal, clock
        self._tables: OrderedDict[str, TriPeaksTable] = OrderedDict()
        self._file = ThreadPoolExecutor(1, "results")
        self._advisers = ThreadPoolExecutor(1, "adviser")
        self._turns = Turns()  # with the adviser
        self._sums = Turns()  # at adding up, for which the file's thread takes long
        self._ended: list[Result] = []  # that are not in the file yet
        self._ready = self._file.submit(_compile)

    async def answer(self, message: Asked, gone: Gone = lambda: False, asker: str = "") -> Answer:
        """What the page gets to hear; what takes long is dropped for those who have gone.

        Args:
            asker: whoever asks, as far as can be told: hints and statistics are given in turn among askers.
        """
        if isinstance(message, Statistics):
            return await self._sums.take(asker, message.table, self.tally) or Fault(TOO_BUSY)
        if isinstance(message, Sit):
            return await self._sit(message)
        table = await self._find(message.table)
        if table is None:
            return Fault(NO_TABLE)
        if isinstance(message, Hint | Replay):
            return await self._consult(message, table, gone, asker)
        return await self._take(message.table, table, message)

    async def tally(self) -> Tally:
        """All results together."""
        return await self._with_file(self._results.tally)

    async def course(self) -> list[tuple[str, bool]]:
        """The day of each result, and whether it was won, in order of time."""
        return await self._with_file(self._results.course)

    def __len__(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    def __contains__(self, token: str) -> bool:
        """Whether a table is in memory."""
        return token in self._tables

    def close(self) -> None:
        """Wait for what is being written; results that could not be are tried once more."""
        self._advisers.shutdown(wait=False, cancel_futures=True)
        if self._ended:
            self._file.submit(self._write, self._ended)
        self._file.shutdown()

    async def _sit(self, message: Sit) -> Seated:
        await asyncio.wrap_future(self._ready)
        table, token = await self._find(message.table), message.table
        if table is None:
            table, token = TriPeaksTable(self._new_deal()), secrets.token_urlsafe(16)
            self._remember(token, table)
        view = table.sit(message.deal, self._clock())
        await self._keep(token, table)
        return Seated(token, view)

    async def _take(self, token: str, table: TriPeaksTable, message: Act | Show) -> View:
        view = table.take(message, self._clock(), self._new_deal)
        if not view.refused:
            await self._keep(token, table)
        return view

    async def _consult(self, message: Hint | Replay, table: TriPeaksTable, gone: Gone, asker: str) -> Answer:
        """Hints and films in turn, of tables as they stand when it is theirs."""

        async def consult() -> Answer:
            if gone():
                return table.view(self._clock(), TOO_BUSY)
            there = await self._find(message.table) or table  # it may have made room meanwhile
            return await (self._film(there, gone) if isinstance(message, Replay) else self._hint(there, message, gone))

        return await self._turns.take(asker, message.table, consult) or table.view(self._clock(), TOO_BUSY)

    async def _hint(self, table: TriPeaksTable, message: Hint, gone: Gone) -> View | Hinted:
        """The adviser thinks beside the table, which may have changed by the time of the answer."""
        question = table.ask_hint(message.turn)
        if isinstance(question, str):
            return table.view(self._clock(), question)
        advice = await self._advised(
            lambda: self._adviser.hint(question, stop=lambda: table.turn != message.turn or gone())
        )
        return Hinted(message.turn, advice.action, advice.hopeless, advice.reason, advice.cards)

    async def _film(self, table: TriPeaksTable, gone: Gone) -> Film:
        """Of a game that has been taken up again meanwhile, there is no more than was weighed by then."""
        film, moves, turn = table.film(), table.moves(), table.turn
        if not moves:
            return film
        worth = await self._advised(lambda: self._adviser.weigh(moves, stop=lambda: table.turn != turn or gone()))
        return msgspec.structs.replace(film, worth=worth)

    async def _advised(self, work: Callable[[], Given]) -> Given:
        """What the adviser's thread finds out."""
        return await asyncio.get_running_loop().run_in_executor(self._advisers, work)

    async def _find(self, token: str) -> TriPeaksTable | None:
        if token not in self._tables and token:
            saved = await self._with_file(lambda: self._results.load(token))
            if saved is not None and token not in self._tables:  # another message may have brought it meanwhile
                self._remember(token, TriPeaksTable.restored(saved, self._clock()))
        table = self._tables.get(token)
        if table is not None:
            self._tables.move_to_end(token)
        return table

    def _remember(self, token: str, table: TriPeaksTable) -> None:
        self._tables[token] = table
        while len(self._tables) > MOST_IN_MEMORY:
            others = (other for other in self._tables if other != token)
            self._put_away(min(others, key=lambda other: self._tables[other].turn))

    def _put_away(self, token: str) -> None:
        """Forget a table that is in the file, with what its stopwatch shows by now."""
        table, now = self._tables.pop(token), self._clock()
        if table.view(now).ticking:
            self._file.submit(self._write, [], (token, table.saved(now)))

    async def _keep(self, token: str, table: TriPeaksTable) -> None:
        """Write down the table, and what has ended there; a result that cannot be written yet waits."""
        saved = table.saved(self._clock())
        self._ended += table.results
        table.results = []
        ended = self._ended.copy()
        if await self._with_file(lambda: self._write(ended, (token, saved))):
            self._ended = [result for result in self._ended if result not in ended]

    def _write(self, ended: list[Result], *tables: tuple[str, Saved]) -> bool:
        """Whether all of it is in the file."""
        try:
            self._results.add(ended)
            for token, saved in tables:
                self._results.save(token, saved)
        except sqlite3.Error as fault:
            print(f"gipfelsturm: a game of TriPeaks could not be kept yet: {fault}", file=sys.stderr, flush=True)
            return False
        return True

    async def _with_file(self, work: Callable[[], Given]) -> Given:
        return await asyncio.get_running_loop().run_in_executor(self._file, work)


def _opened() -> Session:
    """A game in which everything has been done once."""
    session = Session(one_mind(), 0)
    session.draw(0)
    session.undo(0)
    session.known()
    return session


def _compile() -> None:
    """Have everything compiled that a game needs, which takes seconds the first time."""
    _opened()
