"""Teammates beside partners: what is compared, on which deals, how near to the best, and what the command prints."""

import json
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from commands import run
from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.human_profiles import PROFILES, human_names
from gipfelsturm.configs import PARTNERS
from gipfelsturm.envs.rules.settings import Settings, real_time
from gipfelsturm.training import partners
from gipfelsturm.training.crossplay import play_both_ways
from gipfelsturm.training.partners import Partners, PartnersReport, beside_partners, read_partners

TABLE = real_time("normal")
TOLD = Partners(
    partners=("random", "human-clumsy", "careful"),
    baselines=("lookahead", "careful"),
    rivals=("random",),
    talkers=(),
    games=301,
    first_deal=4,
)


def judged(
    *agents: str, told: Partners = TOLD, threads: int = 1, seed: int = 0, settings: Settings = TABLE
) -> PartnersReport:
    return beside_partners("normal", settings, agents or ("uncover",), told, seed=seed, threads=threads)


# The config


def test_the_partners_are_those_that_are_held_out() -> None:
    told = read_partners()
    searches = ("search@400", "search@2000")
    assert told.partners == ("random", "careful", "uncover", *searches, *human_names(held_out=True))
    assert (told.baselines, told.games, told.first_deal) == (("lookahead", "careful"), 4000, 0)
    for name in (*told.partners, *told.baselines, *told.rivals, *told.talkers):
        make_agent(name)


def test_the_talkers_talk() -> None:
    assert all(PROFILES[name.removeprefix("human-")].talks for name in read_partners().talkers)


def test_every_key_of_the_config_has_a_comment() -> None:
    lines = PARTNERS.read_text().splitlines()
    keys = [line for line in lines if re.match(r"\w+:", line)]
    assert {line.split(":")[0] for line in keys} == set(Partners.__struct_fields__)
    assert all("  # " in line for line in keys)


# What is compared


def test_rows_compare_with_every_baseline_beside_the_same_partner() -> None:
    report = judged()
    assert [row.partner for row in report.rows] == list(TOLD.partners)
    for row in report.rows:
        won = {name: play_both_ways(TABLE, name, row.partner, 301, first_deal=4) for name in row.win_rates}
        assert list(won) == ["uncover", "lookahead", "careful", "random"]
        for name, rate in row.win_rates.items():
            assert rate.value == pytest.approx(won[name].mean())
        assert list(row.differences) == list(TOLD.baselines)
        for name in TOLD.baselines:
            difference = won["uncover"].astype(int) - won[name]
            assert row.differences[name].value == pytest.approx(difference.mean())
            margin = 1.96 * difference.std() / 301**0.5
            assert row.differences[name].low == pytest.approx(difference.mean() - margin, abs=1e-4)
        assert won[row.best].mean() == max(won[name].mean() for name in won)


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
    assert report.pooled.proximity.value == pytest.approx(np.mean([row.proximity.value for row in report.rows]))


def test_a_baseline_is_played_once_and_differs_from_itself_by_nothing() -> None:
    report = judged("careful")
    assert list(report.pooled.win_rates) == ["careful", "lookahead", "random"]
    for row in (*report.rows, report.pooled):
        assert row.differences["careful"] == (0, 0, 0)


def test_threads_do_not_count_and_seeds_do() -> None:
    assert judged(threads=3) == judged()
    assert judged(seed=1) != judged()


def test_progress_counts_every_game() -> None:
    done: list[int] = []
    beside_partners("normal", TABLE, ("uncover",), TOLD, progress=done.append)
    assert sum(done) == 4 * 3 * 301


# How near to the best, with wins that are known


def wins_of(monkeypatch: pytest.MonkeyPatch, told: dict[str, tuple[float, float]]) -> None:
    """Beside every partner each player wins these shares of the games from seat 0, and from seat 1."""

    def play(settings: Settings, agent: str, partner: str, games: int, **_: object) -> NDArray[np.bool_]:
        half = games // 2
        return np.concatenate([np.arange(half) < round(share * half) for share in told[agent]])

    monkeypatch.setattr(partners, "play_both_ways", play)


def test_proximity_is_to_whoever_wins_most_from_each_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    wins_of(monkeypatch, {"uncover": (0.4, 0.3), "lookahead": (0.8, 0.2), "careful": (0.1, 0.1), "random": (0.2, 0.6)})
    report = judged(told=msgspec.structs.replace(TOLD, games=400))
    for row in report.rows:
        assert row.proximity.value == pytest.approx((0.5 + 0.5) / 2)
        assert 0.4 < row.proximity.low < 0.47 and 0.53 < row.proximity.high < 0.6
        assert row.best == "lookahead"
    assert report.robustness.proximity.value == pytest.approx(0.5)
    assert report.robustness.win_rate.value == pytest.approx((0.4 + 0.3) / 2)


