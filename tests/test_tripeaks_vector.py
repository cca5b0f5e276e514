"""The native vector environment: every autoreset mode, and the same games as single environments."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

from gipfelsturm.envs import TriPeaksEnv
from gipfelsturm.envs.rules.actions import REASONS
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.record import STATUSES
from gipfelsturm.envs.tripeaks_vector import TriPeaksVectorEnv
from playing import LOST, ORDER, WON, legal_each

Infos = dict[str, Any]
FORMS: list[dict[str, Any]] = [
    {"piles": 1},
    {"piles": 2, "reward": "shaped"},
    {"piles": 3, "reward": "score"},
    {"preset": "expert", "stock": 6},
    {"tempo": "brisk", "clock": 30.0, "reward": "shaped"},
    {"tempo": "instant", "tick": 0.1},
]
DRAW = 28
TEXTS: dict[str, Callable[[Any], str]] = {
    "reason": lambda code: REASONS[code],
    "result": lambda code: STATUSES[code],
    "deal": lambda number: "" if number < 0 else deal_id(int(number)),
}


def vector(games: int, mode: AutoresetMode = AutoresetMode.NEXT_STEP, **settings: Any) -> TriPeaksVectorEnv:  # noqa: ANN401
    return TriPeaksVectorEnv(games, autoreset_mode=mode, **settings)


def singles(games: int, mode: AutoresetMode, **settings: Any) -> SyncVectorEnv[Any, Any]:  # noqa: ANN401
    return SyncVectorEnv([lambda: TriPeaksEnv(**settings)] * games, autoreset_mode=mode)


def flat(value: Any) -> list[NDArray[Any]]:  # noqa: ANN401
    """The arrays in whatever reset or step returned, those of single games inside object arrays too."""
    if isinstance(value, dict):
        return flat(list(value.values()))
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        value = [one for one in value if one is not None]
    if isinstance(value, list | tuple):
        return [array for one in value for array in flat(one)]
    return [value]


def data(value: Any) -> list[Any]:  # noqa: ANN401
    """The same as plain numbers."""
    return [array.tolist() for array in flat(value)]


def same_infos(ours: Infos, wanted: Infos) -> None:
    """Compare with Gymnasium's own infos, where those say anything, texts by their numbers."""
    assert set(ours) == set(wanted)
    for key in (key for key in wanted if not key.startswith("_")):
        shown = wanted[f"_{key}"]
        assert ours[f"_{key}"].tolist() == shown.tolist()
        if isinstance(wanted[key], dict):
            same_infos(ours[key], wanted[key])
        elif key in TEXTS:
            assert [TEXTS[key](value) for value in ours[key][shown]] == wanted[key][shown].tolist()
        else:
            assert data(ours[key][shown]) == data(wanted[key][shown])


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


# One game that is won in 28 steps and one that is lost in 23, step by step.
SCRIPT = [np.array([place, DRAW]) for place in ORDER]


def started(mode: AutoresetMode) -> TriPeaksVectorEnv:
    env = vector(2, mode)
    env.reset(seed=10, options={"deck": [WON, LOST]})
    return env


def to_the_first_end(env: TriPeaksVectorEnv) -> tuple[Any, ...]:
    for actions in SCRIPT[:22]:
        _, rewards, terminated, truncated, info = env.step(actions)
        assert not (rewards.any() or terminated.any() or truncated.any())
        assert set(info) == {f"{_}{key}" for key in ("action_mask", "reason", "reward_parts") for _ in ("", "_")}
    return env.step(SCRIPT[22])


def first_deal(seed: int) -> dict[str, NDArray[np.int8]]:
    return TriPeaksEnv().reset(seed=seed)[0]


