"""One tick of the real-time table: commands, motion, ends (rules.md section 3)."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.actions import (
    ACCEPTED,
    GAME_OVER,
    HAND_BUSY,
    NO_TALK,
    NOT_YOURS,
    STOCK_EMPTY,
    wait_action,
)
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.chance import turn
from gipfelsturm.envs.rules.jit import inlined, signed
from gipfelsturm.envs.rules.moves import any_play, draw, first_fit, in_hands, put, refuse_play, settle
from gipfelsturm.envs.rules.record import (
    CARRY,
    CARRYING,
    DRAW,
    DRAWING,
    FREE,
    MOST_SEATS,
    PAUSE,
    PAUSING,
    REACH,
    REACHING,
    RETURNING,
    RUNNING,
)
from gipfelsturm.envs.rules.table import free_places


@inlined
def tick(g: np.void, actions: NDArray[np.int64], reasons: NDArray[np.int8]) -> None:
    """Carry one tick out, with one action a seat (seats,); `reasons` (3,) receives the refusal codes."""
    if g["status"] != RUNNING:
        reasons[:] = GAME_OVER
        return
    seats = signed(g["seats"])
    grow_calls(g)
    for seat in range(MOST_SEATS):
        if seat == seats:
            break
        reasons[seat] = command(g, seat, actions[seat])
    g["tick"] += 1
    for seat in range(MOST_SEATS):
        if seat == seats:
            break
        if g["left"][seat]:
            g["left"][seat] -= 1
    for i in range(MOST_SEATS):
        if i == seats:
            break
        move(g, turn(g["tie_seed"], g["tick"], seats, i))
    settle(g)


@inlined
def decidable(g: np.void) -> bool:
    """Whether some free hand can play or draw."""
    idle = False
    for seat in range(MOST_SEATS):
        if seat == g["seats"]:
            break
        if g["phase"][seat] == FREE:
            if g["stock"][seat]:
                return True
            idle = True
    return idle and any_play(g, free_places(signed(g["present"])) & ~in_hands(g))


@inlined
def grow_calls(g: np.void) -> None:
    """Make every call a tick older, and drop those that have been seen long enough."""
    for seat in range(MOST_SEATS):
        if seat == g["seats"]:
            break
        if g["call"][seat]:
            g["age"][seat] += 1
            if g["age"][seat] >= g["call_ticks"]:
                g["call"][seat] = 0
                g["age"][seat] = 0


@inlined
def command(g: np.void, seat: int, action: int) -> int:
    """Judge one seat's command on the table as the last tick left it, and begin it; returns the refusal code.

    Seats can be judged one after another: a command changes nothing but its own hand and call, and no other seat's
    command is judged by those.
    """
    seats = signed(g["seats"])
    wait = wait_action(seats)
    if action == wait:
        return ACCEPTED
    if action > wait:
        return call(g, seat, action - wait)
    if g["phase"][seat] != FREE and g["phase"][seat] != REACHING:
        return HAND_BUSY
    if action >= PLACES * seats:
        return begin_draw(g, seat, action - PLACES * seats)
    return begin_play(g, seat, action % PLACES, (seat + action // PLACES) % seats)


@inlined
def call(g: np.void, seat: int, said: int) -> int:
    """Say something, if there is talk at this table."""
    if not g["talk"]:
        return NO_TALK
    g["call"][seat] = said
    g["age"][seat] = 0
    return ACCEPTED


@inlined
def begin_draw(g: np.void, seat: int, stock: int) -> int:
    """Send a hand to its own stock."""
    if stock:
        return NOT_YOURS
    if not g["stock"][seat]:
        return STOCK_EMPTY
    enter(g, seat, DRAWING, DRAW)
    return ACCEPTED


@inlined
def begin_play(g: np.void, seat: int, place: int, pile: int) -> int:
    """Send a hand to a card; if it is already on the way to that card, only the pile changes."""
    reason = refuse_play(g, place, pile)
    if reason:
        return reason
    if g["phase"][seat] != REACHING or g["place"][seat] != place:
        enter(g, seat, REACHING, REACH)
        g["place"][seat] = place
    g["pile"][seat] = pile
    return ACCEPTED


@inlined
def enter(g: np.void, seat: int, phase: int, duration: int) -> None:
    """Begin a phase that takes as long as the seat's tempo says."""
    g["phase"][seat] = phase
    g["left"][seat] = g["tempo"][seat, duration]
    if phase != CARRYING and phase != RETURNING:
        g["place"][seat] = 0
        g["pile"][seat] = 0


@inlined
def move(g: np.void, seat: int) -> None:
    """One seat's turn in a tick: end its phase if no ticks are left, and further phases of zero ticks at once."""
    while g["phase"][seat] != FREE and g["left"][seat] == 0:
        phase = g["phase"][seat]
        if phase == REACHING:
            touch(g, seat)
        elif phase == CARRYING:
            place_card(g, seat)
        elif phase == DRAWING:
            draw(g, seat)
            enter(g, seat, PAUSING, PAUSE)
        elif phase == RETURNING:
            enter(g, seat, PAUSING, PAUSE)
        else:
            g["phase"][seat] = FREE


@inlined
def touch(g: np.void, seat: int) -> None:
    """A reach ends: lift the card if it lies free in nobody's hand and fits some pile, else come back empty."""
    place = signed(g["place"][seat])
    pile = -1
    if (free_places(signed(g["present"])) & ~in_hands(g)) >> place & 1:
        pile = first_fit(g, seat, place, g["pile"][seat])
    if pile < 0:
        g["missed"] += 1
        enter(g, seat, PAUSING, PAUSE)
    else:
        g["pile"][seat] = pile
        enter(g, seat, CARRYING, CARRY)


@inlined
def place_card(g: np.void, seat: int) -> None:
    """A carry ends: the card goes on a pile, or back if it fits none."""
    pile = first_fit(g, seat, g["place"][seat], g["pile"][seat])
    if pile < 0:
        g["returned"] += 1
        enter(g, seat, RETURNING, CARRY)
    else:
        put(g, g["place"][seat], pile)
        enter(g, seat, PAUSING, PAUSE)
