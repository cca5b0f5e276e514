"""PPO: sb3-contrib's MaskablePPO on our environments, one network for all seats, chunk by chunk."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from gipfelsturm.agents.mlp import MlpAgent
from gipfelsturm.envs.rules.chance import nth_seed
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.config import PPO
from gipfelsturm.training.state import State, joined, part
from gipfelsturm.training.torch_state import load_module, load_optimizer, module_state, optimizer_state
from gipfelsturm.training.trainer import Chunk, Clock
from gipfelsturm.training.vec_env import GipfelsturmVecEnv, Observations, Step

LOSSES = ("policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl", "clip_fraction", "explained_variance")
"""What is reported of SB3's records."""


class PPOTrainer:
    """A chunk is one rollout of all environments, and the update that learns from it."""

    def __init__(self, config: PPO) -> None:
        """Begin with a new network, by torch's global generator."""
        settings = config.table.settings()
        self.tables: Mapping[str, Settings] = {config.table.preset: settings}
        self._clock = Clock()
        self._env = _TimedVecEnv(settings, config, self._clock)
        self._env.seed(nth_seed(config.seed, 0))  # streams that runs with neighbouring seeds do not share
        self._learner = PPOLearner(config, self._env)

    def begin(self) -> None:
        """See `gipfelsturm.training.trainer.Trainer.begin`."""

    def advance(self) -> Chunk:
        """See `gipfelsturm.training.trainer.Trainer.advance`; the losses add the share of games won on the way."""
        self._clock.take()
        with self._clock("network"):
            steps = self._learner.collect()
        with self._clock("learner"):
            losses = self._learner.learn_from_rollout()
        return Chunk(steps, self._clock.take(), losses | {"won": self._env.take_won()})

    def state_dict(self) -> State:
        """See `gipfelsturm.training.trainer.Trainer.state_dict`."""
        return joined(learner=self._learner.state_dict(), env=self._env.state_dict())

    def load_state(self, state: State) -> None:
        """See `gipfelsturm.training.trainer.Trainer.load_state`."""
        self._learner.load_state(part(state, "learner"), self._env.load_state(part(state, "env")))

    def player(self) -> MlpAgent:
        """Takes the likeliest action."""
        return MlpAgent(self.weights())

    def weights(self) -> dict[str, NDArray[Any]]:
        """The actor's, as `gipfelsturm.agents.mlp` names them."""
        return self._learner.weights()


class PPOLearner:
    """MaskablePPO taken apart: `learn` in two calls, and its state without pickle."""

    def __init__(self, config: PPO, env: VecEnv) -> None:
        """Take environments whose inputs are numbers and whose actions are numbered, and reset them."""
        self._model = MaskablePPO(
            "MlpPolicy",
            env,
            n_steps=config.rollout,
            batch_size=config.batch,
            n_epochs=config.epochs,
            learning_rate=config.learning_rate,
            gamma=1.0,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip,
            ent_coef=config.entropy,
            policy_kwargs={"net_arch": list(config.hidden)},
            device="cpu",
        )
        self._model.set_logger(Logger(folder=None, output_formats=[]))
        _, self._nobody = self._model._setup_learn(config.steps)

    def collect(self) -> int:
        """Play a rollout; how many steps it has."""
        model = self._model
        assert model.env is not None
        model.collect_rollouts(model.env, self._nobody, model.rollout_buffer, model.n_steps)
        return model.n_steps * model.n_envs

    def learn_from_rollout(self) -> dict[str, float]:
        """Update the network; its losses."""
        self._model.train()
        records = self._model.logger.name_to_value
        return {name: float(records[f"train/{name}"]) for name in LOSSES}

    def state_dict(self) -> State:
        """The network, its optimizer, and what it saw last."""
        policy = self._model.policy
        starts = np.array(self._model._last_episode_starts)
        steps = {"steps": self._model.num_timesteps, "updates": self._model._n_updates}
        return joined(
            policy=module_state(policy),
            optimizer=optimizer_state(policy.optimizer),
            model=State({"starts": starts}, steps),
        )

    def load_state(self, state: State, observations: Observations) -> None:
        """Go on from a state, with what the environments show."""
        load_module(self._model.policy, part(state, "policy"))
        load_optimizer(self._model.policy.optimizer, part(state, "optimizer"))
        model = part(state, "model")
        self._model._last_obs = observations
        self._model._last_episode_starts = model.arrays["starts"]
        self._model.num_timesteps = model.facts["steps"]
        self._model._n_updates = model.facts["updates"]

    def weights(self) -> dict[str, NDArray[Any]]:
        """The actor's layers."""
        policy = self._model.policy
        layers = [layer for layer in policy.mlp_extractor.policy_net if isinstance(layer, nn.Linear)]
        named: dict[str, NDArray[Any]] = {}
        for n, layer in enumerate((*layers, policy.action_net)):
            named |= {f"{n}.{name}": array for name, array in module_state(layer).arrays.items()}
        return named


class _TimedVecEnv(GipfelsturmVecEnv):
    """Takes the cost of a step, tells the time of games from that of their inputs, and counts the games won."""

    def __init__(self, settings: Settings, config: PPO, clock: Clock) -> None:
        self._clock = clock
        self._cost = np.float32(config.step_cost)
        self._ended = self._won = 0
        super().__init__(settings, config.tables, reward=config.reward)

    def step_wait(self) -> Step:
        with self._clock("kernel"):
            observations, rewards, over, infos = super().step_wait()
        for env in np.flatnonzero(over).tolist():
            self._ended += 1
            self._won += infos[env]["result"] == "won"
        return observations, rewards - self._cost, over, infos

    def take_won(self) -> float:
        """The share of games won since the last call, nan if none has ended."""
        won = self._won / self._ended if self._ended else float("nan")
        self._ended = self._won = 0
        return won

    def _observed(self, rows: NDArray[np.int8]) -> Observations:
        with self._clock("network"):
            return super()._observed(rows)
