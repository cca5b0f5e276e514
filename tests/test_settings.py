"""Presets, free fields, and games that cannot be (rules.md sections 2 and 3)."""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gipfelsturm.envs.rules.record import blank_games
from gipfelsturm.envs.rules.settings import PRESETS, Settings, milliseconds, one_mind, real_time, ticks
from gipfelsturm.envs.rules.tempo import TEMPOS, Tempo, tempo_name, tempo_named

# Section 2: seats, cards dealt to each stock, draws at the start, clock in seconds, ring.
AS_WRITTEN = [
    ("tripeaks", 1, 24, 23, None, True),
    ("normal", 2, 12, 22, 180, True),
    ("hard", 2, 10, 18, 120, True),
    ("expert", 2, 10, 18, 120, False),
    ("easy", 2, 12, 22, 240, True),
    ("blitz", 2, 12, 22, 36, True),
]
THREE_SEATS = [
    ("easy", 8, 240, True),
    ("normal", 8, 180, True),
    ("blitz", 8, 36, True),
    ("hard", 6, 120, True),
    ("expert", 6, 120, False),
]


@pytest.mark.parametrize(("name", "seats", "stock", "draws", "clock", "ring"), AS_WRITTEN)
def test_a_preset_is_as_written(name: str, seats: int, stock: int, draws: int, clock: int | None, ring: bool) -> None:
    table = real_time(name)
    assert (table.seats, table.stock, table.draws, table.ring) == (seats, stock, draws, ring)
    assert table.clock_ms == (None if clock is None else clock * 1000)
    assert table.clock_ticks == (clock or 0) * 5
    assert (table.one_mind, table.calls, table.tick_ms, table.call_ticks) == (False, True, 200, 15)
    assert table.tempos == (Tempo(400, 400, 400, 800),) * seats


@pytest.mark.parametrize(("name", "stock", "clock", "ring"), THREE_SEATS)
def test_a_preset_for_three_seats(name: str, stock: int, clock: int, ring: bool) -> None:
    table = real_time(name, seats=3)
    assert (table.seats, table.stock, table.clock_ms, table.ring) == (3, stock, clock * 1000, ring)
    assert len(table.tempos) == 3
    assert 28 + 3 * table.stock == (52 if stock == 8 else 46)  # 6 cards aside


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_a_preset_has_the_same_cards_for_one_mind(name: str, seats: int) -> None:
    mind, table = one_mind(name, piles=seats), real_time(name, seats=seats)
    assert (mind.seats, mind.stock, mind.ring) == (table.seats, table.stock, table.ring)
    assert mind.one_mind and mind.clock_ms is None and not mind.calls and mind.clock_ticks == 0
    # As many cards lie aside for one, two and three seats, as far as they can be shared out.
    assert mind.stock == (24 // seats if name not in ("hard", "expert") else {1: 20, 2: 10, 3: 6}[seats])


def test_every_field_can_be_changed_alone() -> None:
    base = real_time("hard")
    tempos = (TEMPOS["slow"], Tempo(1, 2, 3, 4))
    changes: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"seats": 3, "stock": 8}, {"seats": 3, "stock": 8, "tempos": (TEMPOS["brisk"],) * 3}),
        ({"stock": 2}, {"stock": 2}),
        ({"ring": False}, {"ring": False}),
        ({"calls": False}, {"calls": False}),
        ({"clock": None}, {"clock_ms": None}),
        ({"clock": 0.2}, {"clock_ms": 200}),
        ({"tick": 0.05}, {"tick_ms": 50}),
        ({"tempo": "slow"}, {"tempos": (TEMPOS["slow"],) * 2}),
        ({"tempo": ("slow", Tempo(1, 2, 3, 4))}, {"tempos": tempos}),
        ({"tempo": Tempo(1, 2, 3, 4)}, {"tempos": (Tempo(1, 2, 3, 4),) * 2}),
    ]
    for change, fields in changes:
        assert real_time("hard", **change) == msgspec.structs.replace(base, **fields)


