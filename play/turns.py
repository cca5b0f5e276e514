"""Whose turn it is with what serves one at a time: askers take turns, and so do the tables of each of them."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeVar

MOST_WAITING = 16
"""Tables of one asker."""
Done = TypeVar("Done")


class Turns:
    """Whoever asks without end waits behind their own requests, and everybody else for one of them at most.

    One event loop uses it.
    """

    def __init__(self) -> None:
        self._taken = False
        self._waiting: OrderedDict[str, OrderedDict[str, asyncio.Future[bool]]] = OrderedDict()

    async def take(self, asker: str, table: str, work: Callable[[], Awaitable[Done]]) -> Done | None:
        """Wait for a turn, and do something in it; None if there is no turn, as `begin` tells."""
        if not await self.begin(asker, table):
            return None
        try:
            return await work()
        finally:
            self.end()

    async def begin(self, asker: str, table: str) -> bool:
        """Wait for a turn, which `end` gives back.

        Returns:
            False if there is none: for a request after which another one came for the same table while it waited, and
            for one of an asker who has `MOST_WAITING` tables waiting.
        """
        if not self._taken:
            self._taken = True
            return True
        waiting = self._waiting.setdefault(asker, OrderedDict())
        if table not in waiting and len(waiting) >= MOST_WAITING:
            return False
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        earlier, waiting[table] = waiting.get(table), turn
        if earlier is not None and not earlier.done():
            earlier.set_result(False)
        return await turn

    def end(self) -> None:
        """Give the turn back: the next one is of the asker who has waited longest for one."""
        while self._waiting:
            asker, tables = self._waiting.popitem(last=False)
            _, turn = tables.popitem(last=False)
            if tables:
                self._waiting[asker] = tables
            if not turn.done():  # whoever was cancelled waits no more
                turn.set_result(True)
                return
        self._taken = False
