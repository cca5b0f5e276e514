"""Pairs: who sits where on which deals, everybody with everybody, its gap, and what the command prints."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from commands import run
from gipfelsturm.agents.human_profiles import PREFIX
from gipfelsturm.agents.learned import shipped_weights
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training import crossplay
from gipfelsturm.training.crossplay import cross_play, cross_play_report, pairs, play_both_ways
from gipfelsturm.training.evaluation import evaluate

TABLE = real_time("normal")
Wins = NDArray[np.bool_]


# Who sits where


def test_each_seat_has_half_of_the_deals() -> None:
    won = play_both_ways(TABLE, "uncover", "random", 301, first_deal=5, seed=2)
    first = evaluate(TABLE, "uncover+random", 151, first_deal=5, seed=2).won
    second = evaluate(TABLE, "random+uncover", 150, first_deal=156, seed=2).won
    np.testing.assert_array_equal(won, np.concatenate([first, second]))


@pytest.mark.parametrize("table", [one_mind("normal"), real_time(seats=3), real_time("tripeaks")])
def test_another_table_than_one_for_two_is_refused(table: Settings) -> None:
    with pytest.raises(ValueError, match="^a teammate and a partner need a real-time table for two: give two seats"):
        play_both_ways(table, "random", "careful", 10)


def test_a_single_game_is_refused() -> None:
    with pytest.raises(ValueError, match="^games must be 2 to 10000000, not 1$"):
        play_both_ways(TABLE, "random", "careful", 1)


# Everybody with everybody


def test_the_matrix_is_symmetric_and_holds_each_pair() -> None:
    agents = ("random", "uncover", PREFIX + "clumsy")
    won = cross_play(TABLE, agents, 40, first_deal=3, seed=1)
    assert won.shape == (3, 3, 40)
    for i, agent in enumerate(agents):
        for j, partner in enumerate(agents):
            first, second = (agent, partner) if i >= j else (partner, agent)
            np.testing.assert_array_equal(won[i, j], play_both_ways(TABLE, first, second, 40, first_deal=3, seed=1))


@pytest.fixture
def winning(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], None]:
    """Says which deals each pair wins, `1101` for all but the third."""

    def say(told: dict[str, str]) -> None:
        def play(settings: Settings, agent: str, partner: str, games: int, **_: object) -> Wins:
            return np.array([letter == "1" for letter in told[f"{agent} {partner}"]])

        monkeypatch.setattr(crossplay, "play_both_ways", play)

    return say


def test_the_gap_is_taken_deal_by_deal(winning: Callable[[dict[str, str]], None]) -> None:
    winning({"random random": "1110", "careful careful": "1010", "careful random": "1000"})
    report = cross_play_report("normal", TABLE, ("random", "careful"), 4)
    assert (report.self_play.value, report.cross_play.value, report.gap.value) == (0.625, 0.25, 0.375)
    margin = 1.959963984540054 * np.std([0, 0.5, 1, 0]) / 2
    assert report.gap.high - report.gap.value == pytest.approx(margin)
    assert [row.gap.value for row in report.rows] == [0.5, 0.25]
    assert {name: rate.value for name, rate in report.rows[1].win_rates.items()} == {"random": 0.25, "careful": 0.5}


def test_a_gap_is_to_the_mean_of_all_others(winning: Callable[[dict[str, str]], None]) -> None:
    names = ("random", "careful", "uncover")
    told = {f"{one} {other}": "00" for one in names for other in names} | {"uncover random": "11"}
    winning(told | {"random random": "11"})
    report = cross_play_report("normal", TABLE, names, 2)
    assert [row.gap.value for row in report.rows] == [0.5, 0, -0.5]
    assert report.gap == (0, 0, 0)
    assert report.self_play.value == report.cross_play.value == pytest.approx(1 / 3)


def test_pairs_are_counted_once() -> None:
    done: list[int] = []
    cross_play_report("normal", TABLE, ("random", "careful", "uncover"), 4, progress=done.append)
    assert sum(done) == 4 * pairs(("random", "careful", "uncover")) == 24


@pytest.mark.parametrize(
    ("agents", "fault"),
    [
        (("random",), "^cross-play is between different agents: name at least two$"),
        (("random", "careful", "random"), "^agent 'random' is named twice: name it once, it plays with itself anyway$"),
        (("random", "carful"), "^unknown agent 'carful'"),
    ],
)
def test_whoever_cannot_play_is_refused_before_anything_is_played(
    agents: tuple[str, ...], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crossplay, "play_both_ways", None)
    with pytest.raises(ValueError, match=fault):
        cross_play_report("normal", TABLE, agents, 4)


# The command


def test_the_command_takes_runs_files_and_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    weights, out = shipped_weights(TABLE), tmp_path / "matrix.json"
    (tmp_path / "run").mkdir()
    for suffix in (".safetensors", ".json"):
        (tmp_path / "run" / f"weights{suffix}").write_bytes(weights.with_suffix(suffix).read_bytes())
    done = run("crossplay", "run", weights, "careful", "--games", "8", "--json", out)
    assert done.returncode == 0, done.stderr
    report = json.loads(out.read_text())
    assert [row["agent"] for row in report["rows"]] == [
        "learned@run/weights.safetensors",
        f"learned@{weights}",
        "careful",
    ]
    assert (report["report"], report["setting"], report["games"]) == ("crossplay", "normal brisk", 8)
    same, copy, _ = report["rows"][0]["win_rates"].values()
    assert same == copy and report["rows"][0]["gap"] != report["rows"][2]["gap"]
    for interval in (report["gap"], *(row["gap"] for row in report["rows"])):
        value, low, high = (100 * figure for figure in interval)
        assert f"{value:+.2f} [{low:+.2f}, {high:+.2f}]" in done.stdout
    for word in ("beside 3", "3 careful", "8 games of each pair, half from either seat, deals 0 to 7, seed 0", "numba"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("careful",), "cross-play is between different agents: name at least two"),
        (("careful", "empty"), "empty holds no weights: a run writes weights.safetensors at its first evaluation"),
        (("careful", "no.safetensors"), "cannot read no.safetensors: No such file or directory"),
        (("careful", "random", "--games", "1"), "games must be 2 to 10000000, not 1"),
        (("careful", "random", "--json", "."), "cannot write .: it is a folder"),
    ],
)
def test_a_fault_is_one_line(
    arguments: tuple[str, ...],
    fault: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    done = run("crossplay", *arguments)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (2, "", f"gipfelsturm: {fault}\n")
