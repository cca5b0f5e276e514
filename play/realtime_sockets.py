"""Websockets of the real-time tables: each has a queue that nobody waits for, and a task that empties it."""

import asyncio
import contextlib

from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from gipfelsturm.play.realtime_messages import read_message
from gipfelsturm.play.tick_loop import TickLoop

REFUSED, TOO_SLOW = 1008, 1013
MOST_WAITING = 100
"""Messages for a client that does not read: about ten seconds of a game."""
CLOSE_SECONDS = 5.0
MOST_REASON_BYTES = 123


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's, but whoever does not take what is still to be sent at the end is cut off."""

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Give the client some seconds to read on and to say goodbye."""
        super().on_task_complete(task)
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


class SocketLine:
    """One websocket, as `gipfelsturm.play.room.Line` wants it.

    Attributes:
        verdict: why the connection is to end, with the code; None while it is to go on.
    """

    def __init__(self, socket: WebSocket) -> None:
        """Begin to send, in a task of its own."""
        self.verdict: tuple[int, str] | None = None
        self._socket = socket
        self._queue: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)
        self._sending = asyncio.create_task(self._send())

    def post(self, text: str) -> None:
        """Send a message when the client reads; one who has not read for long is closed."""
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self.close(TOO_SLOW, "too slow to read")

    def close(self, code: int, reason: str) -> None:
        """End the connection without what still waits; the first reason counts."""
        if self.verdict is None:
            self.verdict = code, reason
            self._sending.cancel()

    async def talk(self, tables: TickLoop, token: str) -> None:
        """Hand on what comes, until either side ends it."""
        hearing = asyncio.create_task(self._hear(tables, token))
        try:
            await asyncio.wait([hearing, self._sending], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (hearing, self._sending):
                task.cancel()
            await asyncio.gather(hearing, self._sending, return_exceptions=True)

    async def say_goodbye(self) -> None:
        """Tell the client why the connection ends, if that is for us to say and the client reads it."""
        if self.verdict is None:
            return
        code, reason = self.verdict
        short = reason.encode()[:MOST_REASON_BYTES].decode(errors="ignore")
        with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._socket.close(code, short)

    async def _send(self) -> None:
        while True:
            await self._socket.send_text(await self._queue.get())
            self._queue.task_done()

    async def _hear(self, loop: TickLoop, token: str) -> None:
        """Messages are strings alone; what is none ends the connection."""
        while self.verdict is None:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            try:
                said = read_message(message.get("text") or "")
            except ValueError as fault:
                self.close(REFUSED, str(fault))
            else:
                loop.tables.hear(token, self, said, loop.clock())


async def serve_socket(socket: WebSocket, loop: TickLoop) -> None:
    """Seat whoever comes with a token, for as long as the connection lasts."""
    token = socket.path_params["token"]
    await socket.accept()
    line = SocketLine(socket)
    loop.tables.sit(token, line, loop.clock())
    try:
        await line.talk(loop, token)
    finally:
        loop.tables.stand_up(token, line, loop.clock())
    await line.say_goodbye()
