"""Several teams on the same deals of several settings: the rows of an evaluation, and their JSON."""

import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version

import msgspec

from gipfelsturm.envs.rules.settings import Settings, ticks
from gipfelsturm.envs.rules.tempo import tempo_name
from gipfelsturm.training.evaluation import CHUNK, Outcome, evaluate
from gipfelsturm.training.published import published_percent
from gipfelsturm.training.statistics import Interval, paired_difference, win_rate

Progress = Callable[[int], None]


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
    """One team on one setting. Rates are shares of 1; `versus` is the team that `difference` compares with."""

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
    real_time: RealTime | None  # None for one mind


class Report(msgspec.Struct, frozen=True):
    """All rows, and what they were made with."""

    rows: list[Row]
    versions: dict[str, str]
    games_a_batch: int


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
        teams: names that `gipfelsturm.agents.team.make_team` knows, with the number of games of each.
    """
    rows = []
    for setting, played in tables:
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
        real_time=None if settings.one_mind else _real_time(settings, outcome),
    )


def _real_time(settings: Settings, outcome: Outcome) -> RealTime:
    tempos = [tempo_name(tempo) for tempo in settings.tempos]
    return RealTime(
        tempo=tempos[0] if len(set(tempos)) == 1 else "+".join(tempos),
        seconds_a_play=_ticks_a_play(settings) * settings.tick_ms / 1000,
        time_outs=float(outcome.timed_out.mean()),
        seconds=float(outcome.seconds.mean()),
        missed=float(outcome.missed.mean()),
        returned=float(outcome.returned.mean()),
        refused=float(outcome.refused.mean()),
    )


def _ticks_a_play(settings: Settings) -> float:
    """Mean over the hands; no play takes less than the tick of its command."""
    plays = [
        sum(ticks(ms, settings.tick_ms) for ms in (tempo.reach, tempo.carry, tempo.pause)) for tempo in settings.tempos
    ]
    return sum(max(play, 1) for play in plays) / len(plays)


def _difference(outcome: Outcome, other: Outcome) -> Interval:
    both = min(len(outcome.won), len(other.won))
    return paired_difference(outcome.won[:both], other.won[:both])


def versions() -> dict[str, str]:
    """What the figures were made with."""
    names = ("gipfelsturm", "numpy", "numba")
    return {"python": platform.python_version()} | {name: version(name) for name in names}
