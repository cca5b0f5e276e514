"""Observations as inputs for a network: one-hot, with ranks relative to the own pile's top, and suits left out.

With the ring a position is the same whatever its ranks are called, and so are its inputs: adding a constant to all
ranks changes none of them. Without it the rank of the own top comes as well, from which all other ranks follow.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.actions import CALLS
from gipfelsturm.envs.rules.cards import CARDS, PLACES, RANKS
from gipfelsturm.envs.rules.observation import BASE, layout_of, named, observation_size
from gipfelsturm.envs.rules.record import PHASES
from gipfelsturm.envs.rules.settings import CALL_MS, Settings

Rows = NDArray[np.int8]  # (..., size)
Inputs = NDArray[np.float32]  # (..., width)
T = TypeVar("T", bound=np.generic)

RELATIVE = tuple(f"rank +{steps}" for steps in range(len(RANKS)))
"""How far a rank lies above the own top, counted round the ring."""
DURATIONS = ("pause", "reach", "carry", "draw")
MOST_ON_CLOCK = 8.0  # log2 of 256 s, somewhat more than the clock of any preset


class Encoder:
    """Turns observation rows into inputs; their number and meaning depend on piles and form of the game alone.

    Flags and one-hot inputs are 0 or 1, counts are parts of the most there can be, and durations are log2(1 + seconds),
    on the clock an eighth of it.

    Attributes:
        rows_size: how many int8 numbers an observation row has.
        width: how many inputs there are.
        names: what each of them means, (width,).
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._layout = layout_of(settings)
        self.rows_size = observation_size(settings)
        self.names = tuple(_table_names(settings.seats))
        if not settings.one_mind:
            self.names += tuple(_time_names(settings.seats))
        self.width = len(self.names)

    def __call__(self, rows: Rows) -> Inputs:
        """The inputs, a new array, of observations in any number of leading dimensions.

        Raises:
            ValueError: if the rows are not int8 or belong to another layout.
        """
        if rows.dtype != np.int8 or rows.shape[-1:] != (self.rows_size,):
            wanted = f"int8 of shape (..., {self.rows_size})"
            raise ValueError(f"rows must be {wanted}, not {rows.dtype} of shape {rows.shape}")
        fields = named(rows, self._layout)
        parts = _table_parts(fields, self._settings.ring)
        if not self._settings.one_mind:
            parts += _time_parts(fields, self._settings.clock_ms is not None)
        return np.concatenate(parts, axis=-1, dtype=np.float32)

    def rows_of(self, observation: Mapping[str, Rows]) -> Rows:
        """The rows of an environment's observation, one or a batch of them; raises KeyError if a field is missing."""
        return np.concatenate([observation[name] for name in self._layout], axis=-1)


def _table_names(piles: int) -> Iterable[str]:
    yield from _each("place", range(PLACES), (*RELATIVE, "face down", "gone"))
    yield from (f"unseen {rank}" for rank in RELATIVE)
    yield from _each("top", range(1, piles), RELATIVE)
    yield from (f"own top {rank}" for rank in RANKS)
    yield from (f"stock {pile}" for pile in range(piles))
    yield from ("streak", "longest streak", "piles", "cards dealt to a stock", "ring", "calls")


def _time_names(seats: int) -> Iterable[str]:
    yield from (f"own seat {seat}" for seat in range(seats))
    yield from ("clock", "part of the clock left", "seconds left", "seconds gone", "seconds a tick")
    yield from _each("hand", range(seats), PHASES)
    yield from _each("hand", range(seats), [f"place {place}" for place in range(PLACES)])
    yield from _each("hand", range(seats), RELATIVE)
    yield from _each("hand", range(seats), [f"pile {pile}" for pile in range(seats)])
    yield from (f"hand {hand} seconds left" for hand in range(seats))
    yield from _each("seat", range(seats), [f"needs {rank}" for rank in RELATIVE])
    yield from _each("seat", range(seats), [f"says {call}" for call in CALLS[len(RANKS) :]])
    yield from (f"seat {seat} call's age" for seat in range(seats))
    yield from _each("hand", range(seats), [f"seconds of {phase}" for phase in DURATIONS])


def _each(what: str, numbers: Iterable[int], details: Iterable[str]) -> Iterable[str]:
    return (f"{what} {number} {detail}" for number, detail in product(numbers, details))


