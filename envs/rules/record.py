"""One game is one record: its dtype, and how a deal becomes one (rules.md sections 1 and 2).

A batch is a 1-D array of records. Cloning is an assignment; `tobytes` and `np.frombuffer(..., GAME)` save and restore a
game exactly, in the middle of an action too.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.cards import CARDS, PLACES
from gipfelsturm.envs.rules.deals import deal, tie_seed
from gipfelsturm.envs.rules.jit import compiled, inlined, signed
from gipfelsturm.envs.rules.settings import Settings, ticks
from gipfelsturm.envs.rules.table import FULL

Games = NDArray[np.void]  # (games,) of GAME

MOST_SEATS = 3
"""Hot loops over the seats run to this and break: a loop of open length would be compiled to vectors, whose preamble
costs more than three seats do."""

GAME = np.dtype(
    [
        ("tie_seed", np.uint64),
        ("present", np.uint32),  # mask of the places whose card is not yet on a pile
        ("tick", np.uint32),  # ticks gone; stays 0 for one mind
        ("limit", np.uint32),  # ticks on the clock, 0 without one
        ("tick_ms", np.uint16),
        ("call_ticks", np.uint16),  # how long a call can be seen
        ("age", np.uint16, (3,)),  # of each seat's call, in ticks
        ("missed", np.uint16),  # touches that found no card to play, so far
        ("returned", np.uint16),  # cards that went back, so far
        ("deck", np.uint8, (52,)),  # in drawing order
        ("unseen", np.uint8, (13,)),  # cards of each rank that nobody has seen; kept, since counting is slow
        ("top", np.uint8, (3,)),  # of each pile
        ("stock", np.uint8, (3,)),  # cards left, the one being drawn included
        ("call", np.uint8, (3,)),  # 0 none, 1..15
        ("phase", np.uint8, (3,)),
        ("place", np.uint8, (3,)),  # that a hand reaches for or came from
        ("pile", np.uint8, (3,)),  # that it plays on
        ("left", np.uint8, (3,)),  # ticks to the end of the phase
        ("tempo", np.uint8, (3, 4)),  # ticks: pause, reach, carry, draw
        ("seats", np.uint8),
        ("dealt", np.uint8),  # cards dealt to each stock
        ("ring", np.uint8),
        ("talk", np.uint8),
        ("one_mind", np.uint8),
        ("status", np.uint8),
        ("streak", np.uint8),
        ("longest", np.uint8),
    ]
)

# Phases of a hand.
FREE, REACHING, CARRYING, RETURNING, DRAWING, PAUSING = range(6)
PHASES = ("free", "reaching", "carrying", "returning", "drawing", "pausing")
# Columns of `tempo`.
PAUSE, REACH, CARRY, DRAW = range(4)
# Status of a game.
RUNNING, WON, TIME_OUT, STUCK = range(4)
STATUSES = ("running", "won", "lost by the clock", "lost: nothing fits")


def blank_games(settings: Settings, games: int) -> Games:
    """Records that hold the settings and no deal yet."""
    records = np.zeros(games, GAME)
    records["seats"] = settings.seats
    records["dealt"] = settings.stock
    records["ring"] = settings.ring
    records["talk"] = settings.calls
    records["one_mind"] = settings.one_mind
    records["limit"] = settings.clock_ticks
    records["tick_ms"] = settings.tick_ms
    records["call_ticks"] = settings.call_ticks
    for seat, tempo in enumerate(settings.tempos):
        phases = (tempo.pause, tempo.reach, tempo.carry, tempo.draw)
        records["tempo"][:, seat] = [ticks(ms, settings.tick_ms) for ms in phases]
    return records


def deal_games(settings: Settings, numbers: Iterable[int]) -> Games:
    """A game of each numbered deal, ready to start."""
    deals = np.fromiter(numbers, np.uint64)
    games = blank_games(settings, len(deals))
    start_all(games, deals)
    return games


def deck_game(settings: Settings, deck: NDArray[np.uint8], tie_seed: int = 0) -> Games:
    """One game (an array of one) of a deck in drawing order."""
    games = blank_games(settings, 1)
    games["deck"] = deck
    games["tie_seed"] = tie_seed
    lay_out_all(games)
    return games


@compiled
def start(g: np.void, number: np.uint64) -> None:
    """Deal a number into a record that holds settings."""
    deal(number, g["seats"], g["dealt"], g["deck"])
    g["tie_seed"] = tie_seed(number)
    lay_out(g)


@compiled
def lay_out(g: np.void) -> None:
    """Begin the game of the deck that the record holds."""
    g["present"] = FULL
    g["tick"] = 0
    g["missed"] = 0
    g["returned"] = 0
    g["status"] = RUNNING
    g["streak"] = 0
    g["longest"] = 0
    g["unseen"][:] = 4
    for seat in range(3):
        g["phase"][seat] = FREE
        g["place"][seat] = 0
        g["pile"][seat] = 0
        g["left"][seat] = 0
        g["call"][seat] = 0
        g["age"][seat] = 0
    for place in range(18, PLACES):  # the base row, face up from the start
        see_card(g, g["deck"][place], 1)
    for pile in range(MOST_SEATS):
        if pile == g["seats"]:
            break
        g["top"][pile] = g["deck"][PLACES + pile * g["dealt"]]
        g["stock"][pile] = g["dealt"] - 1
        see_card(g, g["top"][pile], 1)


@inlined
def see_card(g: np.void, card: int, turned: int) -> None:
    """Count a card as seen if it is `turned` (1, else 0); an unknown one, of a rebuilt table, stays uncounted.

    Without a branch: whether a card turns up is what a processor cannot foresee.
    """
    known = card < CARDS
    rank = signed(card) >> 2 if known else 0
    g["unseen"][rank] -= turned if known else 0


@compiled
def start_all(games: Games, numbers: NDArray[np.uint64]) -> None:
    """`start` for each record and number."""
    for i in range(len(games)):
        start(games[i], numbers[i])


@compiled
def lay_out_all(games: Games) -> None:
    """`lay_out` for each record."""
    for i in range(len(games)):
        lay_out(games[i])
