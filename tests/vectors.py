"""Native vector environments, the single ones beside them, and what both hand out."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

from gipfelsturm.envs import TriPeaksEnv
from gipfelsturm.envs.rules.actions import REASONS
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.record import STATUSES
from gipfelsturm.envs.tripeaks_vector import TriPeaksVectorEnv
from playing import LOST, ORDER, WON

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
