"""Whether RLlib takes the real-time table: its own check of environments, then PPO with masks for one iteration.

Not one of the tests that `make test` runs: RLlib holds Gymnasium at an older version than ours, and needs an
environment of its own and a minute. Outside the checkout, with Python 3.11 or newer:

    python3 -m venv rllib-venv
    rllib-venv/bin/pip install "ray[rllib]" torch CHECKOUT
    rllib-venv/bin/python CHECKOUT/tests/rllib_check.py

Seen to pass with ray 2.60.0 and gymnasium 1.2.2.
"""

from typing import Any

import gymnasium
import numpy as np
import ray  # type: ignore[import-not-found]  # lives in that environment alone
import torch
from gymnasium import spaces
from pettingzoo.utils import BaseParallelWrapper
from ray.rllib.algorithms.ppo import PPOConfig  # type: ignore[import-not-found]
from ray.rllib.core.rl_module.rl_module import RLModuleSpec  # type: ignore[import-not-found]
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv  # type: ignore[import-not-found]
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import (  # type: ignore[import-not-found]
    ActionMaskingTorchRLModule,
)
from ray.rllib.utils.pre_checks.env import check_multiagent_environments  # type: ignore[import-not-found]
from ray.tune.registry import register_env  # type: ignore[import-not-found]

from gipfelsturm.envs import GipfelsturmEnv
from gipfelsturm.envs.encoder import Encoder

NAME = "gipfelsturm"
Views = dict[str, Any]


class ForRLlib(BaseParallelWrapper):  # type: ignore[misc]  # PettingZoo ships no types
    """Views as RLlib's modules with masks want them: `observations` and `action_mask`, both float32.

    With `masked` it fails at the first action that a mask forbids.
    """

    def __init__(self, env: GipfelsturmEnv, masked: bool) -> None:
        super().__init__(env)
        self._masked = masked
        self._encoder = Encoder(env.settings)
        self._spaces = {agent: self._space(env.action_space(agent)) for agent in env.possible_agents}

    def _space(self, actions: spaces.Discrete) -> spaces.Dict:
        inputs = spaces.Box(0, np.inf, (self._encoder.width,), np.float32)
        return spaces.Dict({"observations": inputs, "action_mask": spaces.Box(0, 1, (int(actions.n),), np.float32)})

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Views, Views]:
        views, infos = self.env.reset(seed=seed, options=options)
        return self._encoded(views), infos

    def step(self, actions: dict[str, int]) -> tuple[Views, ...]:
        views, *rest, infos = self.env.step(actions)
        refused = [info["reason"] for info in infos.values() if info["reason"]]
        assert not (self._masked and refused), f"chosen in spite of the mask: {refused}"
        return self._encoded(views), *rest, infos

    def _encoded(self, views: Views) -> Views:
        return {
            agent: {
                "observations": self._encoder(self._encoder.rows_of(view["observation"])),
                "action_mask": view["action_mask"].astype(np.float32),
            }
            for agent, view in views.items()
        }


def table(config: dict[str, Any]) -> ParallelPettingZooEnv:
    env = GipfelsturmEnv("blitz", calls=False, reward="shaped", advance="decision")
    return ParallelPettingZooEnv(ForRLlib(env, **config))


def check() -> None:
    """RLlib's own check, of the views as they are too: it asks for no certain keys."""
    check_multiagent_environments(ParallelPettingZooEnv(GipfelsturmEnv()))
    check_multiagent_environments(table({"masked": False}))
    print(f"check_multiagent_environments passed under gymnasium {gymnasium.__version__}, ray {ray.__version__}")


def train() -> None:
    """One network in both seats."""
    register_env(NAME, table)
    config = (
        PPOConfig()
        .environment(NAME, env_config={"masked": True}, disable_env_checking=True)  # it would sample without masks
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"seat"}, policy_mapping_fn=lambda agent, episode, **others: "seat")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
        .training(train_batch_size_per_learner=2000, minibatch_size=500, num_epochs=2)
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    result = algorithm.train()["env_runners"]
    algorithm.stop()
    games, returns = result["num_episodes"], result["episode_return_mean"]
    assert games > 0
    assert 1.999 <= returns <= 4.001, "each of two seats gets 1 over a game, and 1 more if it is won"
    print(f"PPO with masks: {games:.0f} games, a mean return of {returns:.3f} for both seats together")


if __name__ == "__main__":
    torch.set_num_threads(1)  # several are slower for small networks, many times so on busy cores
    check()
    ray.init(num_cpus=2, include_dashboard=False)
    train()
    ray.shutdown()
