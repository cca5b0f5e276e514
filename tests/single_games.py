"""One game in an environment of its own, told in the same arrays by seat for one mind and for the real-time table."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs import GipfelsturmEnv, TriPeaksEnv
from gipfelsturm.envs.encoder import Encoder
from gipfelsturm.envs.gipfelsturm import View


class Told(NamedTuple):
    """What an environment tells its seats."""

    rows: NDArray[np.int8]  # (seats, size)
    masks: NDArray[np.int8]  # (seats, actions)
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    infos: Sequence[dict[str, Any]] = ()  # of each seat

    @property
    def over(self) -> bool:
        return self.terminated or self.truncated


class Single(Protocol):
    def reset(self, seed: int | None = None) -> Told: ...

    def step(self, actions: Sequence[int]) -> Told: ...


class SingleMind:
    def __init__(self, env: TriPeaksEnv) -> None:
        self._env = env
        self._rows_of = Encoder(env.settings).rows_of

    def reset(self, seed: int | None = None) -> Told:
        observation, info = self._env.reset(seed=seed)
        return Told(self._rows_of(observation)[np.newaxis], info["action_mask"][np.newaxis])

    def step(self, actions: Sequence[int]) -> Told:
        (action,) = actions
        observation, reward, terminated, truncated, info = self._env.step(action)
        rows, masks = self._rows_of(observation)[np.newaxis], info["action_mask"][np.newaxis]
        return Told(rows, masks, reward, terminated, truncated, [info])


class SingleTable:
    def __init__(self, env: GipfelsturmEnv) -> None:
        self._env = env
        self._rows_of = Encoder(env.settings).rows_of

    def reset(self, seed: int | None = None) -> Told:
        return Told(*self._arrays(self._env.reset(seed=seed)[0]))

    def step(self, actions: Sequence[int]) -> Told:
        chosen = dict(zip(self._env.possible_agents, actions, strict=True))
        views, rewards, terminated, truncated, infos = self._env.step(chosen)
        (reward,) = set(rewards.values())  # the seats share it, and the end
        (ended,), (cut,) = set(terminated.values()), set(truncated.values())
        return Told(*self._arrays(views), reward, ended, cut, list(infos.values()))

    def _arrays(self, views: dict[str, View]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        rows = [self._rows_of(views[seat]["observation"]) for seat in self._env.possible_agents]
        return np.stack(rows), np.stack([views[seat]["action_mask"] for seat in self._env.possible_agents])
