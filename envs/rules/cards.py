"""The 52 cards as numbers and as text (rules.md section 2): code `4 * (rank - 1) + suit`, rank 1..13, suit 0..3."""

RANKS = "A23456789TJQK"
SUITS = "CDHS"
CARDS = 52
PLACES = 28
EMPTY = 255
"""The code of a card that nobody knows."""

_CODES = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
_TEXTS = {code: text for text, code in _CODES.items()} | {EMPTY: "??"}


def card_text(code: int) -> str:
    """A card in two characters, `??` for `EMPTY`; raises KeyError for a number that is no card."""
    return _TEXTS[code]


def card_code(text: str) -> int:
    """Read what `card_text` writes; raises ValueError for anything that is not one of the 52 cards, `??` included."""
    if text not in _CODES:
        raise ValueError(f"unknown card {text!r}: write a rank of {RANKS} and a suit of {SUITS}, as in 5H")
    return _CODES[text]
