"""Which deal a reset asks for, and what a TriPeaks environment is made with."""

from typing import Any

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.deals import deal_number, read_deck
from gipfelsturm.envs.rules.settings import DEFAULT_TEMPO, DEFAULT_TICK_MS, Settings, TempoLike, one_mind, real_time

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
        clock=clock,
        tick=DEFAULT_TICK_MS / 1000 if tick is None else tick,
        tempo=DEFAULT_TEMPO if tempo is None else tempo,
    )


def most_steps(settings: Settings) -> int:
    """After how many steps a running game is truncated, since refused actions and waits change nothing; 0 for never."""
    if settings.one_mind:
        return MOST_STEPS_UNTIMED
    return 0 if settings.clock_ticks else MOST_TICKS_WITHOUT_CLOCK


def deal_as_asked(batch: GipfelsturmBatch, options: dict[str, Any]) -> bool:
    """Begin the deal that reset options name in every game; False if they name none.

    Raises:
        ValueError: for an unknown option, several deals at once, or a deal that cannot be read.
    """
    for option in options:
        if option not in DEAL_OPTIONS:
            raise ValueError(f"unknown reset option {option!r}: use one of {', '.join(DEAL_OPTIONS)}")
    if len(options) > 1:
        raise ValueError(f"reset options name {len(options)} deals ({', '.join(options)}): name one")
    if "deck" in options:
        batch.set_deck(read_deck(options["deck"]))
    elif options:
        number = options["number"] if "number" in options else deal_number(options["id"])
        batch.set_deals([number] * len(batch))
    return bool(options)
