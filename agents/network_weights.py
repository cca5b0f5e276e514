"""The weights of the network over afterstates: in whole numbers as they are kept and played with, and from a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.afterstate import FEATURES, MOST_ACTIVE
from gipfelsturm.agents.weights import Tensor, load_weights, read_description

MOST_WIDE, NARROW = 512, 32
"""Outputs of the first layer, which may be fewer, and of the second."""
KINDS = ("value", "rollout")
"""Of training that end with such weights."""
GREATEST = 8191
"""Of the first layer's weights in whole numbers: four add up within 16 bits."""


def tensors(wide: int) -> dict[str, Tensor]:
    """What a network with so many outputs of its first layer is made of."""
    return {
        "rows": Tensor((FEATURES, wide), "int16", GREATEST),
        "unit": Tensor((1,)),  # what 1 stands for in the rows
        "first_bias": Tensor((wide,)),
        "second": Tensor((wide, NARROW)),
        "second_bias": Tensor((NARROW,)),
        "last": Tensor((NARROW,)),
        "last_bias": Tensor((1,)),
    }


def in_whole_numbers(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Weights as `tensors` names them, of those whose `first` is (FEATURES, wide) of any numbers: it is rounded."""
    unit = np.abs(weights["first"]).max() / GREATEST or np.float32(1)
    rows = np.rint(weights["first"] / unit).astype(np.int16)
    others = {name: array for name, array in weights.items() if name != "first"}
    return {"rows": rows, "unit": np.array([unit], np.float32), **others}


def read_network(path: Path) -> dict[str, NDArray[Any]]:
    """The weights in a file.

    Raises:
        ValueError: for one that `gipfelsturm.agents.weights.load_weights` refuses, of another kind, or too great.
    """
    description = read_description(path)
    if description.kind not in KINDS:
        raise ValueError(f"{path} holds weights of the kind {description.kind!r}, not of 'value' or 'rollout'")
    wide = description.config.get("wide")
    if type(wide) is not int or not 1 <= wide <= MOST_WIDE:
        raise ValueError(f"{path} tells of a network {wide} wide, not of 1 to {MOST_WIDE}: it is of another version")
    weights = load_weights(path, tensors(wide))
    if not np.isfinite(_greatest_logit(weights)):
        raise ValueError(f"{path} has weights so great that sums of them are no numbers in 32 bits: train anew")
    return weights


def _greatest_logit(weights: Mapping[str, NDArray[Any]]) -> np.float32:
    """No logit is greater, nor any sum on the way to it: all as if nothing were negative."""
    w = {name: np.abs(array.astype(np.float32)) for name, array in weights.items()}
    with np.errstate(over="ignore", invalid="ignore"):
        wide = MOST_ACTIVE * w["rows"].max(axis=0) * w["unit"] + w["first_bias"]
        narrow = np.square(wide) @ w["second"] + w["second_bias"]
        logit: np.float32 = narrow @ w["last"] + w["last_bias"][0]
    return logit
