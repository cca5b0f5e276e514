"""Several teams on the same deals of several settings, and their ceiling: the rows of an evaluation, and their JSON."""

import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version

import msgspec
import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.catalogue import ORACLE
from gipfelsturm.agents.intervals import Interval, paired_difference, win_rate
from gipfelsturm.agents.solver import Ceiling, ceiling
from gipfelsturm.envs.rules.settings import Settings, one_mind, ticks
from gipfelsturm.envs.rules.tempo import tempo_name
from gipfelsturm.training.evaluation import CHUNK, Outcome, evaluate
from gipfelsturm.training.published import published_percent

Progress = Callable[[int], None]
Result = Outcome | Ceiling
MOST_SOLVED = (20_000, 1_000, 100)
"""How many deals `oracle` solves at most with one, two and three piles: each takes a core half a minute at most."""


class RealTime(msgspec.Struct, frozen=True):
    """What a table with hands and a clock tells as well; all but the tempo as a mean over the games."""

    tempo: str  # of all hands, or one for each, joined by +
    seconds_a_play: float  # from the command to the free hand, as the tempo has it; a mean over the hands
    time_outs: float  # share of the games that the clock ended
    seconds: float  # on the clock of the game
    missed: float  # touches that found no card to play
    returned: float  # cards that went back
    refused: float  # commands


class Row(msgspec.Struct, frozen=True):
    """One team on one setting. Rates are shares of 1; `versus` is the team that `difference` compares with.

    A row of `oracle` tells of how many deals one mind that sees every card can win, without time: no team can win more.
    It has no streaks, and where some deals are not settled its interval holds from no to all of them won.
    """

    setting: str
    settings: Settings
    team: str
    games: int
    wins: int
    win_rate: Interval
    mean_score: float | None  # of won games, None if there are none
    longest_streak: int | None
    mean_longest_streak: float | None
    published_percent: float | None
    versus: str | None
    difference: Interval | None
    first_deal: int
    last_deal: int
    seed: int
    real_time: RealTime | None  # None for one mind
    unsettled: int = 0  # deals for which the memory of `oracle` did not suffice: it may win them or not


class Report(msgspec.Struct, frozen=True, tag_field="report", tag="evaluation"):
    """All rows, and what they were made with."""

    rows: list[Row]
    versions: dict[str, str]
    games_a_batch: int


def games_of(team: str, asked: int, settings: Settings) -> int:
    """How many of the games that were asked for a team plays: `oracle` is slow where there are several piles."""
    return min(asked, MOST_SOLVED[settings.seats - 1]) if team == ORACLE else asked


def compare(
    tables: Sequence[tuple[str, Settings]],
    teams: Mapping[str, int],
    *,
    first_deal: int = 0,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda games: None,
) -> Report:
    """Let every team play the first deals of every setting; each is paired with the first team.

    Args:
        tables: settings, with the name that the rows give them.
        teams: names that `gipfelsturm.agents.team.make_team` knows, or `oracle`, with the number of games of each;
            `oracle` solves no more than `MOST_SOLVED`.
    """
    rows = []
    solved: dict[Settings, Ceiling] = {}
    for setting, played in tables:
        results: dict[str, Result] = {}
        for team, asked in teams.items():
            games = games_of(team, asked, played)
            if team == ORACLE:
                untimed = one_mind(piles=played.seats, stock=played.stock, ring=played.ring)
                if untimed not in solved:  # the same for all tempos
                    solved[untimed] = ceiling(untimed, range(first_deal, first_deal + games), threads=threads)
                results[team] = solved[untimed]
                progress(games)
            else:
                results[team] = evaluate(
                    played, team, games, first_deal=first_deal, seed=seed, threads=threads, progress=progress
                )
            rows.append(_row(setting, played, team, results, first_deal, seed))
    return Report(rows, versions(), CHUNK)


def _row(setting: str, settings: Settings, team: str, results: Mapping[str, Result], first_deal: int, seed: int) -> Row:
    result = results[team]
    first = next(iter(results))
    versus = None if first == team else first
    won, played = _won(result), result if isinstance(result, Outcome) else None
    return Row(
        setting=setting,
        settings=settings,
        team=team,
        games=len(won),
        wins=int(won.sum()),
        win_rate=_win_rate(result),
        mean_score=float(played.score[won].mean()) if played and won.any() else None,
        longest_streak=int(played.longest.max()) if played else None,
        mean_longest_streak=float(played.longest.mean()) if played else None,
        published_percent=published_percent(settings),
        versus=versus,
        difference=_difference(result, results[versus]) if versus else None,
        first_deal=first_deal,
        last_deal=first_deal + len(won) - 1,
        seed=seed,
        real_time=_real_time(settings, played) if played and not settings.one_mind else None,
        unsettled=_unsettled(result),
    )


def _won(result: Result) -> NDArray[np.bool_]:
    return result.winnable if isinstance(result, Ceiling) else result.won


def _unsettled(result: Result) -> int:
    return int((~result.settled).sum()) if isinstance(result, Ceiling) else 0


def _win_rate(result: Result) -> Interval:
    """The share of the games won; with deals that are not settled, from none to all of those."""
    rate = win_rate(_won(result))
    return rate if isinstance(result, Outcome) else rate._replace(high=win_rate(result.winnable | ~result.settled).high)


def _real_time(settings: Settings, outcome: Outcome) -> RealTime:
    return RealTime(
        tempo=tempo_of(settings),
        seconds_a_play=_ticks_a_play(settings) * settings.tick_ms / 1000,
        time_outs=float(outcome.timed_out.mean()),
        seconds=float(outcome.seconds.mean()),
        missed=float(outcome.missed.mean()),
        returned=float(outcome.returned.mean()),
        refused=float(outcome.refused.mean()),
    )


def tempo_of(settings: Settings) -> str:
    """The tempo of all hands, or one for each, joined by +."""
    tempos = [tempo_name(tempo) for tempo in settings.tempos]
    return tempos[0] if len(set(tempos)) == 1 else "+".join(tempos)


def _ticks_a_play(settings: Settings) -> float:
    """Mean over the hands; no play takes less than the tick of its command."""
    plays = [
        sum(ticks(ms, settings.tick_ms) for ms in (tempo.reach, tempo.carry, tempo.pause)) for tempo in settings.tempos
    ]
    return sum(max(play, 1) for play in plays) / len(plays)


def _difference(result: Result, other: Result) -> Interval | None:
    """On the deals that both played, None if some of them are not settled."""
    if _unsettled(result) or _unsettled(other):
        return None
    won, theirs = _won(result), _won(other)
    both = min(len(won), len(theirs))
    return paired_difference(won[:both], theirs[:both])


def versions() -> dict[str, str]:
    """What the figures were made with."""
    names = ("gipfelsturm", "numpy", "numba")
    return {"python": platform.python_version()} | {name: version(name) for name in names}
