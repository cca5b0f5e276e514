"""A real-time table with the connections of its people, and when it ticks.

The table keeps to a grid of ticks, and is never more than one tick ahead of it: what a person does is committed at once
by the tick that was due at the end of this span of the grid, unless that tick has been spent already. Then it waits for
the beginning of the next span.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from gipfelsturm.play.realtime_messages import PersonMessage
from gipfelsturm.play.realtime_table import RealTimeTable
from gipfelsturm.play.reporter import Outgoing

TAKEN_OVER, NO_SUCH_SEAT, FLOODING, FAULTY = 4000, 4004, 1008, 1011
FLOOD = 100
"""Messages of one seat between two ticks after which its connection is closed."""


class Line(Protocol):
    """A connection to somebody; neither call waits for anything."""

    def post(self, text: bytes) -> None:
        """Send a message."""

    def close(self, code: int, reason: str) -> None:
        """End the connection; nothing more comes from it."""


class Room:
    """One table.

    Attributes:
        table: that stands here.
        opener: whoever opened the table.
        lines: of the people who are connected, by seat.
        visited: whether anybody was ever connected.
    """

    def __init__(self, table: RealTimeTable, tick: Callable[["Room", int], None], opener: str) -> None:
        """`tick` is called with the time whenever the table is to tick."""
        self.table, self.opener = table, opener
        self.lines: dict[int, Line] = {}
        self.visited = False
        self._tick = tick
        self._ahead = self._waiting = False
        self._holds = 0
        self._held: list[Outgoing] = []

    def sit(self, token: str, line: Line, now: int) -> None:
        """Connect somebody, who takes their seat over from an earlier connection of theirs."""
        self.visited = True
        seat = self.table.arrive(token)
        earlier = self.lines.get(seat)
        self.lines[seat] = line
        if earlier is not None:
            self.table.leave(token, now)
            earlier.close(TAKEN_OVER, "this seat was opened elsewhere")
        self._hurry(now)

    def stand_up(self, token: str, line: Line, now: int) -> None:
        """A connection has ended; one that was taken over from has left its seat already."""
        seat = self.table.seats.find(token)
        if self.lines.get(seat) is line:
            del self.lines[seat]
            self.table.leave(token, now)

    def hear(self, token: str, line: Line, message: PersonMessage, now: int) -> None:
        """Somebody has sent a message."""
        seat = self.table.seats.find(token)
        if self.lines.get(seat) is not line:
            return
        self.table.receive(token, message)
        if self.table.seats[seat].received > FLOOD:
            line.close(FLOODING, "too many messages")
        else:
            self._hurry(now)

    def reach_grid(self, now: int) -> None:
        """A span of the grid ends, and the next one begins."""
        if self._ahead and not self._waiting:
            self._ahead = False
        else:
            self._waiting = False
            self._tick(self, now)

    def send(self, outgoing: Sequence[Outgoing]) -> None:
        """Send messages, after those that are held back."""
        if self._holds:
            self._held += outgoing
            return
        for seats, message in outgoing:
            text = msgspec.json.encode(message)
            for line in [self.lines[seat] for seat in seats if seat in self.lines]:
                line.post(text)

    def hold(self) -> None:
        """Send nothing until `release` has been called as often as this."""
        self._holds += 1

    def release(self) -> None:
        """Send what was held back."""
        self._holds -= 1
        if not self._holds:
            held, self._held = self._held, []
            self.send(held)

    def close(self, code: int, reason: str) -> None:
        """End all connections."""
        for line in self.lines.values():
            line.close(code, reason)
        self.lines.clear()

    def _hurry(self, now: int) -> None:
        if self._ahead:
            self._waiting = True
        else:
            self._ahead = True
            self._tick(self, now)
