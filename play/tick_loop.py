"""Time for the real-time tables: a grid on a clock that never goes back, and agents that think beside it."""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from gipfelsturm.play.agent_pool import AgentPool
from gipfelsturm.play.realtime_tables import PHASE_MS, PHASES, RealTimeTables
from gipfelsturm.play.rehearsal import begin_rehearsals

ASKING_PHASES = (0, 2)
"""When agents are asked: in few and large batches, and early enough for the next tick of those who asked."""
LATEST_MS = 1000
"""A loop that is further behind, as after a sleep of the machine, goes on from now."""


class TickLoop:
    """Ticks the tables, and hands their questions to the agents, whose answers come when they come.

    Attributes:
        tables: that tick.
        clock: milliseconds that never go back.
        ready: done when a table can be opened without a wait for the compiler.
    """

    def __init__(
        self,
        tables: RealTimeTables,
        pool: AgentPool,
        partners: Sequence[str],
        clock: Callable[[], int],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Have compiled what games need, in a thread.

        Args:
            partners: to play with, one at least; the first is prepared before the others.
            sleep: waits for so many seconds.
        """
        self.tables, self.clock = tables, clock
        self._pool, self._sleep = pool, sleep
        self._agents = ThreadPoolExecutor(1, "agents")
        self.ready = begin_rehearsals(partners, tables.prepared)
        self._running: asyncio.Task[None] | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._told: set[str] = set()

    def start(self) -> None:
        """Begin to tick, in the running event loop."""
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End; questions that are not answered yet never will be."""
        for task in (self._running, self._thinking):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        self._agents.shutdown(wait=False, cancel_futures=True)

    async def _run(self) -> None:
        due, phase = self.clock(), 0
        while True:
            await self._sleep(max(0, due - self.clock()) / 1000)
            self.beat(phase, due)
            due, phase = due + PHASE_MS, (phase + 1) % PHASES
            if self.clock() - due > LATEST_MS:
                due = self.clock()

    def beat(self, phase: int, due: int) -> None:
        """Tick a group of tables that was due at a time."""
        self.tables.beat(phase, max(due, self.clock()))
        if phase in ASKING_PHASES and self._thinking is None and (self.tables.asks or self.tables.ended):
            self._thinking = asyncio.create_task(self._think())

    async def settle(self) -> None:
        """Wait for the answers to what the agents have been asked."""
        if self._thinking is not None:
            await asyncio.wait([self._thinking])

    async def _think(self) -> None:
        """Have everything answered that was asked meanwhile, in one batch."""
        asks, self.tables.asks = self.tables.asks, []
        ended, self.tables.ended = self.tables.ended, []
        loop = asyncio.get_running_loop()
        try:
            self.tables.answer(await loop.run_in_executor(self._agents, self._pool.answer, asks, ended))
        finally:
            self._thinking = None
        for name in sorted(self._pool.faults.keys() - self._told):
            print(f"gipfelsturm: {self._pool.faults[name]}", file=sys.stderr, flush=True)
            self._told.add(name)
