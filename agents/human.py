"""`human-PROFILE`: a partner that plays by a scripted policy as people do, late, overlooking things, with habits.

It shares the table by the convention of `gipfelsturm.agents.convention`. What its profile adds, step by step:

- *It is late.* A change of the table (cards, piles, stocks) reaches it after its reaction; what changes meanwhile is
  seen in the same look. After each action its hand rests for a while. A look that ends in waiting is followed by the
  next after another reaction.
- *It overlooks.* At a look it notices some of the free cards, may think of its own pile alone (while it has a stock),
  and may overlook the other hands: it leaves their cards and piles alone no more, nor lets them begin first.
- *It draws* where it has found nothing to play, and now and then although it has.
- *It talks*, if it does, by `gipfelsturm.agents.calls`, in place of waiting; it says `drawing` a tick before it draws.
- *It heeds*, if it does: it draws when nobody asks it to wait, and a card that is called for and fits the caller's pile
  is for that pile alone.

A profile without traits plays what its policy plays, to the last tie. As one mind, without time, it notices and draws
as above, and that is all.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.belief import blank_belief, rebuild
from gipfelsturm.agents.calls import DRAWING_CALL, asked_to_wait, called_for, true_call
from gipfelsturm.agents.chain import chain_stack
from gipfelsturm.agents.convention import begins, foresee, may_draw
from gipfelsturm.agents.human_profiles import Profile, traits_of
from gipfelsturm.agents.rules_of_thumb import choose_play, fuller_stock, next_random
from gipfelsturm.agents.scripted import begin_streams
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.chance import below, nth_seed
from gipfelsturm.envs.rules.jit import compiled, inlined, signed
from gipfelsturm.envs.rules.moves import fits, in_hands
from gipfelsturm.envs.rules.observation import ONE_MIND_FIXED
from gipfelsturm.envs.rules.record import DRAWING, FREE, MOST_SEATS, Games
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.rules.table import free_places, lowest

MIND = np.dtype(
    [
        ("table", np.int64),  # as it was in the last observation: packed by `_pack`, -1 before the first
        ("look", np.int64),  # the tick from which it looks and acts
        ("acting", np.int64),  # 1 from its command until its hand is seen to be free
        ("chatty", np.int64),  # 1 if it will say what is true of this table
        ("announced", np.int64),  # 1 if it has said that it draws, and has not yet
    ]
)


class HumanAgent:
    """A profile that plays, for one mind, and for each of several hands by itself."""

    def __init__(self, profile: Profile) -> None:
        """Take what it is like."""
        self._traits = traits_of(profile)

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`."""
        players = games * len(seats)
        self._belief = blank_belief(settings)
        self._stack = chain_stack()
        self._minds = np.zeros(players, MIND)
        self._minds["table"] = self._minds["look"] = -1
        self._ties, self._dice = np.zeros(players, np.uint64), np.zeros(players, np.uint64)
        begin_streams(self._ties, np.uint64(seed % 2**64))
        begin_streams(self._dice, np.uint64(nth_seed(seed, 0)))

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """See `gipfelsturm.agents.protocol.Agent.act`."""
        actions = np.zeros(masks.shape[:2], np.int64)
        _choose_all(
            self._traits, self._belief, self._stack, observations, masks, self._minds, self._ties, self._dice, actions
        )
        return actions


