"""The dense network's player: one mind takes the likeliest action, hands draw by chance."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.agents.mlp import SHARPNESS, MlpAgent, mlp_tensors
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time

PAIR = real_time("normal", calls=False)


def weights_of(settings: Settings, hidden: Sequence[int] = (4,)) -> dict[str, NDArray[Any]]:
    """Weights of nothing but the last biases, a tenth more for each action."""
    arrays = {name: np.zeros(tensor.shape, np.float32) for name, tensor in mlp_tensors(settings, hidden).items()}
    last = f"{len(hidden)}.bias"
    return arrays | {last: np.arange(len(arrays[last]), dtype=np.float32) / 10}


def first_moves(settings: Settings, games: int, seed: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """What the seats of many tables do first, all with the same deal, and their masks."""
    batch = GipfelsturmBatch(settings, games)
    batch.set_deals([7] * games)
    agent = MlpAgent(weights_of(settings))
    agent.reset(games, range(batch.viewers), seed, settings)
    return agent.act(batch.observations.copy(), batch.masks.copy()), batch.masks.copy()


@pytest.mark.parametrize("hidden", [(), (3,), (3, 2)])
def test_it_computes_what_the_layers_say(hidden: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    tensors = mlp_tensors(one_mind(), hidden)
    arrays: dict[str, NDArray[Any]] = {
        name: rng.normal(size=tensor.shape).astype(np.float32) for name, tensor in tensors.items()
    }
    inputs = rng.normal(size=(5, 453)).astype(np.float32)
    values = inputs
    for n in range(len(hidden)):
        values = np.tanh(values @ arrays[f"{n}.weight"].T + arrays[f"{n}.bias"])
    wanted = values @ arrays[f"{len(hidden)}.weight"].T + arrays[f"{len(hidden)}.bias"]
    np.testing.assert_allclose(MlpAgent(arrays)._think(inputs), wanted, rtol=1e-5)


def test_one_mind_takes_the_likeliest_legal_action() -> None:
    actions, masks = first_moves(one_mind(), 3)
    assert actions.tolist() == [[28]] * 3  # a draw has the highest number of all
    assert masks[0, 0].sum() > 1


def test_hands_draw_by_chance_and_prefer_what_is_likelier() -> None:
    games = 20_000
    actions, masks = first_moves(PAIR, games)
    for seat in (0, 1):
        legal = np.flatnonzero(masks[0, seat])
        assert len(legal) > 2
        chances = np.exp(SHARPNESS * legal / 10)
        chances /= chances.sum()
        found = np.bincount(actions[:, seat], minlength=masks.shape[-1])[legal] / games
        assert found.sum() == 1
        np.testing.assert_allclose(found, chances, rtol=0, atol=4 * np.sqrt(0.25 / games))


def test_chance_comes_from_the_seed_game_by_game() -> None:
    many, _ = first_moves(PAIR, 50)
    few, _ = first_moves(PAIR, 20)
    other, _ = first_moves(PAIR, 50, seed=1)
    np.testing.assert_array_equal(many[:20], few)
    assert (many != other).any()
