"""Random legal actions for whole batches, the same on every platform."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.chance import GOLDEN, TICK_STRIDE, below, mix
from gipfelsturm.envs.rules.jit import compiled, signed


class LegalSampler:
    """Draws uniformly among the legal actions, each row from a stream of its own."""

    def __init__(self, seed: int) -> None:
        self._seed = np.uint64(mix(np.uint64(seed)))
        self._drawn = np.uint64(0)

    def __call__(self, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One action (...,) for each mask (..., actions)."""
        rows = masks.reshape(-1, masks.shape[-1])
        actions = np.empty(len(rows), np.int64)
        _sample(rows, self._seed, self._drawn, actions)
        self._drawn += np.uint64(1)
        return actions.reshape(masks.shape[:-1])


@compiled
def _sample(masks: NDArray[np.int8], seed: np.uint64, drawn: np.uint64, actions: NDArray[np.int64]) -> None:
    """List the legal actions of each mask without a branch, which could mispredict, and take one."""
    legal = np.empty(masks.shape[1], np.int32)
    for i in range(len(masks)):
        row = masks[i]
        total = np.uint32(0)  # unsigned: no check for an index from the end
        for action in range(masks.shape[1]):
            legal[total] = action
            total = np.uint32(total + row[action])
        bits = mix(seed + drawn * GOLDEN + np.uint64(i) * TICK_STRIDE)
        actions[i] = legal[below(bits, signed(total))]
