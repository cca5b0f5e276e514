"""Teammates beside partners: who sits where on which deals, what is compared, and what the command prints."""

import json
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from commands import run
from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.human_profiles import PREFIX, human_names
from gipfelsturm.configs import PARTNERS
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training import crossplay
from gipfelsturm.training.crossplay import (
    Partners,
    PartnersReport,
    beside_partners,
    cross_play,
    play_both_ways,
    read_partners,
)
from gipfelsturm.training.evaluation import evaluate

TABLE = real_time("normal")
TOLD = Partners(
    partners=("random", "human-clumsy", "careful"), baselines=("lookahead", "careful"), games=301, first_deal=4
)


def judged(agent: str = "uncover", told: Partners = TOLD, threads: int = 1, seed: int = 0) -> PartnersReport:
    return beside_partners("normal", TABLE, agent, told, seed=seed, threads=threads)


# The config


def test_the_partners_are_those_that_are_held_out() -> None:
    told = read_partners()
    searches = ("search@400", "search@2000")
    assert told.partners == ("random", "careful", "uncover", *searches, *human_names(held_out=True))
    assert (told.baselines, told.games, told.first_deal) == (("lookahead", "careful"), 4000, 0)
    for name in (*told.partners, *told.baselines):
        make_agent(name)


def test_every_key_of_the_config_has_a_comment() -> None:
    lines = PARTNERS.read_text().splitlines()
    keys = [line for line in lines if re.match(r"\w+:", line)]
    assert {line.split(":")[0] for line in keys} == set(Partners.__struct_fields__)
    assert all("  # " in line for line in keys)


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
    with pytest.raises(ValueError, match="^games must be 2 or more, one from each seat, not 1$"):
        play_both_ways(TABLE, "random", "careful", 1)


# What is compared


def test_rows_compare_with_every_baseline_beside_the_same_partner() -> None:
    report = judged()
    assert [row.partner for row in report.rows] == list(TOLD.partners)
    for row in report.rows:
        won = {name: play_both_ways(TABLE, name, row.partner, 301, first_deal=4) for name in row.win_rates}
        assert list(won) == ["uncover", "lookahead", "careful"]
        for name in TOLD.baselines:
            assert row.win_rates[name].value == pytest.approx(won[name].mean())
            difference = won["uncover"].astype(int) - won[name]
            assert row.differences[name].value == pytest.approx(difference.mean())
            margin = 1.96 * difference.std() / 301**0.5
            assert row.differences[name].low == pytest.approx(difference.mean() - margin, abs=1e-4)


def test_the_pool_counts_partners_alike_and_deals_as_what_varies() -> None:
    report = judged()
    assert report.pooled.differences["careful"].value == pytest.approx(
        np.mean([row.differences["careful"].value for row in report.rows])
    )
    shares = [
        np.mean([play_both_ways(TABLE, name, partner, 301, first_deal=4) for partner in TOLD.partners], axis=0)
        for name in ("uncover", "careful")
    ]
    margin = 1.96 * (shares[0] - shares[1]).std() / 301**0.5
    low, high = report.pooled.differences["careful"][1:]
    assert (high - low) / 2 == pytest.approx(margin, abs=1e-4)
    assert report.pooled.win_rates["uncover"].value == pytest.approx(shares[0].mean())


def test_a_baseline_is_played_once_and_differs_from_itself_by_nothing() -> None:
    report = judged("careful")
    assert list(report.pooled.win_rates) == ["careful", "lookahead"]
    for row in (*report.rows, report.pooled):
        assert row.differences["careful"] == (0, 0, 0)


def test_threads_do_not_count_and_seeds_do() -> None:
    assert judged(threads=3) == judged()
    assert judged(seed=1) != judged()


def test_an_unknown_name_is_refused_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossplay, "play_both_ways", None)
    with pytest.raises(ValueError, match="^unknown agent 'carful'"):
        judged("carful")
    with pytest.raises(ValueError, match="^unknown agent 'randm'"):
        judged(told=msgspec.structs.replace(TOLD, partners=("careful", "randm")))


def test_progress_counts_every_game() -> None:
    done: list[int] = []
    beside_partners("normal", TABLE, "uncover", TOLD, progress=done.append)
    assert sum(done) == 3 * 3 * 301


# Everybody with everybody


def test_the_matrix_is_symmetric_and_holds_each_pair() -> None:
    agents = ("random", "uncover", PREFIX + "clumsy")
    won = cross_play(TABLE, agents, 40, first_deal=3, seed=1)
    assert won.shape == (3, 3, 40)
    for i, agent in enumerate(agents):
        for j, partner in enumerate(agents):
            first, second = (agent, partner) if i >= j else (partner, agent)
            np.testing.assert_array_equal(won[i, j], play_both_ways(TABLE, first, second, 40, first_deal=3, seed=1))


# The command


def test_the_command_prints_and_writes_every_partner(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    done = run("partners", "--agent", "uncover", "--games", "4", "--preset", "blitz", "--json", file)
    report = json.loads(file.read_text())
    assert done.returncode == 0, done.stderr
    assert [row["partner"] for row in report["rows"]] == list(read_partners().partners)
    assert (report["setting"], report["games"], report["agent"]) == ("blitz brisk", 4, "uncover")
    for row in (*report["rows"], report["pooled"]):
        assert list(row["win_rates"]) == ["uncover", "lookahead", "careful"]
        value, low, high = (100 * figure for figure in row["differences"]["lookahead"])
        assert f"{value:+.2f} [{low:+.2f}, {high:+.2f}]" in done.stdout
        assert row["partner"] in done.stdout
    for word in ("blitz brisk", "deals 0 to 3, seed 0", "numba", "4 games with each partner"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--agent", "uncovr"), "unknown agent 'uncovr': did you mean 'uncover'?"),
        (("--agent", "uncover", "--games", "1"), "games must be 2 or more, one from each seat, not 1"),
        (("--agent", "uncover", "--json", "."), "cannot write .: it is a folder"),
        (("--agent", "oracle"), "'oracle' sees every card and can sit in no seat: use one of "),
    ],
)
def test_a_fault_is_one_line(arguments: tuple[str, ...], fault: str) -> None:
    done = run("partners", *arguments)
    assert done.returncode == 2 and not done.stdout.strip()
    assert done.stderr.startswith(f"gipfelsturm: {fault}") and done.stderr.count("\n") == 1
