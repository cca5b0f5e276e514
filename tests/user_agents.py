"""Agents of somebody else's, named as `user_agents:factory`."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.settings import Settings

NO_FACTORY = 3


class Seen(NamedTuple):
    """What an agent was told at its reset, and how its deals looked."""

    games: int
    seats: list[int]
    seed: int
    observations: NDArray[np.int8]  # (games, own seats, size)


SEEN: list[Seen] = []


class FirstLegal:
    """Takes the first action that its mask allows."""

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        self._told = (games, list(seats), seed)
        self._first = True

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[Any]:
        if self._first:
            SEEN.append(Seen(*self._told, observations.copy()))
        self._first = False
        return self.choose(masks)

    def choose(self, masks: NDArray[np.int8]) -> NDArray[Any]:
        return np.asarray(masks.argmax(axis=-1))


class Wrong(FirstLegal):
    """Takes an action that there is none of."""

    def choose(self, masks: NDArray[np.int8]) -> NDArray[Any]:
        return np.full(masks.shape[:2], masks.shape[2])


class Stubborn(FirstLegal):
    """Takes an action that its mask forbids."""

    def choose(self, masks: NDArray[np.int8]) -> NDArray[Any]:
        return np.asarray(masks.argmin(axis=-1))


class Vague(FirstLegal):
    """Answers in fractions."""

    def choose(self, masks: NDArray[np.int8]) -> NDArray[Any]:
        return np.asarray(masks.mean(axis=-1))


class Narrow(FirstLegal):
    """Takes the first legal action, in a narrow type and a strided array."""

    def choose(self, masks: NDArray[np.int8]) -> NDArray[Any]:
        return np.repeat(np.asarray(masks.argmax(axis=-1), np.uint8), 2, axis=0)[::2]


class Lister(FirstLegal):
    """Takes the first legal action, and answers in lists."""

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Any:  # noqa: ANN401  # the point
        return masks.argmax(axis=-1).tolist()


class Silent(FirstLegal):
    """Answers nothing."""

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Any:  # noqa: ANN401  # the point
        return None


class Flat(FirstLegal):
    """Answers for one seat only, and leaves the seats out."""

    def choose(self, masks: NDArray[np.int8]) -> NDArray[Any]:
        return np.asarray(masks.argmax(axis=-1)[:, 0])


class Forger(Stubborn):
    """Allows itself everything before it does what is forbidden."""

    def choose(self, masks: NDArray[np.int8]) -> NDArray[Any]:
        chosen = super().choose(masks)
        masks[:] = 1
        return chosen


class Idle(FirstLegal):
    """Waits, at a table for two."""

    def choose(self, masks: NDArray[np.int8]) -> NDArray[Any]:
        return np.full(masks.shape[:2], 58)


class Demanding(FirstLegal):
    """Cannot be made without telling it something."""

    def __init__(self, wish: str) -> None:
        self.wish = wish


class Mute:
    """Has not learned to act."""

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        pass
