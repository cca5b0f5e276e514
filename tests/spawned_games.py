"""Games that another process plays: a module of its own, since a spawned process imports what it runs."""

import random
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo

from gipfelsturm.envs import GipfelsturmBatch
from gipfelsturm.envs.rules.settings import real_time
from playing import legal


def fingerprint(seed: int) -> bytes:
    """Everything that three seeded games show, made by module and id as in a worker that imported nothing."""
    env = gymnasium.make("gipfelsturm.envs:gipfelsturm/TriPeaks-v0")
    rng = np.random.default_rng(seed)
    shown = b""
    for begin in (seed, None, None):
        observation, info = env.reset(seed=begin)
        done = False
        while not done:
            shown += b"".join(field.tobytes() for field in observation.values()) + info["action_mask"].tobytes()
            observation, _, terminated, truncated, info = env.step(legal(rng, info["action_mask"]))
            done = terminated or truncated
        shown += info["deal"].encode()
    return shown


def _batch(seed: int) -> Any:  # noqa: ANN401
    batch = GipfelsturmBatch(real_time(seats=3), 2)
    batch.seed([seed, seed + 1])
    batch.deal_all()
    return batch.observations


def _turns(seed: int) -> Any:  # noqa: ANN401
    env = pettingzoo.make("aec", "gipfelsturm/Gipfelsturm-v0")
    env.reset(seed=seed)
    return {agent: env.observe(agent) for agent in env.agents}


RESETS: dict[str, Callable[[int], Any]] = {
    "single": lambda seed: gymnasium.make("gipfelsturm/TriPeaks-v0", piles=2).reset(seed=seed),
    "vector": lambda seed: gymnasium.make_vec("gipfelsturm/TriPeaks-v0", num_envs=3).reset(seed=seed),
    "batch": _batch,
    "parallel": lambda seed: pettingzoo.make("parallel", "gipfelsturm/Gipfelsturm-v0").reset(seed=seed),
    "aec": _turns,
}
"""What each form of the games shows of a seed's first deal."""


def first_deals(seed: int) -> list[str]:
    """What every form shows, while others draw random numbers of their own."""
    shown = []
    for reset in RESETS.values():
        with np.printoptions(threshold=100_000):
            shown.append(repr(reset(seed)))
        random.random(), np.random.random(), hash(shown[-1])
    return shown
