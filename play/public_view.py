"""What a table shows to everybody: a function of one observation, and so of public information alone."""

from collections.abc import Sequence
from functools import lru_cache

from gipfelsturm.envs.rules.observation import BASE, layout_of
from gipfelsturm.envs.rules.record import PHASES
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.play.realtime_messages import Hand, Said, State


class PublicView:
    """Reads the observations of seat 0, whose left is the seat order."""

    def __init__(self, settings: Settings) -> None:
        self._spans = {name: field.span for name, field in layout_of(settings).items()}
        self._still = [
            slice(0, self._spans["clock"].start),
            slice(self._spans["phase"].start, self._spans["left"].start),
            self._spans["call"],
        ]

    def still(self, row: bytes) -> bytes:
        """Whatever does not change by the mere passing of time."""
        cards, hands, calls = self._still
        return row[cards] + row[hands] + row[calls]

    def state(self, row: Sequence[int], over: bool) -> State:
        """The table that an observation (size,) tells of."""
        spans = self._spans
        streak, longest = row[spans["streak"]]
        ages = row[spans["age"]]
        hands = zip(row[spans["phase"]], row[spans["place"]], row[spans["pile"]], row[spans["left"]], strict=True)
        return State(
            tick=_number(row[spans["elapsed"]]),
            clock=_number(row[spans["clock"]]),
            peaks=tuple(row[spans["peaks"]]),
            tops=tuple(row[spans["tops"]]),
            stocks=tuple(row[spans["stocks"]]),
            streak=streak,
            longest=longest,
            hands=() if over else tuple(Hand(PHASES[phase], place, pile, left) for phase, place, pile, left in hands),
            calls=tuple(Said(call, _number(ages[2 * i : 2 * i + 2])) for i, call in enumerate(row[spans["call"]])),
        )


@lru_cache(64)
def view_of(settings: Settings) -> PublicView:
    """One for all tables with the same settings."""
    return PublicView(settings)


def _number(digits: Sequence[int]) -> int:
    number = 0
    for digit in digits:
        number = number * BASE + digit
    return number
