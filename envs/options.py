"""Which deal a reset asks for, and what a TriPeaks environment is made with."""

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.checks import each_of, whole
from gipfelsturm.envs.rules.deals import deal_number, read_deck
from gipfelsturm.envs.rules.settings import DEFAULT_TICK_MS, Settings, TempoLike, one_mind, real_time
from gipfelsturm.envs.rules.tempo import DEFAULT_TEMPO

DEAL_OPTIONS = ("number", "id", "deck")
MOST_STEPS_UNTIMED = 200
MOST_TICKS_WITHOUT_CLOCK = 3000


def tripeaks_settings(
    preset: str,
    piles: int | None,
    stock: int | None,
    ring: bool | None,
    tempo: TempoLike | None,
    clock: float | None,
    tick: float | None,
) -> Settings:
    """The settings of one mind: untimed, or with one pile and a tempo or clock a hand of its own.

    With a tempo alone the clock is the preset's.

    Raises:
        ValueError: for a tempo, clock or tick with several piles, or a tick without either.
    """
    untimed = one_mind(preset, piles=piles, stock=stock, ring=ring)
    if tempo is None and clock is None:
        if tick is not None:
            raise ValueError("a tick needs a tempo or a clock: without time there are no ticks")
        return untimed
    if untimed.seats != 1:
        raise ValueError(f"one mind with {untimed.seats} piles plays without time: leave out tempo, clock and tick")
    return real_time(
        preset,
        seats=1,
        stock=untimed.stock,
        ring=untimed.ring,
        calls=False,
        clock="preset" if clock is None else clock,
        tick=DEFAULT_TICK_MS / 1000 if tick is None else tick,
        tempo=DEFAULT_TEMPO if tempo is None else tempo,
    )


def most_steps(settings: Settings) -> int:
    """After how many steps a running game is truncated, since refused actions and waits change nothing; 0 for never."""
    if settings.one_mind:
        return MOST_STEPS_UNTIMED
    return 0 if settings.clock_ticks else MOST_TICKS_WITHOUT_CLOCK


def deal_as_asked(batch: GipfelsturmBatch, options: dict[str, Any], chosen: NDArray[np.bool_] | None = None) -> bool:
    """Begin the deal that reset options name in the chosen games (games,), or in all; False if they name none.

    Its value is for every game, or a sequence with one for each.

    Raises:
        ValueError: for an unknown option, several deals at once, or a deal that cannot be read.
    """
    for option in options:
        if option not in DEAL_OPTIONS:
            hint = "did you mean id (text) or number?" if option == "deal" else f"use one of {', '.join(DEAL_OPTIONS)}"
            raise ValueError(f"unknown reset option {option!r}: {hint}")
    if len(options) > 1:
        raise ValueError(f"reset options name {len(options)} deals ({', '.join(options)}): name one")
    for option, value in options.items():
        if option == "deck":
            batch.set_decks(np.stack(_one_each(option, value, len(batch))), chosen=chosen)
        else:
            batch.set_deals(_one_each(option, value, len(batch)), chosen)
    return bool(options)


def _one_each(option: str, value: object, games: int) -> list[Any]:
    """What an option names, for each game."""
    read = _READ[option]
    if not _listed(value):
        return [read(value)] * games
    each = [read(one) for one in value]  # first, since a deck as codes has the wrong type and the wrong length
    if len(each) != games:
        raise ValueError(f"reset option {option} must be one for {each_of(games, 'game')}, not {len(each)}")
    return each


def _listed(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether something is one for each game, not one for all."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str)


def _id(value: object) -> int:
    if not isinstance(value, str):
        raise ValueError(f"deal ids are text, not {value!r}")
    return deal_number(value)


def _deck(value: object) -> NDArray[np.uint8]:
    if not isinstance(value, str):
        kind = type(value).__name__
        raise ValueError(f"decks are text, as gipfelsturm.envs.rules.deals.write_deck writes codes, not {kind}")
    return read_deck(value)


_READ: dict[str, Callable[[Any], Any]] = {
    "number": lambda value: whole("number", value),
    "id": _id,
    "deck": _deck,
}


def each_seed(seed: int | np.integer[Any] | Sequence[int | None] | NDArray[Any] | None, games: int) -> list[int | None]:
    """The seed of each game of a batch: the next ones after a single number, None where none is given.

    Raises:
        gymnasium.error.Error: for anything but whole numbers from 0.
        ValueError: for another number of seeds than of games.
    """
    if seed is None:
        return [None] * games
    if not _listed(seed):
        first = _seed(seed)
        return [first + i for i in range(games)]
    if len(seed) != games:
        raise ValueError(f"seeds must be one for {each_of(games, 'game')}, not {len(seed)}")
    return [None if one is None else _seed(one) for one in seed]


def _seed(seed: object) -> int:
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise gymnasium.error.Error(f"seeds must be whole numbers from 0, not {seed!r}")
    return int(seed)


def chosen_games(reset_mask: object, games: int) -> NDArray[np.bool_]:
    """A reset mask as bool (games,); all games for None.

    Raises:
        TypeError: for anything but a bool array.
        ValueError: for another shape, or a mask that chooses nothing.
    """
    if reset_mask is None:
        return np.ones(games, np.bool_)
    if not isinstance(reset_mask, np.ndarray) or reset_mask.dtype != np.bool_:
        raise TypeError(f"reset_mask must be a bool array, not {reset_mask!r}")
    if reset_mask.shape != (games,) or not reset_mask.any():
        raise ValueError(f"reset_mask must have shape ({games},) and choose a game, not {reset_mask!r}")
    return reset_mask
