"""Cards as numbers and as text."""

import numpy as np
import pytest

from gipfelsturm.envs.rules.cards import CARDS, EMPTY, PLACES, RANKS, SUITS, card_code, card_text


def test_a_pack_has_52_cards_of_which_28_form_the_peaks() -> None:
    assert len(RANKS) * len(SUITS) == CARDS == 52
    assert PLACES == 28


@pytest.mark.parametrize(
    ("code", "text"), [(0, "AC"), (1, "AD"), (2, "AH"), (3, "AS"), (4, "2C"), (36, "TC"), (43, "JS"), (51, "KS")]
)
def test_codes_count_suits_within_ranks(code: int, text: str) -> None:
    assert card_text(code) == text
    assert card_code(text) == code


def test_text_and_code_name_each_other() -> None:
    texts = [card_text(code) for code in range(CARDS)]
    assert len(set(texts)) == CARDS
    assert [card_code(text) for text in texts] == list(range(CARDS))


def test_a_code_out_of_an_array_will_do() -> None:
    deck = np.array([51, EMPTY], np.uint8)
    assert [card_text(code) for code in deck] == ["KS", "??"]


@pytest.mark.parametrize("code", [-1, 52, 254, 256])
def test_other_numbers_are_no_cards(code: int) -> None:
    with pytest.raises(KeyError):
        card_text(code)


@pytest.mark.parametrize("text", ["", "5", "H5", "5h", "10H", "1H", "5X", "5H ", "??"])
def test_an_unknown_card_is_named(text: str) -> None:
    with pytest.raises(ValueError) as refusal:
        card_code(text)
    assert str(refusal.value) == f"unknown card {text!r}: write a rank of A23456789TJQK and a suit of CDHS, as in 5H"
