"""Which actions a seat may take now, as one int8 mask for every form of the game."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import inlined, signed
from gipfelsturm.envs.rules.moves import in_hands, neighbours, playable
from gipfelsturm.envs.rules.record import FREE, MOST_SEATS, REACHING, RUNNING
from gipfelsturm.envs.rules.table import free_places


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
    for k in range(MOST_SEATS):
        if k == seats:
            break
        pile = seat + k if seat + k < seats else seat + k - seats
        write_plays(g, pile, free, mask[PLACES * k : PLACES * (k + 1)])
        mask[PLACES * seats + k] = g["stock"][pile] > 0 and (k == 0 or g["one_mind"])


@inlined
def write_plays(g: np.void, pile: int, free: np.uint32, plays: NDArray[np.int8]) -> None:
    """Write which free cards fit a pile into `plays` (28,)."""
    above, below = neighbours(g["top"][pile], g["ring"])
    for place in range(PLACES):
        plays[place] = playable(g, place, free, above, below)
