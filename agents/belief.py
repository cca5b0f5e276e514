"""From an observation back to a game: the one bridge, on which every player that thinks ahead stands.

The rebuilt record holds all that the observer can know (rules.md section 3, last paragraph). Cards that nobody has seen
are EMPTY, fit nothing, and stay in the counts of `unseen`. Given the same commands it gives the same observations as
the real game, until an unseen card turns up or, with several seats, the tie seed decides which of two hands is first:
nobody sees it, and here it is 0.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.cards import EMPTY, PLACES
from gipfelsturm.envs.rules.jit import compiled, inlined, signed
from gipfelsturm.envs.rules.moves import settle
from gipfelsturm.envs.rules.observation import ONE_MIND_FIXED, REAL_TIME_FIXED
from gipfelsturm.envs.rules.record import MOST_SEATS, RUNNING, Games, blank_games
from gipfelsturm.envs.rules.settings import Settings


def rebuild_game(settings: Settings, observation: NDArray[np.int8]) -> Games:
    """The game (an array of one) that an observation (size,) tells of, over if it shows an end."""
    games = blank_belief(settings)
    _rebuild_first(games, observation)
    return games


def blank_belief(settings: Settings) -> Games:
    """An array of one record for `rebuild` to write into, again and again."""
    games = blank_games(settings, 1)
    games["deck"] = EMPTY
    return games


@compiled
def _rebuild_first(games: Games, row: NDArray[np.int8]) -> None:
    rebuild(games[0], row)
    settle(games[0])


@inlined
def rebuild(g: np.void, row: NDArray[np.int8]) -> None:
    """Write the game that an observation (size,) tells of into a record from `blank_belief`, as one that is running.

    Players are asked only while it is, and looking for its end would cost them a tenth of their speed.
    """
    present = 0
    for place in range(PLACES):
        card = signed(row[place])
        g["deck"][place] = card - 1 if card > 0 else EMPTY
        present |= (1 if card >= 0 else 0) << place
    g["present"] = present
    for rank in range(13):
        g["unseen"][rank] = row[28 + rank]
    g["streak"] = row[41]
    g["longest"] = row[42]
    g["status"] = RUNNING
    seats = signed(g["seats"])
    seat = 0 if g["one_mind"] else signed(row[ONE_MIND_FIXED + 2 * seats])
    for k in range(MOST_SEATS):
        if k == seats:
            break
        pile = seat + k if seat + k < seats else seat + k - seats
        g["top"][pile] = row[ONE_MIND_FIXED + k] - 1
        g["stock"][pile] = row[ONE_MIND_FIXED + seats + k]
        if not g["one_mind"]:
            _rebuild_hand(g, row, seat, k, pile)
    if not g["one_mind"]:
        elapsed = ONE_MIND_FIXED + 2 * seats + 4
        g["tick"] = (signed(row[elapsed]) << 14) | (signed(row[elapsed + 1]) << 7) | signed(row[elapsed + 2])


@inlined
def _rebuild_hand(g: np.void, row: NDArray[np.int8], seat: int, k: int, other: int) -> None:
    seats = signed(g["seats"])
    at = REAL_TIME_FIXED + 2 * seats + k
    place = signed(row[at + seats])
    away = signed(row[at + 2 * seats])
    pile = seat + away if seat + away < seats else seat + away - seats
    g["phase"][other] = row[at]
    g["place"][other] = max(place, 0)
    g["pile"][other] = pile if place >= 0 else 0
    g["left"][other] = row[at + 3 * seats]
    g["call"][other] = row[at + 4 * seats]
    ages = REAL_TIME_FIXED + 7 * seats + 2 * k
    g["age"][other] = (signed(row[ages]) << 7) | signed(row[ages + 1])
