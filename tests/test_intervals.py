"""Intervals against values worked out by hand, and their cover."""

import numpy as np
import pytest
from scipy.stats import binomtest

from gipfelsturm.agents.intervals import Interval, paired_difference, wilson, win_rate


def test_wilson_interval_by_hand() -> None:
    won = np.array([True] * 8 + [False] * 2)
    rate = win_rate(won)
    assert rate.value == 0.8
    # Wilson 1927: (p + z2/2n -+ z sqrt(p(1-p)/n + z2/4n2)) / (1 + z2/n) with z = 1.96, n = 10
    assert rate.low == pytest.approx(0.4902, abs=1e-4)
    assert rate.high == pytest.approx(0.9433, abs=1e-4)


@pytest.mark.parametrize(("won", "games"), [(0, 1), (1, 1), (0, 7), (3, 10), (40, 40), (617, 1234), (1, 10**9)])
def test_wilson_interval_is_that_of_scipy(won: int, games: int) -> None:
    low, high = binomtest(won, games).proportion_ci(method="wilson")
    assert wilson(won, games) == pytest.approx(Interval(won / games, low, high), abs=1e-12)
    assert win_rate(np.arange(1000) < 617) == wilson(617, 1000)


def test_an_interval_reaches_just_to_the_end_of_the_scale() -> None:
    for games in range(1, 200):
        assert (wilson(0, games).low, wilson(games, games).high) == (0, 1)


@pytest.mark.parametrize("won", [True, False])
def test_win_rate_of_one_outcome_stays_inside(won: bool) -> None:
    rate = win_rate(np.full(20, won))
    assert 0 <= rate.low <= rate.value <= rate.high <= 1
    assert rate.low < rate.high


def test_paired_difference_by_hand() -> None:
    won = np.array([True, True, True, False])
    other = np.array([False, True, False, False])
    difference = paired_difference(won, other)
    assert difference.value == 0.5
    assert difference.high - difference.value == pytest.approx(1.96 * 0.5 / 2, abs=1e-4)
    assert difference.value - difference.low == pytest.approx(difference.high - difference.value)


def test_equal_players_differ_by_nothing() -> None:
    won = np.arange(100) % 3 == 0
    assert paired_difference(won, won) == (0, 0, 0)


def test_intervals_cover_the_truth_about_95_times_in_100() -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(400):
        rate = win_rate(rng.random(200) < 0.3)
        covered += rate.low <= 0.3 <= rate.high
    assert 0.92 <= covered / 400 <= 0.98
