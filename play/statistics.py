"""One's own statistics, as `/api/statistics` answers: win rates with intervals, and how they went over time.

They hold every game that ended on this machine, with whomever. Intervals are Wilson's, at 95 %.
"""

from collections.abc import Sequence

import msgspec

from gipfelsturm.agents.intervals import wilson
from gipfelsturm.play.messages import Tally

MOST_POINTS = 100


class Rate(msgspec.Struct, frozen=True):
    """A share of games won, with its interval."""

    value: float
    low: float
    high: float


class Row(msgspec.Struct, frozen=True):
    """All games of one kind with the same partners."""

    preset: str
    custom: bool  # whether stock, ring or clock were not the preset's
    partners: tuple[str, ...]  # as `realtime_results.partners_of` names them
    games: int
    won: int
    rate: Rate
    score: float | None  # mean over the won games, None if there are none
    best: int  # highest score, 0 if none was won
    longest: int  # streak


class Hunts(msgspec.Struct, frozen=True):
    """All complete record hunts of one kind with the same partners."""

    preset: str
    custom: bool
    partners: tuple[str, ...]
    games: int  # in each
    hunts: int
    best: int  # total
    mean: float  # total


class Point(msgspec.Struct, frozen=True):
    """The win rate over the first `games` games."""

    day: str  # of the last of them, YYYY-MM-DD in UTC
    games: int
    rate: Rate


class Statistics(msgspec.Struct, frozen=True, tag_field="kind", tag="statistics"):
    """Of both games."""

    tripeaks: Tally
    tripeaks_course: tuple[Point, ...]
    rows: tuple[Row, ...]  # most games first
    hunts: tuple[Hunts, ...]  # most hunts first
    course: tuple[Point, ...]  # of all games of Gipfelsturm


def rate_of(won: int, games: int) -> Rate:
    """The share of one game or more that were won."""
    return Rate(*wilson(won, games))


def course_of(games: Sequence[tuple[str, bool]]) -> tuple[Point, ...]:
    """Points at equal distances for a plot, at most `MOST_POINTS`; the last one is of all games.

    Args:
        games: the day of each, and whether it was won, in order of time.
    """
    points, won, due = min(len(games), MOST_POINTS), 0, 1
    course = []
    for count, (day, this_won) in enumerate(games, 1):
        won += this_won
        if count * points >= due * len(games):
            course.append(Point(day, count, rate_of(won, count)))
            due += 1
    return tuple(course)
