"""The ids of numbered deals: short, read back, and refused with one wrong character."""

import re
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gipfelsturm.envs.rules.deals import (
    DEALS,
    ID_DIGITS,
    deal_id,
    deal_number,
    read_deal,
)

NUMBERS = st.integers(0, DEALS - 1)
SPREAD = [i * (DEALS - 1) // 999 for i in range(1000)]


def refused(text: str) -> bool:
    try:
        deal_number(text)
    except ValueError as refusal:
        return "is mistyped" in str(refusal)
    return False


def swaps(digits: str) -> list[str]:
    """Every text in which two different neighbours are swapped."""
    return [
        digits[:i] + right + left + digits[i + 2 :] for i, (left, right) in enumerate(pairwise(digits)) if left != right
    ]


def substitutions(digits: str, alphabet: str) -> list[str]:
    """Every text in which one character is another one of the alphabet."""
    return [digits[:i] + c + digits[i + 1 :] for i, c in product(range(len(digits)), alphabet) if c != digits[i]]


def test_ids_are_short_and_there_are_enough_of_them() -> None:
    assert DEALS >= 2**40
    assert len(set(ID_DIGITS)) == 32
    assert not set(ID_DIGITS) & set("ILOU")


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (0, "000-000-000"),
        (1, "000-000-012"),
        (999_999, "000-0YG-HZQ"),
        (1_000_000, "000-0YG-J00"),
        (DEALS - 1, "ZZZ-ZZZ-ZZ3"),
    ],
)
def test_golden_ids(number: int, name: str) -> None:
    assert deal_id(number) == name
    assert deal_number(name) == number


@given(NUMBERS)
def test_an_id_reads_back(number: int) -> None:
    name = deal_id(number)
    assert [len(group) for group in name.split("-")] == [3, 3, 3]
    assert deal_number(name) == number


@given(NUMBERS)
def test_case_blanks_and_hyphens_do_not_matter(number: int) -> None:
    digits = deal_id(number).replace("-", "")
    for text in (digits, digits.lower(), f"  {' '.join(digits)}\n", "--".join(digits.lower()) + "-"):
        assert deal_number(text) == number


@given(NUMBERS)
def test_a_deal_is_named_by_id_or_number(number: int) -> None:
    for text in (str(number), deal_id(number), deal_id(number).lower()):
        assert read_deal(text) == number


def test_an_id_of_digits_alone_is_no_number() -> None:
    names = {deal_id(number).replace("-", ""): number for number in range(2**15)}
    digits = [name for name in names if name.isdecimal()]
    assert len(digits) > 100
    assert [read_deal(name) for name in digits] == [names[name] for name in digits]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (str(DEALS), f"deals are numbered 0 to {DEALS - 1}, not {DEALS}"),
        ("017", "deal id '017' has 3 letters and digits where an id has 9"),
        ("", "deal id '' has 0 letters and digits where an id has 9"),
        ("٣", "deal id '٣' has '٣' at position 1"),
    ],
)
def test_what_names_no_deal_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}"):
        read_deal(text)


def test_every_single_wrong_character_is_refused_in_a_thousand_ids() -> None:
    assert (len(set(SPREAD)), SPREAD[0], SPREAD[-1]) == (1000, 0, DEALS - 1)
    for number in SPREAD:
        wrong = substitutions(deal_id(number).replace("-", ""), ID_DIGITS)
        assert len(wrong) == 9 * 31
        assert all(map(refused, wrong)), number


def test_every_swap_of_neighbours_is_refused_in_a_thousand_ids() -> None:
    for number in SPREAD:
        assert all(map(refused, swaps(deal_id(number).replace("-", "")))), number


@pytest.mark.parametrize("number", SPREAD[::333])
def test_no_character_of_a_keyboard_slips_through(number: int) -> None:
    digits = deal_id(number).replace("-", "")
    for text in substitutions(digits, "".join(map(chr, range(32, 127)))):
        if text.upper() != digits:
            with pytest.raises(ValueError, match="deal id"):
                deal_number(text)


def test_every_lost_or_doubled_character_is_refused() -> None:
    digits = deal_id(123_456_789_012).replace("-", "")
    for i in range(9):
        for text in (digits[:i] + digits[i + 1 :], digits[:i] + digits[i] + digits[i:]):
            with pytest.raises(ValueError, match="letters and digits where an id has 9"):
                deal_number(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "deal id '' has 0 letters and digits where an id has 9"),
        ("000-0YG-J0", "deal id '000-0YG-J0' has 8 letters and digits where an id has 9"),
        ("000-0YG-J000", "deal id '000-0YG-J000' has 10 letters and digits where an id has 9"),
        ("000-0YG-J0I", "deal id '000-0YG-J0I' has 'I' at position 11, which ids do not use: it might be 1"),
        ("l00-0YG-J00", "deal id 'l00-0YG-J00' has 'l' at position 1, which ids do not use: it might be 1"),
        ("0o0-0YG-J00", "deal id '0o0-0YG-J00' has 'o' at position 2, which ids do not use: it might be 0"),
        ("000-UYG-J00", "deal id '000-UYG-J00' has 'U' at position 5, which ids do not use: it might be V"),
        ("000 0YG?J00", "deal id '000 0YG?J00' has '?' at position 8, which ids do not use: write digits and letters"),
        ("é", "deal id 'é' has 'é' at position 1, which ids do not use: write digits and letters"),
        ("000-0YG-J01", "deal id '000-0YG-J01' is mistyped: its last character does not agree with the others"),
    ],
)
def test_a_wrong_id_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(ValueError) as refusal:
        deal_number(text)
    assert str(refusal.value) == fault


@given(st.text(st.sampled_from(f"{ID_DIGITS}{ID_DIGITS.lower()}ILOUilou- \t?ßıé٣"), max_size=12))
def test_any_text_is_a_deal_or_refused(text: str) -> None:
    try:
        number = deal_number(text)
    except ValueError:
        return
    assert deal_id(number).replace("-", "") == "".join(text.replace("-", "").split()).upper()


@pytest.mark.parametrize("number", [-1, DEALS])
def test_a_number_without_a_deal_has_no_id(number: int) -> None:
    with pytest.raises(ValueError) as refusal:
        deal_id(number)
    assert str(refusal.value) == f"deals are numbered 0 to 1099511627775, not {number}"
