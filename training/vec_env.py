"""Batches of games for Stable-Baselines3: one mind, or a real-time table with one network in all its seats.

    env = VecMonitor(GipfelsturmVecEnv(real_time("normal", calls=False), 32, reward="shaped"))
    MaskablePPO("MlpPolicy", env, gamma=1.0).learn(1_000_000)

Importing this takes seconds, since it imports SB3 and so PyTorch.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from gipfelsturm.envs.batch import GipfelsturmBatch, Outcome
from gipfelsturm.envs.encoder import Encoder
from gipfelsturm.envs.options import deal_as_asked, most_steps
from gipfelsturm.envs.rules.actions import REASONS
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.observation import Field, layout_of
from gipfelsturm.envs.rules.record import STATUSES
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.spaces import action_space
from gipfelsturm.training.state import State, batch_state, load_batch

Observations = NDArray[Any]  # (environments, inputs) float32, or int8 (environments, size)
Step = tuple[Observations, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]


class GipfelsturmVecEnv(VecEnv):
    """Every seat of every table, or every one mind, is one environment: seat s of table t is number `t * seats + s`.

    The seats of a table share its deal, reward and end, and a table that ends is dealt anew in the same step. Each
    `info` has `reason`, why the action was refused and changed nothing, "" if it was not; at the end also

    - `terminal_observation`, and `TimeLimit.truncated`, as SB3 wants them;
    - `result`, `score`, `longest_streak`, and `deal` (its id; "" for a deck given as cards).

    Table t is seeded with `seed + t`, and then plays what a single environment with that seed plays.
    """

    def __init__(
        self, settings: Settings, tables: int, *, reward: str = "win", advance: str = "decision", encoded: bool = True
    ) -> None:
        """Deals begin with `reset`.

        Args:
            reward: one of `gipfelsturm.envs.rewards.REWARDS`. `shaped` is for learners that discount nothing: any end
                pays what is left of its potential, so that with gamma below 1 the quickest loss is worth the most.
            advance: at the real-time table "decision" or "tick", as `GipfelsturmEnv`. Hands are busy most of the time;
                a step to the next decision leaves out the ticks in which nobody could do more than wait and call.
            encoded: observations as inputs of `gipfelsturm.envs.encoder.Encoder`, float32; else as the int8 rows of
                `gipfelsturm.envs.rules.observation`, whose card codes a dense layer takes for magnitudes.

        Raises:
            ValueError: for an unknown name, or no tables.
        """
        self._batch = GipfelsturmBatch(
            settings,
            tables,
            reward=reward,
            autoreset="disabled",
            advance=advance,
            most_steps=most_steps(settings),
        )
        self._encoder = Encoder(settings) if encoded else None
        self._seats = self._batch.viewers
        self._actions = np.zeros((tables, self._seats), np.int64)
        self._seeded = self._dealt = False
        self._deck_given = np.zeros(tables, np.bool_)
        self.render_mode = None  # the base class asks for it
        space = _row_space(settings) if self._encoder is None else _input_space(self._encoder)
        super().__init__(tables * self._seats, space, action_space(settings))

    @property
    def settings(self) -> Settings:
        """What every table is played with."""
        return self._batch.settings

    def action_masks(self) -> NDArray[np.int8]:
        """Which actions each environment may take now, (environments, actions), a new array."""
        masks: NDArray[np.int8] = self._batch.masks.reshape(self.num_envs, -1).copy()
        return masks

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the tables at the next reset; a seed of None is drawn from NumPy's global generator, as in all of SB3.

        Returns:
            The seed of each environment, the same for the seats of a table.
        """
        first = int(super().seed(seed)[0] or 0)
        self._seeds = [first + env // self._seats for env in range(self.num_envs)]
        return self._seeds

    def reset(self) -> Observations:
        """Begin the next deal of every table's stream, or the deals that `set_options` named.

        The options are those of the single environments, one dict for all or one for each environment.

        Raises:
            ValueError: for options that name no deals, or not the same for the seats of a table.
        """
        seeds = self._seeds[:: self._seats]
        if not self._seeded:
            chance = np.random.default_rng().integers(2**63, size=len(seeds)).tolist()
            seeds = [drawn if seed is None else seed for seed, drawn in zip(seeds, chance, strict=True)]
        self._batch.seed(seeds)
        self._seeded = True
        asked = self._asked()
        if not deal_as_asked(self._batch, asked):
            self._batch.deal_all()
        self._deck_given[:] = "deck" in asked
        self._dealt = True
        self._reset_seeds()
        self._reset_options()
        return self._observed(self._batch.observations)

    def step_async(self, actions: NDArray[np.integer[Any]]) -> None:
        """Take the actions (environments,) of the next step.

        Raises:
            ValueError: for another shape.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(
                f"actions must be one for each of the {self.num_envs} environments, not of shape {given.shape}"
            )
        self._actions = given.reshape(-1, self._seats).copy()

    def step_wait(self) -> Step:
        """Carry the actions out.

        Raises:
            ValueError: before the first reset, and for actions that are not in the action space.
        """
        if not self._dealt:
            raise ValueError("nothing has been dealt: call reset before step")
        batch = self._batch
        batch.step(self._actions)
        outcome = batch.outcome()
        infos = [{"reason": REASONS[reason]} for reason in outcome.reasons.T.ravel().tolist()]
        if outcome.endings:
            self._tell_ends(outcome, infos)
            batch.deal_where(outcome.ended)
        rewards = np.repeat(outcome.reward, self._seats).astype(np.float32)
        return self._observed(batch.observations), rewards, np.repeat(outcome.ended, self._seats), infos

    def state_dict(self) -> State:
        """The games and their streams of deals."""
        state = batch_state(self._batch)
        return State({**state.arrays, "deck_given": self._deck_given.copy()}, state.facts)

    def load_state(self, state: State) -> Observations:
        """Go on with the games that such environments had, and see them; raises ValueError for others."""
        load_batch(self._batch, state)
        self._deck_given[:] = state.arrays["deck_given"]
        self._seeded = self._dealt = True
        return self._observed(self._batch.observations)

    def close(self) -> None:
        """Nothing is open."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of this object, which stands for every environment."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:  # noqa: ANN401  # SB3's
        """Set an attribute of every environment.

        Raises:
            ValueError: for some environments only: they are one object.
        """
        if sorted(self._get_indices(indices)) != list(range(self.num_envs)):
            raise ValueError(f"the environments share their attributes: set {attr_name} for all of them, not for some")
        setattr(self, attr_name, value)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,  # noqa: ANN401  # SB3's
        indices: VecEnvIndices = None,
        **method_kwargs: Any,  # noqa: ANN401
    ) -> list[Any]:
        """What each environment answers to `action_masks`, the one method that they have, int8 (actions,).

        Raises:
            AttributeError: for any other.
        """
        if method_name != "action_masks":
            raise AttributeError(f"environments have the method action_masks and no other, not {method_name}")
        masks = self.action_masks(*method_args, **method_kwargs)
        return [masks[env] for env in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper], indices: VecEnvIndices = None) -> list[bool]:
        """Never."""
        return [False for _ in self._get_indices(indices)]

    def _asked(self) -> dict[str, list[Any]]:
        """The reset options, each with one value for each table."""
        tables = self._options[:: self._seats]
        each = [table for table in tables for _ in range(self._seats)]
        if len(each) != self.num_envs or self._options != each:
            raise ValueError("reset options must be the same for all seats of a table, and one dict for each seat")
        if any(table.keys() != tables[0].keys() for table in tables):
            raise ValueError("reset options must name the deals of all tables in the same way")
        return {option: [table[option] for table in tables] for option in tables[0]}

    def _tell_ends(self, outcome: Outcome, infos: list[dict[str, Any]]) -> None:
        """Write what infos say at an end."""
        last = self._observed(self._batch.observations[outcome.ended])
        ended = np.flatnonzero(outcome.ended).tolist()
        envs = [table * self._seats + seat for table in ended for seat in range(self._seats)]
        for env, observation, end in zip(envs, last, self._ends(outcome, ended), strict=True):
            infos[env] |= {"terminal_observation": observation, **end}
        self._deck_given[ended] = False

    def _ends(self, outcome: Outcome, ended: list[int]) -> Iterator[dict[str, Any]]:
        """What every seat of the ended tables is told."""
        for table in ended:
            for _ in range(self._seats):
                yield {
                    "TimeLimit.truncated": bool(outcome.truncated[table]),
                    "result": STATUSES[outcome.result[table]],
                    "score": int(outcome.score[table]),
                    "longest_streak": int(outcome.longest_streak[table]),
                    "deal": "" if self._deck_given[table] else deal_id(int(outcome.deal[table])),
                }

    def _observed(self, rows: NDArray[np.int8]) -> Observations:
        """A new array of what SB3 is given for rows (tables, seats, size)."""
        flat = rows.reshape(-1, rows.shape[-1])
        return flat.copy() if self._encoder is None else self._encoder(flat)


def _row_space(settings: Settings) -> spaces.Box:
    def bounds(name: str) -> NDArray[np.int8]:
        fields: list[Field] = list(layout_of(settings).values())
        return np.concatenate([np.full(field.size, getattr(field, name), np.int8) for field in fields])

    return spaces.Box(bounds("low"), bounds("high"), dtype=np.int8)


def _input_space(encoder: Encoder) -> spaces.Box:
    """No input is negative; seconds have no bound that is worth a name."""
    return spaces.Box(0, np.inf, (encoder.width,), np.float32)
