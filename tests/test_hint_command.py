"""`gipfelsturm hint`: a recorded game move by move, with what each move gave up."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from commands import run
from gipfelsturm.agents.analysis import Analyst
from gipfelsturm.cli.hint import hint
from gipfelsturm.envs.rules.deals import read_deck
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.rules.transcript import Command, Transcript
from gipfelsturm.envs.rules.transcript_text import write_transcript
from gipfelsturm.envs.session import Session
from playing import ORDER, deck_text, zigzag

SHORT = one_mind(stock=2)
DRAW = 28


def record(path: Path, settings: Settings, deck: str, commands: Sequence[tuple[int, int, int]]) -> Path:
    cards = tuple(read_deck(deck).tolist())
    made = tuple(Command(*command) for command in commands)
    path.write_text(write_transcript(Transcript(settings, cards, 0, made, made[-1].tick)))
    return path


def solo(path: Path, deck: str, actions: Sequence[int]) -> Path:
    return record(path, SHORT, deck, [(n, 0, action) for n, action in enumerate(actions, 1)])


def crossroads() -> str:
    """After `ORDER[:25]` a 2 is on the pile, the tips are 3, 4 and 5, and the stock has one card, a 9."""
    return deck_text([*zigzag(26)[1:], 2, 3, 4], [0, 8])


def test_what_a_move_gave_up_is_the_difference_that_it_makes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hint(solo(tmp_path / "game", crossroads(), [*ORDER[:25], DRAW, 0]), playouts=200)
    lines = capsys.readouterr().out.splitlines()
    told = re.fullmatch(
        r"26 0 draw 0: wins (.*) %, gave up (.*) points to play 0 0: It is the only card that fits.", lines[25]
    )
    assert told is not None
    share, gave_up = map(float, told.groups())
    assert share + gave_up == pytest.approx(100) and 40 < gave_up < 95
    assert lines[26] == "27 0 play 0 0: refused", "the game was lost"
    assert lines[-1] == f"seat 0 gave up {total(lines):.1f} points in 26 moves"


def total(lines: Sequence[str]) -> float:
    return sum(float(line.split("gave up ")[1].split()[0]) for line in lines[:-1] if "gave up" in line)


def test_the_end_of_a_game_is_exact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hint(solo(tmp_path / "game", deck_text([*zigzag(26)[1:], 3, 4, 5], [0, 2]), [*ORDER[:25], DRAW, 0, 1, 2]), 50)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[1] for line in lines[26:29]] == ["wins 100.0 % (exact)"] * 3


def test_moves_are_weighed_by_what_was_seen_then() -> None:
    session = Session(SHORT, tuple(read_deck(crossroads()).tolist()))
    for place in ORDER[:25]:
        session.tap(place, 0)
    best, draw = (Analyst(SHORT, 200).weigh(session.observation(), action) for action in (0, DRAW))
    assert best is not None and draw is not None
    assert best.gave_up == 0 and best.share == 1 and not best.best.exact, "the stock's card is unseen"
    assert draw.best_share == 1 and 0 < draw.share < 1


def test_hands_are_judged_when_they_are_free(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = real_time(calls=True)
    deck = deck_text([1, 4, 6, 8], [0, 12])
    wait = 58
    game = record(
        tmp_path / "game",
        settings,
        deck,
        [(1, 0, 18), (2, 0, 56), (2, 1, 19), (3, 1, wait + 1), (30, 0, 19)],
    )
    hint(game, playouts=60)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1 0 play 18 0: wins ")
    assert lines[1] == "2 0 draw 0: not judged", "the hand was reaching"
    assert lines[2] == "2 1 play 19 0: refused"
    assert lines[3] == "3 1 need A: not judged"


OPENING = "3H 4H 5H"
"""How the deck of `crossroads` begins: three tips, then cards by place."""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (OPENING, "3H 4H 3H", "line 10: deck: card 3 is 3H for the second time: card 1 was 3H too"),
        (OPENING, "3H 4H 5X", "line 10: deck: card 3: unknown card '5X'"),
        (" KS\n", "\n", "line 10: deck: card 52 is missing: a deck has 52 cards, not 51"),
        ("stock 2", "stock 25", "line 3: stock must be 2 to 24 cards with 1 seat"),
        ("2 0 play 19 0", "2 1 play 19 0", "line 13: seat must be 0 to 0, not 1"),
        ("2 0 play 19 0", "2 0 play 28 0", "line 13: unknown action 'play 28 0'"),
        ("2 0 play 19 0", "1 0 play 19 0", "line 13: tick must be 2"),
        ("end 3", "end 2", "line 15: end must be 3"),
    ],
)
def test_an_impossible_game_is_refused_in_one_line_that_says_where(
    tmp_path: Path, old: str, new: str, fault: str
) -> None:
    path = solo(tmp_path / "game", crossroads(), ORDER[:3])
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=f"^{path}: {fault}") as refused:
        hint(path)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"nothing", ": line 1: write gipfelsturm 0"),
        (b"", ": line 1: the text ends where it should say"),
        (b"\xff\xfe\x00", " is no text in UTF-8"),
    ],
)
def test_a_file_that_is_no_game_is_refused(tmp_path: Path, content: bytes, fault: str) -> None:
    path = tmp_path / "game"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"^{path}{fault}"):
        hint(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"^cannot read {tmp_path}: is a directory$"):
        hint(tmp_path)
    with pytest.raises(ValueError, match=f"^cannot read {tmp_path}/none: no such file or directory$"):
        hint(tmp_path / "none")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--playouts", "0"), "a hint needs 1 playout or more, not 0"),
        (("--playouts", "few"), "--playouts must be a whole number, not 'few'; see gipfelsturm --help"),
        (("--plaoyuts", "5"), "Unrecognized options: --plaoyuts, 5; see gipfelsturm --help"),
    ],
)
def test_the_command_line_knows_it(tmp_path: Path, arguments: tuple[str, ...], fault: str) -> None:
    ended = run("hint", "--game", str(solo(tmp_path / "game", crossroads(), ORDER[:1])), *arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"gipfelsturm: {fault}\n"
