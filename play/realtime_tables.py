"""All tables of Gipfelsturm on one server: opened by plans, found by tokens, ticked in turn, and given up when empty.

Nothing here waits. Tables tick in `PHASES` groups, one after another within a tick, so that no group holds the others
up for long. What a game's end has left is kept before anybody hears of it.
"""

import itertools
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from gipfelsturm.envs.rules.transcript import Deal
from gipfelsturm.play.asking import Answer, Ask, GameKey
from gipfelsturm.play.realtime_messages import PersonMessage
from gipfelsturm.play.realtime_table import PAUSED, RUNNING, RealTimeTable
from gipfelsturm.play.results import Result
from gipfelsturm.play.room import FAULTY, NO_SUCH_SEAT, Line, Room
from gipfelsturm.play.seats import GONE_MS
from gipfelsturm.play.table_plan import TICK_S, TablePlan

PHASES = 4
PHASE_MS = round(1000 * TICK_S) // PHASES
MOST_TABLES = 500
EMPTY_MS = 3_600_000
"""After which a table that everybody has left is given up."""
GONE = "this table is gone: open another one"
Keep = Callable[[Result, Callable[[], None]], None]


class RealTimeTables:
    """One event loop uses it. Every `now` is in milliseconds of one clock that never goes back.

    Attributes:
        asks: of agents since the list was last emptied.
        ended: games that are over or given up, likewise.
        prepared: agents that can be asked; whoever drives the tables adds to them, and games wait for the others.
    """

    def __init__(
        self, keep: Keep, new_deal: Callable[[], Deal], make_token: Callable[[], str], substitute: str
    ) -> None:
        """No table yet.

        Args:
            keep: keeps a result and then calls what it was given.
            make_token: something new at each call that nobody can guess.
            substitute: the agent that plays for people who are gone.
        """
        self.asks: list[Ask] = []
        self.ended: list[GameKey] = []
        self.prepared: set[str] = set()
        self._keep, self._new_deal = keep, new_deal
        self._make_token, self._substitute = make_token, substitute
        self._opened = 0
        self._rooms: dict[int, Room] = {}
        self._by_token: dict[str, Room] = {}

    def open(self, plan: TablePlan, now: int, opener: str) -> RealTimeTable | None:
        """A new table, for which another one may have to make room; None if none of them can.

        Nobody has more tables than are left for all others, so that there is always one for somebody else. Whoever
        would takes the place of a table of their own, or of somebody who has as many.

        Args:
            opener: whoever opens it, as far as can be told.
        """
        opened = Counter(room.opener for room in self._rooms.values())
        if opened[opener] >= MOST_TABLES - len(self._rooms):
            rooms = [room for room in self._rooms.values() if opened[room.opener] >= opened[opener]]
            room = _least_missed(rooms, now)
            if room is None:
                return None
            self._give_up(room)
        deals = (self._new_deal() for _ in itertools.count())
        table = RealTimeTable(self._opened, plan, deals, self._make_token, self._substitute, self.prepared, now)
        self._rooms[self._opened] = room = Room(table, self._tick, opener)
        self._by_token |= {seat.token: room for seat in table.seats if seat.token}
        self._opened += 1
        return table

    def __len__(self) -> int:
        """How many tables there are."""
        return len(self._rooms)

    def __contains__(self, token: str) -> bool:
        """Whether a token opens a seat."""
        return token in self._by_token

    def sit(self, token: str, line: Line, now: int) -> None:
        """A connection of somebody with a token; closed at once if it opens no seat."""
        room = self._by_token.get(token)
        if room is None:
            line.close(NO_SUCH_SEAT, GONE)
        else:
            room.sit(token, line, now)

    def stand_up(self, token: str, line: Line, now: int) -> None:
        """A connection has ended."""
        room = self._by_token.get(token)
        if room is not None:
            room.stand_up(token, line, now)

    def hear(self, token: str, line: Line, message: PersonMessage, now: int) -> None:
        """A connection has brought a message."""
        room = self._by_token.get(token)
        if room is not None:
            room.hear(token, line, message, now)

    def beat(self, phase: int, now: int) -> None:
        """A tick of all tables of one group, 0 <= phase < PHASES."""
        for number in [number for number in self._rooms if number % PHASES == phase]:
            room = self._rooms[number]
            if room.lines:
                room.reach_grid(now)
            elif room.table.empty_for(now) >= EMPTY_MS:
                self._give_up(room)

    def answer(self, answers: Iterable[Answer]) -> None:
        """What agents want to do."""
        for answer in answers:
            room = self._rooms.get(answer.ask.key.table)
            if room is not None:
                room.table.answer(answer)

    def _tick(self, room: Room, now: int) -> None:
        try:
            beat = room.table.tick(now)
        except Exception as fault:  # whatever it is, the other tables play on
            print(f"gipfelsturm: a table had to be closed: {fault!r}", file=sys.stderr, flush=True)
            room.close(FAULTY, "this table is broken: open another one")
            self._give_up(room)
            return
        self.asks += beat.asks
        if beat.result:
            self.ended.append(beat.result.key)
            room.hold()
            self._keep(beat.result, room.release)
        room.send(beat.outgoing)

    def _give_up(self, room: Room) -> None:
        room.close(NO_SUCH_SEAT, GONE)
        self.ended.append(room.table.key)
        del self._rooms[room.table.key.table]
        for seat in room.table.seats:
            self._by_token.pop(seat.token, None)


def _least_missed(rooms: Sequence[Room], now: int) -> Room | None:
    """Which makes room: the oldest at which nobody ever sat, else the one that was left longest, after a minute.

    Never one at which somebody sits, or a game waits for somebody to come back.
    """
    if unvisited := next((room for room in rooms if not room.visited), None):
        return unvisited
    left = [room for room in rooms if room.table.stage not in (RUNNING, PAUSED)]
    longest = max(left, key=lambda room: room.table.empty_for(now), default=None)
    return longest if longest and longest.table.empty_for(now) >= GONE_MS else None
