"""What pages may send, and what they may ask for who open a table."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gipfelsturm.envs.rules.tempo import TEMPOS
from gipfelsturm.play.realtime_messages import (
    MOST_BYTES,
    Call,
    Draw,
    Go,
    PersonMessage,
    Replace,
    Tap,
    read_message,
)
from gipfelsturm.play.table_plan import SeatPlan, TablePlan, read_plan

PARTNERS = ("lookahead", "careful")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type":"go"}', Go()),
        ('{"type":"tap","place":27}', Tap(27)),
        ('{"type":"tap","place":0,"pile":2}', Tap(0, 2)),
        ('{"type":"draw"}', Draw()),
        ('{"type":"call","call":15}', Call(15)),
        ('{"type":"replace","seat":1}', Replace(1)),
    ],
)
def test_messages_that_a_table_knows(text: str, message: PersonMessage) -> None:
    assert read_message(text) == read_message(text.encode()) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "[" * 150,
        "{}",
        '{"type":"state"}',
        '{"type":"over","status":"won"}',
        '{"type":"tap"}',
        '{"type":"tap","place":28}',
        '{"type":"tap","place":-1}',
        '{"type":"tap","place":"18"}',
        '{"type":"tap","place":18.5}',
        '{"type":"tap","place":true}',
        '{"type":"tap","place":99999999999999999999}',
        '{"type":"tap","place":18,"pile":3}',
        '{"type":"tap","place":18,"seat":1}',
        '{"type":"call","call":0}',
        '{"type":"call","call":16}',
        '{"type":"replace","seat":3}',
        '{"type":"go"',
        '{"type":"\ud800"}',
    ],
)
def test_messages_that_no_table_knows(text: str) -> None:
    with pytest.raises(ValueError, match="a message must be one that the table knows: "):
        read_message(text)


def test_long_messages_are_not_read() -> None:
    assert read_message('{"type":"go"}' + " " * (MOST_BYTES - 13)) == Go()
    with pytest.raises(ValueError, match="a message must be at most 200 bytes, not 201"):
        read_message('{"type":"go"}' + " " * (MOST_BYTES - 12))


@given(st.binary(max_size=250) | st.text(max_size=80))
def test_no_bytes_do_anything_else(data: bytes | str) -> None:
    try:
        read_message(data)
    except ValueError as fault:
        assert str(fault).startswith("a message must be")


def test_a_plan_with_everything_left_out_and_with_everything() -> None:
    assert read_plan('{"seats":[{},{"agent":"lookahead"}]}', PARTNERS) == TablePlan(
        seats=(SeatPlan(), SeatPlan("lookahead", "matching"))
    )
    whole = TablePlan(
        seats=(SeatPlan("careful", "brisk"), SeatPlan(), SeatPlan()),
        preset="hard",
        stock=5,
        ring=False,
        calls=False,
        clock=None,
        games=3,
    )
    assert read_plan(msgspec.json.encode(whole), PARTNERS) == whole
    game = whole.settings()
    assert (game.seats, game.stock, game.ring, game.calls, game.clock_ms, game.tick_ms) == (
        3,
        5,
        False,
        False,
        None,
        100,
    )
    assert game.tempos == (TEMPOS["brisk"], TEMPOS["person"], TEMPOS["person"])


def test_a_preset_fills_up_what_is_left_out() -> None:
    game = TablePlan(seats=(SeatPlan(),) * 3, preset="hard").settings()
    assert (game.stock, game.ring, game.calls, game.clock_ms) == (6, True, True, 120_000)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"seats":[{}]}', "2 or 3 seats, not 1"),
        ('{"seats":[{},{},{},{}]}', "2 or 3 seats, not 4"),
        ('{"seats":[{"agent":"careful"},{"agent":"careful"}]}', "a person in one of its seats"),
        ('{"seats":[{},{"agent":"os:getcwd"}]}', "unknown partner 'os:getcwd': use one of lookahead, careful"),
        ('{"seats":[{},{"agent":"oracle"}]}', "'oracle' sees every card and can sit in no seat: use one of lookahead,"),
        ('{"seats":[{},{"agent":"careful","pace":"person"}]}', "unknown pace 'person': use one of instant, brisk,"),
        ('{"seats":[{},{}],"preset":"x"}', "unknown preset 'x'"),
        ('{"seats":[{},{}],"stock":13}', "stock must be 2 to 12 cards"),
        ('{"seats":[{},{}],"clock":-1}', "clock must be positive"),
        ('{"seats":[{},{}],"clock":1e300}', "clock must be whole milliseconds"),
        ('{"seats":[{},{}],"games":0}', ">= 1"),
        ('{"seats":[{},{}],"games":101}', "<= 100"),
        ('{"seats":[{},{}],"tick":0.2}', "unknown field `tick`"),
        ('{"seats":[{},{}],"clock":"none"}', "Invalid enum value 'none'"),
        ("{", "a table cannot be planned like this"),
        ('{"seats":[{},{}]}' + " " * 1000, "a plan must be at most 1000 bytes, not 1017"),
    ],
)
def test_plans_that_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_plan(text, PARTNERS)
