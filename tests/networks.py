"""Networks for tests: weights in floats, as a training has them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.afterstate import FEATURES
from gipfelsturm.agents.network_weights import MOST_WIDE, tensors

Weights = dict[str, NDArray[Any]]


def blank(wide: int = MOST_WIDE) -> Weights:
    """A network that thinks nothing of anything."""
    shapes = {name: tensor.shape for name, tensor in tensors(wide).items() if name not in ("rows", "unit")}
    return {name: np.zeros(shape, np.float32) for name, shape in {"first": (FEATURES, wide), **shapes}.items()}


def at_random(seed: int, wide: int = MOST_WIDE, deviation: float = 0.1) -> Weights:
    """One that thinks anything."""
    dice = np.random.default_rng(seed)
    return {name: dice.normal(0, deviation, array.shape).astype(np.float32) for name, array in blank(wide).items()}


def in_floats(weights: Weights) -> Weights:
    """What whole numbers stand for."""
    others = {name: array for name, array in weights.items() if name not in ("rows", "unit")}
    return {"first": weights["rows"] * weights["unit"], **others}
