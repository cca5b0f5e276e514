"""Intervals for win rates, and for differences on the same deals; all at 95 %."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054


class Interval(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(won: int, games: int) -> Interval:
    """The share of one game or more that were won, with Wilson's interval (1927)."""
    share, spread = won / games, Z95 * Z95 / games
    centre = (share + spread / 2) / (1 + spread)
    margin = Z95 / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / (4 * games))
    # At the ends of the scale the sums are exact on paper alone.
    return Interval(share, centre - margin if won else 0.0, centre + margin if won < games else 1.0)


def win_rate(won: NDArray[np.bool_]) -> Interval:
    """The share of games won (games,), with Wilson's interval."""
    return wilson(int(won.sum()), len(won))


def paired_difference(won: NDArray[np.bool_], other: NDArray[np.bool_]) -> Interval:
    """By how much one win rate exceeds another on the same deals (games,): the paired mean, with a normal interval."""
    return mean_interval(won.astype(np.float64) - other)


def mean_interval(values: NDArray[np.float64]) -> Interval:
    """The mean of independent values (games,), with a normal interval."""
    mean = float(values.mean())
    margin = Z95 * float(values.std()) / math.sqrt(len(values))
    return Interval(mean, mean - margin, mean + margin)


def percent(interval: Interval, sign: str = "") -> str:
    """As in `61.36 [60.68, 62.04]`, with `+` as the sign as in `+1.25 [-0.10, +2.60]`."""
    value, low, high = (100 * figure for figure in interval)
    return f"{value:{sign}.2f} [{low:{sign}.2f}, {high:{sign}.2f}]"