def test_next_step_shows_the_end_and_deals_anew_in_the_next_step() -> None:
    env = started(AutoresetMode.NEXT_STEP)
    observation, rewards, terminated, truncated, info = to_the_first_end(env)
    assert (rewards.tolist(), terminated.tolist(), truncated.tolist()) == ([0, 0], [False, True], [False, False])
    assert observation["stocks"].tolist() == [[23], [0]]
    assert info["action_mask"][1].all() and not info["action_mask"][0].all()
    assert info["result"].tolist() == [0, STATUSES.index("lost: nothing fits")]
    assert info["_result"].tolist() == [False, True]
    assert info["deal"].tolist() == [0, -1]
    observation, rewards, terminated, _, info = env.step(SCRIPT[23])
    assert not (rewards.any() or terminated.any() or info["reason"].any())
    assert "result" not in info
    np.testing.assert_equal({name: field[1] for name, field in observation.items()}, first_deal(11))
    env.step(SCRIPT[24])
    env.step(SCRIPT[25])
    env.step(SCRIPT[26])
    observation, rewards, terminated, _, info = env.step(SCRIPT[27])
    assert (rewards.tolist(), terminated.tolist()) == ([1, 0], [True, False])
    assert observation["stocks"].tolist() == [[23], [19]]
    assert (info["score"].tolist(), info["longest_streak"].tolist()) == ([23, 0], [28, 0])
    observation, *_ = env.step(SCRIPT[0])
    np.testing.assert_equal({name: field[0] for name, field in observation.items()}, first_deal(10))


def test_same_step_deals_anew_at_once_and_keeps_the_end() -> None:
    env = started(AutoresetMode.SAME_STEP)
    observation, rewards, terminated, _, info = to_the_first_end(env)
    assert (rewards.tolist(), terminated.tolist()) == ([0, 0], [False, True])
    np.testing.assert_equal({name: field[1] for name, field in observation.items()}, first_deal(11))
    assert info["_final_obs"].tolist() == info["_final_info"].tolist() == [False, True]
    assert info["final_obs"][0] is None
    assert info["final_obs"][1]["stocks"].tolist() == [0]
    assert env.single_observation_space.contains(info["final_obs"][1])
    final = info["final_info"]
    assert final["action_mask"].sum(1).tolist() == [0, 29]
    assert final["_action_mask"].tolist() == [False, True]
    assert final["result"].tolist() == [0, STATUSES.index("lost: nothing fits")]
    assert "result" not in info
    assert not info["action_mask"][1].all()
    observation, _, terminated, _, info = env.step(SCRIPT[23])
    assert observation["stocks"].tolist() == [[23], [22]]
    assert "final_obs" not in info and not terminated.any()


def test_same_step_gives_the_last_reward_beside_the_new_deal() -> None:
    env = vector(1, AutoresetMode.SAME_STEP, reward="score")
    env.reset(seed=10, options={"deck": WON})
    observation, rewards, _, _, info = [env.step(np.array([place])) for place in ORDER][-1]
    assert rewards.tolist() == [2]
    assert info["reward_parts"]["win"].tolist() == [0]
    assert info["final_info"]["reward_parts"]["win"].tolist() == [1]
    assert info["final_info"]["reward_parts"]["stock"].tolist() == [1]
    assert observation["stocks"].tolist() == [[23]]


def test_disabled_waits_for_a_reset_of_the_ended_games() -> None:
    env = started(AutoresetMode.DISABLED)
    before, _, terminated, _, info = to_the_first_end(env)
    assert terminated.tolist() == [False, True]
    assert info["score"].tolist() == [0, 0]
    with pytest.raises(ResetNeeded, match=r"^games \[1\] are over"):
        env.step(SCRIPT[23])
    options = {"reset_mask": terminated}
    observation, info = env.reset(options=options)
    assert list(options) == ["reset_mask"]
    np.testing.assert_equal(
        {name: field[0] for name, field in observation.items()}, {n: f[0] for n, f in before.items()}
    )
    np.testing.assert_equal({name: field[1] for name, field in observation.items()}, first_deal(11))
    assert info["_action_mask"].tolist() == info["_reason"].tolist() == [False, True]
    assert info["action_mask"].any(1).all()
    observation, *_ = env.step(SCRIPT[23])
    assert observation["stocks"].tolist() == [[23], [22]]


