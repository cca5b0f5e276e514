"""What calls are worth: who speaks and who listens in each form, and differences on the same deals."""

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from commands import run
from gipfelsturm.envs.rules.settings import Settings, real_time
from gipfelsturm.training import talk
from gipfelsturm.training.crossplay import play_both_ways
from gipfelsturm.training.partners import read_partners
from gipfelsturm.training.talk import worth_of_calls

TABLE = real_time("normal")
QUIET = real_time("normal", calls=False)


def test_each_form_plays_the_same_deals() -> None:
    report = worth_of_calls("normal", TABLE, "careful", ("human-talkative",), 60, first_deal=3, seed=2)
    itself, talker = report.rows
    assert (itself.partner, talker.partner) == ("itself", "human-talkative")
    for row, partners in (
        (itself, ("calling-careful", "saying-careful", "careful")),
        (talker, ("human-talkative",) * 3),
    ):
        teams = zip((TABLE, TABLE, QUIET), ("calling-careful", "saying-careful", "careful"), partners, strict=True)
        won = [play_both_ways(table, one, other, 60, first_deal=3, seed=2) for table, one, other in teams]
        assert [row.win_rates[form].value for form in ("heeding", "deaf", "silent")] == [w.mean() for w in won]
        assert row.heeding.value == pytest.approx(won[0].mean() - won[1].mean())
        assert row.silence.value == pytest.approx(won[0].mean() - won[2].mean())


def test_without_anybody_who_listens_talk_changes_nothing() -> None:
    row = worth_of_calls("normal", TABLE, "uncover", (), 80).rows[0]
    assert row.win_rates["deaf"] == row.win_rates["silent"] and row.heeding == row.silence


def test_differences_are_paired(monkeypatch: pytest.MonkeyPatch) -> None:
    wins = {"calling-careful": "1110", "saying-careful": "1010", "careful": "0001"}

    def play(settings: Settings, agent: str, partner: str, games: int, **_: object) -> NDArray[np.bool_]:
        assert settings == (QUIET if agent == "careful" else TABLE)
        return np.array([letter == "1" for letter in wins[agent]])

    monkeypatch.setattr(talk, "play_both_ways", play)
    (row,) = worth_of_calls("normal", TABLE, "careful", (), 4).rows
    assert (row.heeding.value, row.silence.value) == (0.25, 0.5)
    assert row.heeding.high - 0.25 == pytest.approx(1.96 * np.std([0, 1, 0, 0]) / 2, abs=1e-4)
    assert row.silence.high - 0.5 == pytest.approx(1.96 * np.std([1, 1, 1, -1]) / 2, abs=1e-4)


def test_a_silent_table_and_an_unknown_player_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "play_both_ways", None)
    with pytest.raises(ValueError, match="^calls are worth nothing at a silent table: give settings with calls$"):
        worth_of_calls("normal", QUIET, "careful", (), 4)
    with pytest.raises(ValueError, match="^unknown agent 'carful'"):
        worth_of_calls("normal", TABLE, "carful", (), 4)
    with pytest.raises(ValueError, match="^unknown agent 'human-x'"):
        worth_of_calls("normal", TABLE, "careful", ("human-x",), 4)


def test_the_command_prints_and_writes_every_partner(tmp_path: Path) -> None:
    file = tmp_path / "calls.json"
    done = run("calls", "--agent", "careful", "--games", "6", "--json", file)
    report = json.loads(file.read_text())
    assert done.returncode == 0, done.stderr
    assert [row["partner"] for row in report["rows"]] == ["itself", *read_partners().talkers]
    assert (report["report"], report["agent"], report["games"]) == ("calls", "careful", 6)
    assert msgspec.convert(report["settings"], Settings) == TABLE
    for row in report["rows"]:
        for name in ("heeding", "silence"):
            value, low, high = (100 * figure for figure in row[name])
            assert f"{value:+.2f} [{low:+.2f}, {high:+.2f}]" in done.stdout
    for word in ("careful and calls", "heeding wins", "silence costs", "6 games with each partner", "deals 0 to 5"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--agent", "carful"), "unknown agent 'carful': did you mean 'careful'?"),
        (("--games", "1"), "games must be 2 to 10000000, not 1"),
    ],
)
def test_a_fault_is_one_line(arguments: tuple[str, ...], fault: str) -> None:
    done = run("calls", *arguments)
    assert (done.returncode, done.stderr) == (2, f"gipfelsturm: {fault}\n")
