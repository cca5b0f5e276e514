"""Game records as text: written, read and refused; recorded and replayed."""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks import deck_with
from gipfelsturm.envs.rules.actions import action_count
from gipfelsturm.envs.rules.deals import DEALS
from gipfelsturm.envs.rules.record import deal_games
from gipfelsturm.envs.rules.replay import Recorder, advance, deal_game, replay
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.rules.tempo import Tempo
from gipfelsturm.envs.rules.transcript import Command, Transcript, usual_tie_seed
from gipfelsturm.envs.rules.transcript_text import read_transcript, write_transcript
from tables import Table

DECK = tuple(deck_with({18: "5H"}, [["4S"], ["9C"]], 12))
TEXT = """gipfelsturm 0
seats 2
stock 12
ring yes
form real-time
calls yes
clock 180000
tick 200
tempos brisk 0/400/400/800
deal 000-000-05A
ties 7
1 0 play 18 1
1 1 draw 0
4 0 need 5
end 9
"""
MIND = """gipfelsturm 0
seats 2
stock 10
ring no
form one-mind
calls no
clock none
tick 200
tempos instant instant
deal 000-000-05A
ties 7
1 0 play 18 1
2 0 draw 1
end 2
"""


def test_a_game_as_text() -> None:
    game = real_time("normal", tempo=("brisk", Tempo(0, 400, 400, 800)))
    commands = (Command(1, 0, 28 + 18), Command(1, 1, 56), Command(4, 0, 58 + 5))
    transcript = Transcript(game, 5, 7, commands, 9)
    assert write_transcript(transcript) == TEXT
    assert read_transcript(TEXT) == transcript


def test_one_mind_as_text() -> None:
    game = one_mind("expert")
    transcript = Transcript(game, 5, 7, (Command(1, 0, 28 + 18), Command(2, 0, 57)), 2)
    assert write_transcript(transcript) == MIND
    assert read_transcript(MIND) == transcript


def test_a_deck_stands_in_drawing_order() -> None:
    transcript = Transcript(real_time("normal", clock=None), DECK, 0, (), 0)
    lines = write_transcript(transcript).splitlines()
    assert lines[6] == "clock none"
    assert lines[9].startswith("deck AC AD") and len(lines[9].split()) == 53
    assert read_transcript(write_transcript(transcript)) == transcript


def test_comments_blank_lines_and_blanks_mean_nothing() -> None:
    spread = "# a game\n\n" + TEXT.replace("\n", "\n  # so far\n\n").replace("stock 12", "  stock   12  ")
    assert read_transcript(spread) == read_transcript(TEXT)


