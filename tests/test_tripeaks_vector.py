"""The native vector environment: the same games as single environments, in every autoreset mode."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

from gipfelsturm.envs import TriPeaksEnv
from gipfelsturm.envs.tripeaks_vector import TriPeaksVectorEnv
from playing import LOST, ORDER, WON, legal_each
from vectors import (
    DRAW,
    FORMS,
    SCRIPT,
    Infos,
    data,
    flat,
    same_infos,
    singles,
    started,
    to_the_first_end,
    vector,
)


def restart(env: TriPeaksVectorEnv | SyncVectorEnv[Any, Any], ended: NDArray[np.bool_]) -> tuple[Any, Infos]:
    return env.reset(options={"reset_mask": ended.copy()})


def same_as_singles(steps: int, seed: int, mode: AutoresetMode, settings: dict[str, Any], games: int = 4) -> int:
    """Play both side by side; returns how many games ended."""
    ours, theirs = vector(games, mode, **settings), singles(games, mode, **settings)
    rng = np.random.default_rng(seed)
    (observation, info), (wanted, wanted_info) = ours.reset(seed=seed), theirs.reset(seed=seed)
    ends = 0
    for _ in range(steps):
        assert data(observation) == data(wanted)
        same_infos(info, wanted_info)
        actions = legal_each(rng, info["action_mask"])
        observation, *given, info = ours.step(actions)
        wanted, *asked, wanted_info = theirs.step(actions)
        assert data(given) == data(asked)
        ended = np.logical_or(given[1], given[2])
        ends += int(ended.sum())
        if ended.any() and mode is AutoresetMode.DISABLED:
            assert data(observation) == data(wanted)
            same_infos(info, wanted_info)
            (observation, info), (wanted, wanted_info) = restart(ours, ended), restart(theirs, ended)
    return ends


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("settings", FORMS)
def test_slots_play_what_single_environments_play(settings: dict[str, Any], mode: AutoresetMode) -> None:
    assert sum(same_as_singles(200, seed, mode, settings) for seed in (0, 41, 2**40)) > 10


@pytest.mark.parametrize("mode", AutoresetMode)
def test_truncation_is_that_of_single_environments(mode: AutoresetMode) -> None:
    ours, theirs = vector(2, mode), singles(2, mode)
    ours.reset(seed=1)
    theirs.reset(seed=1)
    for step in range(200):
        given, asked = ours.step(np.zeros(2, np.int64)), theirs.step(np.zeros(2, np.int64))
        np.testing.assert_equal(given[:4], asked[:4])
        same_infos(given[4], asked[4])
        assert given[3].all() == (step == 199)


def games_of(env: TriPeaksVectorEnv, steps: int) -> list[Any]:
    """Everything that a play of legal first actions hands out."""
    seen: list[Any] = [env.reset(seed=3)]
    for _ in range(steps):
        masks = seen[-1][-1]["action_mask"]
        seen.append(env.step(masks.argmax(-1)))
    return seen


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("settings", [{}, {"tempo": "brisk", "clock": 9.0}])
def test_threads_change_nothing(settings: dict[str, Any], mode: AutoresetMode) -> None:
    steps = 20 if mode is AutoresetMode.DISABLED else 100
    alone, together = (vector(7, mode, threads=threads, **settings) for threads in (1, 2))
    assert data(games_of(alone, steps)) == data(games_of(together, steps))


def test_batch_sizes_change_nothing() -> None:
    few, many = games_of(vector(2), 100), games_of(vector(9), 100)
    for small, large in zip(few, many, strict=True):
        for name in small[0]:
            np.testing.assert_array_equal(small[0][name], large[0][name][:2])
        np.testing.assert_array_equal(small[-1]["action_mask"], large[-1]["action_mask"][:2])


@pytest.mark.parametrize("mode", AutoresetMode)
def test_everything_returned_is_a_copy(mode: AutoresetMode) -> None:
    env, untouched = started(mode), started(mode)
    first = flat(env.reset(options={"deck": [WON, LOST]}))
    second, third = flat(to_the_first_end(env)), flat(env.reset())
    for one, other in ((first, second), (first, third), (second, third)):
        assert not any(np.shares_memory(a, b) for a in one for b in other)
    for array in (*first, *second, *third):
        array[...] = 1
    untouched.reset(options={"deck": [WON, LOST]})
    to_the_first_end(untouched)
    untouched.reset()
    np.testing.assert_equal(env.step(SCRIPT[0]), untouched.step(SCRIPT[0]))


@pytest.mark.parametrize("settings", FORMS)
def test_the_spaces_contain_what_comes(settings: dict[str, Any]) -> None:
    env, single = vector(3, **settings), TriPeaksEnv(**settings)
    observation, info = env.reset(seed=0)
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    assert env.observation_space.contains(observation)
    assert env.action_space.contains(info["action_mask"].argmax(-1))
    observation, rewards, terminated, truncated, info = env.step(info["action_mask"].argmax(-1))
    assert env.observation_space.contains(observation)
    arrays = (rewards, terminated, truncated, info["reason"], info["action_mask"], info["_action_mask"])
    assert [array.dtype.name for array in arrays] == ["float64", "bool", "bool", "int8", "int8", "bool"]
    env.step(env.action_space.sample())


@pytest.mark.parametrize("mode", AutoresetMode)
def test_masks_are_int8_of_one_shape_and_fit_for_sampling(mode: AutoresetMode) -> None:
    env = started(mode)
    env.action_space.seed(0)
    masks = [env.reset(options={"deck": [WON, LOST]})[1]["action_mask"]]
    masks += [env.step(actions)[-1]["action_mask"] for actions in SCRIPT[:23]]
    masks.append(env.reset(options={"reset_mask": np.array([False, True])})[1]["action_mask"])
    for mask in masks:
        assert (mask.dtype, mask.shape) == (np.int8, (2, 29))
        actions = env.action_space.sample(tuple(mask))
        assert mask[[0, 1], actions].all()


@pytest.mark.parametrize("settings", [{}, {"piles": 2}, {"tempo": "brisk", "clock": 30.0}])
def test_unmasked_actions_do_no_harm_and_are_told(settings: dict[str, Any]) -> None:
    env = vector(8, AutoresetMode.SAME_STEP, **settings)
    env.action_space.seed(2)
    observation, info = env.reset(seed=2)
    refused = 0
    for _ in range(500):
        actions, before = env.action_space.sample(), observation
        allowed = info["action_mask"][np.arange(8), actions] == 1
        observation, _, terminated, truncated, info = env.step(actions)
        goes_on = ~(terminated | truncated)
        assert ((info["reason"] == 0) == allowed)[goes_on].all()
        same = np.all([(before[name] == observation[name]).all(axis=1) for name in ("peaks", "tops", "streak")], axis=0)
        assert same[goes_on & ~allowed].all() or "tempo" in settings
        refused += int((~allowed).sum())
    assert refused > 1000


@pytest.mark.parametrize("mode", AutoresetMode)
def test_settings_hold_and_options_are_for_one_episode(mode: AutoresetMode) -> None:
    env = gymnasium.make_vec(
        "gipfelsturm/TriPeaks-v0", num_envs=2, autoreset_mode=mode, preset="hard", ring=False, piles=1, tempo="brisk"
    )
    singles = [TriPeaksEnv("hard", ring=False, piles=1, tempo="brisk").reset(seed=seed)[0] for seed in (3, 4)]
    first, _ = env.reset(seed=3, options={"number": 8})
    assert data(first["peaks"][0]) == data(first["peaks"][1])
    next_one = to_the_next_deal(env, mode, 600)
    assert data(next_one) == data({name: np.stack([one[name] for one in singles]) for name in singles[0]})
    assert next_one["rules"].tolist() == [[1, 20, 0, 0]] * 2
    assert next_one["clock"].tolist() == [[0, 600 >> 7, 600 & 127]] * 2


def to_the_next_deal(env: Any, mode: AutoresetMode, ticks: int) -> dict[str, NDArray[np.int8]]:  # noqa: ANN401
    """What every game shows once it has waited for its end and is dealt anew."""
    for _ in range(ticks if mode is not AutoresetMode.NEXT_STEP else ticks + 1):
        observation: dict[str, NDArray[np.int8]] = env.step(np.full(2, DRAW + 1))[0]
    return env.reset()[0] if mode is AutoresetMode.DISABLED else observation


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("spelled", [lambda mode: mode, lambda mode: mode.value])
def test_make_vec_finds_it_and_its_mode(mode: AutoresetMode, spelled: Callable[[AutoresetMode], Any]) -> None:
    env = gymnasium.make_vec("gipfelsturm/TriPeaks-v0", num_envs=3, piles=2, autoreset_mode=spelled(mode))
    assert isinstance(env, TriPeaksVectorEnv)
    assert (env.num_envs, env.metadata["autoreset_mode"]) == (3, mode)
    assert "autoreset_mode" not in TriPeaksVectorEnv.metadata
    env.close()


def test_gymnasium_wrappers_find_episodes() -> None:
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(started(AutoresetMode.SAME_STEP))
    env.reset(options={"deck": WON})
    info = [env.step(np.array([place, place])) for place in ORDER][-1][-1]
    assert info["episode"]["l"].tolist() == [28, 28]
    assert info["episode"]["r"].tolist() == [1, 1]


def test_rendering_shows_every_table() -> None:
    env = vector(2, render_mode="ansi")
    with pytest.raises(ResetNeeded, match="call reset before render"):
        env.render()
    env.reset(options={"deck": [WON, LOST]})
    texts = env.render()
    assert texts is not None
    assert [str(text).splitlines()[3][:6] for text in texts] == ["2C  3C", "AC  AD"]
    with pytest.warns(UserWarning, match="render needs render_mode='ansi'"):
        assert vector(2).render() is None
