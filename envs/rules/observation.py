"""What a seat sees: named fields over one int8 row, public information alone (rules.md section 3, "Who sees what").

Ego-centric: piles, stocks and hands are listed from the own seat to the left, `pile` fields count from the own pile.
Numbers over 127 are written in digits of base 128, the highest first. A card is `1 + 4 * (rank - 1) + suit`, with
ranks A=1 .. K=13 and suits in the order C, D, H, S. With n piles:

| field   | offset  | shape | range    | meaning                                                                   |
|---------|---------|-------|----------|---------------------------------------------------------------------------|
| peaks   | 0       | 28    | -1..52   | by place: the card if it is face up, 0 face down, -1 gone                 |
| unseen  | 28      | 13    | 0..4     | cards of each rank, A to K, that nobody has seen yet                      |
| streak  | 41      | 2     | 0..28    | cards placed since the last draw; the longest such run                    |
| rules   | 43      | 4     | 0..24    | piles; cards dealt to each stock; 1 with the ring; 1 with calls           |
| tops    | 47      | n     | 1..52    | top card of each pile                                                     |
| stocks  | 47+n    | n     | 0..23    | cards left in each stock                                                  |

The real-time table adds:

| field   | offset  | shape | range    | meaning                                                                   |
|---------|---------|-------|----------|---------------------------------------------------------------------------|
| seat    | 47+2n   | 1     | 0..2     | own seat                                                                  |
| clock   | 48+2n   | 3     | 0..127   | ticks left, in digits; 0 without a clock                                  |
| elapsed | 51+2n   | 3     | 0..127   | ticks gone, in digits                                                     |
| tick    | 54+2n   | 2     | 0..127   | milliseconds of a tick, in digits                                         |
| phase   | 56+2n   | n     | 0..5     | of each hand: free, reaching, carrying, returning, drawing, pausing       |
| place   | 56+3n   | n     | -1..27   | that it reaches for or came from, -1 if none                              |
| pile    | 56+4n   | n     | -1..2    | that it plays on, -1 if none                                              |
| left    | 56+5n   | n     | 0..127   | ticks to the end of its phase                                             |
| call    | 56+6n   | n     | 0..15    | last call of each seat: 0 none, 1..13 need A..K, 14 hold, 15 drawing      |
| age     | 56+7n   | 2n    | 0..127   | of each call in ticks, two digits each                                    |
| tempo   | 56+9n   | 4n    | 0..127   | of each hand, ticks of pause, reach, carry, draw                          |
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import inlined, signed
from gipfelsturm.envs.rules.record import CARRYING, MOST_SEATS, REACHING, RETURNING
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.rules.table import free_places

ONE_MIND_FIXED = 47
REAL_TIME_FIXED = 56
BASE = 128


class Field(NamedTuple):
    """One named slice of the observation row."""

    offset: int
    size: int
    low: int
    high: int

    @property
    def span(self) -> slice:
        """Where it lies in the last axis of an observation array."""
        return slice(self.offset, self.offset + self.size)


def fields(piles: int, one_mind: bool) -> dict[str, Field]:
    """The layout of an observation, field by field in the order of the row."""
    n = piles
    sizes = {
        "peaks": (28, -1, 52),
        "unseen": (13, 0, 4),
        "streak": (2, 0, 28),
        "rules": (4, 0, 24),
        "tops": (n, 1, 52),
        "stocks": (n, 0, 23),
    }
    if not one_mind:
        sizes |= {
            "seat": (1, 0, 2),
            "clock": (3, 0, 127),
            "elapsed": (3, 0, 127),
            "tick": (2, 0, 127),
            "phase": (n, 0, 5),
            "place": (n, -1, 27),
            "pile": (n, -1, 2),
            "left": (n, 0, 127),
            "call": (n, 0, 15),
            "age": (2 * n, 0, 127),
            "tempo": (4 * n, 0, 127),
        }
    layout, offset = {}, 0
    for name, (size, low, high) in sizes.items():
        layout[name] = Field(offset, size, low, high)
        offset += size
    return layout


def layout_of(settings: Settings) -> dict[str, Field]:
    """The layout that belongs to a game's settings."""
    return fields(settings.seats, settings.one_mind)


def observation_size(settings: Settings) -> int:
    """How many int8 numbers an observation has."""
    last = list(layout_of(settings).values())[-1]
    return last.offset + last.size


def named(rows: NDArray[np.int8], layout: dict[str, Field]) -> dict[str, NDArray[np.int8]]:
    """The fields of observation rows (..., size) as views (..., field size)."""
    return {name: rows[..., field.span] for name, field in layout.items()}


@inlined
def write_observation(g: np.void, seat: int, row: NDArray[np.int8]) -> None:
    """Write what a seat sees (one mind: seat 0) into a row of `observation_size` numbers."""
    present = signed(g["present"])
    free = free_places(present)
    for place in range(PLACES):
        card = signed(g["deck"][place]) + 1
        row[place] = card if free >> place & 1 else (present >> place & 1) - 1
    for rank in range(13):
        row[28 + rank] = g["unseen"][rank]
    row[41] = g["streak"]
    row[42] = g["longest"]
    seats = signed(g["seats"])
    row[43] = seats
    row[44] = g["dealt"]
    row[45] = g["ring"]
    row[46] = g["talk"]
    for k in range(MOST_SEATS):
        if k == seats:
            break
        pile = seat + k if seat + k < seats else seat + k - seats
        row[ONE_MIND_FIXED + k] = g["top"][pile] + 1
        row[ONE_MIND_FIXED + seats + k] = g["stock"][pile]
    if not g["one_mind"]:
        _write_time(g, seat, seats, row)
        for k in range(MOST_SEATS):
            if k == seats:
                break
            _write_hand(g, seat, k, seats, row)


@inlined
def _write_time(g: np.void, seat: int, seats: int, row: NDArray[np.int8]) -> None:
    at = ONE_MIND_FIXED + 2 * seats
    row[at] = seat
    elapsed = signed(g["tick"])
    left = signed(g["limit"]) - elapsed if g["limit"] else 0
    for digit in range(3):
        shift = 7 * (2 - digit)
        row[at + 1 + digit] = left >> shift & 127
        row[at + 4 + digit] = elapsed >> shift & 127
    row[at + 7] = g["tick_ms"] >> 7
    row[at + 8] = g["tick_ms"] & 127


@inlined
def _write_hand(g: np.void, seat: int, k: int, seats: int, row: NDArray[np.int8]) -> None:
    other = seat + k if seat + k < seats else seat + k - seats
    at = REAL_TIME_FIXED + 2 * seats + k
    phase = g["phase"][other]
    aimed = phase == REACHING or phase == CARRYING or phase == RETURNING
    away = signed(g["pile"][other]) - seat
    row[at] = phase
    row[at + seats] = g["place"][other] if aimed else -1
    row[at + 2 * seats] = (away if away >= 0 else away + seats) if aimed else -1
    row[at + 3 * seats] = g["left"][other]
    row[at + 4 * seats] = g["call"][other]
    ages = REAL_TIME_FIXED + 7 * seats + 2 * k
    row[ages] = g["age"][other] >> 7
    row[ages + 1] = g["age"][other] & 127
    tempos = REAL_TIME_FIXED + 9 * seats + 4 * k
    for duration in range(4):
        row[tempos + duration] = g["tempo"][other, duration]
