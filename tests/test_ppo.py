"""PPO's plumbing on problems with known answers, its player, and its state."""

from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from stable_baselines3.common.vec_env import DummyVecEnv

from decks import code, deck_with
from gipfelsturm.agents.mlp import MlpAgent, mlp_tensors
from gipfelsturm.agents.weights import Tensor
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.encoder import Encoder
from gipfelsturm.envs.rules.record import Games, deck_game
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training import ppo, vec_env
from gipfelsturm.training.config import PPO, read_config
from gipfelsturm.training.evaluation import play_all
from gipfelsturm.training.ppo import PPOLearner, PPOTrainer
from gipfelsturm.training.state import State
from gipfelsturm.training.torch_state import chance_state, load_chance, seed_all

CONFIG = Path(__file__).parents[1] / "configs" / "ppo_solo_smoke.yaml"
SMALL = ("tables=8", "rollout=16", "batch=64", "epochs=2", "hidden=[16]", "learning_rate=0.01")
PAIR = ("table.preset=blitz", "table.tempo=brisk", "table.calls=true")


def small(*more: str) -> PPO:
    torch.set_num_threads(1)
    seed_all(1)
    config = read_config(CONFIG, (*SMALL, *more))
    assert isinstance(config, PPO)
    return config


class Bandit(gymnasium.Env[NDArray[np.float32], np.int64]):
    """Four arms: the last pays the most and is masked, the second pays the most of the others, half the time."""

    PAYS: ClassVar = (0.3, 0.6, 0.0, 1.0)
    observation_space = spaces.Box(0, 1, (1,), np.float32)
    action_space = spaces.Discrete(4)

    def reset(self, *, seed: int | None = None, options: object = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        return np.ones(1, np.float32), {}

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        assert action < 3
        paid = float(self.np_random.random() < self.PAYS[action])
        return np.ones(1, np.float32), paid, True, False, {}

    def action_masks(self) -> NDArray[np.int8]:
        return np.array([1, 1, 1, 0], np.int8)


def test_it_finds_the_best_arm_that_it_may_pull() -> None:
    config = small()
    env = DummyVecEnv([Bandit] * 8)
    env.seed(1)
    learner = PPOLearner(config, env)
    for _ in range(30):
        learner.collect()
        learner.learn_from_rollout()
    model: MaskablePPO = learner._model
    view = torch.ones(1, 1)
    pulled = model.policy.get_distribution(view, np.array([[1, 1, 1, 0]])).distribution
    assert isinstance(pulled, MaskableCategorical)
    chances = pulled.probs[0]
    assert chances.argmax() == 1 and chances[1] > 0.8
    assert model.policy.predict_values(view).item() == pytest.approx(0.6, abs=0.1)


def endgame() -> Games:
    """6C and 8D lie there, 5C is the top and 7H the last of the stock: only 6C, draw, 8D wins."""
    deck = deck_with({0: "6C", 1: "8D"}, [["5C"]], 24)
    last = deck.index(code("7H"))
    deck[last], deck[51] = deck[51], deck[last]
    games = deck_game(one_mind(), np.array(deck, np.uint8))
    games["present"], games["stock"][:, 0] = 0b11, 1
    return games


class Endgames(GipfelsturmBatch):
    """Deals that position and no other."""

    def deal_where(self, chosen: NDArray[np.bool_]) -> None:
        super().deal_where(chosen)
        self.games[chosen] = endgame()
        self.look()


def test_it_solves_an_endgame_of_two_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vec_env, "GipfelsturmBatch", Endgames)
    trainer = PPOTrainer(small("reward=win"))
    first = trainer.advance().losses["won"]
    for _ in range(12):
        last = trainer.advance().losses["won"]
    assert 0.3 < first < 0.8 < 0.95 < last
    player, batch = trainer.player(), Endgames(one_mind(), 1)
    player.reset(1, [0], 0, one_mind())
    batch.deal_all()
    line = []
    while not batch.terminated[0]:
        line.append(int(player.act(batch.observations.copy(), batch.masks.copy())[0, 0]))
        batch.step(np.array([line[-1:]]))
    assert line == [0, 28, 1]


@pytest.mark.parametrize("pair", [(), PAIR])
def test_the_player_thinks_what_the_network_thinks(pair: tuple[str, ...]) -> None:
    trainer = PPOTrainer(small(*pair))
    trainer.advance()
    model = trainer._learner._model
    assert isinstance(model._last_obs, np.ndarray)
    with torch.no_grad():
        policy = model.policy.get_distribution(torch.as_tensor(model._last_obs)).distribution
    assert isinstance(policy, MaskableCategorical)
    thoughts = torch.as_tensor(trainer.player()._think(model._last_obs))
    torch.testing.assert_close(torch.log_softmax(thoughts, dim=-1), policy.logits)


