"""What Gymnasium and its users expect of every id that this package registers."""

import multiprocessing
import os
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from gipfelsturm.envs import TriPeaksEnv
from spawned_games import RESETS, fingerprint, first_deals

IDS = [env_id for env_id in gymnasium.registry if env_id.startswith("gipfelsturm/")]
# Numba looks at the version of scipy; what takes time to load are its parts.
HEAVY = (
    *("torch", "matplotlib", "starlette", "PIL", "resvg_py"),
    *("scipy.linalg", "scipy.special", "scipy.stats", "stable_baselines3"),
)


def test_the_ids_are_registered() -> None:
    assert "gipfelsturm/TriPeaks-v0" in IDS
    assert all(env_id.rsplit("-", 1)[1].startswith("v") for env_id in IDS)


@pytest.mark.parametrize("env_id", IDS)
def test_gymnasium_finds_no_fault(env_id: str) -> None:
    check_env(gymnasium.make(env_id).unwrapped)


@pytest.mark.parametrize("form", [{"piles": 2}, {"piles": 3}, {"tempo": "steady"}, {"clock": 20.0, "reward": "shaped"}])
def test_gymnasium_finds_no_fault_in_any_form(form: dict[str, object]) -> None:
    check_env(TriPeaksEnv(**form), skip_render_check=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("env_id", IDS)
def test_stable_baselines_finds_no_fault(env_id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # importing it pulls in modules that others have deprecated
        from stable_baselines3.common.env_checker import check_env as sb3_check_env
    sb3_check_env(gymnasium.make(env_id))


@pytest.mark.parametrize("env_id", IDS)
def test_the_spaces_contain_what_comes(env_id: str) -> None:
    env = gymnasium.make(env_id)
    env.action_space.seed(0)
    observation, info = env.reset(seed=0)
    for _ in range(500):
        assert env.observation_space.contains(observation)
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        assert np.isfinite(float(reward))
        if terminated or truncated:
            observation, info = env.reset()


@pytest.mark.parametrize("env_id", IDS)
def test_the_vector_environment_is_the_native_one(env_id: str) -> None:
    env = gymnasium.make_vec(env_id, num_envs=3)
    single = gymnasium.make(env_id)
    assert not isinstance(env, gymnasium.vector.SyncVectorEnv)
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)


@pytest.mark.parametrize("env_id", IDS)
def test_gymnasium_can_vectorise_it_itself(env_id: str) -> None:
    env = gymnasium.make_vec(env_id, num_envs=2, vectorization_mode="sync")
    env.reset(seed=0)
    env.step(env.action_space.sample())
    env.close()


def test_spawned_processes_play_the_same_games() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(fingerprint, [3, 4]) == [fingerprint(3), fingerprint(4)]


@pytest.fixture(scope="module")
def hashed() -> list[list[str]]:
    """The first deals of seed 7 in processes that hash differently, twice in each."""
    code = "from spawned_games import first_deals; print(*first_deals(7), *first_deals(7), sep='|')"
    runs = []
    for seed in "01":
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        runs.append(run.stdout.strip().split("|"))
    return runs


@pytest.mark.parametrize("form", range(len(RESETS)), ids=RESETS)
def test_a_seeds_deal_depends_on_nothing_else(form: int, hashed: list[list[str]]) -> None:
    forms = len(RESETS)
    one, other = hashed
    assert one[form] == one[form + forms] == other[form] == other[form + forms] == first_deals(7)[form]
    assert one[form] != first_deals(8)[form]


def test_importing_the_environments_stays_light() -> None:
    code = f"import sys, gipfelsturm.envs; print(*sorted(set(sys.modules) & {set(HEAVY)!r}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
