"""Ways to play TriPeaks in tests, and decks that are made to be won or lost."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.cards import CARDS, EMPTY, PLACES, card_text
from gipfelsturm.envs.tripeaks import TriPeaksEnv

Step = tuple[dict[str, NDArray[np.int8]], float, bool, bool, dict[str, Any]]
# From the base row up: each card is free once those before it are gone.
ORDER = (*range(18, 28), *range(9, 18), *range(3, 9), *range(3))


def legal(rng: np.random.Generator, mask: NDArray[np.int8]) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def legal_each(rng: np.random.Generator, masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """One legal action for each row of masks (games, actions)."""
    return np.asarray((masks * (1 + rng.random(masks.shape))).argmax(-1), np.int64)


def play(env: TriPeaksEnv, actions: Sequence[int]) -> list[Step]:
    return [env.step(action) for action in actions]


def play_out(env: TriPeaksEnv, seed: int) -> list[Step]:
    """A whole game with random legal actions."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    steps = [env.step(legal(rng, info["action_mask"]))]
    while not (steps[-1][2] or steps[-1][3]):
        steps.append(env.step(legal(rng, steps[-1][4]["action_mask"])))
    return steps


def zigzag(length: int) -> list[int]:
    """Ranks that go up to the king and down to the ace and up again, each one apart from the last without the ring."""
    return [i % 24 if i % 24 < 13 else 24 - i % 24 for i in range(length)]


def deck_text(peaks: Sequence[int], stock: Sequence[int]) -> str:
    """A deck of the given ranks 0..12: peak cards in `ORDER`, then stock cards from the top; the others anyhow."""
    left = list(range(CARDS))
    deck = [EMPTY] * CARDS
    spots = [*ORDER[: len(peaks)], *range(PLACES, PLACES + len(stock))]
    for spot, rank in zip(spots, [*peaks, *stock], strict=True):
        deck[spot] = next(code for code in left if code >> 2 == rank)
        left.remove(deck[spot])
    rest = iter(left)
    return " ".join(card_text(next(rest) if code == EMPTY else code) for code in deck)


WON = deck_text(zigzag(29)[1:], zigzag(1))
"""Won by playing in `ORDER`, with or without the ring, whatever the stock."""

# Aces, twos and threes in the base row; nothing in the stock of 24 is near them, its last card an eight.
LOST = deck_text(
    [0] * 4 + [1] * 4 + [2] * 2, [9, 9, 9, 9, 8, 8, 8, 8, 10, 10, 10, 10, 6, 6, 6, 6, 5, 5, 5, 5, 7, 7, 7, 7]
)
"""Lost by drawing to the end, for nothing ever fits."""