def test_one_mind_takes_the_networks_likeliest_action() -> None:
    trainer = PPOTrainer(small())
    trainer.advance()
    player, batch = trainer.player(), GipfelsturmBatch(one_mind(), 8)
    player.reset(8, [0], 0, one_mind())
    batch.set_deals(range(8))
    for _ in range(12):
        masks, rows = batch.masks.copy(), batch.observations.copy()
        chosen = player.act(rows, masks)
        inputs = trainer._env._observed(rows)
        wanted, _ = trainer._learner._model.predict(inputs, deterministic=True, action_masks=masks[:, 0])
        np.testing.assert_array_equal(chosen[:, 0], wanted)
        batch.step(chosen)


def test_the_player_answers_where_games_are_over() -> None:
    trainer = PPOTrainer(small())
    outcome = play_all(one_mind(), trainer.player(), range(20), seed=0)
    assert len(outcome.won) == 20 and not outcome.refused.any()


def test_weights_have_the_shapes_that_the_table_asks_for() -> None:
    trainer = PPOTrainer(small("hidden=[16, 8]"))
    found = {name: Tensor(array.shape, str(array.dtype)) for name, array in trainer.weights().items()}
    assert found == mlp_tensors(one_mind(), (16, 8))
    assert found["0.weight"].shape == (16, Encoder(one_mind()).width)


def test_a_player_is_refused_at_another_table() -> None:
    agent = MlpAgent(PPOTrainer(small()).weights())
    with pytest.raises(ValueError, match="inputs and 58 actions, the network was trained for .* and 29: play at the"):
        agent.reset(1, [0], 0, one_mind("normal"))


@pytest.mark.parametrize("pair", [(), PAIR])
def test_a_state_goes_on_as_if_nothing_had_happened(pair: tuple[str, ...]) -> None:
    config = small(*pair)
    trainer = PPOTrainer(config)
    trainer.advance()
    state, chance = trainer.state_dict(), chance_state()
    losses = [trainer.advance().losses for _ in range(2)]
    config = small(*pair)
    seed_all(9)
    other = PPOTrainer(config)
    other.load_state(state)
    load_chance(chance)
    np.testing.assert_equal([other.advance().losses for _ in range(2)], losses)
    same(trainer.state_dict(), other.state_dict())


def same(one: State, other: State) -> None:
    np.testing.assert_equal(one.arrays, other.arrays)
    assert one.facts == other.facts


def test_a_state_of_other_tables_is_refused() -> None:
    state = PPOTrainer(small()).state_dict()
    with pytest.raises(ValueError, match="a batch with .* bytes of games cannot go on from"):
        PPOTrainer(small("tables=16")).load_state(state)


def test_training_deals_are_never_evaluation_deals_and_seeds_share_none() -> None:
    dealt = [set(PPOTrainer(small(f"seed={seed}"))._env._batch.numbers.tolist()) for seed in (1, 2)]
    assert min(min(numbers) for numbers in dealt) >= 1_000_000
    assert dealt[0].isdisjoint(dealt[1]) and len(dealt[0]) == 8


def test_time_is_told_apart() -> None:
    trainer = PPOTrainer(small())
    chunk = trainer.advance()
    assert chunk.steps == 128
    assert chunk.seconds.keys() == {"kernel", "network", "learner"} and min(chunk.seconds.values()) > 0
    assert set(chunk.losses) == {*ppo.LOSSES, "won"}


def test_a_step_costs_what_the_config_says() -> None:
    for cost in (0.0, 0.25):
        env = PPOTrainer(small("reward=win", f"step_cost={cost}"))._env
        _, rewards, *_ = env.step(np.argmax(env.action_masks(), axis=-1))
        assert rewards.dtype == np.float32 and rewards.tolist() == [-cost] * 8


def test_settings_of_the_config_reach_the_learner() -> None:
    trainer = PPOTrainer(small(*PAIR, "table.ring=false", "gae_lambda=0.5", "clip=0.3", "entropy=0.01"))
    model = trainer._learner._model
    assert trainer.tables == {"blitz": real_time("blitz", ring=False)} == {"blitz": trainer._env.settings}
    assert (model.gamma, model.gae_lambda, model.ent_coef, model.n_steps) == (1.0, 0.5, 0.01, 16)
    assert callable(model.clip_range)
    assert (model.batch_size, model.n_epochs, model.clip_range(1)) == (64, 2, 0.3)
    assert isinstance(trainer._env.settings, Settings)
