"""Predicted chances beside ends of games: known scores, and the games that a network plays."""

import math

import numpy as np
import pytest

from gipfelsturm.agents.learned import shipped_weights
from gipfelsturm.agents.network import network_of
from gipfelsturm.agents.network_weights import read_network
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.training.evaluation import evaluate
from gipfelsturm.training.report_page.calibration import Calibration, calibration, calibration_part, judge_moves
from gipfelsturm.training.report_page.influence import influence
from random_play import begin


def judged(chances: list[float], won: list[int], games: list[int] | None = None) -> Calibration:
    numbers = np.array(games) if games else np.arange(len(won))
    return calibration(np.array(chances, np.float64), np.array(won, np.float64), numbers)


def test_brier_scores_of_a_seer_a_liar_and_a_coin() -> None:
    won = [1, 0, 0, 1]
    assert judged([1, 0, 0, 1], won).brier == 0
    assert judged([0, 1, 1, 0], won).brier == 1
    assert judged([0.5] * 4, won).brier == judged([0.5] * 4, won).constant == 0.25
    assert judged([0.75, 0.5, 0, 1], won).brier == pytest.approx((0.0625 + 0.25) / 4)
    assert judged([0.1] * 4, [1, 1, 1, 0]).constant == 0.75 * 0.25


def test_moves_are_counted_by_tenths() -> None:
    bins = judged([0.0, 0.09, 0.1, 0.95, 1.0], [0, 1, 0, 1, 1]).bins
    assert [(each.moves, each.won.value) for each in bins] == [(2, 0.5), (1, 0), (2, 1)]
    assert [each.predicted for each in bins] == pytest.approx([0.045, 0.1, 0.975])


def test_with_one_move_a_game_the_interval_is_the_usual_one() -> None:
    (only,) = judged([0.55] * 400, [1] * 120 + [0] * 280).bins
    margin = 1.96 * math.sqrt(0.3 * 0.7 / 400)
    assert only.won == pytest.approx((0.3, 0.3 - margin, 0.3 + margin), abs=1e-4)


def test_moves_of_one_game_tell_no_more_than_one() -> None:
    (one,) = judged([0.55] * 400, [1] * 120 + [0] * 280).bins
    (ten,) = judged([0.55] * 4000, ([1] * 120 + [0] * 280) * 10, list(range(400)) * 10).bins
    assert ten.won == pytest.approx(one.won)


@pytest.mark.parametrize("table", ["tripeaks", "normal"])
def test_the_network_plays_as_learned_does_and_says_what_it_sees(table: str) -> None:
    settings = one_mind(table)
    network = network_of(read_network(shipped_weights(settings)))
    chances, won, games = judge_moves(network, settings, 30)
    assert ((chances >= 0) & (chances <= 1)).all() and set(won.tolist()) == {0, 1}
    firsts = np.searchsorted(games, np.arange(30))
    np.testing.assert_array_equal(won[firsts] > 0, evaluate(settings, "learned", 30, threads=1).won)
    batch = begin(settings, 30)
    seen = [influence(network, settings, batch.observations[game, 0])[0] for game in range(30)]
    np.testing.assert_allclose(chances[firsts], seen, rtol=1e-5)
    ends = [won[games == game] for game in range(30)]
    assert all((end == end[0]).all() and 20 <= len(end) <= 52 for end in ends if end[0])


def test_the_part_tells_the_scores() -> None:
    sure, unsure = judged([0.9, 0.1], [1, 0]), judged([0.5, 0.5], [1, 0])
    part = calibration_part("net", [("2x12", sure), ("2x10", unsure)], 77)
    assert "<td>2x12</td><td>2</td><td>0.0100</td><td>0.2500</td>" in part.tables[0]
    assert "<td>2x10</td><td>2</td><td>0.2500</td><td>0.2500</td>" in part.tables[0]
    assert "deals 0 to 76" in part.text and list(part.pictures) == ["calibration-net"]
    assert part.pictures != calibration_part("net", [("2x12", unsure), ("2x10", unsure)], 77).pictures
