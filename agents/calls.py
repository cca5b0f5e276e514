"""Calls that mean what they say (rules.md section 3, calls): when each is true, and what it asks of the others.

- `need r`: no card in sight fits the caller's own pile, and of the two ranks that would, r has more unseen cards. Asks
  to place an r there, and not to use it up elsewhere.
- `hold`: a card in sight fits the caller's own pile, and its hand is not free yet. Asks not to draw, which could bury
  what is meant for it, or spend a card for nothing.
- `drawing`: the caller's hand draws, or is about to. Asks not to draw as well.
"""

import numpy as np

from gipfelsturm.envs.rules.actions import CALLS
from gipfelsturm.envs.rules.jit import inlined, signed
from gipfelsturm.envs.rules.moves import NO_RANK, any_play, fits, in_hands, neighbours
from gipfelsturm.envs.rules.record import CARRYING, DRAWING, FREE, REACHING
from gipfelsturm.envs.rules.table import free_places, lowest

HOLD_CALL, DRAWING_CALL = CALLS.index("hold") + 1, CALLS.index("drawing") + 1
ANNOUNCED_MS = 1000
"""How long `drawing` keeps others from drawing: then the hand is seen to draw, or has thought better of it."""


@inlined
def true_call(g: np.void, seat: int) -> int:
    """What a seat can say of its own hand and pile that is true, 1..15, or 0 for nothing."""
    phase = g["phase"][seat]
    if phase == DRAWING:
        return DRAWING_CALL
    top, places = signed(g["top"][seat]), free_places(signed(g["present"])) & ~in_hands(g)
    if phase == REACHING or phase == CARRYING:
        place = signed(g["place"][seat])
        places &= ~(1 << place)
        if g["pile"][seat] == seat:
            top = signed(g["deck"][place])
    while places:
        if fits(g["deck"][lowest(places)], top, g["ring"]):
            return 0 if phase == FREE else HOLD_CALL
        places &= places - 1
    return _needed_rank(g, top) + 1


@inlined
def _needed_rank(g: np.void, top: int) -> int:
    """The rank 0..12 beside a card's that has most unseen cards, the upper one among equals; -1 if there are none."""
    best, most = -1, 0
    for rank in neighbours(top, g["ring"]):
        if rank != NO_RANK and signed(g["unseen"][signed(rank)]) > most:
            best, most = signed(rank), signed(g["unseen"][signed(rank)])
    return best


@inlined
def asked_to_wait(g: np.void, seat: int) -> bool:
    """Whether somebody else has just asked not to draw, and it is not idle to ask: a card fits, or is on its way."""
    for other in range(signed(g["seats"])):
        said = g["call"][other]
        if other == seat:
            continue
        if said == DRAWING_CALL and signed(g["age"][other]) * signed(g["tick_ms"]) < ANNOUNCED_MS:
            return True
        if said == HOLD_CALL and (in_hands(g) or any_play(g, free_places(signed(g["present"])))):
            return True
    return False


@inlined
def called_for(g: np.void, seat: int, rank: int) -> int:
    """The first other seat, counted from seat 0, that needs a rank 0..12; -1 if none does."""
    for other in range(signed(g["seats"])):
        if other != seat and signed(g["call"][other]) == rank + 1:
            return other
    return -1
