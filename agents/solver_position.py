"""Whether a game record is a position that can be solved, said before compiled code believes it."""

from collections.abc import Iterator

import numpy as np

from gipfelsturm.envs.rules.cards import CARDS, PLACES, card_text
from gipfelsturm.envs.rules.table import COVERS


def check_position(g: np.void) -> None:
    """Raise ValueError unless a record is of one mind, its places can be gone together, and all its cards are known."""
    if not g["one_mind"]:
        raise ValueError("the solver plays as one mind without time: a real-time game has hands and perhaps a clock")
    _check_places(int(g["present"]))
    _check_stocks(g)
    found: dict[int, str] = {}
    for where, card in _cards(g):
        if card >= CARDS:
            raise ValueError(f"{where} is unknown: the solver needs every card that still counts")
        if card in found:
            raise ValueError(f"{where} is {card_text(card)}, and so is {found[card]}: a card is there once")
        found[card] = where


def _check_places(present: int) -> None:
    if present >> PLACES:
        raise ValueError(f"places are 0 to {PLACES - 1}, but the record has one of {present.bit_length() - 1}")
    for place, covers in enumerate(COVERS):
        for cover in covers:
            if present >> cover & 1 and not present >> place & 1:
                raise ValueError(f"place {place} is empty while a card lies on {cover}, which covers it")


def _check_stocks(g: np.void) -> None:
    for pile in range(int(g["seats"])):
        if g["stock"][pile] >= g["dealt"]:
            most = int(g["dealt"]) - 1
            raise ValueError(f"stock {pile} must have 0 to {most} cards left, not {g['stock'][pile]}")


def _cards(g: np.void) -> Iterator[tuple[str, int]]:
    """The cards that still count, and where each of them is."""
    for place in range(PLACES):
        if int(g["present"]) >> place & 1:
            yield f"the card of place {place}", int(g["deck"][place])
    for pile in range(int(g["seats"])):
        yield f"the top of pile {pile}", int(g["top"][pile])
        end = PLACES + (pile + 1) * int(g["dealt"])
        for nth, at in enumerate(range(end - int(g["stock"][pile]), end), 1):
            yield f"card {nth} of stock {pile}", int(g["deck"][at])
