"""What agents answer, checked before compiled code sees it: that would believe anything."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def whole_numbers(answer: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """An answer as int64 of that shape; raises ValueError for fractions, and for another shape."""
    actions = np.asarray(answer)
    if actions.shape != shape or actions.dtype.kind not in "iu":
        raise ValueError(f"an agent answers with whole numbers {shape}, not with {actions.dtype} {actions.shape}")
    return np.ascontiguousarray(actions, np.int64)


def legal_actions(answer: ArrayLike, masks: NDArray[np.int8], over: NDArray[np.bool_]) -> NDArray[np.int64]:
    """An answer for every seat as int64 (games, seats), where a game is over any action of the numbering.

    Args:
        masks: (games, seats, actions), from which the agent cannot have erased anything.
        over: (games,).

    Raises:
        ValueError: for anything but actions that the masks allow.
    """
    actions = whole_numbers(answer, masks.shape[:2])
    within = np.clip(actions, 0, masks.shape[2] - 1)
    allowed = np.take_along_axis(masks, within[..., np.newaxis], axis=-1)[..., 0] > 0
    wrong = ((within != actions) | ~allowed) & ~over[:, np.newaxis]
    if wrong.any():
        game, seat = np.argwhere(wrong)[0]
        raise ValueError(f"the agent in seat {seat} chose action {actions[game, seat]} where its mask forbids it")
    return within
