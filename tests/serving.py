"""A server of one's own on a free port, in a thread, and what it answers."""

import asyncio
import contextlib
import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn

from gipfelsturm.agents.catalogue import CATALOGUE
from gipfelsturm.play import launch
from gipfelsturm.play.advice import Adviser
from gipfelsturm.play.agent_pool import AgentPool
from gipfelsturm.play.connections import MOST_CONNECTIONS
from gipfelsturm.play.keeper import Keeper
from gipfelsturm.play.launch import HOST, configure, listen, new_token
from gipfelsturm.play.realtime_results import GameResults
from gipfelsturm.play.realtime_tables import RealTimeTables
from gipfelsturm.play.records import prepare_folder
from gipfelsturm.play.server import make_app
from gipfelsturm.play.tick_loop import TickLoop
from gipfelsturm.play.tripeaks_results import Results
from gipfelsturm.play.tripeaks_table import NewDeal
from gipfelsturm.play.tripeaks_tables import TriPeaksTables

JSON = {"content-type": "application/json"}


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


async def never(seconds: float) -> None:
    """The sleep of a real-time server that ticks only when a test says so."""
    await asyncio.Event().wait()


class Serving(NamedTuple):
    """A server that runs, with what it stands on."""

    port: int
    tables: TriPeaksTables
    results_file: Path
    loop: TickLoop

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}"

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body of an answer."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=20)
        try:
            connection.request(method, path, body, dict(headers or {}))
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def post(self, message: object, headers: Mapping[str, str] = JSON) -> tuple[int, Any]:
        """Status and JSON of the answer to a message."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        status, _, text = self.request("POST", "/api/tripeaks", body, headers)
        return status, json.loads(text)

    def sit(self, deal: str = "", table: str = "") -> dict[str, Any]:
        """The answer to somebody who sits down."""
        answer: dict[str, Any] = self.post({"kind": "sit", "table": table, "deal": deal})[1]
        return answer


@contextlib.contextmanager
def serving(
    results_file: Path,
    adviser: Adviser | None = None,
    new_deal: NewDeal = lambda: 5_000_000,
    clock: Clock | None = None,
    by_hand: bool = False,
    records: Path | None = None,
    connections: int = MOST_CONNECTIONS,
) -> Iterator[Serving]:
    """A server until the end of the block; the real-time tables of one `by_hand` stand still by themselves."""
    results, games = Results(results_file), GameResults(results_file)
    clock = clock or Clock()
    tables = TriPeaksTables(results, adviser or Adviser(400, 50), new_deal, clock)
    if records:
        prepare_folder(records)
    keeper = Keeper(games, records)
    rooms = RealTimeTables(keeper.keep, new_deal, new_token, "careful")
    rooms.prepared |= CATALOGUE.keys()  # though they may be slow to give their first answer
    times: tuple[Callable[[], int], Any] = (clock, never) if by_hand else (launch.clock, asyncio.sleep)
    loop = TickLoop(rooms, AgentPool(seed=0), ["lookahead"], *times)
    with listen(0) as listening:
        port: int = listening.getsockname()[1]
        server = uvicorn.Server(configure(make_app(tables, loop, keeper, (f"{HOST}:{port}",)), connections))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield Serving(port, tables, results_file, loop)
        finally:
            server.should_exit = True
            thread.join()
            for rehearsal in (each for each in threading.enumerate() if each.name == "rehearsal"):
                rehearsal.join()  # what Numba does to the filters of warnings while it compiles is felt by all threads
            results.close()
            games.close()
