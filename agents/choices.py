"""What a player may choose from now, as one mind or as a hand of several: the root of every search.

A hand shares the table by the convention (`gipfelsturm.agents.convention`): it waits unless it begins, thinks of the
table as it will be when the other hands have placed their cards, and leaves those cards and piles alone. Beside that,
- it waits for what other hands are about to turn up or draw,
- it may leave the next action to another hand that could draw. Nobody knows what the other thinks: after some turns it
  insists on an action of its own.
Both are for those who have time: where the clock leaves none for one action after another, hands act side by side.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.convention import begins, foresee, may_draw
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import count_bits, inlined, signed
from gipfelsturm.envs.rules.moves import fits
from gipfelsturm.envs.rules.record import CARRY, DRAW, DRAWING, FREE, MOST_SEATS, PAUSING, REACH
from gipfelsturm.envs.rules.table import free_places, lowest

CHOICE = np.dtype(
    [
        ("action", np.int64),  # as one mind numbers it: 28 * pile + place, then the draws, then waiting
        ("prior", np.float64),  # what the policy thinks of it, beside the others
        ("wins", np.float64),  # what its playouts were worth
        ("squares", np.float64),  # the squares of that
        ("playouts", np.int64),
    ]
)
MOST_CHOICES = PLACES * MOST_SEATS + MOST_SEATS + 1


@inlined
def find_choices(g: np.void, seat: int, patient: bool, insists: bool, choices: NDArray[np.void]) -> int:
    """Write what may be done (MOST_CHOICES,) and return how much; a hand's record becomes the table it foresees.

    Args:
        patient: a hand begins nothing while another one acts; for those who have time (`has_time`).
        insists: a patient hand does not leave the next action to another one.
    """
    places = free_places(signed(g["present"]))
    if g["one_mind"]:
        return _add_draws(g, choices, _add_plays(g, places, 0, choices))
    seats = signed(g["seats"])
    wait = wait_action(seats)
    if g["phase"][seat] != FREE or not begins(g, seat) or (patient and _somebody_acts(g)):
        return _add(choices, 0, wait)
    busy_places, busy_piles = foresee(g, seat)
    places &= ~busy_places
    turning = free_places(signed(g["present"])) & ~places & ~busy_places
    found = _add_plays(g, places, busy_piles, choices)
    for pile in range(seats):  # a draw while something fits is a choice too
        mine = pile == seat
        if (mine or (patient and not insists)) and may_draw(g, pile, 0, turning, busy_piles):
            found = _add(choices, found, PLACES * seats + pile)
    return _add(choices, found, wait) if turning or not found else found


@inlined
def _somebody_acts(g: np.void) -> bool:
    """Whether a hand has begun something that is not done."""
    for other in range(signed(g["seats"])):
        if g["phase"][other] != FREE and g["phase"][other] != PAUSING:
            return True
    return False


@inlined
def all_free(g: np.void) -> bool:
    """Whether no hand has anything to do, not even to pause."""
    for seat in range(signed(g["seats"])):
        if g["phase"][seat] != FREE:
            return False
    return True


@inlined
def has_time(g: np.void) -> bool:
    """Whether the clock leaves time to play and draw all cards one after another."""
    cards, slowest = count_bits(signed(g["present"])), 0
    for other in range(signed(g["seats"])):
        tempo = g["tempo"][other]
        cards += signed(g["stock"][other])
        slowest = max(slowest, signed(tempo[REACH]) + signed(tempo[CARRY]), signed(tempo[DRAW]))
    left = signed(g["limit"]) - signed(g["tick"])
    return g["limit"] == 0 or left > cards * (slowest + signed(g["seats"]))


@inlined
def write_choice(choice: np.void, action: int) -> None:
    """Write a choice that nobody has judged yet."""
    choice["action"] = action
    choice["prior"] = choice["wins"] = choice["squares"] = 0.0
    choice["playouts"] = 0


@inlined
def _add(choices: NDArray[np.void], found: int, action: int) -> int:
    write_choice(choices[found], action)
    return found + 1


@inlined
def _same_pile(g: np.void, pile: int, other: int) -> bool:
    """Whether it makes no difference on which of two piles a mind plays."""
    alike = signed(g["top"][pile]) >> 2 == signed(g["top"][other]) >> 2
    return alike and g["stock"][pile] == g["stock"][other]


@inlined
def _add_plays(g: np.void, places: int, closed: int, choices: NDArray[np.void]) -> int:
    found = 0
    for pile in range(signed(g["seats"])):
        if closed >> pile & 1 or (g["one_mind"] and pile and _same_pile(g, pile, pile - 1)):
            continue
        left = places
        while left:
            place = lowest(left)
            left &= left - 1
            if fits(g["deck"][place], g["top"][pile], g["ring"]):
                found = _add(choices, found, PLACES * pile + place)
    return found


@inlined
def _add_draws(g: np.void, choices: NDArray[np.void], found: int) -> int:
    for pile in range(signed(g["seats"])):
        if g["stock"][pile] and not (pile and _same_pile(g, pile, pile - 1)):
            found = _add(choices, found, PLACES * signed(g["seats"]) + pile)
    return found


@inlined
def draws_under_way(g: np.void) -> int:
    """The piles that a hand is drawing on, as a mask; none for one mind."""
    piles = 0
    for seat in range(signed(g["seats"])):
        piles |= signed(g["phase"][seat] == DRAWING) << seat
    return piles