IMPOSSIBLE: list[tuple[Callable[[], Settings], str]] = [
    (lambda: real_time("medium"), "unknown preset 'medium': use one of tripeaks, normal, hard, expert, easy, blitz"),
    (lambda: one_mind("medium"), "unknown preset 'medium': use one of"),
    (lambda: real_time(seats=0), "seats must be 1, 2 or 3, not 0"),
    (lambda: real_time(seats=4), "seats must be 1, 2 or 3, not 4"),
    (lambda: one_mind(piles=4), "piles must be 1, 2 or 3, not 4"),
    (lambda: real_time(seats=4, stock=6), "seats must be 1, 2 or 3, not 4"),
    (lambda: real_time(stock=13), r"stock must be 2 to 12 cards with 2 seats \(a deck has 52\), not 13"),
    (lambda: real_time(stock=1), "stock must be 2 to 12"),
    (lambda: one_mind(stock=25), r"stock must be 2 to 24 cards with 1 pile \("),
    (lambda: real_time(seats=1, stock=25), r"stock must be 2 to 24 cards with 1 seat \("),
    (lambda: one_mind(piles=3, stock=9), r"stock must be 2 to 8 cards with 3 piles \("),
    (lambda: real_time(clock=0), "clock must be positive and at most"),
    (lambda: real_time(clock=-1), "clock must be positive and at most"),
    (lambda: real_time(clock=-0.1), "clock must be positive and at most"),
    (lambda: real_time(clock=1e9), "clock must be positive and at most"),
    (lambda: real_time(clock="never"), "clock must be seconds, None or 'preset', not 'never'"),
    (lambda: real_time(clock=0.0005), "clock must be whole milliseconds, not 0.0005 s"),
    (lambda: real_time(clock=float("nan")), "clock must be whole milliseconds, not nan s"),
    (lambda: real_time(clock=float("inf")), "clock must be whole milliseconds, not inf s"),
    (lambda: real_time(tick=0), "tick must be 1 to 16383 ms, not 0 ms"),
    (lambda: real_time(tick=-0.2), "tick must be 1 to 16383 ms, not -200 ms"),
    (lambda: real_time(tick=16.384), "tick must be 1 to 16383 ms, not 16384 ms"),
    (lambda: real_time(tick=0.0001), "tick must be whole milliseconds, not 0.0001 s"),
    (lambda: real_time(tempo="fast"), "unknown tempo 'fast': use one of instant, brisk, steady, slow, person, or"),
    (lambda: real_time(tempo=("brisk",)), "tempos must be one for each of 2 seats, not 1"),
    (lambda: real_time(tempo=("brisk",) * 3), "tempos must be one for each of 2 seats, not 3"),
    (lambda: real_time(tempo=Tempo(0, -200, 0, 0)), "reach must be 0 ms or more, not -200 ms"),
    (lambda: msgspec.structs.replace(one_mind(), tick_ms=0), "tick must be 1 to 16383 ms, not 0 ms"),
    (lambda: msgspec.structs.replace(one_mind(), tempos=()), "tempos must be one for the 1 seat, not 0"),
    (lambda: msgspec.structs.replace(one_mind(), clock_ms=1), "one mind plays without a clock and without calls"),
    (lambda: msgspec.structs.replace(one_mind(), calls=True), "one mind plays without a clock and without calls"),
]


@pytest.mark.parametrize(("make", "sentence"), IMPOSSIBLE)
def test_an_impossible_game_is_refused_in_a_sentence(make: Callable[[], Settings], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        make()


WRONG_TYPES: list[tuple[dict[str, Any], str]] = [
    ({"ring": 2}, "ring must be True or False, not 2"),
    ({"ring": 0.5}, "ring must be True or False, not 0.5"),
    ({"ring": -1}, "ring must be True or False, not -1"),
    ({"ring": "no"}, "ring must be True or False, not 'no'"),
    ({"calls": 1}, "calls must be True or False, not 1"),
    ({"seats": True}, "seats must be a whole number, not True"),
    ({"seats": 2.0}, "seats must be a whole number, not 2.0"),
    ({"stock": "12"}, "stock must be a whole number, not '12'"),
    ({"stock": 12.0}, "stock must be a whole number, not 12.0"),
    ({"clock": True}, "clock must be seconds, not True"),
    ({"clock": [1]}, r"clock must be seconds, not \[1\]"),
    ({"clock": 1e306}, r"clock must be whole milliseconds, not 1e\+306 s"),
    ({"clock": 10**400}, "clock must be whole milliseconds, not 10000"),
    ({"tick": "a"}, "tick must be seconds, not 'a'"),
    ({"tempo": 5}, "a tempo must be a name, pause/reach/carry/draw in ms or a Tempo, not 5"),
    ({"tempo": [5]}, "a tempo must be a name, pause/reach/carry/draw in ms or a Tempo, not 5"),
    ({"preset": ["x"]}, r"unknown preset \['x'\]"),
]


@pytest.mark.parametrize(("wrong", "sentence"), WRONG_TYPES)
def test_a_wrong_type_is_refused_in_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        real_time(**wrong)


@pytest.mark.parametrize("wrong", [True, 2.0, "2"])
def test_piles_and_fields_are_whole_numbers(wrong: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match="^piles must be a whole number, not "):
        one_mind(piles=wrong)
    for field in ("seats", "stock", "tick_ms", "clock_ms"):
        with pytest.raises(ValueError, match=f"^{field} must be a whole number, not "):
            msgspec.structs.replace(real_time(), **{field: wrong})


def test_numbers_of_every_type_are_kept_as_plain_ones() -> None:
    wild = real_time(
        seats=np.int64(2),  # type: ignore[arg-type]
        stock=np.uint8(10),  # type: ignore[arg-type]
        ring=np.bool_(True),  # type: ignore[arg-type]
        clock=np.int8(36),  # type: ignore[arg-type]
        tick=np.float32(0.2),  # type: ignore[arg-type]
        tempo=Tempo(np.int64(1), 2, 3, 4),  # type: ignore[arg-type]
    )
    plain = real_time(stock=10, clock=36, tempo=Tempo(1, 2, 3, 4))
    assert repr(wild) == repr(plain) and wild == plain
    assert one_mind(piles=np.int64(2), stock=np.int64(10)) == one_mind(piles=2, stock=10)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [-1, 1.5, True, "1", None])
