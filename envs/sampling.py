"""Random legal actions for whole batches, the same on every platform."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.chance import GOLDEN, TICK_STRIDE, below, mix
from gipfelsturm.envs.rules.jit import compiled, signed


class LegalSampler:
    """Draws uniformly among the legal actions of each row."""

    def __init__(self, seed: int) -> None:
        self._stream = np.array([mix(np.uint64(seed % 2**64))], np.uint64)

    def __call__(self, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One action (...,) for each mask (..., actions).

        Raises:
            ValueError: for a mask that allows none, which no game has.
        """
        actions = np.empty(masks.shape[:-1], np.int64)
        row = _sample(masks.reshape(-1, masks.shape[-1]), self._stream, actions.reshape(-1))
        if row >= 0:
            raise ValueError(f"a mask must allow an action, and mask {row} allows none")
        return actions

    def one(self, mask: NDArray[np.int8]) -> int:
        """The same for the one mask (actions,) of a single game or seat, in less time."""
        action = _sample_one(mask, self._stream)
        if action == len(mask):
            raise ValueError("a mask must allow an action, and this one allows none")
        return action


@compiled
def _sample_one(mask: NDArray[np.int8], stream: NDArray[np.uint64]) -> int:
    stream[0] += GOLDEN
    nth = below(mix(stream[0]), signed(mask.sum()))
    for action in range(len(mask)):
        nth -= mask[action]
        if nth < 0:
            return action
    return len(mask)


@compiled
def _sample(masks: NDArray[np.int8], stream: NDArray[np.uint64], actions: NDArray[np.int64]) -> int:
    """List the legal actions of each mask without a branch, which could mispredict, and take one.

    Returns:
        The number of the first mask without a legal action, -1 if there is none.
    """
    stream[0] += GOLDEN
    legal = np.empty(masks.shape[1], np.int32)
    for i in range(len(masks)):
        row = masks[i]
        total = np.uint32(0)  # unsigned: no check for an index from the end
        for action in range(masks.shape[1]):
            legal[total] = action
            total = np.uint32(total + row[action])
        if total == 0:
            return i
        bits = mix(stream[0] + np.uint64(i) * TICK_STRIDE)
        actions[i] = legal[below(bits, signed(total))]
    return -1
