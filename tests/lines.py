"""Real-time tables without a server: connections that remember what came, results that are kept at once or later."""

from collections.abc import Callable, Iterable

import msgspec

from evening import TICK_MS, tokens
from gipfelsturm.agents.catalogue import CATALOGUE
from gipfelsturm.envs.rules.transcript import Deal
from gipfelsturm.play.realtime_messages import PageMessage, PersonMessage
from gipfelsturm.play.realtime_tables import PHASES, RealTimeTables
from gipfelsturm.play.results import Result
from gipfelsturm.play.table_plan import TablePlan


class ListLine:
    """A connection that somebody has."""

    def __init__(self) -> None:
        self.heard: list[PageMessage] = []
        self.closed: int | None = None

    def post(self, text: bytes) -> None:
        assert self.closed is None, "nothing is sent to whoever was told that it ends"
        self.heard.append(msgspec.json.decode(text, type=PageMessage))

    def close(self, code: int, reason: str) -> None:
        if self.closed is None:
            self.closed = code

    def kinds(self) -> list[str]:
        """What has come since this was asked last."""
        heard, self.heard = self.heard, []
        return [type(message).__name__ for message in heard]


class House:
    """All tables, and time that goes when it is told to."""

    def __init__(self, deals: Iterable[Deal] = (), keeps_at_once: bool = True) -> None:
        self.now = 0
        self.results: list[Result] = []
        self.unkept: list[Callable[[], None]] = []
        self._keeps_at_once = keeps_at_once
        numbers = iter(deals or range(10**6))
        self.tables = RealTimeTables(self._keep, lambda: next(numbers), tokens(), "careful")
        self.tables.prepared |= CATALOGUE.keys()

    def open(self, plan: TablePlan, opener: str = "") -> list[str]:
        """The tokens of a new table; of somebody new, unless it is said who opens it."""
        table = self.tables.open(plan, self.now, opener or f"person {self.tables._opened}")
        assert table is not None
        return [seat.token for seat in table.seats if seat.token]

    def come(self, token: str) -> ListLine:
        line = ListLine()
        self.tables.sit(token, line, self.now)
        return line

    def say(self, token: str, line: ListLine, *messages: PersonMessage) -> None:
        for message in messages:
            self.tables.hear(token, line, message, self.now)

    def ticks(self, token: str) -> int:
        """Of the game at a table so far."""
        return self.tables._by_token[token].table._game.ticks

    def span(self, spans: int = 1) -> None:
        """So many spans of the grid pass by."""
        for _ in range(spans):
            for phase in range(PHASES):
                self.now += TICK_MS // PHASES
                self.tables.beat(phase, self.now)

    def _keep(self, result: Result, kept: Callable[[], None]) -> None:
        self.results.append(result)
        if self._keeps_at_once:
            kept()
        else:
            self.unkept.append(kept)