def test_disabled_still_waits_while_another_game_is_over() -> None:
    env = vector(2, AutoresetMode.DISABLED)
    env.reset(options={"deck": LOST})
    for _ in range(23):
        env.step(np.array([DRAW, DRAW]))
    env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded, match=r"^games \[1\] are over"):
        env.step(np.array([0, 0]))
    env.reset(options={"reset_mask": np.array([False, True])})
    env.step(np.array([0, 0]))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_any_mode_takes_a_reset_mask_with_seeds_and_a_deal(mode: AutoresetMode) -> None:
    ours, theirs = vector(3, mode), singles(3, mode)
    for env in (ours, theirs):
        env.reset(seed=1)
        env.step(np.array([DRAW] * 3))
    for seed, deal in ((5, {}), ([7, None, 9], {"number": 4}), (None, {"deck": WON}), (None, {})):
        given, asked = (
            env.reset(seed=seed, options={"reset_mask": np.array([True, False, True]), **deal})
            for env in (ours, theirs)
        )
        np.testing.assert_equal(given[0], asked[0])
        same_infos(given[1], asked[1])


@pytest.mark.parametrize(
    ("each", "alike"),
    [
        ({"number": [4, 5, 6]}, {"number": 4}),
        ({"number": np.array([4, 5, 6])}, {"number": np.int64(4)}),
        ({"id": tuple(map(deal_id, (4, 5, 6)))}, {"id": deal_id(4)}),
        ({"deck": [WON, LOST, WON]}, {"deck": WON}),
    ],
)
def test_deals_are_named_for_each_game_or_for_all(each: dict[str, Any], alike: dict[str, Any]) -> None:
    env, single = vector(3), TriPeaksEnv()
    several = env.reset(options=each)[0]["peaks"]
    ((option, values),) = each.items()
    for slot in range(3):
        np.testing.assert_array_equal(several[slot], single.reset(options={option: values[slot]})[0]["peaks"])
    same = env.reset(options=alike)[0]["peaks"]
    np.testing.assert_array_equal(same, several[[0, 0, 0]])


def test_named_deals_end_with_their_number() -> None:
    env = vector(2)
    env.reset(options={"number": [8, 9]})
    for _ in range(200):
        info = env.step(np.zeros(2, np.int64))[-1]
    assert info["deal"].tolist() == [8, 9]


def test_list_seeds_and_streams_that_go_on() -> None:
    env, others = vector(3), [TriPeaksEnv() for _ in range(3)]
    for seeds in ([5, 900, 2**63], [None, 5, None], [None] * 3):
        peaks = env.reset(seed=seeds)[0]["peaks"]
        wanted = [other.reset(seed=seed)[0]["peaks"] for other, seed in zip(others, seeds, strict=True)]
        np.testing.assert_array_equal(peaks, wanted)
    peaks = env.reset()[0]["peaks"]
    np.testing.assert_array_equal(peaks, [other.reset()[0]["peaks"] for other in others])


@pytest.mark.parametrize(
    ("seed", "plain"), [(np.int64(3), 3), (np.array([1, 2, 3]), [1, 2, 3]), (np.array([7, 0, 2**63], np.uint64), None)]
)
def test_seeds_may_be_numbers_of_numpy(seed: Any, plain: int | list[int] | None) -> None:  # noqa: ANN401
    same = vector(3).reset(seed=seed)[0]
    np.testing.assert_equal(same, vector(3).reset(seed=[7, 0, 2**63] if plain is None else plain)[0])


def test_without_seeds_every_game_differs() -> None:
    tables = [*vector(4).reset()[0]["peaks"], *vector(4).reset()[0]["peaks"]]
    assert len({table.tobytes() for table in tables}) == 8


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


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64, list, tuple])
def test_every_kind_of_whole_numbers_is_taken(kind: Any) -> None:  # noqa: ANN401
    env = vector(2)
    env.reset(seed=0)
    actions = kind([DRAW, DRAW]) if kind in (list, tuple) else np.array([DRAW, DRAW], kind)
    assert env.step(actions)[0]["stocks"].tolist() == [[22], [22]]


