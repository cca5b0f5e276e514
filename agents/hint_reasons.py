"""Why an action is worth it: a code and the cards it speaks of, for a page to say in its own language, and in English.

A reason holds for certain, but the playouts know no reasons: it tells what can be seen of an action, not how it was
found.
"""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from gipfelsturm.envs.rules.cards import EMPTY, PLACES, card_text
from gipfelsturm.envs.rules.table import free_places

RANKS = 13


class Reason(StrEnum):
    """What speaks for an action; the sentence of each names its cards."""

    WINNING_LINE = "winning line"  # all was seen: this begins a shortest win
    CANNOT_BE_WON = "cannot be won"  # all was seen, and nothing wins from here
    REMEMBERED = "remembered"  # undone moves showed what can come next: the cards
    ONLY_PLAY = "only play"  # no other card fits
    LAST_CHANCE = "last chance"  # no card but the top is left that the played card fits: the top
    JOINS = "joins"  # cards one above and one below lie open: two chains, joined by the played card
    TURNS_UP = "turns up"  # cards get free: none is named, nobody has seen them
    GOES_ON = "goes on"  # open cards that can follow one after the other
    WINS_MOST = "wins most"  # nothing else to be said: it won the most playouts
    NOTHING_FITS = "nothing fits"  # so draw
    BETTER_DRAW = "better draw"  # though something fits
    WAIT = "wait"  # a card is on its way
    HAND_BUSY = "hand busy"


SENTENCES = {
    Reason.WINNING_LINE: "Every card has been seen, and this begins a shortest win.",
    Reason.CANNOT_BE_WON: "Every card has been seen: this game cannot be won from here.",
    Reason.REMEMBERED: "You have seen what can come next: {}.",
    Reason.ONLY_PLAY: "It is the only card that fits.",
    Reason.LAST_CHANCE: "Nothing but the {} is left for this card to go on.",
    Reason.JOINS: "It joins two chains: {} lie open beside it.",
    Reason.TURNS_UP: "It turns up a card.",
    Reason.GOES_ON: "The chain goes on: {}.",
    Reason.WINS_MOST: "It leads to a win most often.",
    Reason.NOTHING_FITS: "Nothing fits: draw.",
    Reason.BETTER_DRAW: "A draw leads to a win more often than what fits.",
    Reason.WAIT: "Wait for the card that is on its way.",
    Reason.HAND_BUSY: "The hand is busy.",
}


def sentence(reason: Reason, cards: Sequence[int]) -> str:
    """A reason in English."""
    return SENTENCES[reason].format(", ".join(card_text(card) for card in cards))


def remembered_cards(g: np.void) -> tuple[int, ...]:
    """The cards, seen in undone moves, that one action of one mind can show again: by place, then those of stocks."""
    present = int(g["present"])
    free = int(free_places(present))
    found: list[int] = []
    for pile in range(int(g["seats"])):
        for place in _places(free):
            if _fits(g, _rank(g, place), int(g["top"][pile]) >> 2):
                found += [int(g["deck"][card]) for card in _places(_turned(present, place))]
    for pile in range(int(g["seats"])):
        if left := int(g["stock"][pile]):
            found.append(int(g["deck"][PLACES + (pile + 1) * int(g["dealt"]) - left]))
    return tuple(dict.fromkeys(card for card in found if card != EMPTY))


def reason_for(g: np.void, action: int, choices: Sequence[int], seat: int) -> tuple[Reason, tuple[int, ...]]:
    """What speaks for one of a seat's choices at a table (as a hand foresees it), and the cards that it speaks of."""
    piles = int(g["seats"])
    plays = {choice % PLACES for choice in choices if choice < PLACES * piles}
    if action == (PLACES + 1) * piles:
        return Reason.WAIT, ()
    if action >= PLACES * piles:
        return (Reason.BETTER_DRAW if plays else Reason.NOTHING_FITS), ()
    if len(plays) == 1:
        return Reason.ONLY_PLAY, ()
    return _reason_to_play(g, action % PLACES, (action // PLACES + seat) % piles)


def _reason_to_play(g: np.void, place: int, pile: int) -> tuple[Reason, tuple[int, ...]]:
    rank, present = _rank(g, place), int(g["present"])
    if not any(_may_take(g, place, pile, other) for other in range(RANKS) if _fits(g, rank, other)):
        return Reason.LAST_CHANCE, (int(g["top"][pile]),)
    open_ranks = {_rank(g, other): other for other in _places(int(free_places(present)) & ~(1 << place))}
    runs = [_run(g, rank, step, open_ranks) for step in (1, -1)]
    if all(runs):
        return Reason.JOINS, (runs[1][0], runs[0][0])
    if _turned(present, place):
        return Reason.TURNS_UP, ()
    longest = max(runs, key=len)
    return (Reason.GOES_ON, tuple(longest)) if longest else (Reason.WINS_MOST, ())


def _may_take(g: np.void, place: int, pile: int, rank: int) -> bool:
    """Whether a card of a rank is still to come, lies open, or is on top of another pile."""
    present = int(g["present"])
    lies_open = any(_rank(g, other) == rank for other in _places(int(free_places(present)) & ~(1 << place)))
    on_top = any(int(g["top"][other]) >> 2 == rank for other in range(int(g["seats"])) if other != pile)
    return bool(g["unseen"][rank]) or lies_open or on_top


def _run(g: np.void, rank: int, step: int, open_ranks: dict[int, int]) -> list[int]:
    """The open cards that follow on a rank upwards (1) or downwards (-1), each rank once."""
    cards: list[int] = []
    for nth in range(1, RANKS):
        following = rank + step * nth
        if not g["ring"] and not 0 <= following < RANKS or following % RANKS not in open_ranks:
            break
        cards.append(int(g["deck"][open_ranks[following % RANKS]]))
    return cards


def _turned(present: int, place: int) -> int:
    """The places that turn up when one is played, as a mask."""
    left = present & ~(1 << place)
    return int(free_places(left)) & ~int(free_places(present))


def _fits(g: np.void, rank: int, other: int) -> bool:
    apart = abs(rank - other)
    return apart == 1 or (bool(g["ring"]) and apart == RANKS - 1)


def _rank(g: np.void, place: int) -> int:
    return int(g["deck"][place]) >> 2


def _places(mask: int) -> list[int]:
    return [place for place in range(PLACES) if mask >> place & 1]
