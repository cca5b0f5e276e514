"""People at real-time tables over real websockets, on a server whose time stands still until a test moves it on."""

import asyncio
import contextlib
import json
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from gipfelsturm.play.realtime_sockets import SocketLine
from gipfelsturm.play.realtime_tables import PHASE_MS, PHASES
from gipfelsturm.play.room import Line
from serving import Clock, Serving

T = TypeVar("T")
PATIENCE = 20.0
PERSON: dict[str, str] = {}


def partner(agent: str = "lookahead", pace: str = "instant") -> dict[str, str]:
    return {"agent": agent, "pace": pace}


def on_server(server: Serving, work: Coroutine[None, None, T]) -> T:
    """Something done in the server's event loop."""
    assert server.loop._running is not None
    return asyncio.run_coroutine_threadsafe(work, server.loop._running.get_loop()).result(PATIENCE)


async def all_sent(server: Serving) -> None:
    """Wait until every message that a table has given has left, and every result is kept."""
    rooms = server.loop.tables._rooms
    while any(room._holds for room in rooms.values()):
        await asyncio.sleep(0)
    for room in list(rooms.values()):
        for line in list(room.lines.values()):
            assert isinstance(line, SocketLine)
            while line.verdict is None and line._protocol.transport.get_write_buffer_size():
                await asyncio.sleep(0)


def pass_time(server: Serving, ms: int) -> None:
    """Time in which nothing ticks."""
    assert isinstance(server.loop.clock, Clock)
    server.loop.clock.now += ms


def span(server: Serving, spans: int = 1) -> None:
    """So many spans of the grid pass by, with all that the agents want to do."""

    async def move() -> None:
        for _ in range(spans):
            for phase in range(PHASES):
                pass_time(server, PHASE_MS)
                server.loop.beat(phase, server.loop.clock())
                await server.loop.settle()
            await all_sent(server)

    on_server(server, move())


def open_table(server: Serving, *seats: dict[str, str], **plan: object) -> list[str]:
    """The tokens of the people at a new table."""
    server.loop.ready.result()  # where nothing is compiled yet this takes longer than any request may
    body = json.dumps({"seats": seats, **plan}).encode()
    status, _, text = server.request("POST", "/api/tables", body, {"content-type": "application/json"})
    answer = json.loads(text)
    assert status == 200, answer
    return [seat["token"] for seat in answer["seats"]]


class Guest:
    """Somebody who is connected; what they have heard lies in `heard`, as it was sent."""

    def __init__(self, server: Serving, socket: ClientConnection) -> None:
        self.server, self.socket = server, socket
        self.heard: list[str] = []

    def say(self, kind: str, **fields: object) -> "Guest":
        return self.send(json.dumps({"type": kind, **fields}))

    def send(self, *data: str | bytes) -> "Guest":
        """Send frames, and wait until the server has dealt with them."""
        with contextlib.suppress(ConnectionClosed):
            for frame in data:
                self.socket.send(frame)
            self.socket.ping(ack_on_close=True).wait(PATIENCE)
        on_server(self.server, all_sent(self.server))
        return self

    def listen(self) -> list[str]:
        """What has come since this was asked last."""
        with contextlib.suppress(ConnectionClosed):
            self.socket.ping(ack_on_close=True).wait(PATIENCE)
        new = []
        with contextlib.suppress(TimeoutError, ConnectionClosed):
            while True:
                new.append(str(self.socket.recv(timeout=0)))
        self.heard += new
        return new

    def last(self, kind: str) -> dict[str, Any]:
        """The last message of a kind."""
        self.listen()
        return next(message for message in map(json.loads, reversed(self.heard)) if message["type"] == kind)

    def kinds(self) -> list[str]:
        """The kinds of what has come since anything was asked last."""
        return [json.loads(message)["type"] for message in self.listen()]

    def end(self) -> int:
        """Wait for the end of the connection; its code."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                self.heard.append(str(self.socket.recv(timeout=PATIENCE)))
        code = self.socket.close_code
        assert code is not None
        return code


@contextlib.contextmanager
def seated(server: Serving, token: str, origin: str | None = None) -> Iterator[Guest]:
    """Somebody with a token, until the end of the block."""
    address = f"{server.address.replace('http', 'ws')}/ws/{token}"
    headers = {"origin": origin} if origin else {}
    with connect(address, additional_headers=headers, max_queue=None, ping_interval=None, proxy=None) as socket:
        on_server(server, all_sent(server))
        mine = at_seat(server, token)
        yield Guest(server, socket)
    while mine is not None and at_seat(server, token) is mine:
        on_server(server, asyncio.sleep(0))


def at_seat(server: Serving, token: str) -> Line | None:
    """The connection at a seat."""
    room = server.loop.tables._by_token.get(token)
    return room.lines.get(room.table.seats.find(token)) if room else None
