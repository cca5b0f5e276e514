"""When a table tells its people what: everything leaves with a tick, once, and never more than somebody needs."""

from collections.abc import Callable
from typing import NamedTuple

from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.play.public_view import view_of
from gipfelsturm.play.realtime_game import RealTimeGame
from gipfelsturm.play.realtime_messages import Over, PageMessage, Roster, Welcome
from gipfelsturm.play.seats import Seats

STATE_EVERY = 10
"""Ticks after which the whole table is sent although nothing has changed, so that clocks agree."""


class Outgoing(NamedTuple):
    """A message, and the seats whose persons are to get it."""

    seats: tuple[int, ...]
    message: PageMessage


class Reporter:
    """Knows what has been told.

    Attributes:
        arrived: seats whose persons have come since the last report, and know nothing yet.
        roster_due: whether it may have changed.
        state_due: whether a command was carried out, which the table does not always show: a call may be repeated.
        ending_due: whether the game has just ended.
    """

    def __init__(self, preset: str, settings: Settings, stagger: int) -> None:
        """Tables of another `stagger` send what is sent now and then in other ticks."""
        self.arrived: set[int] = set()
        self.roster_due = self.state_due = self.ending_due = False
        self._preset, self._settings, self._stagger = preset, settings, stagger
        self._view = view_of(settings)
        self._still, self._ticks = b"", 0

    def report(
        self, seats: Seats, game: RealTimeGame, roster: Callable[[], Roster], ending: Over | None
    ) -> list[Outgoing]:
        """Everything that those who are here have not been told yet."""
        here = seats.present()
        if not here:
            return []
        new = tuple(sorted(self.arrived.intersection(here)))
        sent = [Outgoing((seat,), Welcome(seat, self._preset, self._settings)) for seat in new]
        if self.roster_due:
            sent.append(Outgoing(here, roster()))
        if self._state_needed(game, bool(new)):
            sent.append(Outgoing(here, self._view.state(game.row(), ending is not None)))
        hearers = here if self.ending_due else new
        if ending and hearers:
            sent.append(Outgoing(hearers, ending))
        sent += [Outgoing((seat,), refused) for seat, refused in seats.take_refusals()]
        self.roster_due = self.state_due = self.ending_due = False
        self.arrived.clear()
        return sent

    def _state_needed(self, game: RealTimeGame, wanted: bool) -> bool:
        still, ticks = self._view.still(game.row_bytes()), game.ticks
        due = ticks != self._ticks and (ticks + self._stagger) % STATE_EVERY == 0
        moved = still != self._still
        self._still, self._ticks = still, ticks
        return wanted or due or self.state_due or moved
