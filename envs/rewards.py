"""Rewards by name, none of them negative.

`win` is 1 for a won game. `score` adds the stock left over the cards drawable at the start. `shaped` adds to `win` a
potential that rises from 0 to 1 over every game, won or lost, so that the best play stays the best for a learner that
discounts nothing (gamma 1). With a discount the rise is worth the more the sooner it comes, by a quick loss too.
"""

import numpy as np
from numpy.typing import NDArray

PARTS = ("win", "stock", "progress")
REWARDS = {"win": (1.0, 0.0, 0.0), "score": (1.0, 1.0, 0.0), "shaped": (1.0, 0.0, 1.0)}


def part_weights(reward: str) -> NDArray[np.float64]:
    """The weight (3,) of each of `PARTS`; raises ValueError for an unknown name."""
    if reward not in REWARDS:
        raise ValueError(f"unknown reward {reward!r}: use one of {', '.join(REWARDS)}")
    return np.array(REWARDS[reward])


def parts_of(reward: str) -> dict[str, int]:
    """The parts that a reward is the sum of, with their columns."""
    return {part: column for column, part in enumerate(PARTS) if REWARDS[reward][column]}