@pytest.mark.parametrize(
    ("actions", "fault"),
    [
        (np.array([0, 29]), "29 for game 1"),
        (np.array([-1, 0]), "-1 for game 0"),
        (np.array([0, 2**64 - 1], np.uint64), "18446744073709551615 for game 1"),
        (np.array([0.0, 1.0]), r"float64 in shape \(2,\)"),
        (np.array([True, False]), r"bool in shape \(2,\)"),
        (np.array([0]), r"int64 in shape \(1,\)"),
        (np.array([[0], [1]]), r"int64 in shape \(2, 1\)"),
        (np.int64(3), r"int64 in shape \(\)"),
        (["a", "b"], r"<U1 in shape \(2,\)"),
        (None, r"object in shape \(\)"),
        ([[0], [1, 2]], r"\[\[0\], \[1, 2\]\]"),
    ],
)
def test_other_actions_are_refused_and_change_nothing(actions: Any, fault: str) -> None:  # noqa: ANN401
    env = vector(2)
    before, _ = env.reset(seed=0)
    sentence = rf"^actions are whole numbers from 0 to 28 in an array of shape \(2,\), not {fault}$"
    with pytest.raises(InvalidAction, match=sentence):
        env.step(actions)
    np.testing.assert_equal(env.step(np.array([0, 0]))[0], before)


def test_stepping_before_the_first_deal_is_refused() -> None:
    with pytest.raises(ResetNeeded, match="call reset before step"):
        vector(2).step(np.array([0, 0]))
    with pytest.raises(ResetNeeded, match="leave reset_mask out of the first reset"):
        vector(2).reset(options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"num_envs": 0}, "games must be 1 or more, not 0"),
        ({"threads": 0}, "threads must be 1 or more, not 0"),
        ({"autoreset_mode": "Never"}, "unknown autoreset_mode 'Never': use one of NextStep, SameStep, Disabled"),
        ({"render_mode": "human"}, "unknown render_mode 'human'"),
        ({"piles": 2, "clock": 60}, "one mind with 2 piles plays without time"),
        ({"reward": "points"}, "unknown reward 'points'"),
    ],
)
def test_impossible_settings_are_refused_in_a_sentence(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        TriPeaksVectorEnv(**({"num_envs": 2} | settings))


@pytest.mark.parametrize(
    ("asked", "kind", "sentence"),
    [
        ({"seed": [1]}, ValueError, "seeds must be one for each of 2 games, not 1"),
        ({"seed": [1, -2]}, gymnasium.error.Error, "seeds must be whole numbers from 0, not -2"),
        ({"seed": [1, 2.5]}, gymnasium.error.Error, "seeds must be whole numbers from 0, not 2.5"),
        ({"seed": -1}, gymnasium.error.Error, ""),
        ({"seed": np.int64(-1)}, gymnasium.error.Error, r"seeds must be whole numbers from 0, not np.int64\(-1\)"),
        ({"seed": 1.5}, gymnasium.error.Error, "seeds must be whole numbers from 0, not 1.5"),
        ({"seed": "a"}, gymnasium.error.Error, "seeds must be whole numbers from 0, not 'a'"),
        ({"seed": np.array([0.0, 1.0])}, gymnasium.error.Error, "seeds must be whole numbers from 0, not"),
        ({"options": {"reset_mask": [True, False]}}, TypeError, "reset_mask must be a bool array"),
        ({"options": {"reset_mask": np.array([1, 0])}}, TypeError, "reset_mask must be a bool array"),
        ({"options": {"reset_mask": np.array([True])}}, ValueError, r"reset_mask must have shape \(2,\)"),
        ({"options": {"reset_mask": np.zeros(2, np.bool_)}}, ValueError, r"reset_mask must have shape \(2,\)"),
        ({"options": {"deal": 1}}, ValueError, "unknown reset option 'deal'"),
        ({"options": {"number": [1, 2, 3]}}, ValueError, "reset option number must be one for each of 2 games, not 3"),
        ({"options": {"number": [1, -2]}}, ValueError, "deal numbers are 0 to"),
        ({"options": {"id": [deal_id(1), 2]}}, ValueError, "deal ids are text, not 2"),
    ],
)
def test_impossible_resets_are_refused_in_a_sentence(
    asked: dict[str, Any], kind: type[Exception], sentence: str
) -> None:
    env = vector(2)
    env.reset(seed=0)
    with pytest.raises(kind, match=f"^{sentence}"):
        env.reset(**asked)
