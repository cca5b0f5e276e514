"""Teammates beside partners whom they did not choose: win rates, differences on the same deals, best responses.

Best-response proximity is the score with a partner over the best score that any of our agents reaches with it.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.intervals import Interval, mean_interval, win_rate
from gipfelsturm.configs import PARTNERS
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.bootstrap import (
    REPLICATES,
    Floats,
    interquartile_mean,
    interval_of,
    proximity,
    resample_deals,
    resample_seeds,
)
from gipfelsturm.training.comparison import versions
from gipfelsturm.training.crossplay import Progress, from_seat_0, play_both_ways
from gipfelsturm.training.yaml_text import read_yaml

Names = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
Wins = Mapping[str, NDArray[np.bool_]]  # by name (partners, games)


class Partners(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `configs/partners.yaml` says."""

    partners: Names
    baselines: Names
    rivals: tuple[str, ...]
    talkers: tuple[str, ...]
    games: Annotated[int, msgspec.Meta(ge=2)]
    first_deal: Annotated[int, msgspec.Meta(ge=0)]


class PartnerRow(msgspec.Struct, frozen=True):
    """One partner. Rates are shares of 1; a difference is the agents' rate less that of a baseline."""

    partner: str
    win_rates: dict[str, Interval]  # of the agents, then of each baseline and rival
    differences: dict[str, Interval]  # by baseline
    best: str  # who of all these wins most with this partner; "" over all partners
    proximity: Interval  # to the best response


class Robustness(msgspec.Struct, frozen=True):
    """Interquartile means over partners, seats and the agents, with stratified bootstrap intervals."""

    win_rate: Interval
    proximity: Interval
    replicates: int


class PartnersReport(msgspec.Struct, frozen=True, tag_field="report", tag="partners"):
    """Agents beside every partner, and pooled over them: each partner counts alike, deals are what varies.

    Several agents are one teammate, trained from several seeds: they count alike.
    """

    setting: str
    settings: Settings
    agents: list[str]
    games: int  # with each partner
    first_deal: int
    seed: int
    rows: list[PartnerRow]
    pooled: PartnerRow
    robustness: Robustness
    versions: dict[str, str]


def read_partners() -> Partners:
    """What `configs/partners.yaml` says."""
    return msgspec.convert(read_yaml(PARTNERS.read_bytes()), Partners, strict=False)


def players_of(agents: Sequence[str], told: Partners) -> tuple[str, ...]:
    """Who plays with every partner: the agents, then the baselines and rivals that they are not."""
    return tuple(dict.fromkeys((*agents, *told.baselines, *told.rivals)))


def beside_partners(
    setting: str,
    settings: Settings,
    agents: Sequence[str],
    told: Partners,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda games: None,
) -> PartnersReport:
    """Judge agents beside every partner, and against everybody else beside the same partner on the same deals.

    Args:
        setting: the name that the report gives the settings.
        agents: one, or the same trained from several seeds.
        progress: called with the number of games of each finished chunk.

    Raises:
        ValueError: for no agent, one named twice, an unknown one, and what `play_both_ways` refuses, before anything is
            played.
    """
    _check(agents, told)
    play = partial(
        play_both_ways,
        settings,
        games=told.games,
        first_deal=told.first_deal,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    wins = {name: np.stack([play(name, partner) for partner in told.partners]) for name in players_of(agents, told)}
    scores = resample_deals(np.stack(list(wins.values())), from_seat_0(told.games), seed)
    near, near_again = (proximity(rates, len(agents)) for rates in scores)
    near_again = resample_seeds(near_again, seed)
    rates_again = resample_seeds(scores.replicates[:, : len(agents)], seed)
    rows = [
        _row(partner, {name: won[i] for name, won in wins.items()}, agents, told, near[:, i], near_again[:, :, i])
        for i, partner in enumerate(told.partners)
    ]
    return PartnersReport(
        setting=setting,
        settings=settings,
        agents=list(agents),
        games=told.games,
        first_deal=told.first_deal,
        seed=seed,
        rows=rows,
        pooled=_pooled(wins, agents, told, near, near_again),
        robustness=Robustness(
            win_rate=_middle(scores.rates[: len(agents)], rates_again),
            proximity=_middle(near, near_again),
            replicates=REPLICATES,
        ),
        versions=versions(),
    )


def _check(agents: Sequence[str], told: Partners) -> None:
    if not agents:
        raise ValueError("--agent names nobody: name at least one player")
    for number, agent in enumerate(agents):
        if agent in agents[:number]:
            raise ValueError(f"agent {agent!r} is named twice: name it once")
    for name in (*players_of(agents, told), *told.partners):
        make_agent(name)


def _row(
    partner: str,
    wins: Mapping[str, NDArray[np.bool_]],
    agents: Sequence[str],
    told: Partners,
    near: Floats,
    near_again: Floats,
) -> PartnerRow:
    """One partner, by who won which deal beside it (games,)."""
    rates = {name: win_rate(won) for name, won in wins.items()}
    best = max(rates, key=lambda name: rates[name].value)
    return PartnerRow(partner, rates, _differences(wins, agents, told), best, _mean(near, near_again))


def _pooled(wins: Wins, agents: Sequence[str], told: Partners, near: Floats, near_again: Floats) -> PartnerRow:
    """Means over the partners of each deal: games of one deal are no independent draws, whoever plays them."""
    shares = {name: won.mean(axis=0, dtype=np.float64) for name, won in wins.items()}
    rates = {name: mean_interval(share) for name, share in shares.items()}
    return PartnerRow("all", rates, _differences(shares, agents, told), "", _mean(near, near_again))


def _differences(
    shares: Mapping[str, NDArray[np.bool_]] | Mapping[str, Floats], agents: Sequence[str], told: Partners
) -> dict[str, Interval]:
    """The agents' mean share of each deal (games,) less each baseline's."""
    ours = np.mean([shares[agent] for agent in agents], axis=0, dtype=np.float64)
    return {name: mean_interval(ours - shares[name]) for name in told.baselines}


def _mean(scores: Floats, replicates: Floats) -> Interval:
    """Over agents, seats, and partners if there are several; replicates (replicates, agents, ...)."""
    return interval_of(scores.mean(), replicates.reshape(len(replicates), -1).mean(axis=-1))


def _middle(scores: Floats, replicates: Floats) -> Interval:
    """The interquartile mean over all strata and agents."""
    again = interquartile_mean(replicates.reshape(len(replicates), -1))
    return interval_of(float(interquartile_mean(scores.ravel())), again)
