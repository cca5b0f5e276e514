"""Agents' answers, before compiled code believes them."""

import numpy as np
import pytest

from gipfelsturm.agents.answers import legal_actions, whole_numbers

MASKS = np.array([[[0, 1, 1]], [[1, 1, 1]]], np.int8)  # the second game is over
OVER = np.array([False, True])


@pytest.mark.parametrize("answer", [[[1], [0]], np.array([[2], [1]], np.uint8), np.ones((2, 2), np.int16)[:, ::2]])
def test_legal_actions_come_back_as_plain_numbers(answer: np.typing.ArrayLike) -> None:
    actions = legal_actions(answer, MASKS, OVER)
    np.testing.assert_array_equal(actions, answer)
    assert actions.dtype == np.int64
    assert actions.flags.c_contiguous


@pytest.mark.parametrize("ignored", [-7, 3, 2**40])
def test_what_is_answered_after_the_end_does_not_matter(ignored: int) -> None:
    actions = legal_actions([[1], [ignored]], MASKS, OVER)
    assert actions[0, 0] == 1
    assert 0 <= actions[1, 0] < 3


@pytest.mark.parametrize("wrong", [0, -1, 3, -(2**40)])
def test_a_forbidden_action_is_named_with_its_seat(wrong: int) -> None:
    masks = np.concatenate([np.ones_like(MASKS), MASKS], axis=1)
    with pytest.raises(ValueError, match=f"^the agent in seat 1 chose action {wrong} where its mask forbids it$"):
        legal_actions([[1, wrong], [0, 0]], masks, OVER)


@pytest.mark.parametrize("answer", [[[0.0], [1.0]], [0, 1], [[0, 1]], None, [[True], [False]]])
def test_anything_else_is_no_answer(answer: np.typing.ArrayLike) -> None:
    with pytest.raises(ValueError, match=r"^an agent answers with whole numbers \(2, 1\), not with "):
        whole_numbers(answer, (2, 1))
