"""Keeps finished games in a thread of its own, so that no tick waits for a disk."""

import asyncio
import sqlite3
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gipfelsturm.agents.whole_file import reason
from gipfelsturm.play.messages import Tally
from gipfelsturm.play.realtime_results import GameResults
from gipfelsturm.play.records import write_record
from gipfelsturm.play.results import Result
from gipfelsturm.play.statistics import Statistics, course_of

MOST_WAITING = 10_000
"""Of results, and of records, that could not be written yet: beyond it the oldest are given up."""


class Keeper:
    """Writes results into the file, and records into a folder if there is one.

    Attributes:
        folder: of the records, None if they are not kept.
    """

    def __init__(self, results: GameResults, folder: Path | None = None) -> None:
        self.folder = folder
        self._results = results
        self._waiting = deque[Result](maxlen=MOST_WAITING)  # that are not in the file yet; of the thread alone
        self._unrecorded = deque[Result](maxlen=MOST_WAITING)  # whose records are not in the folder yet, likewise
        self._thread = ThreadPoolExecutor(1, "keeper")

    def keep(self, result: Result, kept: Callable[[], None]) -> None:
        """Keep a result; `kept` is called in the running event loop when it is safe, or waits for a later try."""
        loop = asyncio.get_running_loop()
        writing = self._thread.submit(self._write, result)
        writing.add_done_callback(lambda _: loop.call_soon_threadsafe(kept))

    async def statistics(self, tally: Tally, tripeaks: list[tuple[str, bool]]) -> Statistics:
        """Everything, with what is known of TriPeaks, added up beside the ticks."""
        read = self._results
        return await asyncio.get_running_loop().run_in_executor(
            self._thread,
            lambda: Statistics(tally, course_of(tripeaks), read.rows(), read.hunts(), course_of(read.course())),
        )

    def close(self) -> None:
        """Wait for what is being written; what could not be written is tried once more."""
        self._thread.submit(self._write_waiting)
        self._thread.shutdown()

    def _write(self, result: Result) -> None:
        if self.folder:
            self._unrecorded.append(result)
        self._waiting.append(result)
        self._write_waiting()

    def _write_waiting(self) -> None:
        try:
            while self.folder and self._unrecorded:
                write_record(self.folder, self._unrecorded[0])
                del self._unrecorded[0]
        except OSError as fault:
            _complain(f"the record of a game could not be kept in {self.folder} yet: {reason(fault)}")
        try:
            while self._waiting:
                self._results.add(self._waiting[0])
                del self._waiting[0]
        except sqlite3.Error as fault:
            _complain(f"the result of a game could not be kept yet: {fault}")


def _complain(fault: str) -> None:
    print(f"gipfelsturm: {fault}", file=sys.stderr, flush=True)
