"""The kernel against the twin, in lock-step, and whether everything that can happen did."""

from collections import Counter
from random import Random

import pytest

from lockstep import Pair
from lockstep_games import any_table, play_out, replay
from twin import WON

EVENTS = (
    "lost touch",
    "redirect at touch",
    "redirect at placement",
    "return",
    "draw under a carried card",
    "let-go reach",
    "same-place re-aim",
    "clock out with a card in hand",
    "stuck at a return",
    "win in the last tick",
    "tie order changed the outcome",
)


def games(rng: Random) -> list[Pair]:
    """A game; if it was won, the same again with a clock that its last tick runs out, or the tick before."""
    pair = Pair(any_table(rng))
    play_out(pair, rng)
    rules, ticks = pair.table.rules, pair.twin.ticks_gone
    if pair.twin.status != WON or rules.one_mind:
        return [pair]
    clocks = [ticks, ticks - 1] if ticks > 1 and rng.random() < 0.6 else [ticks]
    short = rng.randrange(rules.tick_ms)  # clocks are rounded up
    return [pair] + [replay(pair.table.with_clock(clock * rules.tick_ms - short), pair.played) for clock in clocks]


def compare(steps: int, seed: int) -> Counter[tuple[int, str]]:
    """Play so many ticks and commands, and count what happened by number of seats."""
    rng, happened, gone = Random(seed), Counter[tuple[int, str]](), 0
    while gone < steps:
        for pair in games(rng):
            gone += len(pair.played)
            happened.update({(pair.table.rules.seats, event): n for event, n in pair.twin.events.items()})
    return happened


def rare(happened: Counter[tuple[int, str]], least: int) -> dict[tuple[int, str], int]:
    """The events that two or three seats saw less often."""
    counts = {(seats, event): happened[seats, event] for seats in (2, 3) for event in EVENTS}
    return {key: count for key, count in counts.items() if count < least}


def test_kernel_and_twin_agree() -> None:
    assert not rare(compare(300_000, seed=1), least=1)


@pytest.mark.long
def test_kernel_and_twin_agree_for_long() -> None:
    assert not rare(compare(5_000_000, seed=2), least=1_000)
