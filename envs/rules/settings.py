"""What a game is played with: presets, and every field free (rules.md sections 2 and 3)."""

from collections.abc import Sequence
from math import isclose
from typing import NamedTuple

import msgspec
import numpy as np

from gipfelsturm.envs.rules.cards import CARDS, PLACES
from gipfelsturm.envs.rules.checks import counted, each_of, flag, whole
from gipfelsturm.envs.rules.tempo import DEFAULT_TEMPO, Tempo, tempo_named

DEFAULT_TICK_MS = 200
MOST_TICKS_A_PHASE = 127
MOST_CLOCK_TICKS = 128**3 - 1  # three digits of the observation
MOST_TICK_MS = 128**2 - 1  # two digits of the observation
CALL_MS = 3000
TempoLike = str | Tempo


class Preset(NamedTuple):
    """A named game: default seats, cards dealt to each stock by number of seats, clock in ms, ring."""

    seats: int
    stocks: tuple[int, int, int]
    clock_ms: int | None
    ring: bool


# `expert` is named in the source, its table lost; `easy`, `blitz` and every one-seat stock but `tripeaks`' are our own.
PRESETS = {
    "tripeaks": Preset(1, (24, 12, 8), None, True),
    "normal": Preset(2, (24, 12, 8), 180_000, True),
    "hard": Preset(2, (20, 10, 6), 120_000, True),
    "expert": Preset(2, (20, 10, 6), 120_000, False),
    "easy": Preset(2, (24, 12, 8), 240_000, True),
    "blitz": Preset(2, (24, 12, 8), 36_000, True),
}


