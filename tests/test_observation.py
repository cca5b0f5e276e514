"""The observation row: its table in the docstring, its layout, and what the kernel writes into it (section 3)."""

import re

import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules import observation
from gipfelsturm.envs.rules.observation import Field, fields, layout_of, named, observation_size
from gipfelsturm.envs.rules.record import CARRYING, REACHING, RETURNING
from gipfelsturm.envs.rules.settings import MOST_CLOCK_TICKS, Settings, one_mind, real_time
from random_play import begin, commands, covered, every_form, unseen_cards

SETTINGS = list(every_form(seed=5, tables=5))
Row = NDArray[np.int8]  # (size,)


# The table in the docstring


def docstring_tables() -> list[list[list[str]]]:
    """The cells of both tables' rows, without their headings."""
    assert observation.__doc__
    tables = re.findall(r"(?:^\|.*\n)+", observation.__doc__, re.MULTILINE)
    return [[[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]] for table in tables]


def formula(text: str, n: int) -> int:
    """The value of `47`, `n`, `2n` or `56+9n`."""
    terms = [re.fullmatch(r"(\d*)(n?)", term) for term in text.split("+")]
    return sum(int(term[1] or 1) * (n if term[2] else 1) for term in terms if term)


def documented(n: int, one_mind: bool) -> dict[str, Field]:
    lines = [line for table in docstring_tables()[: 1 if one_mind else 2] for line in table]
    layout = {}
    for name, offset, size, bounds, _ in lines:
        low, high = bounds.split("..")
        layout[name] = Field(formula(offset, n), formula(size, n), int(low), int(high))
    return layout


@pytest.mark.parametrize("one_mind", [True, False])
@pytest.mark.parametrize("piles", [1, 2, 3])
def test_the_docstring_tells_the_layout(piles: int, one_mind: bool) -> None:
    table = documented(piles, one_mind)
    assert list(table.items()) == list(fields(piles, one_mind).items())
    assert all(meaning for rows in docstring_tables() for *_, meaning in rows)


@pytest.mark.parametrize("settings", SETTINGS[:6], ids=range(6))
def test_fields_follow_each_other_without_a_gap(settings: Settings) -> None:
    end = 0
    for field in layout_of(settings).values():
        assert field.offset == end
        end = field.span.stop
    assert end == observation_size(settings)


def test_named_fields_are_views() -> None:
    layout = fields(2, one_mind=False)
    rows = np.zeros((5, 2, 56 + 13 * 2), np.int8)
    views = named(rows, layout)
    views["tempo"][...] = 7
    assert list(views) == list(layout)
    assert views["tempo"].shape == (5, 2, 8)
    assert (rows == 7).sum() == 5 * 2 * 8


# What is written


