"""MaskablePPO on the batch: it trains, and every action that it learns from was legal where it stood."""

import copy

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecCheckNan, VecMonitor

from gipfelsturm.agents.belief import blank_belief, rebuild
from gipfelsturm.envs.rules.actions import action_count
from gipfelsturm.envs.rules.mask import write_mask
from gipfelsturm.envs.rules.observation import layout_of
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training.vec_env import GipfelsturmVecEnv

FORMS = {
    "mind": one_mind(),
    "table": real_time("blitz", clock=12),
    "silent": real_time("blitz", clock=12, calls=False),
}
EACH_FORM = pytest.mark.parametrize("settings", FORMS.values(), ids=FORMS.keys())
ENVS = 64


class Watch(BaseCallback):
    """Looks at every rollout before the policy learns from it (pitfalls 13 and 14)."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.steps = 0
        self.forced = 0

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        buffer = self.locals["rollout_buffer"]
        assert buffer.observations.dtype == np.int8
        rows = buffer.observations.reshape(-1, buffer.observations.shape[-1])
        masks = buffer.action_masks.reshape(len(rows), -1)
        actions = buffer.actions.reshape(-1)
        np.testing.assert_array_equal(masks, masks_of(self._settings, rows))
        assert masks[np.arange(len(rows)), actions].all()
        assert np.isfinite(buffer.log_probs).all()
        self._look_at_the_policy(rows, masks)
        self.steps += len(rows)

    def _look_at_the_policy(self, rows: NDArray[np.int8], masks: NDArray[np.float32]) -> None:
        assert isinstance(self.model, MaskablePPO)
        with torch.no_grad():
            chosen = self.model.policy.get_distribution(torch.as_tensor(rows), masks).distribution
        assert isinstance(chosen, MaskableCategorical)
        chances, entropy = chosen.probs.double().numpy(), chosen.entropy().numpy()
        np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=0, atol=1e-6)
        assert not chances[masks == 0].any()
        assert np.isfinite(entropy).all()
        forced = masks.sum(axis=1) == 1  # to wait where nobody talks, or to draw
        np.testing.assert_allclose(entropy[forced], 0, atol=1e-6)
        self.forced += int(forced.sum())


def masks_of(settings: Settings, rows: NDArray[np.int8]) -> NDArray[np.int8]:
    """The masks (n, actions) of the games that observation rows (n, size) tell of."""
    game = blank_belief(settings)[0]
    seats = np.zeros(len(rows), int) if settings.one_mind else rows[:, layout_of(settings)["seat"].offset]
    masks = np.zeros((len(rows), action_count(settings)), np.int8)
    for row, seat, mask in zip(rows, seats, masks, strict=True):
        rebuild(game, row)
        write_mask(game, int(seat), mask)
    return masks


def train(settings: Settings, steps: int) -> Watch:
    torch.set_num_threads(1)  # several are slower for small networks
    tables = ENVS // (1 if settings.one_mind else settings.seats)
    env = VecMonitor(VecCheckNan(GipfelsturmVecEnv(settings, tables, encoded=False), raise_exception=True))
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=1024, n_epochs=2, seed=1, device="cpu")
    before = copy.deepcopy(model.policy.state_dict())
    watch = Watch(settings)
    model.learn(steps, callback=watch)
    assert all((before[name] != weight).any() for name, weight in model.policy.state_dict().items())
    assert model.ep_info_buffer
    return watch


@EACH_FORM
def test_maskable_ppo_trains_on_legal_actions_alone(settings: Settings) -> None:
    watch = train(settings, 8192)
    assert watch.steps == 8192
    assert (watch.forced > 1000) is not settings.calls


@pytest.mark.long
@EACH_FORM
def test_maskable_ppo_trains_for_200_000_steps(settings: Settings) -> None:
    assert train(settings, 200_000).steps >= 200_000


@EACH_FORM
def test_maskable_ppo_learns_from_inputs_and_is_evaluated(settings: Settings) -> None:
    torch.set_num_threads(1)
    env = VecMonitor(GipfelsturmVecEnv(settings, 4, reward="shaped"))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(256)
    returns, lengths = evaluate_policy(model, env, n_eval_episodes=8, return_episode_rewards=True)
    assert isinstance(returns, list) and isinstance(lengths, list)
    assert len(returns) == len(lengths) == 8
    assert {round(one, 4) for one in returns} <= {1.0, 2.0}
