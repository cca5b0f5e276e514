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


def win_rate(won: NDArray[np.bool_]) -> Interval:
    """The share of games won (games,), with Wilson's interval."""
    from scipy.stats import binomtest  # takes most of a second to import

    wins, games = int(won.sum()), len(won)
    interval = binomtest(wins, games).proportion_ci(method="wilson")
    return Interval(wins / games, float(interval.low), float(interval.high))


def paired_difference(won: NDArray[np.bool_], other: NDArray[np.bool_]) -> Interval:
    """By how much one win rate exceeds another on the same deals (games,): the paired mean, with a normal interval."""
    return mean_interval(won.astype(np.float64) - other)


def mean_interval(values: NDArray[np.float64]) -> Interval:
    """The mean of independent values (games,), with a normal interval."""
    mean = float(values.mean())
    margin = Z95 * float(values.std()) / math.sqrt(len(values))
    return Interval(mean, mean - margin, mean + margin)