@compiled
def _choose_all(
    traits: NDArray[np.void],
    belief: Games,
    stack: NDArray[np.int64],
    observations: NDArray[np.int8],
    masks: NDArray[np.int8],
    minds: NDArray[np.void],
    ties: NDArray[np.uint64],
    dice: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    g, t = belief[0], traits[0]
    seats = masks.shape[1]
    for i in range(len(observations)):
        if masks[i, 0].all():
            continue
        for own in range(seats):
            rebuild(g, observations[i, own])
            n = i * seats + own
            if g["one_mind"]:
                actions[i, own] = _choose_alone(g, t, ties, dice, n, stack)
                continue
            seat = signed(observations[i, own, ONE_MIND_FIXED + 2 * signed(g["seats"])])
            _notice_changes(g, seat, t, minds[n], dice, n)
            action, wait = _choose_as_hand(g, seat, t, minds[n], ties, dice, n, stack), wait_action(signed(g["seats"]))
            if action < wait:
                minds[n]["acting"] = 1  # an action may be over within its tick
            if action == wait and minds[n]["chatty"]:
                rebuild(g, observations[i, own])  # without what the hand has foreseen
                action += _say(g, seat, minds[n])
            actions[i, own] = action


@inlined
def _happens(chance: float, dice: NDArray[np.uint64], n: int) -> bool:
    return bool(below(next_random(dice, n), 1 << 20) < chance * (1 << 20))


@inlined
def _some_ticks(g: np.void, span: NDArray[np.int64], dice: NDArray[np.uint64], n: int) -> int:
    """A duration from a span of milliseconds, rounded up to whole ticks."""
    ms: int = span[0] + below(next_random(dice, n), span[1] - span[0] + 1)
    tick = signed(g["tick_ms"])
    return (ms + tick - 1) // tick


@inlined
def _pack(g: np.void) -> int:
    """What lies on the table, in 18 bits: the piles' tops, since every play and every draw puts another card there."""
    table = 0
    for seat in range(MOST_SEATS):
        table = table << 6 | signed(g["top"][seat])
    return table


@inlined
def _notice_changes(g: np.void, seat: int, t: np.void, mind: np.void, dice: NDArray[np.uint64], n: int) -> None:
    """Put the next look off after a change, and after an action; a look that is due already is not put off again."""
    tick, table = signed(g["tick"]), _pack(g)
    if table != mind["table"]:
        mind["table"] = table
        mind["announced"] = 0
        mind["chatty"] = g["talk"] != 0 and _happens(t["talks"], dice, n)
        if mind["look"] < tick:
            mind["look"] = tick + _some_ticks(g, t["reaction"], dice, n)
    acting = g["phase"][seat] != FREE
    if mind["acting"] and not acting:
        mind["look"] = max(mind["look"], tick + _some_ticks(g, t["pause"], dice, n))
    mind["acting"] = acting


@inlined
def _choose_as_hand(
    g: np.void,
    seat: int,
    t: np.void,
    mind: np.void,
    ties: NDArray[np.uint64],
    dice: NDArray[np.uint64],
    n: int,
    stack: NDArray[np.int64],
) -> int:
    """What the hand does if it is free and the time for a look has come, else waiting; changes the record."""
    seats = signed(g["seats"])
    wait, draw, tick = wait_action(seats), PLACES * seats, signed(g["tick"])
    if mind["acting"] or tick < mind["look"]:
        return wait
    blind = _happens(t["oversight"], dice, n)
    if not blind and not begins(g, seat):
        return wait
    asked = t["heeds"] != 0 and asked_to_wait(g, seat)
    places = free_places(signed(g["present"]))
    open_places, busy_piles, turning = places & ~in_hands(g), 0, 0
    if not blind:
        busy_places, busy_piles = foresee(g, seat)
        open_places = places & ~busy_places
        turning = free_places(signed(g["present"])) & ~places
    if mind["announced"]:
        mind["announced"] = 0
        if _may_draw(g, seat, 0, turning, busy_piles, blind):  # whatever others have said since: all would wait for all
            return draw
    noticed = _notice(open_places, t, dice, n)
    own_alone = g["stock"][seat] > 0 and _happens(t["own_pile"], dice, n)
    closed = busy_piles | (((1 << seats) - 1) & ~(1 << seat) if own_alone else 0)
    play = _choose_card(g, seat, t, noticed, closed, ties, n, stack)
    stray = _happens(t["stray_draw"], dice, n)
    if play >= 0 and not (stray and not asked and _may_draw(g, seat, 0, turning, busy_piles, blind)):
        return PLACES * ((play // PLACES - seat + seats) % seats) + play % PLACES
    found = 0 if own_alone or play >= 0 else noticed
    if asked or not _may_draw(g, seat, found, turning, busy_piles, blind):
        mind["look"] = tick + _some_ticks(g, t["reaction"], dice, n)
        return wait
    if g["talk"] != 0 and _happens(t["talks"], dice, n):
        mind["announced"], mind["chatty"] = 1, 0
        return wait + DRAWING_CALL
    return draw


@inlined
def _may_draw(g: np.void, seat: int, found: int, turning: int, busy_piles: int, blind: bool) -> bool:
    """The convention's rule, for the cards that it has found; who overlooks the other hands only needs a stock."""
    return g["stock"][seat] > 0 if blind else may_draw(g, seat, found, turning, busy_piles)


@inlined
def _notice(places: int, t: np.void, dice: NDArray[np.uint64], n: int) -> int:
    """Those of a mask of places whose cards it notices."""
    noticed = 0
    while places:
        if _happens(t["attention"], dice, n):
            noticed |= places & -places
        places &= places - 1
    return noticed


@compiled
def _choose_card(
    g: np.void,
    seat: int,
    t: np.void,
    noticed: int,
    closed: int,
    ties: NDArray[np.uint64],
    n: int,
    stack: NDArray[np.int64],
) -> int:
    """A card that is called for on the caller's pile, else what the policy plays of the others; -1 for none.

    What is called for and fits there is kept for it while that pile is busy.
    """
    left = noticed if t["heeds"] else 0
    while left:
        place = lowest(left)
        left &= left - 1
        caller = called_for(g, seat, signed(g["deck"][place]) >> 2)
        if caller >= 0 and fits(g["deck"][place], g["top"][caller], g["ring"]):
            if not closed >> caller & 1:
                return PLACES * caller + place
            noticed &= ~(1 << place)
    return choose_play(t["policy"], g, noticed, closed, ties, n, stack)


@inlined
def _say(g: np.void, seat: int, mind: np.void) -> int:
    """The call that stands for a wait, 0 for none: one true thing of each table, after the last call has faded."""
    if g["call"][seat] or g["phase"][seat] == DRAWING:
        return 0
    said = true_call(g, seat)
    mind["chatty"] = said == 0
    return said


@inlined
def _choose_alone(
    g: np.void, t: np.void, ties: NDArray[np.uint64], dice: NDArray[np.uint64], n: int, stack: NDArray[np.int64]
) -> int:
    """The action of one mind, which overlooks nothing once there is no card left to draw."""
    free, pile = free_places(signed(g["present"])), fuller_stock(g)
    play = _choose_card(g, 0, t, _notice(free, t, dice, n) if g["stock"][pile] else free, 0, ties, n, stack)
    stray = g["stock"][pile] > 0 and _happens(t["stray_draw"], dice, n)
    return PLACES * signed(g["seats"]) + pile if play < 0 or stray else play
