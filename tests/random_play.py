"""Games at random: settings of every kind, and commands that now and then make no sense."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.rules.tempo import TEMPOS, Tempo

TICKS = (0.05, 0.1, 0.2, 0.33, 1.0)


def random_mind(dice: np.random.Generator, piles: int) -> Settings:
    stock = int(dice.integers(2, 24 // piles + 1))
    return one_mind(piles=piles, stock=stock, ring=bool(dice.integers(2)))


def random_table(dice: np.random.Generator, seats: int) -> Settings:
    return real_time(
        seats=seats,
        stock=int(dice.integers(2, 24 // seats + 1)),
        ring=bool(dice.integers(2)),
        calls=bool(dice.integers(2)),
        clock=None if dice.integers(2) else int(dice.integers(2, 120)),
        tick=float(dice.choice(TICKS)),
        tempo=[random_tempo(dice) for _ in range(seats)],
    )


def random_tempo(dice: np.random.Generator) -> Tempo:
    if dice.integers(2):
        return TEMPOS[str(dice.choice(list(TEMPOS)))]
    return Tempo(*(int(ms) for ms in dice.integers(0, 1500, 4)))


def every_form(seed: int, tables: int) -> Iterator[Settings]:
    """Random settings of one mind and of the real-time table with 1, 2 and 3 piles, `tables` of each."""
    dice = np.random.default_rng(seed)
    for _ in range(tables):
        for piles in (1, 2, 3):
            yield random_mind(dice, piles)
            yield random_table(dice, piles)


def begin(settings: Settings, games: int, first_deal: int = 0) -> GipfelsturmBatch:
    batch = GipfelsturmBatch(settings, games, autoreset="disabled")
    batch.set_deals(range(first_deal, first_deal + games))
    return batch


def commands(batch: GipfelsturmBatch, dice: np.random.Generator) -> NDArray[np.int64]:
    """One of the legal actions for each viewer, plays preferred a little; one time in four any action at all."""
    scores = dice.random(batch.masks.shape)
    scores[..., : PLACES * batch.settings.seats] += 0.3
    legal = np.where(batch.masks, scores, -1).argmax(axis=-1)
    anything = dice.integers(batch.actions, size=legal.shape)
    chosen: NDArray[np.int64] = np.where(dice.random(legal.shape) < 0.25, anything, legal)
    return chosen


def unseen_cards(game: np.void) -> list[int]:
    """Where in the deck the cards lie that nobody has seen: face down, in a stock, or aside (rules.md section 3)."""
    present, dealt = int(game["present"]), int(game["dealt"])
    down = [place for place in range(PLACES) if present >> place & 1 and covered(present, place)]
    for pile in range(int(game["seats"])):
        end = PLACES + (pile + 1) * dealt
        down += range(end - int(game["stock"][pile]), end)
    return down + list(range(PLACES + int(game["seats"]) * dealt, 52))


def covered(present: int, place: int) -> bool:
    """Whether a card still lies on this place, written from rules.md section 1."""
    if place < 3:
        covers = (3 + 2 * place, 4 + 2 * place)
    elif place < 9:
        peak, side = divmod(place - 3, 2)
        covers = (9 + 3 * peak + side, 10 + 3 * peak + side)
    else:
        covers = (place + 9, place + 10)
    return place < 18 and any(present >> cover & 1 for cover in covers)
