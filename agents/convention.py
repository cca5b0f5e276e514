"""How hands share a table without a word: the convention of the scripted players, in one place.

- *Who begins.* When several hands are free in a tick, one of them begins: the first free one in seat order, counted
  from a seat that moves on by one each tick. The others wait, and see what it reaches for. So no two hands begin in the
  same tick, and a hand that does not want to do anything holds nobody up for longer than a tick or two.
- *Who yields.* A card that another hand reaches for, carries or returns is left alone, and so is the pile it will go
  to, or the pile that another hand draws on. A player thinks of the table as it will be when those cards are placed.
- *Who draws.* Nobody, while something fits or will fit then, while another hand draws or returns a card, or while a
  card is on its way that will turn up another: it may fit. Then whoever begins, once no card is on its way to its pile.
  (One mind draws from the fuller stock. A free hand that left it to a busy one would lose games to the clock: by that
  rule an `uncover` pair at brisk tempo runs out of time in 66 % of its games of blitz, by this one in 45 %, and wins as
  many where the clock does not bind.)
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.rules_of_thumb import choose_play
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import inlined, signed
from gipfelsturm.envs.rules.moves import any_fits
from gipfelsturm.envs.rules.record import DRAWING, FREE, PAUSING, RETURNING
from gipfelsturm.envs.rules.table import free_places


@inlined
def begins(g: np.void, seat: int) -> bool:
    """Whether it is this free hand that begins in this tick."""
    seats = signed(g["seats"])
    for turn in range(seats):
        first = (signed(g["tick"]) + turn) % seats
        if g["phase"][first] == FREE:
            return first == seat
    return False


@inlined
def foresee(g: np.void, seat: int) -> tuple[int, int]:
    """Place what other hands reach for or carry; returns the masks of the places and of the piles they keep busy."""
    places, piles = 0, 0
    for other in range(signed(g["seats"])):
        phase = g["phase"][other]
        if other == seat or phase == FREE or phase == PAUSING:
            continue
        if phase == DRAWING:
            piles |= 1 << other
            continue
        place, pile = signed(g["place"][other]), signed(g["pile"][other])
        places |= 1 << place
        if phase != RETURNING:
            piles |= 1 << pile
            g["present"] = signed(g["present"]) & ~(1 << place)
            g["top"][pile] = g["deck"][place]
    return places, piles


@inlined
def may_draw(g: np.void, seat: int, free: int, turning: int, busy_piles: int) -> bool:
    """Whether a hand that begins may draw at a foreseen table, with these free places and cards about to turn up."""
    if turning or busy_piles >> seat & 1 or not g["stock"][seat]:
        return False
    for other in range(signed(g["seats"])):
        if g["phase"][other] == DRAWING or g["phase"][other] == RETURNING or any_fits(g, free, other):
            return False
    return True


@inlined
def choose_as_hand(
    policy: int, g: np.void, seat: int, states: NDArray[np.uint64], i: int, stack: NDArray[np.int64]
) -> int:
    """The action of one hand of several, by a policy of `rules_of_thumb` and the convention; changes the record."""
    seats = signed(g["seats"])
    wait = wait_action(seats)
    if g["phase"][seat] != FREE or not begins(g, seat):
        return wait
    free = free_places(signed(g["present"]))
    busy_places, busy_piles = foresee(g, seat)
    open_places = free & ~busy_places
    play = choose_play(policy, g, open_places, busy_piles, states, i, stack)
    if play >= 0:
        return PLACES * ((play // PLACES - seat + seats) % seats) + play % PLACES
    turning = free_places(signed(g["present"])) & ~free
    return PLACES * seats if may_draw(g, seat, open_places, turning, busy_piles) else wait
