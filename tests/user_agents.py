"""Agents of somebody else's, named as `user_agents:factory`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.settings import Settings

NO_FACTORY = 3
SEEN: list[tuple[int, Sequence[int], int, NDArray[np.int8]]] = []  # games, seats, seed, and what the deals looked like


class FirstLegal:
    """Takes the first action that its mask allows."""

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        self._begun = (games, seats, seed)
        self._first = True

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        if self._first:
            SEEN.append((*self._begun, observations.copy()))
        self._first = False
        return masks.argmax(axis=-1)


class Wrong(FirstLegal):
    """Takes an action that there is none of."""

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        return np.full(masks.shape[:2], masks.shape[2])


class Stubborn(FirstLegal):
    """Takes an action that its mask forbids."""

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        return masks.argmin(axis=-1)
