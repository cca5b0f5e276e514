"""The comparison with the published figures: its rows, and the figures themselves."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from gipfelsturm.agents.solver import ceiling
from gipfelsturm.envs.rules.settings import Settings, TempoLike, one_mind, real_time
from gipfelsturm.training import comparison
from gipfelsturm.training.comparison import MOST_SOLVED, Report, Row, compare
from gipfelsturm.training.evaluation import evaluate
from gipfelsturm.training.json_file import write_json
from gipfelsturm.training.published import PUBLISHED, published_percent

# rules.md section 5, three independent programs, 200,000 deals a cell.
MEASURED = {
    "random": (39.0, 57.6, 37.6, 25.0, 12.9),
    "careful": (42.7, 62.0, 41.5, 28.3, 14.9),
    "uncover": (50.1, 68.3, 47.8, 32.6, 17.7),
}
LOOKAHEAD = (53.7, 70.8, 51.3, 34.5, 19.8)


def test_published_figures_are_those_of_the_source() -> None:
    figures = [published.percent for published in PUBLISHED.values()]
    assert list(PUBLISHED) == ["solo", "2x12", "2x10", "2x12-noring", "2x10-noring"]
    assert figures == [37, 62, 41, 27, 15]


def test_published_settings_are_those_of_the_source() -> None:
    played = [row.settings for row in PUBLISHED.values()]
    assert [(one.seats, one.stock, one.ring) for one in played] == [
        (1, 24, True),
        (2, 12, True),
        (2, 10, True),
        (2, 12, False),
        (2, 10, False),
    ]
    assert all(one.one_mind for one in played)


def test_only_published_settings_have_a_figure() -> None:
    assert published_percent(one_mind("hard")) == 41
    assert published_percent(one_mind("hard", stock=11)) is None


def test_each_team_is_compared_with_the_first_on_the_same_deals() -> None:
    teams = ("random", "careful", "uncover")
    rows = compare([("solo", one_mind())], dict.fromkeys(teams, 300)).rows
    won = [evaluate(one_mind(), team, 300).won.mean() for team in teams]
    for row, rate in zip(rows[1:], won[1:], strict=True):
        assert row.versus == "random" and row.difference is not None
        assert row.difference.value == pytest.approx(rate - won[0])


@pytest.mark.parametrize("player", MEASURED)
def test_players_come_out_as_measured(player: str) -> None:
    for row, measured in zip(PUBLISHED.values(), MEASURED[player], strict=True):
        won = evaluate(row.settings, player, 60_000).won
        assert 100 * won.mean() == pytest.approx(measured, abs=0.6)


def test_lookahead_is_as_strong_as_measured() -> None:
    for row, measured in zip(PUBLISHED.values(), LOOKAHEAD, strict=True):
        assert 100 * evaluate(row.settings, "lookahead", 20_000).won.mean() >= measured - 1


def report(threads: int = 1, seed: int = 0) -> Report:
    teams = {"careful": 3000, "uncover": 2500}
    return compare([("solo", one_mind())], teams, first_deal=7, seed=seed, threads=threads)


def timed_report(threads: int = 1) -> Report:
    tables = [("blitz", real_time("blitz", tempo=tempo)) for tempo in ("brisk", ("person", "slow"))]
    return compare(tables, {"uncover": 300, "user_agents:FirstLegal+random": 200}, threads=threads)


def test_rows_tell_what_was_played() -> None:
    first, second = report().rows
    assert (first.setting, first.team, first.games, first.published_percent) == ("solo", "careful", 3000, 37)
    assert (first.first_deal, first.last_deal, first.versus, first.difference) == (7, 3006, None, None)
    assert (second.last_deal, second.versus) == (2506, "careful")
    assert second.win_rate.value == second.wins / 2500


def test_difference_is_paired_on_the_deals_that_both_played() -> None:
    difference = report().rows[1].difference
    careful = evaluate(one_mind(), "careful", 2500, first_deal=7).won
    uncover = evaluate(one_mind(), "uncover", 2500, first_deal=7).won
    assert difference is not None
    assert difference.value == pytest.approx(float(np.mean(uncover.astype(int) - careful)))


def test_same_seed_same_report_other_seed_overlapping_intervals() -> None:
    assert msgspec.json.encode(report()) == msgspec.json.encode(report(threads=2))
    assert msgspec.json.encode(timed_report()) == msgspec.json.encode(timed_report(threads=2))
    same, other = report().rows[1], report(seed=1).rows[1]
    assert same.wins != other.wins
    assert same.win_rate.low <= other.win_rate.high
    assert other.win_rate.low <= same.win_rate.high


@pytest.mark.parametrize("make", [report, timed_report])
def test_a_report_can_be_read_back(make: Callable[[], Report], tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_json(path, make())
    assert msgspec.json.decode(path.read_bytes(), type=Report) == make()


def test_no_win_has_no_mean_score() -> None:
    rows = compare([("short", one_mind("expert", stock=2))], {"random": 50}).rows
    assert rows[0].wins == 0
    assert rows[0].mean_score is None


# The ceiling

CEILINGS = [
    one_mind(ring=False),
    one_mind("expert"),
    real_time("expert", tempo="slow"),
    real_time("blitz", stock=6, tempo=("brisk", "steady")),
    real_time("tripeaks", ring=False, tempo="instant"),
]


@pytest.mark.parametrize("settings", CEILINGS)
def test_no_team_wins_a_deal_that_the_oracle_cannot(settings: Settings) -> None:
    teams = {"uncover": 60, "counting": 60, "search@16": 60, "oracle": 60}
    *rows, oracle = compare([("x", settings)], teams).rows
    assert 0 < oracle.wins < 60 or settings.stock == 24
    assert all(row.wins <= oracle.wins for row in rows)
    untimed = one_mind(piles=settings.seats, stock=settings.stock, ring=settings.ring)
    winnable = ceiling(untimed, range(60)).winnable
    assert oracle.wins == winnable.sum()
    for team in list(teams)[:-1]:
        assert not (evaluate(settings, team, 60).won & ~winnable).any(), team


def test_the_row_of_the_oracle() -> None:
    tables = [("brisk", real_time("expert")), ("slow", real_time("expert", tempo="slow"))]
    rows = compare(tables, {"uncover": 30, "oracle": 50}, first_deal=7).rows
    assert [row.team for row in rows] == ["uncover", "oracle"] * 2
    oracle = rows[1]
    winnable = ceiling(one_mind("expert"), range(7, 57)).winnable
    assert (oracle.wins, oracle.games, oracle.last_deal, oracle.unsettled) == (winnable.sum(), 50, 56, 0)
    assert (oracle.mean_score, oracle.longest_streak, oracle.mean_longest_streak, oracle.real_time) == (None,) * 4
    assert oracle.win_rate.low < oracle.win_rate.value == winnable.mean() < oracle.win_rate.high < 1
    won = evaluate(real_time("expert"), "uncover", 30, first_deal=7).won
    assert oracle.difference is not None
    assert oracle.difference.value == pytest.approx(float(np.mean(winnable[:30].astype(int) - won)))
    assert rows[3].win_rate == oracle.win_rate


def test_the_oracle_solves_no_more_than_it_can_in_half_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_SOLVED == (20_000, 1_000, 100)
    monkeypatch.setattr(comparison, "MOST_SOLVED", (30, 20, 1))
    done: list[int] = []
    tables = [("solo", one_mind()), ("two", one_mind("hard"))]
    rows = compare(tables, {"careful": 40, "oracle": 40}, progress=done.append).rows
    assert [row.games for row in rows] == [40, 30, 40, 20]
    assert sorted(done) == [20, 30, 40, 40]


def unsettled_row(monkeypatch: pytest.MonkeyPatch, teams: dict[str, int]) -> list[Row]:
    monkeypatch.setattr("gipfelsturm.agents.solver_memory.SHEETS", (0, 100, 100))
    return compare([("expert", one_mind("expert"))], teams).rows


def test_deals_that_are_not_settled_are_counted_and_compared_with_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = unsettled_row(monkeypatch, {"careful": 10, "oracle": 10})
    oracle = rows[1]
    assert oracle.unsettled > 0 and oracle.wins + oracle.unsettled <= 10
    assert oracle.difference is None
    assert oracle.win_rate.high > oracle.wins / 10 + 0.3
    assert unsettled_row(monkeypatch, {"oracle": 10, "careful": 10})[1].difference is None


# The real-time table


def test_one_mind_has_no_real_time() -> None:
    assert [row.real_time for row in report().rows] == [None, None]


def test_real_time_is_told_as_means_over_the_games() -> None:
    rows = timed_report().rows
    assert [(row.setting, row.team, row.games) for row in rows[:2]] == [
        ("blitz", "uncover", 300),
        ("blitz", "user_agents:FirstLegal+random", 200),
    ]
    for row in rows:
        outcome = evaluate(row.settings, row.team, row.games)
        time = row.real_time
        assert time is not None
        assert time.time_outs == outcome.timed_out.mean()
        assert [time.seconds, time.missed, time.returned, time.refused] == [
            column.mean() for column in (outcome.seconds, outcome.missed, outcome.returned, outcome.refused)
        ]
    clumsy = rows[1].real_time
    assert clumsy is not None
    assert 0 < clumsy.missed < clumsy.returned < clumsy.seconds


@pytest.mark.parametrize(
    ("tempo", "name", "seconds"),
    [
        ("instant", "instant", 0.2),
        ("brisk", "brisk", 1.2),
        ("steady", "steady", 2.6),
        ("slow", "slow", 5.6),
        ("100/100/0/900", "100/100/0/900", 0.4),
        (("brisk", "slow"), "brisk+slow", 3.4),
    ],
)
def test_tempos_have_their_names_and_seconds(tempo: TempoLike, name: str, seconds: float) -> None:
    time = compare([("x", real_time(tempo=tempo, clock=1))], {"random": 1}).rows[0].real_time
    assert time is not None
    assert time.tempo == name
    assert time.seconds_a_play == pytest.approx(seconds)