def test_the_agents_themselves_may_be_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    wins_of(monkeypatch, {"uncover": (0.9, 0.9), "lookahead": (0.8, 0.2), "careful": (0.1, 0.1), "random": (0.2, 0.6)})
    report = judged(told=msgspec.structs.replace(TOLD, games=400))
    assert report.robustness.proximity == (1, 1, 1) and {row.best for row in report.rows} == {"uncover"}


def test_several_agents_are_one_teammate_trained_from_several_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = {"uncover": (0.4, 0.4), "counting": (0.6, 0.6), "lookahead": (0.8, 0.8), "careful": (0.2, 0.2)}
    wins_of(monkeypatch, shares | {"random": (0.1, 0.1)})
    told = msgspec.structs.replace(TOLD, games=4000)
    both, one = judged("uncover", "counting", told=told), judged("uncover", told=told)
    assert both.rows[0].differences["careful"].value == pytest.approx(0.3)
    assert both.rows[0].proximity.value == pytest.approx((0.5 + 0.75) / 2)
    assert both.robustness.win_rate.value == pytest.approx(0.5)
    assert one.robustness.win_rate.value == pytest.approx(0.4)
    seeds, deals = (report.robustness.proximity for report in (both, one))
    assert seeds.high - seeds.low > 3 * (deals.high - deals.low)  # two seeds that differ say less than one seems to


def test_an_iqm_leaves_out_the_quarter_of_strata_at_either_end(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {"random": 1.0, "careful": 0.5, "uncover": 0.5, "lookahead": 0.4}

    def play(settings: Settings, agent: str, partner: str, games: int, **_: object) -> NDArray[np.bool_]:
        return np.arange(games) % 10 < 10 * rates[partner]

    monkeypatch.setattr(partners, "play_both_ways", play)
    told = msgspec.structs.replace(TOLD, partners=tuple(rates), games=400)
    assert judged(told=told).robustness.win_rate.value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("agents", "fault"),
    [
        (("carful",), "^unknown agent 'carful'"),
        (("uncover", "uncover"), "^agent 'uncover' is named twice: name it once$"),
    ],
)
def test_whoever_cannot_play_is_refused_before_anything_is_played(
    agents: tuple[str, ...], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partners, "play_both_ways", None)
    with pytest.raises(ValueError, match=fault):
        judged(*agents)
    with pytest.raises(ValueError, match="^unknown agent 'randm'"):
        judged(told=msgspec.structs.replace(TOLD, partners=("careful", "randm")))
    with pytest.raises(ValueError, match="^--agent names nobody: name at least one player$"):
        beside_partners("normal", TABLE, (), TOLD)


# The command


def test_the_command_prints_and_writes_every_partner(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    done = run("partners", "--agent", "uncover", "--games", "4", "--preset", "blitz", "--json", file)
    report = json.loads(file.read_text())
    assert done.returncode == 0, done.stderr
    assert [row["partner"] for row in report["rows"]] == list(read_partners().partners)
    assert (report["setting"], report["games"], report["agents"]) == ("blitz brisk", 4, ["uncover"])
    for row in (*report["rows"], report["pooled"]):
        assert list(row["win_rates"]) == ["uncover", "lookahead", "careful", *read_partners().rivals]
        value, low, high = (100 * figure for figure in row["differences"]["lookahead"])
        assert f"{value:+.2f} [{low:+.2f}, {high:+.2f}]" in done.stdout
        assert row["partner"] in done.stdout
        assert f"{100 * row['proximity'][0]:.2f} [" in done.stdout
    assert f"{100 * report['robustness']['proximity'][0]:.2f} [" in done.stdout
    for word in ("blitz brisk", "deals 0 to 3, seed 0", "numba", "4 games with each partner", "2,000 bootstrap"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--agent", "uncovr"), "unknown agent 'uncovr': did you mean 'uncover'?"),
        (("--agent", "uncover", "--games", "1"), "games must be 2 to 10000000, not 1"),
        (("--agent", "uncover", "--json", "."), "cannot write .: it is a folder"),
        (("--agent", "oracle"), "'oracle' sees every card and can sit in no seat: use one of "),
        (("--agent",), "--agent names nobody: name at least one player"),
    ],
)
def test_a_fault_is_one_line(arguments: tuple[str, ...], fault: str) -> None:
    done = run("partners", *arguments)
    assert done.returncode == 2 and not done.stdout.strip()
    assert done.stderr.startswith(f"gipfelsturm: {fault}") and done.stderr.count("\n") == 1
