"""Real-time tables under PettingZoo, of several forms, and ways to play them to the end."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pettingzoo

from gipfelsturm.envs import GipfelsturmEnv
from gipfelsturm.envs.gipfelsturm import Step, View
from playing import ORDER, legal

ID = "gipfelsturm/Gipfelsturm-v0"
FORMS: list[dict[str, Any]] = [
    {},
    {"preset": "hard", "calls": False, "reward": "score"},
    {"seats": 3, "tempo": ["brisk", "steady", "person"], "clock": 60, "reward": "shaped"},
    {"seats": 1, "tempo": "instant", "clock": None},
    {"preset": "blitz", "advance": "decision", "reward": "shaped"},
    {"seats": 3, "tempo": "slow", "clock": None, "advance": "decision", "calls": False},
]


def parallel(**settings: Any) -> GipfelsturmEnv:  # noqa: ANN401
    env = pettingzoo.make("parallel", ID, **settings)
    assert isinstance(env, GipfelsturmEnv)
    return env


def aec(**settings: Any) -> pettingzoo.AECEnv:  # noqa: ANN401
    return pettingzoo.make("aec", ID, **settings)


def given(deck: str, **settings: Any) -> GipfelsturmEnv:  # noqa: ANN401
    env = parallel(**settings)
    env.reset(options={"deck": deck})
    return env


def anything(rng: np.random.Generator, view: View) -> int:
    """A legal action, or one time in four any at all."""
    mask = view["action_mask"]
    return legal(rng, mask if rng.random() < 0.75 else np.ones_like(mask))


def chosen(rng: np.random.Generator, views: Mapping[str, View]) -> dict[str, int]:
    return {agent: anything(rng, view) for agent, view in views.items()}


def play_out(env: GipfelsturmEnv, seed: int) -> list[Step]:
    rng = np.random.default_rng(seed)
    views, _ = env.reset(seed=seed)
    steps: list[Step] = []
    while env.agents:
        steps.append(env.step(chosen(rng, views)))
        views = steps[-1][0]
    return steps


def wait_out(env: GipfelsturmEnv) -> list[Step]:
    steps = []
    while env.agents:
        steps.append(env.step({}))
    return steps


def put_down(env: GipfelsturmEnv, gone: int, **fields: list[int]) -> None:
    """Take the first cards of `ORDER` away, and set fields of the first seats."""
    game = env._batch.games[0]
    game["present"] = sum(1 << place for place in ORDER[gone:])
    for name, value in fields.items():
        game[name][: len(value)] = value
    env._batch.look()
