"""What a game is played with: presets, and every field free (rules.md sections 2 and 3)."""

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

import msgspec

from gipfelsturm.envs.rules.cards import CARDS, PLACES
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
        _check_table(self.seats, self.stock)
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


def _check_table(seats: int, stock: int) -> None:
    if seats not in (1, 2, 3):
        raise ValueError(f"seats must be 1, 2 or 3, not {seats!r}")
    most = (CARDS - PLACES) // seats
    if not isinstance(stock, int) or not 2 <= stock <= most:
        raise ValueError(f"stock must be 2 to {most} cards with {seats} seats (a deck has {CARDS}), not {stock!r}")


def _check_times(settings: Settings) -> None:
    if not 1 <= settings.tick_ms <= MOST_TICK_MS:
        raise ValueError(f"tick must be 1 to {MOST_TICK_MS} ms, not {settings.tick_ms} ms")
    if settings.clock_ms is not None and not 1 <= settings.clock_ticks <= MOST_CLOCK_TICKS:
        raise ValueError(f"clock must be positive and at most {MOST_CLOCK_TICKS} ticks, not {settings.clock_ms} ms")
    if len(settings.tempos) != settings.seats:
        raise ValueError(f"tempos must be one for each of {settings.seats} seats, not {len(settings.tempos)}")
    for seat, tempo in enumerate(settings.tempos):
        for phase, ms in msgspec.structs.asdict(tempo).items():
            if not 0 <= ticks(ms, settings.tick_ms) <= MOST_TICKS_A_PHASE:
                raise ValueError(f"{phase} of seat {seat} must be 0 to {MOST_TICKS_A_PHASE} ticks, not {ms} ms")


def milliseconds(name: str, seconds: float) -> int:
    """Seconds as whole milliseconds; raises ValueError if they are not whole."""
    ms = round(seconds * 1000) if isfinite(seconds) else 0
    if not abs(ms - seconds * 1000) <= 1e-6:
        raise ValueError(f"{name} must be whole milliseconds, not {seconds} s")
    return ms


def find_preset(name: str) -> Preset:
    """The preset of that name; raises ValueError that lists the names."""
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}: use one of {', '.join(PRESETS)}")
    return PRESETS[name]


def one_mind(
    preset: str = "tripeaks", *, piles: int | None = None, stock: int | None = None, ring: bool | None = None
) -> Settings:
    """A preset without time, one player moving for all piles (rules.md section 3, "One mind")."""
    base = find_preset(preset)
    seats = base.seats if piles is None else piles
    return Settings(
        seats=seats,
        stock=_stock(base, seats) if stock is None else stock,
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
    count = base.seats if seats is None else seats
    if isinstance(clock, str) and clock != "preset":
        raise ValueError(f"clock must be seconds, None or 'preset', not {clock!r}")
    return Settings(
        seats=count,
        stock=_stock(base, count) if stock is None else stock,
        ring=base.ring if ring is None else ring,
        one_mind=False,
        calls=calls,
        clock_ms=base.clock_ms if isinstance(clock, str) else None if clock is None else milliseconds("clock", clock),
        tick_ms=milliseconds("tick", tick),
        tempos=_tempos(tempo, count),
    )


def _stock(preset: Preset, seats: int) -> int:
    if seats not in (1, 2, 3):
        raise ValueError(f"seats must be 1, 2 or 3, not {seats!r}")
    return preset.stocks[seats - 1]


def _tempos(tempo: TempoLike | Sequence[TempoLike], seats: int) -> tuple[Tempo, ...]:
    each = [tempo] * seats if isinstance(tempo, str | Tempo) else list(tempo)
    return tuple(tempo_named(one) if isinstance(one, str) else one for one in each)
