"""Numbered deals: number to cards, to an id that people can say, and the cards as text (rules.md section 2).

The cards depend on the number alone, in 64-bit integers throughout, so a deal is the same on every platform.
"""

import re

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.cards import CARDS, PLACES, card_code, card_text
from gipfelsturm.envs.rules.chance import GOLDEN, mix
from gipfelsturm.envs.rules.jit import compiled

DEALS = 2**40
EVALUATION_DEALS = 1_000_000
"""Deals below this number are for evaluation; training draws from those above."""

# Cards and ties start from unrelated states: further apart than there are deals. The digits are ASCII.
_SHUFFLE = np.uint64(0x53485546464C4500)  # "SHUFFLE"
_TIES = np.uint64(0x5449452053454544)  # "TIE SEED"
_WORD = np.uint64(2**32)

ID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ID_LENGTH = 9
_NUMBER = re.compile("0|[1-9][0-9]*")
_VALUES = {c: value for value, digit in enumerate(ID_DIGITS) for c in (digit, digit.lower())}
_LOOKS_LIKE = {"I": "1", "L": "1", "O": "0", "U": "V"}


@compiled
def shuffle(number: np.uint64, deck: NDArray[np.uint8]) -> None:
    """Write the 52 cards of a deal into `deck`, in the order in which they are dealt.

    Fisher-Yates from the top down. Each draw takes the high half of a 32-bit word times the bound, and another word
    where that would favour some numbers (Lemire 2019), so it is exactly uniform over the words.
    """
    for card in range(CARDS):
        deck[card] = card
    state = mix(np.uint64(number) + _SHUFFLE)
    for last in range(CARDS - 1, 0, -1):
        bound = np.uint64(last + 1)
        product = (mix(state) >> np.uint64(32)) * bound
        state += GOLDEN
        while product % _WORD < bound and product % _WORD < _WORD % bound:  # the second takes a division
            product = (mix(state) >> np.uint64(32)) * bound
            state += GOLDEN
        other = np.int64(product >> np.uint64(32))
        deck[last], deck[other] = deck[other], deck[last]


@compiled
def deal(number: np.uint64, seats: int, stock: int, deck: NDArray[np.uint8]) -> None:
    """Write the 52 cards of a deal into `deck`, in drawing order, for `stock` cards to each of `seats` seats.

    Drawing order: 28 peak cards by place, each stock from its top, cards aside. The stocks are dealt one card at a time
    round the seats, so each stock's top is the last card that it was dealt.
    """
    shuffle(number, deck)
    n, height = np.int64(seats), np.int64(stock)  # small unsigned fields of a record would turn sums into floats
    dealt = deck[PLACES : PLACES + n * height].copy()
    for seat in range(n):
        for depth in range(height):
            deck[PLACES + seat * height + depth] = dealt[(height - 1 - depth) * n + seat]


@compiled
def tie_seed(number: np.uint64) -> np.uint64:
    """The seed of a deal's tie order: of its number, never of its cards, which ties would betray."""
    return mix(np.uint64(number) + _TIES)


@compiled
def training_deal(state: np.uint64) -> np.uint64:
    """The training deal that 64 random bits stand for: `EVALUATION_DEALS`..`DEALS`-1, even to one part in 2^24."""
    return np.uint64(EVALUATION_DEALS) + np.uint64(state) % np.uint64(DEALS - EVALUATION_DEALS)


def deal_id(number: int) -> str:
    """A deal's id, as in `000-0YG-J00`: eight base-32 digits of its number, the highest first, and a check character.

    Raises:
        ValueError: for a number that is not in 0..`DEALS`-1.
    """
    if not 0 <= number < DEALS:
        raise ValueError(f"deals are numbered 0 to {DEALS - 1}, not {number}")
    values = [number >> shift & 31 for shift in range(35, -1, -5)]
    text = "".join(ID_DIGITS[value] for value in (*values, _check(values)))
    return "-".join((text[:3], text[3:6], text[6:]))


def deal_number(text: str) -> int:
    """Read what `deal_id` writes, in either case, with blanks and hyphens anywhere.

    The check refuses every single wrong character and every swap of two different neighbours.

    Raises:
        ValueError: with a sentence that names the fault; positions count every character of the text from 1.
    """
    values = [_id_value(text, i) for i, c in enumerate(text) if c != "-" and not c.isspace()]
    if len(values) != _ID_LENGTH:
        raise ValueError(f"deal id {text!r} has {len(values)} letters and digits where an id has {_ID_LENGTH}")
    if _check(values):
        raise ValueError(f"deal id {text!r} is mistyped: its last character does not agree with the others")
    number = 0
    for value in values[:-1]:
        number = number << 5 | value
    return number


def read_deal(text: str) -> int:
    """The number of a deal that is named by its id or by its number.

    Numbers have no zeros in front, so that an id of digits alone, which mostly begins with one, is not taken for one.

    Raises:
        ValueError: with a sentence that names the fault.
    """
    if not _NUMBER.fullmatch(text):
        return deal_number(text)
    number = int(text)
    if number >= DEALS:
        raise ValueError(f"deals are numbered 0 to {DEALS - 1}, not {number}")
    return number


def _id_value(text: str, i: int) -> int:
    character = text[i]
    if character in _VALUES:
        return _VALUES[character]
    likely = _LOOKS_LIKE.get(character.upper())
    advice = f"it might be {likely}" if likely else "write digits and letters"
    raise ValueError(f"deal id {text!r} has {character!r} at position {i + 1}, which ids do not use: {advice}")


def _check(values: list[int]) -> int:
    """Damm's scheme over GF(32) with x^5 + x^2 + 1; 0 once the check character is among the values."""
    check = 0
    for value in values:
        check = (check ^ value) << 1
        if check & 32:
            check ^= 0b100101
    return check


def write_deck(deck: NDArray[np.uint8]) -> str:
    """A deck (52,) as text, in the order that it has, with blanks between the cards."""
    return " ".join(card_text(int(card)) for card in deck)


def read_deck(text: str) -> NDArray[np.uint8]:
    """Read what `write_deck` writes, with any white space between the cards.

    Returns:
        The codes of all 52 cards, uint8 of shape (52,).

    Raises:
        ValueError: for an unknown card, a card that came before, or too few or many cards; the sentence names the first
            fault's position, counted from 1.
    """
    words = text.split()
    positions: dict[int, int] = {}
    for position, word in enumerate(words[:CARDS], 1):
        code = _card_at(position, word)
        if code in positions:
            raise ValueError(f"card {position} is {word} for the second time: card {positions[code]} was {word} too")
        positions[code] = position
    if len(words) < CARDS:
        raise ValueError(f"card {len(words) + 1} is missing: a deck has {CARDS} cards, not {len(words)}")
    if len(words) > CARDS:
        raise ValueError(f"card {CARDS + 1} is too many: a deck has {CARDS} cards, not {len(words)}")
    return np.array(list(positions), np.uint8)


def _card_at(position: int, word: str) -> int:
    try:
        return card_code(word)
    except ValueError as error:
        raise ValueError(f"card {position}: {error}") from None
