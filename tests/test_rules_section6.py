"""The opening that the rule text tells (rules.md section 6), sentence by sentence; all expectations by hand."""

from typing import NamedTuple

import pytest

from decks import deck_with
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.rules.transcript_text import write_transcript
from golden_tools import GOLDEN, described
from tables import Table

ANNA, BEN = 0, 1
BASE_ROW = dict(enumerate("5H 6D TS JH 2S 3C KD 8H QS 7C".split(), start=18))
ROW_3 = {9: "7D", 10: "2C", 11: "QC", 15: "9S", 16: "4D"}
OUR_OWN = {7: "JD", 12: "AC", 13: "6S", 14: "TD"}  # turn up last, and are free to choose
DECK = deck_with(BASE_ROW | ROW_3 | OUR_OWN, [["4S"], ["9C", "3H"]], 12)


class Sentence(NamedTuple):
    """What is done, in rounds of one command a seat at most, and how the table looks then."""

    rounds: tuple[dict[int, str], ...]
    tops: list[str]
    free: str
    stocks: list[int]


STORY = (
    Sentence((), ["4S", "9C"], "5H 6D TS JH 2S 3C KD 8H QS 7C", [11, 11]),
    # Anna plays 5H, 6D on her pile while Ben plays TS, JH on his.
    Sentence(
        ({ANNA: "play 18 0", BEN: "play 20 0"}, {ANNA: "play 19 0", BEN: "play 21 0"}),
        ["6D", "JH"],
        "7D 2C QC 2S 3C KD 8H QS 7C",
        [11, 11],
    ),
    # Anna 7D on hers; Ben QC,
    Sentence(({ANNA: "play 9 0", BEN: "play 11 0"},), ["7D", "QC"], "2C 2S 3C KD 8H QS 7C", [11, 11]),
    # then KD on his,
    Sentence(({BEN: "play 24 0"},), ["7D", "KD"], "2C 2S 3C 8H QS 7C", [11, 11]),
    # then 8H on Anna's pile: place 15 turns up 9S;
    Sentence(({BEN: "play 25 1"},), ["8H", "KD"], "2C 2S 3C 9S QS 7C", [11, 11]),
    # Anna plays it on hers.
    Sentence(({ANNA: "play 15 0"},), ["9S", "KD"], "2C 2S 3C QS 7C", [11, 11]),
    # Ben QS on his KD: place 16 turns up 4D. Nothing fits.
    Sentence(({BEN: "play 26 0"},), ["9S", "QS"], "7C 2S 2C 3C 4D", [11, 11]),
    # Ben draws 3H;
    Sentence(({BEN: "draw 0"},), ["9S", "3H"], "7C 2S 2C 3C 4D", [11, 10]),
    # Ben 4D on it: place 7 turns up,
    Sentence(({BEN: "play 16 0"},), ["9S", "4D"], "7C 2S 2C 3C JD", [11, 10]),
    # Anna 3C on that: place 14 turns up,
    Sentence(({ANNA: "play 23 1"},), ["9S", "3C"], "7C 2S 2C JD TD", [11, 10]),
    # then 2S: places 12 and 13 turn up.
    Sentence(({ANNA: "play 22 1"},), ["9S", "2S"], "7C 2C JD TD AC 6S", [11, 10]),
)
NOTHING_FITS = 6  # after this sentence

INSTANT = real_time("normal", tempo="instant")
BRISK = real_time("normal", tempo="brisk")


def check(table: Table, sentence: Sentence) -> None:
    assert table.tops() == sentence.tops
    assert table.stocks() == sentence.stocks
    assert table.status() == "running"
    for viewer in range(1 if table.settings.one_mind else 2):
        assert table.face_up(viewer) == set(sentence.free.split())


@pytest.mark.parametrize(("settings", "then_wait"), [(INSTANT, 0), (BRISK, 5)], ids=["instant", "brisk"])
def test_two_seats_play_the_opening(settings: Settings, then_wait: int) -> None:
    """At brisk tempo a play takes 1.2 s, that is six ticks, and so does a draw with its pause."""
    table = Table(settings, DECK)
    for number, sentence in enumerate(STORY):
        for commands in sentence.rounds:
            table.act(commands, then_wait)
        check(table, sentence)
        if number == NOTHING_FITS:
            assert all(table.allowed(seat) == {56, *range(58, 74)} for seat in (ANNA, BEN))


def test_a_brisk_hand_is_asked_again_only_after_its_pause() -> None:
    table = Table(BRISK, DECK)
    table.act({ANNA: "play 18 0"})
    assert [table.tick({ANNA: "play 19 0"})[ANNA] for _ in range(3)] == ["not one rank away", *["hand busy"] * 2]
    assert table.tops() == ["5H", "9C"]
    assert [table.tick({ANNA: "play 19 0"})[ANNA] for _ in range(3)] == ["hand busy", "hand busy", ""]


def as_one_mind(seat: int, words: str) -> str:
    """A seat's command for the mind that moves for both: its piles count from Anna's."""
    kind, *numbers = words.split()
    pile = (seat + int(numbers[-1])) % 2
    return " ".join([kind, *numbers[:-1], str(pile)])


def test_one_mind_with_two_piles_plays_the_opening() -> None:
    table = Table(one_mind("normal"), DECK)
    for number, sentence in enumerate(STORY):
        for commands in sentence.rounds:
            for seat, words in commands.items():
                table.act({0: as_one_mind(seat, words)})
        check(table, sentence)
        if number == NOTHING_FITS:
            assert table.allowed() == {56, 57}


def test_the_opening_is_a_golden_game() -> None:
    table = Table(INSTANT, DECK)
    for sentence in STORY:
        for commands in sentence.rounds:
            table.act(commands)
    _, recorded = described((GOLDEN / "section_6.txt").read_text(encoding="utf-8"))
    assert write_transcript(table.transcript()) == write_transcript(recorded)