REFUSED = [
    ("gipfelsturm 0", "gipfelsturm 1", "line 1: write gipfelsturm 0: other versions cannot be read"),
    ("seats 2\n", "", "line 2: write seats and a value, not 'stock 12'"),
    ("seats 2", "seats", "line 2: write seats and a value, not 'seats'"),
    ("seats 2", "seats two", "line 2: seats: write a whole number, not 'two'"),
    ("stock 12", "stock -1", "line 3: stock: write a whole number, not '-1'"),
    ("stock 12", "stock 1²", "line 3: stock: write a whole number, not '1²'"),
    ("ring yes", "ring maybe", "line 4: ring: write yes or no, not 'maybe'"),
    ("form real-time", "form turns", "line 5: form: write one-mind or real-time, not 'turns'"),
    ("calls yes", "calls Yes", "line 6: calls: write yes or no, not 'Yes'"),
    ("clock 180000", "clock never", "line 7: clock: write a whole number, not 'never'"),
    ("tick 200", "tick 0.2", "line 8: tick: write a whole number, not '0.2'"),
    ("brisk", "brisque", "line 9: tempos: unknown tempo 'brisque': use one of"),
    ("seats 2", "seats 4", "line 2: seats must be 1, 2 or 3, not 4"),
    ("stock 12", "stock 13", "line 3: stock must be 2 to 12 cards"),
    ("tick 200", "tick 0", "line 8: tick must be 1 to"),
    ("clock 180000", "clock 0", "line 7: clock must be positive"),
    ("clock 180000", "clock 2097152000", "line 8: clock must be positive and at most 2097151 ticks"),
    ("0/400/400/800", "٠/400/400/800", "line 9: tempos: unknown tempo '٠/400/400/800'"),
    ("brisk ", "", "line 9: tempos must be one for each of 2 seats, not 1"),
    ("tick 200", "tick 1", "line 9: pause of seat 0 must be 0 to 127 ticks, not 400 ms"),
    ("form real-time", "form one-mind", "line 6: one mind plays without a clock and without calls"),
    ("000-000-05A", "000-000-05B", "line 10: deal: deal id '000-000-05B' is mistyped"),
    ("deal 000-000-05A", "deck", "line 10: write deck and a value, not 'deck'"),
    ("deal 000-000-05A", "deck 5H 5H", "line 10: deck: card 2 is 5H for the second time"),
    ("deal 000-000-05A", "deck 5H", "line 10: deck: card 2 is missing"),
    ("ties 7", "ties 18446744073709551616", "line 11: ties must be 0 to 18446744073709551615"),
    ("1 0 play 18 1", "0 0 play 18 1", "line 12: tick must be 1 to 2097151, not 0"),
    ("1 0 play 18 1", "1 0", "line 12: write TICK SEAT ACTION or end TICKS, not '1 0'"),
    ("1 0 play 18 1", "1 2 play 18 1", "line 12: seat must be 0 to 1, not 2"),
    ("1 0 play 18 1", "1 0 play 28 1", "line 12: unknown action 'play 28 1': write play PLACE PILE"),
    ("1 0 play 18 1", "1 0 play 18 2", "line 12: unknown action 'play 18 2': write play PLACE PILE"),
    ("1 0 play 18 1", "1 0 need X", "line 12: unknown action 'need X': write play PLACE PILE"),
    ("1 0 play 18 1", "1 0 wait", "line 12: wait is never written: leave the command out"),
    ("1 1 draw 0", "1 0 draw 0", "line 13: commands must stand by tick, then by seat, one for a seat in a tick, not"),
    ("4 0 need 5", "1 0 need 5", "line 14: commands must stand by tick, then by seat"),
    ("end 9", "end", "line 15: write end and a value, not 'end'"),
    ("end 9", "end 3", "line 15: end must be 4 to 2097151 ticks, not 3"),
    ("end 9", "end 2097152", "line 15: end must be 4 to 2097151 ticks, not 2097152"),
    ("end 9\n", "", "line 15: the text ends where it should say end and the number of ticks"),
    ("end 9\n", "end 9\n5 0 draw 0\n", "line 16: nothing may follow the end"),
]


@pytest.mark.parametrize(("right", "wrong", "sentence"), REFUSED)
def test_a_wrong_line_is_refused_by_its_number(right: str, wrong: str, sentence: str) -> None:
    assert right in TEXT
    with pytest.raises(ValueError) as refusal:
        read_transcript(TEXT.replace(right, wrong, 1))
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("1 0 play 18 1", "1 1 play 18 1", "line 12: seat must be 0 to 0, not 1"),
        ("2 0 draw 1", "3 0 draw 1", "line 13: tick must be 2, the number of the command, not 3"),
        ("2 0 draw 1", "2 0 wait", "line 13: action must be 0 to 57, not 58"),
        ("2 0 draw 1", "2 0 hold", "line 13: action must be 0 to 57, not 72"),
        ("end 2", "end 3", "line 14: end must be 2, the number of commands, not 3"),
    ],
)
def test_one_mind_has_commands_alone(right: str, wrong: str, sentence: str) -> None:
    with pytest.raises(ValueError) as refusal:
        read_transcript(MIND.replace(right, wrong, 1))
    assert str(refusal.value).startswith(sentence)


def test_a_text_that_breaks_off_anywhere_is_refused() -> None:
    for end in range(len(TEXT) - len(" 9\n")):
        with pytest.raises(ValueError, match="^line "):
            read_transcript(TEXT[:end])