def digits(number: int, count: int) -> list[int]:
    return [number // 128**place % 128 for place in reversed(range(count))]


def expected_table(game: np.void, seat: int) -> dict[str, list[int]]:
    """What both forms show, read off the record in plain Python."""
    present, seats = int(game["present"]), int(game["seats"])
    deck = [int(card) for card in game["deck"]]
    ranks = [deck[slot] // 4 for slot in unseen_cards(game)]
    piles = [(seat + k) % seats for k in range(seats)]
    peaks = [0 if covered(present, place) else deck[place] + 1 for place in range(28)]
    return {
        "peaks": [content if present >> place & 1 else -1 for place, content in enumerate(peaks)],
        "unseen": [ranks.count(rank) for rank in range(13)],
        "streak": [int(game["streak"]), int(game["longest"])],
        "rules": [seats, int(game["dealt"]), int(game["ring"]), int(game["talk"])],
        "tops": [int(game["top"][pile]) + 1 for pile in piles],
        "stocks": [int(game["stock"][pile]) for pile in piles],
    }


def expected_time(game: np.void, seat: int) -> dict[str, list[int]]:
    """What the real-time table shows besides."""
    seats, gone, limit = int(game["seats"]), int(game["tick"]), int(game["limit"])
    others = [(seat + k) % seats for k in range(seats)]
    aims = [int(game["phase"][other]) in (REACHING, CARRYING, RETURNING) for other in others]
    aimed = list(zip(others, aims, strict=True))
    return {
        "seat": [seat],
        "clock": digits(limit - gone, 3) if limit else [0, 0, 0],
        "elapsed": digits(gone, 3),
        "tick": digits(int(game["tick_ms"]), 2),
        "phase": [int(game["phase"][other]) for other in others],
        "place": [int(game["place"][other]) if aim else -1 for other, aim in aimed],
        "pile": [(int(game["pile"][other]) - seat) % seats if aim else -1 for other, aim in aimed],
        "left": [int(game["left"][other]) for other in others],
        "call": [int(game["call"][other]) for other in others],
        "age": [digit for other in others for digit in digits(int(game["age"][other]), 2)],
        "tempo": [int(ticks) for other in others for ticks in game["tempo"][other]],
    }


def assert_shows_the_record(batch: GipfelsturmBatch) -> None:
    for game, views in zip(batch.games, batch.observations, strict=True):
        for seat, view in enumerate(views):
            expected = expected_table(game, seat)
            if not batch.settings.one_mind:
                expected |= expected_time(game, seat)
            shown = {name: field.tolist() for name, field in named(view, batch.layout).items()}
            assert shown == expected


def assert_within_ranges(batch: GipfelsturmBatch) -> None:
    for name, view in named(batch.observations, batch.layout).items():
        field = batch.layout[name]
        assert view.min() >= field.low and view.max() <= field.high, name


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_rows_show_the_record_and_keep_to_their_ranges(settings: Settings) -> None:
    dice = np.random.default_rng(7)
    batch = begin(settings, 8)
    for _ in range(40):
        assert_shows_the_record(batch)
        assert_within_ranges(batch)
        for _ in range(int(dice.integers(1, 5))):
            batch.step(commands(batch, dice))


def test_a_won_game_shows_no_card() -> None:
    batch = begin(one_mind(), 1)
    batch.games["present"] = 1
    batch.games["deck"][0, 0] = (int(batch.games["top"][0, 0]) + 4) % 52
    batch.step(np.array([[0]]))
    assert batch.terminated.all()
    assert (named(batch.observations, batch.layout)["peaks"] == -1).all()


# Numbers in digits


def number(view: Row) -> int:
    value = 0
    for digit in view.tolist():
        value = 128 * value + digit
    return value


@pytest.mark.parametrize("gone", [0, 1, 127, 128, 16_383, 16_384, 1_999_999, 2_000_000, MOST_CLOCK_TICKS - 1])
def test_long_clocks_are_exact(gone: int) -> None:
    batch = begin(real_time(clock=MOST_CLOCK_TICKS / 1000, tick=0.001, tempo="instant"), 1)
    batch.games["tick"] = gone
    batch.look()
    views = named(batch.observations[0, 0], batch.layout)
    assert number(views["elapsed"]) == gone
    assert number(views["clock"]) == MOST_CLOCK_TICKS - gone
    batch.step(np.full((1, 2), 58))
    assert number(views["elapsed"]) == gone + 1
    assert number(views["clock"]) == MOST_CLOCK_TICKS - gone - 1
    assert batch.terminated[0] == (gone + 1 == MOST_CLOCK_TICKS)


@pytest.mark.parametrize("milliseconds", [1, 127, 128, 200, 255, 256, 16_383])
def test_ticks_are_exact(milliseconds: int) -> None:
    batch = begin(real_time(clock=None, tick=milliseconds / 1000, tempo="instant"), 1)
    assert number(named(batch.observations[0, 0], batch.layout)["tick"]) == milliseconds


@pytest.mark.parametrize(("tick", "life"), [(0.001, 3000), (0.007, 429), (0.2, 15), (3.0, 1), (9.0, 1)])
def test_a_call_can_be_seen_until_it_is_three_seconds_old(tick: float, life: int) -> None:
    batch = begin(real_time(clock=None, tick=tick, tempo="instant"), 1)
    wait = 58
    batch.step(np.array([[wait, wait + 8]]))
    for seat in (0, 1):
        views = named(batch.observations[0, seat], batch.layout)
        assert views["call"].tolist() == [8 * seat, 8 * (1 - seat)]
    views = named(batch.observations[0, 0], batch.layout)
    for age in range(life):
        assert (views["call"][1], number(views["age"][2:])) == (8, age)
        batch.step(np.full((1, 2), wait))
    assert (views["call"][1], number(views["age"][2:])) == (0, 0)
