"""Interquartile means, best-response proximity and the bootstrap, on scores whose answers are known."""

import math

import numpy as np
import pytest
from scipy.stats import trim_mean

from gipfelsturm.training.bootstrap import (
    REPLICATES,
    interquartile_mean,
    interval_of,
    proximity,
    resample_deals,
    resample_seeds,
)


def wins(*rates: float, games: int = 200) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """One player beside one partner for each rate (rates, 1, games), winning its share of every ten deals."""
    return np.array([[[deal % 10 < 10 * rate for deal in range(games)]] for rate in rates])


@pytest.mark.parametrize(
    ("values", "middle"),
    [([5.0], 5.0), ([0, 4, 8], 4.0), ([0, 1, 2, 3, 4, 5, 6, 7], 3.5), ([7, 0, 1, 100], 4.0), ([-1e9, 2, 3, 1e9], 2.5)],
)
def test_the_mean_of_the_middle_half(values: list[float], middle: float) -> None:
    assert interquartile_mean(np.array(values, np.float64)) == middle


@pytest.mark.parametrize("count", [4, 7, 16, 48])
def test_it_is_what_agarwal_et_al_take(count: int) -> None:
    values = np.random.default_rng(count).normal(size=(3, count))
    theirs = [float(trim_mean(row, 0.25)) for row in values]
    assert interquartile_mean(values).tolist() == pytest.approx(theirs)


def test_rates_are_those_from_either_seat() -> None:
    won = np.array([[[True, True, False, True, False]], [[False, False, False, True, True]]])
    scores = resample_deals(won, 3, seed=0)
    np.testing.assert_allclose(scores.rates, np.array([[[2 / 3, 1 / 2]], [[0, 1]]]))
    assert scores.replicates.shape == (REPLICATES, 2, 1, 2)


def test_other_deals_come_from_the_same_seat() -> None:
    won = np.array([[[True] * 4 + [False] * 3]])
    np.testing.assert_array_equal(resample_deals(won, 4, seed=1).replicates[:, 0, 0], [[1, 0]] * REPLICATES)


def test_replicates_vary_as_win_rates_do() -> None:
    scores = resample_deals(wins(0.3), 100, seed=2)
    for seat in range(2):
        again = scores.replicates[:, 0, 0, seat]
        assert again.mean() == pytest.approx(0.3, abs=0.005)
        assert again.std() == pytest.approx(math.sqrt(0.3 * 0.7 / 100), rel=0.05)
    assert abs(np.asarray(np.corrcoef(scores.replicates[:, 0, 0].T))[0, 1]) < 0.1


def test_everybody_has_the_same_deals() -> None:
    won = np.concatenate([wins(0.4), ~wins(0.4), wins(0.4)])
    again = resample_deals(won, 100, seed=3).replicates
    np.testing.assert_array_equal(again[:, 0], again[:, 2])
    np.testing.assert_allclose(again[:, 0] + again[:, 1], 1)


def test_seeds_decide() -> None:
    one, other, same = (resample_deals(wins(0.5), 100, seed).replicates for seed in (1, 2, 1))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


def test_any_whole_number_is_a_seed() -> None:
    for seed in (-1, 2**64):
        assert resample_deals(wins(0.5), 100, seed).replicates.std() > 0
        assert resample_seeds(np.arange(20.0).reshape(2, 10, 1, 1), seed).std() > 0


def test_proximity_is_to_the_best_in_each_stratum() -> None:
    rates = np.array([[[0.5, 0.6], [0.0, 0.2]], [[1.0, 0.3], [0.0, 0.1]], [[0.8, 0.9], [0.0, 0.4]]])
    np.testing.assert_allclose(proximity(rates, 2), [[[0.5, 2 / 3], [1, 0.5]], [[1, 1 / 3], [1, 0.25]]])
    np.testing.assert_allclose(proximity(np.stack([rates, rates]), 1)[1], proximity(rates, 1))


def test_a_single_seed_is_drawn_again_and_again() -> None:
    replicates = np.random.default_rng(0).random((50, 1, 3, 2))
    np.testing.assert_array_equal(resample_seeds(replicates, 0), replicates)


def test_seeds_are_drawn_anew_within_each_stratum() -> None:
    replicates = np.zeros((4000, 2, 2, 1))
    replicates[:, 1, 0], replicates[:, :, 1] = 1, 5  # the first stratum's seeds scored 0 and 1, the second's 5
    again = resample_seeds(replicates, 7).mean(axis=1)[..., 0]
    values, counts = np.unique(again[:, 0], return_counts=True)
    assert values.tolist() == [0, 0.5, 1]
    np.testing.assert_allclose(counts / 4000, [0.25, 0.5, 0.25], atol=0.03)
    assert (again[:, 1] == 5).all()


def test_strata_draw_their_seeds_apart() -> None:
    replicates = np.zeros((4000, 2, 2, 2))
    replicates[:, 1] = 1
    again = resample_seeds(replicates, 7).mean(axis=1).reshape(4000, 4)
    correlations = np.asarray(np.corrcoef(again.T))
    assert np.abs(correlations - np.eye(4)).max() < 0.1


def test_seeds_are_drawn_by_other_dice_than_deals() -> None:
    replicates = np.arange(1000.0).reshape(1, 1000, 1, 1)
    by_the_same = np.random.default_rng(7).integers(0, 1000, size=replicates.shape)
    assert (resample_seeds(replicates, 7) != by_the_same).mean() > 0.9


def test_an_interval_holds_all_but_one_in_twenty() -> None:
    assert interval_of(3, np.arange(1001) / 1000) == (3, 0.025, 0.975)


def test_the_bootstrap_interval_of_a_win_rate_is_the_usual_one() -> None:
    again = resample_deals(wins(0.3, games=400), 200, seed=5).replicates.mean(axis=(1, 2, 3))
    _, low, high = interval_of(0.3, again)
    margin = 1.96 * math.sqrt(0.3 * 0.7 / 400)
    assert low == pytest.approx(0.3 - margin, abs=0.005) and high == pytest.approx(0.3 + margin, abs=0.005)