@pytest.mark.parametrize(
    ("deal", "sentence"),
    [
        *[(number, "deals are numbered") for number in (-1, DEALS)],
        *[(deck, "a deck must be each of the codes") for deck in (DECK[:51], DECK[:51] * 2)],
        *[(number, "deal must be a whole number, not ") for number in (1.5, True, None)],
    ],
)
def test_an_impossible_deal_is_refused(deal: int | tuple[int, ...], sentence: str) -> None:
    for begin in (lambda: Transcript(one_mind(), deal, 0, (), 0), lambda: Recorder(one_mind(), deal)):
        with pytest.raises(ValueError, match=f"^{sentence}"):
            begin()


def test_the_usual_tie_seed_depends_on_the_number_alone() -> None:
    numbered = deal_games(real_time("normal"), [5])
    assert usual_tie_seed(5) == numbered["tie_seed"][0]
    assert usual_tie_seed(DECK) == 0
    assert deal_game(real_time("normal"), 5, usual_tie_seed(5)).tobytes() == numbered.tobytes()


def test_a_silent_table_records_the_call_that_it_refuses() -> None:
    table = Table(real_time("normal", calls=False), DECK)
    assert table.tick({0: "hold"}) == ["no talk here", ""]
    text = write_transcript(table.transcript())
    assert "\n1 0 hold\n" in text
    assert [games.tobytes() for games in replay(read_transcript(text))][-1] == table.games.tobytes()


TABLES = st.one_of(
    st.builds(one_mind, st.sampled_from(("normal", "expert")), piles=st.integers(1, 3)),
    st.builds(
        real_time,
        st.sampled_from(("normal", "blitz", "expert")),
        seats=st.integers(1, 3),
        calls=st.booleans(),
        tempo=st.sampled_from(("instant", "brisk", "person")),
    ),
)


@settings(max_examples=40, deadline=None)
@given(TABLES, st.integers(0, DEALS - 1), st.integers(0, 2**32), st.integers(0, 300))
def test_replaying_gives_every_state_bit_for_bit(table: Settings, deal: int, seed: int, ticks: int) -> None:
    games = deal_game(table, deal, usual_tie_seed(deal))
    recorder = Recorder(table, deal)
    states = [games.tobytes()]
    random = np.random.default_rng(seed)
    for _ in range(ticks):
        actions = random.integers(action_count(table), size=1 if table.one_mind else table.seats)
        recorder.note(actions.tolist())
        advance(games, actions.tolist())
        states.append(games.tobytes())
    transcript = recorder.transcript()
    assert [state.tobytes() for state in replay(transcript)] == states
    assert read_transcript(write_transcript(transcript)) == transcript


@pytest.mark.parametrize("kind", [np.uint64, np.int32, int])
def test_a_deal_is_recorded_whatever_type_its_number_has(kind: type[np.uint64] | type[np.int32] | type[int]) -> None:
    table = real_time("normal")
    plain = Recorder(table, 5).transcript()
    assert Recorder(table, kind(5)).transcript() == plain
    assert write_transcript(Recorder(table, kind(5), kind(7)).transcript()) == write_transcript(
        msgspec.structs.replace(plain, tie_seed=7)
    )


def test_a_clock_may_be_as_long_as_its_tick_lets_it() -> None:
    long = Transcript(real_time(clock=2097151 * 16.383, tick=16.383), 5, 7, (), 0)
    assert read_transcript(write_transcript(long)) == long


def test_states_of_a_replay_are_copies() -> None:
    dealt, *_ = replay(read_transcript(MIND))
    assert dealt[0]["stock"].tolist() == [9, 9, 0]


def test_a_transcript_cannot_be_changed() -> None:
    transcript = read_transcript(MIND)
    with pytest.raises(AttributeError):
        transcript.ticks = 3  # type: ignore[misc]
    assert hash(transcript) == hash(msgspec.structs.replace(transcript))
