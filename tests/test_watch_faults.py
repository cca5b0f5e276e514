"""`gipfelsturm watch`: what it refuses, in one line each."""

import sys
from pathlib import Path

import pytest

from commands import run


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--agents", "carful"), "unknown agent 'carful': did you mean 'careful'?"),
        (("--agents",), "--agents names 0 players for 2 seats: name one for all, or one for each"),
        (
            ("--agents", "careful", "random", "--seats", "3"),
            "--agents names 2 players for 3 seats: name one for all, or one for each",
        ),
        (("--agents", *["random"] * 4), "seats must be 1, 2 or 3, not 4"),
        (("--seats", "0"), "seats must be 1, 2 or 3, not 0"),
        (("--preset", "norml"), "unknown preset 'norml': use one of tripeaks, normal, hard, expert, easy, blitz"),
        (("--tempo", "brisk", "slow", "slow"), "tempos must be one for each of 2 seats, not 3"),
        (
            ("--deal", "000-0YG-J01"),
            "deal id '000-0YG-J01' is mistyped: its last character does not agree with the others",
        ),
        (("--deal", "017"), "deal id '017' has 3 letters and digits where an id has 9"),
        (("--out", "game.mp4"), "--out writes animations: name a file that ends in .gif, not game.mp4"),
        (("--out", "/nowhere/game.gif"), "cannot write /nowhere/game.gif: there is no folder /nowhere"),
    ],
)
def test_faults_are_one_line(arguments: tuple[str, ...], fault: str) -> None:
    assert run("watch", *arguments) == (2, "", f"gipfelsturm: {fault}\n")


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Stubborn", "the agent in seat 1 chose action 0 where its mask forbids it"),
        ("Wrong", "the agent in seat 1 chose action 74 where its mask forbids it"),
        ("Forger", "the agent in seat 1 chose action 0 where its mask forbids it"),
        ("Vague", "an agent answers with whole numbers (1, 1), not with float64 (1, 1)"),
        ("Flat", "an agent answers with whole numbers (1, 1), not with int64 (1,)"),
        ("Silent", "an agent answers with whole numbers (1, 1), not with object ()"),
    ],
)
def test_a_player_who_breaks_the_rules_is_stopped(name: str, fault: str) -> None:
    done = run("watch", "--agents", "careful", f"user_agents:{name}", "--deal", "17")
    assert (done.returncode, done.stderr) == (2, f"gipfelsturm: {fault}\n")


def test_an_animation_needs_its_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    fault = "pixels need the packages resvg_py and pillow: pip install resvg_py pillow"
    assert run("watch", "--out", tmp_path / "game.gif") == (2, "", f"gipfelsturm: {fault}\n")
