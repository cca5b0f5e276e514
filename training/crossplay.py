"""Pairs at the real-time table for two: everybody beside everybody on the same deals, and what that costs."""

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.intervals import Interval, mean_interval, win_rate
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.comparison import versions
from gipfelsturm.training.evaluation import check_games, evaluate

Progress = Callable[[int], None]


class CrossPlayRow(msgspec.Struct, frozen=True):
    """One agent. Rates are shares of 1."""

    agent: str
    win_rates: dict[str, Interval]  # beside each agent, itself among them
    gap: Interval  # of its rate beside itself to its mean rate beside the others, on the same deals


class CrossPlayReport(msgspec.Struct, frozen=True, tag_field="report", tag="crossplay"):
    """Everybody with everybody, in real time. Means count each agent, or each pair, alike; deals are what varies."""

    setting: str
    settings: Settings
    games: int  # of each pair
    first_deal: int
    seed: int
    rows: list[CrossPlayRow]
    self_play: Interval
    cross_play: Interval
    gap: Interval  # of self-play to cross-play, on the same deals
    versions: dict[str, str]


def play_both_ways(
    settings: Settings,
    agent: str,
    partner: str,
    games: int,
    *,
    first_deal: int = 0,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda games: None,
) -> NDArray[np.bool_]:
    """Which deals from `first_deal` on a pair wins (games,): the agent has seat 0 in the first half, then seat 1.

    Raises:
        ValueError: for another table than one for two hands, fewer than two games, or what `evaluate` refuses.
    """
    if settings.one_mind or settings.seats != 2:
        raise ValueError("a teammate and a partner need a real-time table for two: give two seats and a tempo")
    check_games(games, least=2)  # one from each seat
    half = from_seat_0(games)
    halves = ((f"{agent}+{partner}", first_deal, half), (f"{partner}+{agent}", first_deal + half, games - half))
    return np.concatenate(
        [
            evaluate(settings, team, count, first_deal=first, seed=seed, threads=threads, progress=progress).won
            for team, first, count in halves
        ]
    )


def from_seat_0(games: int) -> int:
    """How many games, the first ones, an agent plays from seat 0."""
    return games - games // 2


def cross_play(
    settings: Settings,
    agents: Sequence[str],
    games: int,
    *,
    first_deal: int = 0,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda games: None,
) -> NDArray[np.bool_]:
    """Everybody with everybody on the same deals, themselves among them.

    Returns:
        (agents, agents, games), which deals a pair wins; symmetric: each pair plays half of them either way round.

    Raises:
        ValueError: what `play_both_ways` refuses.
    """
    check_games(games, least=2)
    won = np.zeros((len(agents), len(agents), games), np.bool_)
    for i, agent in enumerate(agents):
        for j, partner in enumerate(agents[: i + 1]):
            won[i, j] = won[j, i] = play_both_ways(
                settings, agent, partner, games, first_deal=first_deal, seed=seed, threads=threads, progress=progress
            )
    return won


def pairs(agents: Sequence[str]) -> int:
    """How many pairs play, those of an agent with itself among them."""
    return len(agents) * (len(agents) + 1) // 2


def cross_play_report(
    setting: str,
    settings: Settings,
    agents: Sequence[str],
    games: int,
    *,
    first_deal: int = 0,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda games: None,
) -> CrossPlayReport:
    """Let everybody play with everybody, and tell what self-play has over cross-play.

    Args:
        setting: the name that the report gives the settings.
        progress: called with the number of games of each finished chunk.

    Raises:
        ValueError: for fewer than two agents, one named twice, an unknown one, and what `play_both_ways` refuses.
    """
    _check(agents)
    won = cross_play(settings, agents, games, first_deal=first_deal, seed=seed, threads=threads, progress=progress)
    same, other = _by_deal(won)
    return CrossPlayReport(
        setting=setting,
        settings=settings,
        games=games,
        first_deal=first_deal,
        seed=seed,
        rows=[_row(i, agents, won) for i in range(len(agents))],
        self_play=mean_interval(same),
        cross_play=mean_interval(other),
        gap=mean_interval(same - other),
        versions=versions(),
    )


def _check(agents: Sequence[str]) -> None:
    if len(agents) < 2:
        raise ValueError("cross-play is between different agents: name at least two")
    for number, agent in enumerate(agents):
        if agent in agents[:number]:
            raise ValueError(f"agent {agent!r} is named twice: name it once, it plays with itself anyway")
        make_agent(agent)


def _by_deal(won: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The shares of the pairs of an agent with itself, and of the pairs of two, that win each deal (games,)."""
    same = np.eye(len(won), dtype=np.bool_)
    return won[same].mean(axis=0), won[~same].mean(axis=0)


def _row(i: int, agents: Sequence[str], won: NDArray[np.bool_]) -> CrossPlayRow:
    others = np.delete(won[i], i, axis=0).mean(axis=0)
    rates = {agent: win_rate(won[i, j]) for j, agent in enumerate(agents)}
    return CrossPlayRow(agents[i], rates, mean_interval(won[i, i] - others))
