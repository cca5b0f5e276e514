"""Websockets of the real-time tables: what a table says goes straight to the transport, and nobody waits for it.

The usual way of a message, through a queue, a task, Starlette and uvicorn, takes far more time than the sending.
"""

import asyncio
import contextlib

from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from gipfelsturm.play.realtime_messages import read_message
from gipfelsturm.play.tick_loop import TickLoop

REFUSED, TOO_SLOW = 1008, 1013
MOST_UNREAD_BYTES = 50_000
"""Kept for a client that does not read: about ten seconds of a game."""
CLOSE_SECONDS = 5.0
MOST_REASON_BYTES = 123


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's, but whoever does not take what is still to be sent at the end is cut off, and text must be text."""

    def post(self, text: bytes) -> bool:
        """Send a message now, or when the client reads; returns whether it reads at all.

        A connection that is at its end takes no more messages.
        """
        if self.transport.get_write_buffer_size() > MOST_UNREAD_BYTES:
            return False
        if self.conn.state is State.OPEN and not self.transport.is_closing():
            self.conn.send_text(text)
            self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def handle_ping(self) -> None:
        """Answer, unless the answers are not read: they would be kept without bound."""
        if self.transport.get_write_buffer_size() > MOST_UNREAD_BYTES:
            self.transport.abort()
        else:
            super().handle_ping()

    async def run_asgi(self) -> None:
        """Let whoever serves the websocket find this in its state."""
        self.scope["state"]["protocol"] = self
        await super().run_asgi()

    def send_receive_event_to_app(self) -> None:
        """Let what is called text and is none pass as bytes, which no table reads: uvicorn would print a traceback."""
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self.curr_msg_data_type = "bytes"
        super().send_receive_event_to_app()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Give the client some seconds to read on and to say goodbye."""
        super().on_task_complete(task)
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class SocketLine:
    """One websocket, as `gipfelsturm.play.room.Line` wants it.

    Attributes:
        verdict: why the connection is to end, with the code; None while it is to go on.
    """

    def __init__(self, socket: WebSocket) -> None:
        self.verdict: tuple[int, str] | None = None
        self._socket = socket
        self._protocol: SocketProtocol = socket.state.protocol
        self._hearing: asyncio.Task[None] | None = None

    def post(self, text: bytes) -> None:
        """Send a message; a client that has not read for long is closed."""
        if self.verdict is None and not self._protocol.post(text):
            self.close(TOO_SLOW, "too slow to read")

    def close(self, code: int, reason: str) -> None:
        """End the connection; the first reason counts."""
        if self.verdict is None:
            self.verdict = code, reason
            if self._hearing is not None:
                self._hearing.cancel()

    async def talk(self, tables: TickLoop, token: str) -> None:
        """Hand on what comes, until either side ends it."""
        self._hearing = asyncio.create_task(self._hear(tables, token))
        try:
            await asyncio.wait([self._hearing])
        finally:
            self._hearing.cancel()
            await asyncio.gather(self._hearing, return_exceptions=True)

    async def say_goodbye(self) -> None:
        """Tell the client why the connection ends, if that is for us to say and the client reads it."""
        if self.verdict is None:
            return
        code, reason = self.verdict
        short = reason.encode()[:MOST_REASON_BYTES].decode(errors="ignore")
        with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._socket.close(code, short)

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