def ticks(ms: int, tick_ms: int) -> int:
    """Milliseconds rounded up to whole ticks, in integers."""
    return -(-ms // tick_ms)


class Settings(msgspec.Struct, frozen=True):
    """Everything about a game that everybody knows. `one_mind` is the untimed form for one player with `seats` piles.

    Raises:
        ValueError: for an impossible game; the sentence names the field and what would be right.
    """

    seats: int
    stock: int  # cards dealt to each stock
    ring: bool
    one_mind: bool
    calls: bool
    clock_ms: int | None
    tick_ms: int
    tempos: tuple[Tempo, ...]  # (seats,)

    def __post_init__(self) -> None:
        _make_plain(self)
        _check_table(self)
        if self.one_mind and (self.clock_ms is not None or self.calls):
            raise ValueError("one mind plays without a clock and without calls: leave both out")
        _check_times(self)

    @property
    def clock_ticks(self) -> int:
        """Ticks on the clock; 0 without a clock."""
        return 0 if self.clock_ms is None else ticks(self.clock_ms, self.tick_ms)

    @property
    def call_ticks(self) -> int:
        """How many ticks a call can be seen."""
        return ticks(CALL_MS, self.tick_ms)

    @property
    def draws(self) -> int:
        """Cards that can be drawn at the start, over all stocks."""
        return self.seats * (self.stock - 1)


def _make_plain(settings: Settings) -> None:
    """Keep numbers and flags of every type, NumPy's too, as int and bool, so that equal settings are the same bytes."""
    for name in ("ring", "one_mind", "calls"):
        msgspec.structs.force_setattr(settings, name, flag(name, getattr(settings, name)))
    for name in ("seats", "stock", "tick_ms", "clock_ms"):
        value = getattr(settings, name)
        if name != "clock_ms" or value is not None:
            msgspec.structs.force_setattr(settings, name, whole(name, value))


def _check_table(settings: Settings) -> None:
    kind = "pile" if settings.one_mind else "seat"
    seats = _one_to_three(f"{kind}s", settings.seats)
    most = (CARDS - PLACES) // seats
    if not 2 <= settings.stock <= most:
        limit = f"2 to {most} cards with {counted(seats, kind)} (a deck has {CARDS})"
        raise ValueError(f"stock must be {limit}, not {settings.stock}")


def _one_to_three(name: str, value: object) -> int:
    count = whole(name, value)
    if count not in (1, 2, 3):
        raise ValueError(f"{name} must be 1, 2 or 3, not {count}")
    return count


def _check_times(settings: Settings) -> None:
    if not 1 <= settings.tick_ms <= MOST_TICK_MS:
        raise ValueError(f"tick must be 1 to {MOST_TICK_MS} ms, not {settings.tick_ms} ms")
    if settings.clock_ms is not None and not 1 <= settings.clock_ticks <= MOST_CLOCK_TICKS:
        raise ValueError(f"clock must be positive and at most {MOST_CLOCK_TICKS} ticks, not {settings.clock_ms} ms")
    if len(settings.tempos) != settings.seats:
        raise ValueError(f"tempos must be one for {each_of(settings.seats, 'seat')}, not {len(settings.tempos)}")
    for seat, tempo in enumerate(settings.tempos):
        for phase, ms in msgspec.structs.asdict(tempo).items():
            if ticks(ms, settings.tick_ms) > MOST_TICKS_A_PHASE:
                raise ValueError(f"{phase} of seat {seat} must be 0 to {MOST_TICKS_A_PHASE} ticks, not {ms} ms")


def milliseconds(name: str, seconds: float) -> int:
    """Seconds as whole milliseconds; raises ValueError if they are not whole, or no number."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float | np.integer | np.floating):
        raise ValueError(f"{name} must be seconds, not {seconds!r}")
    exact = float(seconds * 1000.0) if abs(seconds) < 1e12 else 0.5  # beyond, floats are no longer exact to 1 ms
    ms = round(exact)
    if not isclose(ms, exact, rel_tol=1e-15, abs_tol=1e-6):
        raise ValueError(f"{name} must be whole milliseconds, not {seconds} s")
    return ms


def find_preset(name: str) -> Preset:
    """The preset of that name; raises ValueError that lists the names."""
    if not isinstance(name, str) or name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}: use one of {', '.join(PRESETS)}")
    return PRESETS[name]


def one_mind(
    preset: str = "tripeaks", *, piles: int | None = None, stock: int | None = None, ring: bool | None = None
) -> Settings:
    """A preset without time, one player moving for all piles (rules.md section 3, "One mind")."""
    base = find_preset(preset)
    seats = base.seats if piles is None else _one_to_three("piles", piles)
    return Settings(
        seats=seats,
        stock=base.stocks[seats - 1] if stock is None else stock,
        ring=base.ring if ring is None else ring,
        one_mind=True,
        calls=False,
        clock_ms=None,
        tick_ms=DEFAULT_TICK_MS,
        tempos=(tempo_named("instant"),) * seats,
    )


def real_time(
    preset: str = "normal",
    *,
    seats: int | None = None,
    stock: int | None = None,
    ring: bool | None = None,
    calls: bool = True,
    clock: float | None | str = "preset",
    tick: float = DEFAULT_TICK_MS / 1000,
    tempo: TempoLike | Sequence[TempoLike] = DEFAULT_TEMPO,
) -> Settings:
    """A preset at the real-time table.

    Args:
        clock: seconds, None for no clock, or "preset" for the preset's own.
        tick: seconds.
        tempo: a name or a `Tempo` for every seat, or one for each.
    """
    base = find_preset(preset)
    count = base.seats if seats is None else _one_to_three("seats", seats)
    return Settings(
        seats=count,
        stock=base.stocks[count - 1] if stock is None else stock,
        ring=base.ring if ring is None else ring,
        one_mind=False,
        calls=calls,
        clock_ms=_clock_ms(clock, base),
        tick_ms=milliseconds("tick", tick),
        tempos=_tempos(tempo, count),
    )


def _clock_ms(clock: float | None | str, preset: Preset) -> int | None:
    if isinstance(clock, str):
        if clock != "preset":
            raise ValueError(f"clock must be seconds, None or 'preset', not {clock!r}")
        return preset.clock_ms
    return None if clock is None else milliseconds("clock", clock)


def _tempos(tempo: TempoLike | Sequence[TempoLike], seats: int) -> tuple[Tempo, ...]:
    if isinstance(tempo, str | Tempo) or not isinstance(tempo, Sequence):
        return (_one_tempo(tempo),) * seats
    return tuple(map(_one_tempo, tempo))


def _one_tempo(tempo: object) -> Tempo:
    if isinstance(tempo, Tempo):
        return tempo
    if not isinstance(tempo, str):
        raise ValueError(f"a tempo must be a name, pause/reach/carry/draw in ms or a Tempo, not {tempo!r}")
    return tempo_named(tempo)
