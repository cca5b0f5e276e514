"""What a picture shows, read from an observation: so nothing that nobody has seen can be in it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.observation import BASE, layout_of, named, observation_size, write_observation
from gipfelsturm.envs.rules.record import CARRY, CARRYING, DRAW, DRAWING, PAUSE, PAUSING, REACH, REACHING, RETURNING
from gipfelsturm.envs.rules.settings import Settings

GONE, DOWN = -1, 0
"""What a place holds that shows no card."""
_DURATION = {REACHING: REACH, CARRYING: CARRY, RETURNING: CARRY, DRAWING: DRAW, PAUSING: PAUSE}

Fields = dict[str, list[int]]


class Hand(NamedTuple):
    """A seat's hand, and what the seat said last."""

    phase: int  # an index of `gipfelsturm.envs.rules.record.PHASES`
    place: int  # that it reaches for or came from, -1 if none
    pile: int  # that it plays on, counted to the left from the own one, -1 if none
    done: float  # how much of the phase is over, 0..1
    call: int  # 0 none, else 1 + an index of `gipfelsturm.envs.rules.actions.CALLS`


class Seat(NamedTuple):
    """A pile with its stock, and whose they are."""

    number: int  # in seat order
    top: int  # card code
    stock: int  # cards left
    hand: Hand | None  # one mind has none


class Scene(NamedTuple):
    """The table as one seat sees it."""

    peaks: tuple[int, ...]  # (28,) GONE, DOWN, or 1 + the code of a card that lies face up
    seats: tuple[Seat, ...]  # from the own one to the left
    seconds: int | None  # left on the clock, rounded up, or gone by without one; None for one mind
    clock_seconds: int  # on the clock at the start, 0 without one
    streak: int
    longest: int
    status: int  # an index of `gipfelsturm.envs.rules.record.STATUSES`


def scene_of_game(settings: Settings, game: np.void, seat: int = 0) -> Scene:
    """What a seat sees of a record; one mind is seat 0."""
    observation = np.zeros(observation_size(settings), np.int8)
    write_observation(game, seat, observation)
    return scene_of(settings, observation, int(game["status"]))


def scene_of(settings: Settings, observation: NDArray[np.int8], status: int) -> Scene:
    """What an observation (size,) tells; `status` is how the game stands, which everybody knows."""
    fields = {name: values.tolist() for name, values in named(observation, layout_of(settings)).items()}
    return Scene(
        peaks=tuple(fields["peaks"]),
        seats=tuple(_seat(fields, k, settings) for k in range(settings.seats)),
        seconds=None if settings.one_mind else _seconds(fields, settings),
        clock_seconds=-(-(settings.clock_ms or 0) // 1000),
        streak=fields["streak"][0],
        longest=fields["streak"][1],
        status=status,
    )


def _seat(fields: Fields, k: int, settings: Settings) -> Seat:
    """The one that is `k` to the left."""
    own = 0 if settings.one_mind else fields["seat"][0]
    return Seat(
        number=(own + k) % settings.seats,
        top=fields["tops"][k] - 1,
        stock=fields["stocks"][k],
        hand=None if settings.one_mind else _hand(fields, k),
    )


def _hand(fields: Fields, k: int) -> Hand:
    phase = fields["phase"][k]
    ticks = fields["tempo"][4 * k + _DURATION[phase]] if phase in _DURATION else 0
    done = 1 - fields["left"][k] / ticks if ticks else 0.0
    return Hand(phase, fields["place"][k], fields["pile"][k], done, fields["call"][k])


def _seconds(fields: Fields, settings: Settings) -> int:
    if settings.clock_ticks:
        return -(-_number(fields["clock"]) * settings.tick_ms // 1000)
    return _number(fields["elapsed"]) * settings.tick_ms // 1000


def _number(digits: Sequence[int]) -> int:
    number = 0
    for digit in digits:
        number = number * BASE + digit
    return number
