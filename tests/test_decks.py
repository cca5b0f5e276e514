"""The builder of hand-made decks."""

from collections.abc import Mapping, Sequence

import pytest

from decks import code, deck_with


def test_named_cards_lie_where_they_are_named_and_the_others_fill_up_in_code_order() -> None:
    deck = deck_with({0: "KS", 27: "AC"}, (("AD", "2C"), ("KH",)), 3)
    assert (deck[0], deck[27], deck[28:30], deck[31]) == (code("KS"), 0, [1, 4], code("KH"))
    assert sorted(deck) == list(range(52))
    others = deck[1:27] + [deck[30]] + deck[32:]
    assert others == sorted(others)


@pytest.mark.parametrize(
    ("places", "stocks"),
    [({0: "KS", 1: "KS"}, ()), ({0: "KS"}, (("KS",),)), ({28: "KS"}, ((),)), ({}, (("AC", "AD", "AH", "AS"),))],
)
def test_cards_that_cannot_lie_so_are_refused(places: Mapping[int, str], stocks: Sequence[Sequence[str]]) -> None:
    with pytest.raises(ValueError, match="each card once"):
        deck_with(places, stocks, 3)
