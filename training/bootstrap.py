"""Scores over many partners, seats and training seeds in one figure, and how sure it is.

The interquartile mean with stratified bootstrap intervals is what Agarwal et al. recommend (2021, "Deep reinforcement
learning at the edge of the statistical precipice"): a stratum is a partner and a seat, in each of which training seeds
are drawn anew. Deals are drawn anew as well, the same ones for everybody: so a single seed has an interval too.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.intervals import Interval
from gipfelsturm.envs.rules.chance import nth_seed

REPLICATES = 2000
_AT_ONCE = 100
"""Replicates, of which `REPLICATES` is a multiple: the deals drawn for more would take much memory."""
Floats = NDArray[np.float64]


class Scores(NamedTuple):
    """Win rates by player, partner and seat, and what they would be on other deals."""

    rates: Floats  # (players, partners, 2)
    replicates: Floats  # (REPLICATES, players, partners, 2)


def interquartile_mean(values: Floats) -> Floats:
    """The mean (...) of the middle half of values (..., n): a quarter, rounded down, is left out at either end."""
    out = values.shape[-1] // 4
    middle: Floats = np.sort(values, axis=-1)[..., out : values.shape[-1] - out].mean(axis=-1)
    return middle


def resample_deals(won: NDArray[np.bool_], from_seat_0: int, seed: int) -> Scores:
    """Win rates, and those on deals drawn anew from the same, with replacement.

    Args:
        won: (players, partners, games), all on the same deals.
        from_seat_0: how many of the deals, the first ones, were played from seat 0; at least one was from either seat.
    """
    seats = won[..., :from_seat_0], won[..., from_seat_0:]
    dice = np.random.default_rng(seed % 2**64)
    rates = np.stack([seat.mean(axis=-1) for seat in seats], axis=-1)
    replicates = np.stack([np.concatenate(list(_on_other_deals(seat, dice))) for seat in seats], axis=-1)
    return Scores(rates, replicates)


def _on_other_deals(won: NDArray[np.bool_], dice: np.random.Generator) -> Iterator[Floats]:
    games = won.shape[-1]
    for _ in range(REPLICATES // _AT_ONCE):
        times = dice.multinomial(games, np.full(games, 1 / games), size=_AT_ONCE)
        rates = times.astype(np.float64) @ won.reshape(-1, games).T.astype(np.float64) / games
        yield rates.reshape(-1, *won.shape[:-1])


def proximity(rates: Floats, judged: int) -> Floats:
    """Best-response proximity (..., judged, partners, seats): a rate over the best of all players' in its stratum.

    Where nobody wins, it is 1.

    Args:
        rates: (..., players, partners, seats).
        judged: how many of the players, the first ones, are judged.
    """
    ours, best = rates[..., :judged, :, :], rates.max(axis=-3, keepdims=True)
    near: Floats = np.divide(ours, best, out=np.ones_like(ours), where=best > 0)
    return near


def resample_seeds(replicates: Floats, seed: int) -> Floats:
    """The same (replicates, seeds, partners, seats), with seeds drawn anew in each stratum, with replacement."""
    dice = np.random.default_rng(nth_seed(seed, 1))
    drawn = dice.integers(0, replicates.shape[1], size=replicates.shape)
    return np.take_along_axis(replicates, drawn, axis=1)


def interval_of(value: float, replicates: Floats) -> Interval:
    """A figure, with the 2.5th and 97.5th percentile of its replicates (replicates,)."""
    low, high = np.percentile(replicates, (2.5, 97.5))
    return Interval(float(value), float(low), float(high))
