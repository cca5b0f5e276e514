"""The native vector environment: every autoreset mode step by step, and resets by mask, seed and deal."""

from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from gipfelsturm.envs import TriPeaksEnv
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.record import STATUSES
from playing import LOST, ORDER, WON
from vectors import DRAW, SCRIPT, same_infos, singles, started, to_the_first_end, vector


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
