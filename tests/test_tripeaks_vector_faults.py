"""What the native vector environment takes for actions, settings and resets, and what it refuses."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded

from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.tripeaks_vector import TriPeaksVectorEnv
from vectors import (
    DRAW,
    vector,
)


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