def test_a_duration_is_a_whole_number_from_0(wrong: Any) -> None:  # noqa: ANN401
    for phase in ("pause", "reach", "carry", "draw"):
        with pytest.raises(ValueError, match=f"^{phase} must be "):
            Tempo(**({"pause": 0, "reach": 0, "carry": 0, "draw": 0} | {phase: wrong}))


@given(st.integers(0, 10**7), st.integers(1, 16383))
def test_times_are_rounded_up_to_ticks(ms: int, tick_ms: int) -> None:
    rounded = ticks(ms, tick_ms)
    assert (rounded - 1) * tick_ms < ms <= rounded * tick_ms


def test_clock_calls_and_each_duration_are_rounded_by_themselves() -> None:
    table = real_time(clock=1.001, tick=0.25, tempo=Tempo(1, 250, 251, 0))
    assert (table.clock_ticks, table.call_ticks) == (5, 12)
    assert blank_games(table, 1)[0]["tempo"][:2].tolist() == [[1, 1, 2, 0]] * 2
    assert real_time(tick=0.7).call_ticks == 5  # 3 s is 4.3 ticks


@pytest.mark.parametrize("phase", ["pause", "reach", "carry", "draw"])
def test_127_ticks_are_the_longest_duration(phase: str) -> None:
    longest = msgspec.structs.replace(TEMPOS["brisk"], **{phase: 127 * 200})
    table = real_time(tempo=("brisk", longest))
    assert blank_games(table, 1)[0]["tempo"].max() == 127
    over = msgspec.structs.replace(longest, **{phase: 127 * 200 + 1})
    with pytest.raises(ValueError, match=f"^{phase} of seat 1 must be 0 to 127 ticks, not 25401 ms$"):
        real_time(tempo=("brisk", over))


def test_the_longest_clock_has_three_digits() -> None:
    assert real_time(clock=2097.151, tick=0.001, tempo="instant").clock_ticks == 128**3 - 1
    with pytest.raises(ValueError, match="at most 2097151 ticks, not 2097152 ms"):
        real_time(clock=2097.152, tick=0.001, tempo="instant")


def test_the_longest_clock_of_the_longest_tick_is_whole_milliseconds() -> None:
    table = real_time(seats=3, clock=2097151 * 16.383, tick=16.383)
    assert (table.clock_ms, table.clock_ticks) == (2097151 * 16383, 2097151)


@pytest.mark.parametrize(("seconds", "ms"), [(0.1, 100), (0.29, 290), (36, 36000), (1.001, 1001), (-1, -1000)])
def test_seconds_that_are_whole_milliseconds(seconds: float, ms: int) -> None:
    assert milliseconds("clock", seconds) == ms


# Section 3, the table of tempos: seconds of pause, reach, carry, draw.
TEMPO_TABLE = {
    "instant": (0, 0, 0, 0),
    "brisk": (0.4, 0.4, 0.4, 0.8),
    "steady": (1.4, 0.6, 0.6, 1.0),
    "slow": (4.0, 0.8, 0.8, 1.2),
    "person": (0, 0, 0.2, 0.2),
}


def test_tempos_are_as_written() -> None:
    in_seconds = {name: tuple(ms / 1000 for ms in msgspec.structs.astuple(tempo)) for name, tempo in TEMPOS.items()}
    assert in_seconds == TEMPO_TABLE


@given(st.builds(Tempo, *[st.integers(0, 10**5)] * 4) | st.sampled_from(list(TEMPOS.values())))
def test_a_tempo_reads_as_it_is_written(tempo: Tempo) -> None:
    assert tempo_named(tempo_name(tempo)) == tempo


@pytest.mark.parametrize(
    "name", ["", "Brisk", "brisk ", "1/2/3", "1/2/3/4/5", "1/2/3/-4", "1/2/3/4.5", "1/2//4", "٠/400/400/800"]
)
def test_an_unknown_tempo_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="^unknown tempo"):
        tempo_named(name)


def test_names_are_written_where_there_are_some() -> None:
    assert tempo_name(Tempo(400, 400, 400, 800)) == "brisk"
    assert tempo_name(Tempo(400, 400, 400, 801)) == "400/400/400/801"


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        real_time().seats = 3  # type: ignore[misc]
