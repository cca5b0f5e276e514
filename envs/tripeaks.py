"""TriPeaks, and one mind with two or three piles, as a Gymnasium environment (rules.md section 3, "One mind")."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.endings import ending
from gipfelsturm.envs.options import deal_as_asked, most_steps, tripeaks_settings
from gipfelsturm.envs.rendering import RENDER_MODES, Frame, check_render_mode, paced, picture, rendered, warn_of_no_mode
from gipfelsturm.envs.rewards import parts_of
from gipfelsturm.envs.rules.actions import REASONS
from gipfelsturm.envs.rules.settings import TempoLike
from gipfelsturm.envs.spaces import Observation, action_space, observation_space


class TriPeaksEnv(gymnasium.Env[Observation, np.int64]):
    """One player, one to three piles.

    Actions 0..27 play that place on pile 0, with more piles 28..55 on pile 1 and so on, then one draw for each pile.
    With a tempo or a clock (one pile) steps are ticks, and one more action waits. Observations are the fields of
    `gipfelsturm.envs.rules.observation`; `info` holds

    - `action_mask`: int8 (actions,), all 1 once the game is over;
    - `reason`: why the action was refused and changed nothing, "" if it was not;
    - `reward_parts`: the named terms whose sum the reward is;
    - at the end `result`, `score`, `longest_streak` and `deal` (its id; "" for a deck given as cards).

    An untimed game is truncated after 200 steps, one with a tempo and no clock after 3,000 ticks. It has not ended
    then: its result is "running", its mask what it was, and the `shaped` reward lacks what the end would add.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 5}

    def __init__(
        self,
        preset: str = "tripeaks",
        *,
        piles: int | None = None,
        stock: int | None = None,
        ring: bool | None = None,
        tempo: TempoLike | None = None,
        clock: float | None = None,
        tick: float | None = None,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        """Fields left out are the preset's, with a tempo its clock too; clock and tick are seconds.

        Raises:
            ValueError: for an unknown name or an impossible game, in one sentence.
        """
        check_render_mode(render_mode)
        self.settings = tripeaks_settings(preset, piles, stock, ring, tempo, clock, tick)
        self.render_mode = render_mode
        self.metadata = paced(self.metadata, self.settings)
        self.observation_space = observation_space(self.settings)
        self.action_space = action_space(self.settings)
        self._count = int(self.action_space.n)
        self._batch = GipfelsturmBatch(
            self.settings, 1, reward=reward, autoreset="disabled", most_steps=most_steps(self.settings)
        )
        self._parts = parts_of(reward)
        self._spans = [(name, field.span) for name, field in self._batch.layout.items()]
        self._actions = np.zeros((1, 1), np.int64)
        self._seeded = self._running = self._dealt = self._deck_given = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the next deal of the seed's stream, or the one that `options` name: `number`, `id` or `deck`."""
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            self._batch.seed([int(self.np_random.integers(2**63)) if seed is None else seed])
            self._seeded = True
        if not deal_as_asked(self._batch, options or {}):
            self._batch.deal_all()
        self._deck_given = "deck" in (options or {})
        self._dealt = self._running = True
        return self._observation(), {"action_mask": self._mask(), "reason": "", "reward_parts": self._reward_parts()}

    def step(self, action: int | np.integer[Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One action, or one tick.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset and after the end.
            gymnasium.error.InvalidAction: for anything that is not in the action space.
        """
        if not self._running:
            raise ResetNeeded("the game is over, or was never dealt: call reset before step")
        self._actions[0, 0] = self._checked(action)
        batch = self._batch
        batch.advance(self._actions)
        terminated, truncated = bool(batch.terminated[0]), bool(batch.truncated[0])
        info = {
            "action_mask": self._mask(),
            "reason": REASONS[batch.reasons[0, 0]],
            "reward_parts": self._reward_parts(),
        }
        if terminated or truncated:
            self._running = False
            info |= ending(self._batch, self._deck_given)
        return self._observation(), float(batch.rewards[0]), terminated, truncated, info

    def render(self) -> Frame | None:
        """The table as text in render mode "ansi", as uint8 pixels (height, width, 3) in "rgb_array"."""
        if self.render_mode is None:
            warn_of_no_mode()
            return None
        if not self._dealt:
            raise ResetNeeded("nothing has been dealt: call reset before render")
        return rendered(self.render_mode, self.settings, self._batch.games[0])

    def _repr_svg_(self) -> str | None:
        """What notebooks show: the table as a picture, in every render mode."""
        return picture(self.settings, self._batch.games[0]) if self._dealt else None

    def _checked(self, action: int | np.integer[Any]) -> int:
        if type(action) is int and 0 <= action < self._count:  # what nearly every step brings, and `contains` is slow
            return action
        if not self.action_space.contains(action):
            wrong = f"actions are whole numbers from 0 to {self._count - 1}, not {action!r}"
            raise gymnasium.error.InvalidAction(wrong)
        return int(action)

    def _observation(self) -> Observation:
        row = self._batch.observations[0, 0].copy()
        return {name: row[span] for name, span in self._spans}

    def _mask(self) -> NDArray[np.int8]:
        mask: NDArray[np.int8] = self._batch.masks[0, 0].copy()
        return mask

    def _reward_parts(self) -> dict[str, float]:
        parts = self._batch.parts[0].tolist()
        return {name: parts[column] for name, column in self._parts.items()}
