"""Several players on the same deals of several settings: the rows of an evaluation, and their JSON."""

import platform
from collections.abc import Callable, Mapping
from importlib.metadata import version

import msgspec

from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.evaluation import CHUNK, Outcome, evaluate
from gipfelsturm.training.published import published_percent
from gipfelsturm.training.statistics import Interval, paired_difference, win_rate

Progress = Callable[[int], None]


class Row(msgspec.Struct, frozen=True):
    """One player on one setting. Rates are shares of 1; `versus` is the player that `difference` compares with."""

    setting: str
    settings: Settings
    team: str
    games: int
    wins: int
    win_rate: Interval
    mean_score: float | None  # of won games, None if there are none
    longest_streak: int
    mean_longest_streak: float
    published_percent: float | None
    versus: str | None
    difference: Interval | None
    first_deal: int
    last_deal: int
    seed: int


class Report(msgspec.Struct, frozen=True):
    """All rows, and what they were made with."""

    rows: list[Row]
    versions: dict[str, str]
    games_a_batch: int


def compare(
    settings: Mapping[str, Settings],
    teams: Mapping[str, int],
    *,
    first_deal: int = 0,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda games: None,
) -> Report:
    """Let every team play the first deals of every setting; each is paired with the first team.

    Args:
        settings: by the name that the rows give them.
        teams: agent names, with the number of games of each.
    """
    rows = []
    for setting, played in settings.items():
        outcomes: dict[str, Outcome] = {}
        for team, games in teams.items():
            outcomes[team] = evaluate(
                played, team, games, first_deal=first_deal, seed=seed, threads=threads, progress=progress
            )
            rows.append(_row(setting, played, team, outcomes, first_deal, seed))
    return Report(rows, versions(), CHUNK)


def _row(
    setting: str, settings: Settings, team: str, outcomes: Mapping[str, Outcome], first_deal: int, seed: int
) -> Row:
    outcome = outcomes[team]
    first = next(iter(outcomes))
    versus = None if first == team else first
    games = len(outcome.won)
    return Row(
        setting=setting,
        settings=settings,
        team=team,
        games=games,
        wins=int(outcome.won.sum()),
        win_rate=win_rate(outcome.won),
        mean_score=float(outcome.score[outcome.won].mean()) if outcome.won.any() else None,
        longest_streak=int(outcome.longest.max()),
        mean_longest_streak=float(outcome.longest.mean()),
        published_percent=published_percent(settings),
        versus=versus,
        difference=_difference(outcome, outcomes[versus]) if versus else None,
        first_deal=first_deal,
        last_deal=first_deal + games - 1,
        seed=seed,
    )


def _difference(outcome: Outcome, other: Outcome) -> Interval:
    both = min(len(outcome.won), len(other.won))
    return paired_difference(outcome.won[:both], other.won[:both])


def versions() -> dict[str, str]:
    """What the figures were made with."""
    names = ("gipfelsturm", "numpy", "numba")
    return {"python": platform.python_version()} | {name: version(name) for name in names}
