"""The scripted policies (rules.md section 5), compiled, on a game rebuilt from an observation.

All of them play while something fits and draw only when nothing does. Where a card fits several piles the first in seat
order takes it; the fuller stock draws, ties to the lower seat.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.chain import RANK_BITS, longest_chain
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.chance import GOLDEN, below, mix
from gipfelsturm.envs.rules.jit import compiled, count_bits, inlined, signed
from gipfelsturm.envs.rules.moves import fits
from gipfelsturm.envs.rules.table import LIES_ON_MASK, free_places, lowest

RANDOM, CAREFUL, UNCOVER, LOOKAHEAD = range(4)
CHAIN_WEIGHT, TURN_WEIGHT, TOPS_WEIGHT = 10.0, 11.0, 0.5


@inlined
def next_random(states: NDArray[np.uint64], i: int) -> np.uint64:
    """64 random bits from the i-th of many streams."""
    states[i] += GOLDEN
    return mix(states[i])


@inlined
def turned_up(present: int, place: int) -> int:
    """How many cards lie under this one alone."""
    left = present & ~(1 << place)
    return count_bits(free_places(left) & signed(LIES_ON_MASK[place]))


@inlined
def lies_on(place: int) -> int:
    """How many cards a card lies on; they are all still there."""
    return count_bits(signed(LIES_ON_MASK[place]))


@inlined
def fuller_stock(g: np.void) -> int:
    """The pile whose stock has the most cards, the lower seat among equals."""
    best = 0
    for pile in range(1, signed(g["seats"])):
        if g["stock"][pile] > g["stock"][best]:
            best = pile
    return best


@inlined
def pack_visible(g: np.void, free: int) -> int:
    """Counts of the visible ranks, packed for `longest_chain`."""
    visible = 0
    while free:
        visible += 1 << (RANK_BITS * (signed(g["deck"][lowest(free)]) >> 2))
        free &= free - 1
    return visible


@inlined
def pack_tops(g: np.void) -> int:
    """The ranks on top of the piles, packed for `longest_chain`."""
    tops = 0
    for pile in range(signed(g["seats"])):
        tops |= (signed(g["top"][pile]) >> 2) << (RANK_BITS * pile)
    return tops


@inlined
def tops_value(tops: int, piles: int) -> float:
    """0.5 for two tops one apart round the ring, -0.5 for two equal ones, over all pairs of packed tops."""
    value = 0.0
    for a in range(piles):
        for b in range(a):
            apart = abs((tops >> (RANK_BITS * a) & 15) - (tops >> (RANK_BITS * b) & 15))
            if apart == 0:
                value -= TOPS_WEIGHT
            elif apart == 1 or apart == 12:
                value += TOPS_WEIGHT
    return value


@compiled
def look_ahead(g: np.void, place: int, pile: int, visible: int, tops: int, stack: NDArray[np.int64]) -> float:
    """What `lookahead` thinks of a play: chain, cards turned up, cards lain on, and how the tops stand then."""
    rank = signed(g["deck"][place]) >> 2
    shift = RANK_BITS * pile
    after = tops & ~(15 << shift) | rank << shift
    left = visible - (1 << (RANK_BITS * rank))
    piles = signed(g["seats"])
    ring = signed(g["ring"])
    return (
        CHAIN_WEIGHT * longest_chain(left, after, piles, ring, stack)
        + TURN_WEIGHT * turned_up(signed(g["present"]), place)
        + lies_on(place)
        + tops_value(after, piles)
    )


@inlined
def value_of(
    policy: int, g: np.void, place: int, pile: int, visible: int, tops: int, stack: NDArray[np.int64]
) -> float:
    """What a policy thinks of playing a card on a pile; the best value is played."""
    if policy == CAREFUL:
        return lies_on(place)
    if policy == UNCOVER:
        return turned_up(signed(g["present"]), place)
    if policy == LOOKAHEAD:
        return look_ahead(g, place, pile, visible, tops, stack)
    return 0.0


@inlined
def first_pile(g: np.void, place: int, closed: int) -> int:
    """The first pile in seat order that a card fits and that is not closed, -1 if none."""
    for pile in range(signed(g["seats"])):
        if not closed >> pile & 1 and fits(g["deck"][place], g["top"][pile], g["ring"]):
            return pile
    return -1


@inlined
def choose_play(
    policy: int,
    g: np.void,
    free: int,
    closed: int,
    states: NDArray[np.uint64],
    i: int,
    stack: NDArray[np.int64],
) -> int:
    """The best play as `28 * pile + place`, in seat order, -1 if nothing fits.

    Among equals `careful` takes the lowest place, the others throw the dice of stream i.

    Args:
        free: mask of the places that may be played.
        closed: mask of the piles that may not be played on.
    """
    visible, tops = 0, 0
    if policy == LOOKAHEAD:
        visible, tops = pack_visible(g, free), pack_tops(g)
    chosen, best, equals = -1, -np.inf, 0
    while free:
        place = lowest(free)
        free &= free - 1
        pile = first_pile(g, place, closed)
        if pile < 0:
            continue
        value = value_of(policy, g, place, pile, visible, tops, stack)
        equals = 1 if value > best else equals + (value == best)
        if value > best or (value == best and policy != CAREFUL and below(next_random(states, i), equals) == 0):
            chosen = PLACES * pile + place
            best = value
    return chosen


@inlined
def choose(policy: int, g: np.void, states: NDArray[np.uint64], i: int, stack: NDArray[np.int64]) -> int:
    """The action of one mind: the best play, or a draw from the fuller stock where nothing fits."""
    play = choose_play(policy, g, free_places(signed(g["present"])), 0, states, i, stack)
    return play if play >= 0 else PLACES * signed(g["seats"]) + fuller_stock(g)
