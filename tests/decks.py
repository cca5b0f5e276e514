"""Hand-made decks: the cards that matter are named, the others fill up in code order."""

from collections.abc import Mapping, Sequence

RANKS = "A23456789TJQK"
SUITS = "CDHS"


def code(text: str) -> int:
    """The code of a card such as `5H`."""
    return 4 * RANKS.index(text[0]) + SUITS.index(text[1])


def deck_with(places: Mapping[int, str], stocks: Sequence[Sequence[str]], stock: int) -> list[int]:
    """A deck in drawing order for `len(stocks)` stocks of `stock` cards, each given from its top.

    Raises:
        ValueError: A card is named twice, a place is unknown, or a stock is given too many cards.
    """
    slots = {place: code(text) for place, text in places.items()}
    for seat, cards in enumerate(stocks):
        slots |= {28 + seat * stock + n: code(text) for n, text in enumerate(cards)}
    named = set(slots.values())
    amount = len(places) + sum(len(cards) for cards in stocks)
    if len(named) < amount or not set(places) <= set(range(28)) or any(len(cards) > stock for cards in stocks):
        raise ValueError("name each card once, in a place 0..27 or in its stock")
    others = (card for card in range(52) if card not in named)
    return [slots[slot] if slot in slots else next(others) for slot in range(52)]