def _table_parts(fields: dict[str, Rows], ring: bool) -> list[NDArray[np.generic]]:
    """What `_table_names` names, piece by piece, each (..., its inputs)."""
    top = _ranks(fields["tops"][..., :1])
    return [
        _join(_PLACE_INPUTS[top, fields["peaks"] + 1]),
        np.take_along_axis(fields["unseen"], (top + np.arange(len(RANKS))) % len(RANKS), axis=-1) / np.float32(4),
        _join(_RANK_INPUTS[_above(_ranks(fields["tops"][..., 1:]), top)]),
        _join(_RANK_INPUTS[top]) * np.float32(not ring),
        fields["stocks"] / np.float32(23),
        fields["streak"] / np.float32(PLACES),
        fields["rules"] / np.array([3, 24, 1, 1], np.float32),
    ]


def _time_parts(fields: dict[str, Rows], clock: bool) -> list[NDArray[np.generic]]:
    """What `_time_names` names, piece by piece, each (..., its inputs)."""
    top = _ranks(fields["tops"][..., :1])
    seats = fields["tops"].shape[-1]
    seconds = _number(fields["tick"]) / 1000  # of a tick
    call = fields["call"]
    needs = np.where((call >= 1) & (call <= len(RANKS)), _above(call - 1, top), -1)
    return [
        _one_hot(fields["seat"], seats),
        _clock(_number(fields["clock"]), _number(fields["elapsed"]), seconds, clock),
        _one_hot(fields["phase"], len(PHASES)),
        _one_hot(fields["place"], PLACES),
        _one_hot(_aimed_ranks(fields, top), len(RANKS)),
        _one_hot(fields["pile"], seats),
        np.log2(1 + fields["left"] * seconds),
        _one_hot(needs, len(RANKS)),
        _one_hot(call - (len(RANKS) + 1), len(CALLS) - len(RANKS)),
        _number(fields["age"].reshape(*call.shape, 2))[..., 0] * (seconds * 1000 / CALL_MS),
        np.log2(1 + fields["tempo"] * seconds),
    ]


def _ranks(cards: Rows) -> NDArray[np.int64]:
    """Ranks 0..12 of cards as observations write them."""
    return (cards.astype(np.int64) - 1 >> 2) % len(RANKS)


def _above(ranks: NDArray[np.integer], top: NDArray[np.int64]) -> NDArray[np.int64]:
    return (ranks - top) % len(RANKS)


def _aimed_ranks(fields: dict[str, Rows], top: NDArray[np.int64]) -> NDArray[np.int64]:
    """How far the card that each hand reaches for or holds lies above the own top, -1 if there is none any more."""
    place = fields["place"].astype(np.int64)
    card = np.take_along_axis(fields["peaks"], np.maximum(place, 0), axis=-1)
    return np.where((place >= 0) & (card > 0), _above(_ranks(card), top), -1)


def _clock(
    left: NDArray[np.int64], gone: NDArray[np.int64], seconds: NDArray[np.float64], clock: bool
) -> NDArray[np.float64]:
    """The five inputs of the clock, from ticks left and gone and the seconds of a tick, each (..., 1)."""
    share = left / np.maximum(left + gone, 1)
    times = [np.log2(1 + ticks * seconds) / MOST_ON_CLOCK for ticks in (left, gone)]
    return np.concatenate([np.full_like(share, clock), share, *times, np.log2(1 + seconds)], axis=-1)


def _number(digits: Rows) -> NDArray[np.int64]:
    """The number (..., 1) that digits (..., n) write."""
    value = np.zeros((*digits.shape[:-1], 1), np.int64)
    for place in range(digits.shape[-1]):
        value = value * BASE + digits[..., place : place + 1]
    return value


def _one_hot(values: NDArray[np.integer], count: int) -> NDArray[np.bool_]:
    """Inputs (..., n * count), `count` for each of n values (..., n); a value outside 0..count-1 sets none."""
    return _join(values[..., np.newaxis] == np.arange(count))


def _join(inputs: NDArray[T]) -> NDArray[T]:
    return inputs.reshape(*inputs.shape[:-2], inputs.shape[-2] * inputs.shape[-1])


def _place_inputs() -> NDArray[np.float32]:
    """The inputs of one place by rank of the own top (13) and content plus one: -1 gone, 0 face down, 1..52 a card."""
    table = np.zeros((len(RANKS), CARDS + 2, len(RANKS) + 2), np.float32)
    table[:, 0, len(RANKS) + 1] = 1
    table[:, 1, len(RANKS)] = 1
    for top, card in product(range(len(RANKS)), range(CARDS)):
        table[top, card + 2, (card // 4 - top) % len(RANKS)] = 1
    return table


_PLACE_INPUTS = _place_inputs()  # (tops, contents, inputs)
_RANK_INPUTS = np.eye(len(RANKS), dtype=np.float32)  # (ranks, inputs)
