"""Teammates beside partners whom they did not choose: the win rate of each pair, and differences on the same deals."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.intervals import Interval, mean_interval, paired_difference, win_rate
from gipfelsturm.configs import PARTNERS
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.comparison import versions
from gipfelsturm.training.evaluation import evaluate
from gipfelsturm.training.yaml_text import read_yaml

Progress = Callable[[int], None]
Names = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]


class Partners(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `configs/partners.yaml` says."""

    partners: Names
    baselines: Names
    games: Annotated[int, msgspec.Meta(ge=2)]
    first_deal: Annotated[int, msgspec.Meta(ge=0)]


class PartnerRow(msgspec.Struct, frozen=True):
    """One partner. Rates are shares of 1; a difference is the teammate's rate less that of a baseline."""

    partner: str
    win_rates: dict[str, Interval]  # of the teammate, then of each baseline
    differences: dict[str, Interval]  # by baseline


class PartnersReport(msgspec.Struct, frozen=True):
    """A teammate beside every partner, and pooled over them: each partner counts alike, deals are what varies."""

    setting: str
    settings: Settings
    agent: str
    games: int  # with each partner
    first_deal: int
    seed: int
    rows: list[PartnerRow]
    pooled: PartnerRow
    versions: dict[str, str]


def read_partners() -> Partners:
    """The partners and baselines of `configs/partners.yaml`."""
    return msgspec.convert(read_yaml(PARTNERS.read_bytes()), Partners, strict=False)


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
    if games < 2:
        raise ValueError(f"games must be 2 or more, one from each seat, not {games}")
    half = games - games // 2
    halves = ((f"{agent}+{partner}", first_deal, half), (f"{partner}+{agent}", first_deal + half, games - half))
    return np.concatenate(
        [
            evaluate(settings, team, count, first_deal=first, seed=seed, threads=threads, progress=progress).won
            for team, first, count in halves
        ]
    )


def beside_partners(
    setting: str,
    settings: Settings,
    agent: str,
    told: Partners,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda games: None,
) -> PartnersReport:
    """Judge an agent beside every partner, and against every baseline beside the same partner on the same deals.

    Args:
        setting: the name that the report gives the settings.
        progress: called with the number of games of each finished chunk.

    Raises:
        ValueError: for an unknown agent, and what `play_both_ways` refuses, before anything is played.
    """
    names = teammates(agent, told)
    for name in (*names, *told.partners):
        make_agent(name)
    play = partial(
        play_both_ways,
        settings,
        games=told.games,
        first_deal=told.first_deal,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    wins = {name: np.stack([play(name, partner) for partner in told.partners]) for name in names}  # (partners, games)
    rows = [
        _row(partner, {name: won[i] for name, won in wins.items()}, agent, told.baselines)
        for i, partner in enumerate(told.partners)
    ]
    pooled = _pooled(wins, agent, told.baselines)
    return PartnersReport(setting, settings, agent, told.games, told.first_deal, seed, rows, pooled, versions())


def teammates(agent: str, told: Partners) -> tuple[str, ...]:
    """Who plays with every partner: the agent, then the baselines that it is not."""
    return tuple(dict.fromkeys((agent, *told.baselines)))


def _row(partner: str, wins: Mapping[str, NDArray[np.bool_]], agent: str, baselines: Sequence[str]) -> PartnerRow:
    rates = {name: win_rate(won) for name, won in wins.items()}
    return PartnerRow(partner, rates, {name: paired_difference(wins[agent], wins[name]) for name in baselines})


def _pooled(wins: Mapping[str, NDArray[np.bool_]], agent: str, baselines: Sequence[str]) -> PartnerRow:
    """Means over the partners of each deal: games of one deal are no independent draws, whoever plays them."""
    shares = {name: won.mean(axis=0, dtype=np.float64) for name, won in wins.items()}
    rates = {name: mean_interval(share) for name, share in shares.items()}
    return PartnerRow("all", rates, {name: mean_interval(shares[agent] - shares[name]) for name in baselines})


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
    won = np.zeros((len(agents), len(agents), games), np.bool_)
    for i, agent in enumerate(agents):
        for j, partner in enumerate(agents[: i + 1]):
            won[i, j] = won[j, i] = play_both_ways(
                settings, agent, partner, games, first_deal=first_deal, seed=seed, threads=threads, progress=progress
            )
    return won
