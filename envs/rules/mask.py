"""Which actions a seat may take now, as one int8 mask for every form of the game."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import inlined, signed
from gipfelsturm.envs.rules.moves import in_hands
from gipfelsturm.envs.rules.record import FREE, REACHING, RUNNING
from gipfelsturm.envs.rules.table import free_places

NO_RANK = 255
BITS = np.array([1 << place for place in range(PLACES)], np.uint32)  # (28,)


@inlined
def write_mask(g: np.void, seat: int, mask: NDArray[np.int8]) -> None:
    """Write 1 for each action that would not be refused, 0 for the others; all 1 once the game is over."""
    if g["status"] != RUNNING:
        mask[:] = 1
        return
    seats = signed(g["seats"])
    wait = wait_action(seats)
    if not g["one_mind"]:
        mask[wait:] = 1
        if g["phase"][seat] != FREE and g["phase"][seat] != REACHING:
            mask[:wait] = 0
            return
    free = np.uint32(free_places(signed(g["present"])) & ~in_hands(g))
    for k in range(seats):
        pile = seat + k if seat + k < seats else seat + k - seats
        write_plays(g, pile, free, mask[PLACES * k : PLACES * (k + 1)])
        mask[PLACES * seats + k] = g["stock"][pile] > 0 and (k == 0 or g["one_mind"])


@inlined
def write_plays(g: np.void, pile: int, free: np.uint32, plays: NDArray[np.int8]) -> None:
    """Write which free cards fit a pile into `plays` (28,); in narrow types, so that it compiles to vectors."""
    rank = signed(g["top"][pile]) >> 2
    above = rank + 1
    below = rank - 1
    if above == 13:
        above = 0 if g["ring"] else NO_RANK
    if below < 0:
        below = 12 if g["ring"] else NO_RANK
    up, down = np.uint8(above), np.uint8(below)
    for place in range(PLACES):
        card = np.uint8(g["deck"][place] >> 2)
        plays[place] = np.uint8((card == up) | (card == down)) & np.uint8((free & BITS[place]) != 0)
