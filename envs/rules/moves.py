"""What may be played and drawn, what that does to the table, and when a game ends (rules.md sections 1 and 3)."""

import numpy as np

from gipfelsturm.envs.rules.actions import (
    ACCEPTED,
    COVERED,
    FACE_DOWN,
    GAME_OVER,
    IN_A_HAND,
    NO_FIT,
    PLACE_EMPTY,
    STOCK_EMPTY,
)
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import inlined, signed
from gipfelsturm.envs.rules.record import CARRYING, MOST_SEATS, RETURNING, RUNNING, STUCK, TIME_OUT, WON, see_card
from gipfelsturm.envs.rules.table import COVER_MASK, UNDER, free_places, lowest

NO_RANK = 255
BITS = np.array([1 << place for place in range(PLACES)], np.uint32)  # (28,)


@inlined
def fits(card: int, top: int, ring: int) -> bool:
    """Whether two cards are one rank apart; an unknown card fits nothing."""
    apart = abs(signed(card >> 2) - signed(top >> 2))  # unsigned ranks would wrap
    return apart == 1 or (ring != 0 and apart == 12)


@inlined
def in_hands(g: np.void) -> int:
    """The places whose card is in a carrying or returning hand, as a mask."""
    held = 0
    for seat in range(MOST_SEATS):
        if seat == g["seats"]:
            break
        if g["phase"][seat] == CARRYING or g["phase"][seat] == RETURNING:
            held |= 1 << g["place"][seat]
    return held


@inlined
def neighbours(top: int, ring: int) -> tuple[np.uint8, np.uint8]:
    """The ranks one above and one below a card, NO_RANK where there is none; those of an unknown card fit none."""
    rank = signed(top) >> 2
    beyond_king = 0 if ring else NO_RANK
    below_ace = 12 if ring else NO_RANK
    return np.uint8(rank + 1 if rank != 12 else beyond_king), np.uint8(rank - 1 if rank else below_ace)


@inlined
def playable(g: np.void, place: int, free: np.uint32, above: np.uint8, below: np.uint8) -> np.uint8:
    """1 if the card of a place is among the free ones and has one of two ranks.

    In narrow types and without a branch, so that a loop over the places compiles to vectors.
    """
    rank = np.uint8(g["deck"][place] >> 2)
    return np.uint8((rank == above) | (rank == below)) & np.uint8((free & BITS[place]) != 0)


@inlined
def any_fits(g: np.void, places: int, pile: int) -> bool:
    """Whether the card of one of a mask of places fits a pile."""
    while places:
        if fits(g["deck"][lowest(places)], g["top"][pile], g["ring"]):
            return True
        places &= places - 1
    return False


@inlined
def any_play(g: np.void, places: int) -> bool:
    """Whether the card of one of a mask of places fits some pile."""
    for pile in range(MOST_SEATS):
        if pile == g["seats"]:
            break
        if any_fits(g, places, pile):
            return True
    return False


@inlined
def first_fit(g: np.void, seat: int, place: int, named: int) -> int:
    """The pile that a card goes on: the named one if it fits, else the first from the own pile to the left, else -1."""
    if fits(g["deck"][place], g["top"][named], g["ring"]):
        return named
    seats = signed(g["seats"])
    for k in range(MOST_SEATS):
        if k == seats:
            break
        pile = (seat + k) % seats
        if fits(g["deck"][place], g["top"][pile], g["ring"]):
            return pile
    return -1


@inlined
def refuse_play(g: np.void, place: int, pile: int) -> int:
    """Why a card may not be played on a pile now, the hand aside; 0 if it may."""
    if not g["present"] >> place & 1:
        return PLACE_EMPTY
    covers = g["present"] & COVER_MASK[place]
    if covers:
        return COVERED if covers & (covers - 1) == 0 else FACE_DOWN
    if in_hands(g) >> place & 1:
        return IN_A_HAND
    if not fits(g["deck"][place], g["top"][pile], g["ring"]):
        return NO_FIT
    return ACCEPTED


@inlined
def put(g: np.void, place: int, pile: int) -> None:
    """Place a card on a pile; what lay under it alone turns up."""
    present = signed(g["present"]) & ~(1 << place)
    g["present"] = present
    g["top"][pile] = g["deck"][place]
    g["streak"] += 1
    g["longest"] = max(g["longest"], g["streak"])
    free = free_places(present)
    for i in range(2):
        under = signed(UNDER[place, i])
        see_card(g, g["deck"][under], free >> under & 1)


@inlined
def draw(g: np.void, pile: int) -> None:
    """Move the top stock card to its pile."""
    drawn = g["dealt"] - g["stock"][pile]
    card = g["deck"][PLACES + pile * g["dealt"] + drawn]
    g["stock"][pile] -= 1
    g["top"][pile] = card
    g["streak"] = 0
    see_card(g, card, 1)


@inlined
def stuck(g: np.void) -> bool:
    """Whether no stock has a card, no hand holds one, and no free card fits any pile."""
    for pile in range(MOST_SEATS):
        if pile == g["seats"]:
            break
        if g["stock"][pile]:
            return False
    return not (in_hands(g) or any_play(g, free_places(signed(g["present"]))))


@inlined
def settle(g: np.void) -> None:
    """End the game if it is won or lost (rules.md section 3, ends, in this order)."""
    if g["present"] == 0:
        g["status"] = WON
    elif g["limit"] and g["tick"] >= g["limit"]:
        g["status"] = TIME_OUT
    elif stuck(g):
        g["status"] = STUCK


@inlined
def act(g: np.void, action: int) -> int:
    """One action of one mind, at once (rules.md section 3, "One mind"); returns the refusal code."""
    if g["status"] != RUNNING:
        return GAME_OVER
    pile = action // PLACES
    if pile < g["seats"]:
        place = action % PLACES
        reason = refuse_play(g, place, pile)
        if reason:
            return reason
        put(g, place, pile)
    else:
        pile = action - PLACES * g["seats"]
        if not g["stock"][pile]:
            return STOCK_EMPTY
        draw(g, pile)
    settle(g)
    return ACCEPTED


@inlined
def score(g: np.void) -> int:
    """Cards left in all stocks of a won game, 0 otherwise."""
    if g["status"] != WON:
        return 0
    left = 0
    for pile in range(MOST_SEATS):
        if pile == g["seats"]:
            break
        left += g["stock"][pile]
    return left
