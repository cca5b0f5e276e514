"""How the weights of `counting` were found: the cross-entropy method on games won (Rubinstein 1999).

`python -m gipfelsturm.training.tune_counting` prints them anew, in some minutes a table.
"""

import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.compact import POSITION, TABLE, lay_deal, read_position
from gipfelsturm.agents.counting import FEATURES, SEVERAL_PILES, weights_for
from gipfelsturm.agents.playouts import TO_THE_END, play_out_counting
from gipfelsturm.envs.rules.deals import EVALUATION_DEALS
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import Settings, one_mind

GENERATIONS = 20
POPULATION = 40
ELITE = 8
GAMES = 40_000
SPREAD = 0.4
NARROWEST = 0.02

TUNED: dict[str, tuple[Settings, ...]] = {
    "one pile, no ring": (one_mind("tripeaks", ring=False),),
    "one pile, ring": (one_mind("tripeaks"),),
    "several piles, no ring": (one_mind("normal", ring=False), one_mind("expert")),
    "several piles, ring": (one_mind("normal"), one_mind("hard")),
}
"""Each set of weights, and the games that it was tuned on."""


@compiled
def wins(games: Games, weights: NDArray[np.float64], positions: NDArray[np.void], tables: NDArray[np.void]) -> float:
    """How many of some dealt games `counting` wins by these weights; the rest is room for one of each."""
    p, t = positions[0], tables[0]
    t["weights"][:] = weights
    won = 0.0
    for i in range(len(games)):
        read_position(games[i], p)
        lay_deal(games[i], t)
        won += play_out_counting(TO_THE_END, p, t, games[i]["tie_seed"])
    return won


def win_rate(games: Sequence[Games], weights: NDArray[np.float64]) -> float:
    """The mean of the win rates (0 to 1) over several settings' games."""
    positions, tables = np.zeros(1, POSITION), np.zeros(1, TABLE)
    return float(np.mean([wins(each, weights, positions, tables) / len(each) for each in games]))


def tune(
    settings: Sequence[Settings], seed: int, generations: int = GENERATIONS, games: int = GAMES
) -> NDArray[np.float64]:
    """Weights (features,), starting from those that stand; each generation is judged on deals of its own."""
    rng = np.random.default_rng(seed)
    mean = weights_for(settings[0].seats, settings[0].ring).copy()
    spread = np.full(len(FEATURES), SPREAD)
    if settings[0].seats == 1:
        spread[SEVERAL_PILES:] = 0
    for generation in range(generations):
        first = EVALUATION_DEALS + generation * games
        dealt = [deal_games(each, range(first, first + games)) for each in settings]
        tried = mean + rng.normal(size=(POPULATION, len(FEATURES))) * spread
        tried[0] = mean
        with ThreadPoolExecutor() as pool:
            rates = list(pool.map(win_rate, itertools.repeat(dealt), tried))
        best = tried[np.argsort(rates)[-ELITE:]]
        mean = best.mean(axis=0)
        spread = np.where(spread > 0, np.maximum(best.std(axis=0), NARROWEST), 0)
        print(f"generation {generation}: {100 * rates[0]:.2f} % before, {100 * max(rates):.2f} % at best", flush=True)
    return mean


def main() -> None:
    """Tune all sets."""
    for name, settings in TUNED.items():
        print(name, np.round(tune(settings, seed=0), 3).tolist(), flush=True)


if __name__ == "__main__":
    main()
