"""The layout of the 28 places, and which cards are free (rules.md section 1)."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks import deck_with
from gipfelsturm.envs.rules.jit import count_bits
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.rules.table import (
    COVER_MASK,
    COVERS,
    FULL,
    LIES_ON,
    LIES_ON_MASK,
    ROWS,
    free_places,
    lowest,
)
from tables import Table

# Written off a drawing of the three peaks, not computed.
TWO_COVERS = {
    **{0: (3, 4), 1: (5, 6), 2: (7, 8)},
    **{3: (9, 10), 4: (10, 11), 5: (12, 13), 6: (13, 14), 7: (15, 16), 8: (16, 17)},
    **{9: (18, 19), 10: (19, 20), 11: (20, 21), 12: (21, 22), 13: (22, 23), 14: (23, 24)},
    **{15: (24, 25), 16: (25, 26), 17: (26, 27)},
}
PLACES = range(28)
SOME_PLACES = st.sets(st.sampled_from(PLACES))


def as_mask(places: set[int]) -> int:
    return sum(1 << place for place in places)


def as_places(mask: int) -> set[int]:
    return {place for place in PLACES if mask >> place & 1}


def free(present: set[int]) -> set[int]:
    """The definition: lies there, and nothing that covers it does."""
    return {place for place in present if not present & set(TWO_COVERS.get(place, ()))}


def test_rows_of_3_6_9_and_10_places() -> None:
    assert [len(row) for row in ROWS] == [3, 6, 9, 10]
    assert [place for row in ROWS for place in row] == list(PLACES)


def test_36_cover_relations() -> None:
    assert dict(enumerate(COVERS)) == {place: TWO_COVERS.get(place, ()) for place in PLACES}
    assert sum(len(covers) for covers in COVERS) == 36


def test_the_base_row_covers_two_places_each_but_for_its_ends() -> None:
    covering = Counter(cover for covers in COVERS for cover in covers)
    assert [covering[place] for place in range(18, 28)] == [1, *[2] * 8, 1]
    assert all(len(LIES_ON[place]) == covering[place] for place in PLACES)


def test_what_lies_on_what_is_the_same_turned_round() -> None:
    pairs = {(under, over) for under in PLACES for over in COVERS[under]}
    assert pairs == {(under, over) for over in PLACES for under in LIES_ON[over]}


def test_masks_say_the_same() -> None:
    assert as_places(int(FULL)) == set(PLACES)
    assert [as_places(int(mask)) for mask in COVER_MASK] == [set(covers) for covers in COVERS]
    assert [as_places(int(mask)) for mask in LIES_ON_MASK] == [set(places) for places in LIES_ON]


@settings(deadline=None)  # the first call compiles
@given(SOME_PLACES)
def test_free_places_are_those_that_nothing_covers(present: set[int]) -> None:
    assert as_places(free_places(as_mask(present))) == free(present)


@pytest.mark.parametrize("rows", [range(9, 28), range(18)], ids=["rows 3 and 4", "rows 1 to 3"])
def test_free_places_of_every_table_of_some_rows(rows: range) -> None:
    """All 2^19 and 2^18 of them."""
    tables = np.arange(1 << len(rows), dtype=np.int64) << rows.start
    expected = tables.copy()
    for place in rows:
        for cover in TWO_COVERS.get(place, ()):
            expected &= ~((tables >> cover & 1) << place)
    assert [free_places(mask) for mask in tables.tolist()] == expected.tolist()


@settings(deadline=None)  # the first call compiles
@given(st.sets(st.sampled_from(PLACES), min_size=1))
def test_counting_and_the_lowest_place(places: set[int]) -> None:
    assert lowest(as_mask(places)) == min(places)
    assert count_bits(as_mask(places)) == len(places)
    assert count_bits(0) == 0 and count_bits(1 << 62 | 1 << 43 | 1) == 3


# The same at the table: faults that others shipped, numbers 1 and 2.

DECK = deck_with({}, [[]], 24)
FORMS = [one_mind(), one_mind("normal"), real_time("normal"), real_time("normal", seats=3)]


def table_with(settings: Settings, present: set[int]) -> Table:
    table = Table(settings, DECK)
    table.game["present"] = as_mask(present)
    return table


def face_up_places(table: Table, seat: int = 0) -> set[int]:
    return {place for place, card in enumerate(table.seen(seat, "peaks")) if card > 0}


def viewers(form: Settings) -> range:
    return range(1 if form.one_mind else form.seats)


def test_a_place_turns_up_only_when_both_of_its_covers_are_gone() -> None:
    everything = set(PLACES)
    for gone, up in (({18}, False), ({19}, False), ({18, 19}, True)):
        table = table_with(one_mind(), everything - gone)
        assert (9 in face_up_places(table)) is up
        assert len(table.face_up()) == 10 - len(gone) + up


@pytest.mark.parametrize("form", FORMS, ids=range(len(FORMS)))
@pytest.mark.parametrize("place", range(18))
def test_one_cover_is_enough_to_hide_a_card_that_would_fit(place: int, form: Settings) -> None:
    first, second = TWO_COVERS[place]
    plays = [28 * pile + place for pile in range(form.seats)]
    for covers, reason in (({second}, "still covered"), ({first}, "still covered"), ({first, second}, "face down")):
        table = table_with(form, {place} | covers)
        table.game["top"][: form.seats] = (DECK[place] + 4) % 52
        for seat in viewers(form):
            assert table.seen(seat, "peaks")[place] == 0
            assert not table.allowed(seat) & set(plays)
            assert [table.tick({seat: f"play {place} {pile}"})[seat] for pile in range(form.seats)] == [reason] * len(
                plays
            )
        assert table.lying(place)
    for seat in viewers(form):
        table = table_with(form, {place})
        table.game["top"][: form.seats] = (DECK[place] + 4) % 52
        assert place in face_up_places(table, seat)
        assert table.allowed(seat) >= set(plays)
