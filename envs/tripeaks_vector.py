"""Many games of TriPeaks at once, as Gymnasium's native vector environment."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from gipfelsturm.envs.batch import GipfelsturmBatch, Outcome
from gipfelsturm.envs.options import chosen_games, deal_as_asked, each_seed, most_steps, tripeaks_settings
from gipfelsturm.envs.rendering import Frame, check_render_mode, paced, rendered, warn_of_no_mode
from gipfelsturm.envs.rewards import parts_of
from gipfelsturm.envs.rules.actions import action_count
from gipfelsturm.envs.rules.settings import TempoLike
from gipfelsturm.envs.spaces import Observation, action_space, observation_space
from gipfelsturm.envs.tripeaks import TriPeaksEnv

Flags = NDArray[np.bool_]  # (games,)
# The batch leaves ended games to `step` under SAME_STEP too: infos tell more of them than the batch keeps.
_BATCH_MODES = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "disabled",
    AutoresetMode.DISABLED: "disabled",
}


class TriPeaksVectorEnv(VectorEnv[Observation, NDArray[np.integer[Any]], NDArray[Any]]):
    """`TriPeaksEnv` in `num_envs` slots: slot i seeded with s plays what a single environment seeded with s plays.

    Actions are whole numbers of shape (games,), observations int8 arrays (games, field size) of one new array. `infos`
    are those of Gymnasium's SyncVectorEnv, each with its `_key` flags (games,), in numbers where single ones are texts:

    - `action_mask`: int8 (games, actions), after a reset of some games still that of all;
    - `reason`: int8, an index of `gipfelsturm.envs.rules.actions.REASONS`;
    - `reward_parts`: a dict of float64 arrays;
    - at an end, all int64: `result`, an index of `gipfelsturm.envs.rules.record.STATUSES`, `score`, `longest_streak`
      and `deal`: its number, as `reset` takes it and `gipfelsturm.envs.rules.deals.deal_id` writes it, -1 for a deck
      given as cards;
    - under SAME_STEP all that an end tells in `final_info`, and `final_obs`: an object array of single observations.
    """

    metadata: dict[str, Any] = TriPeaksEnv.metadata

    def __init__(
        self,
        num_envs: int = 1,
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
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
    ) -> None:
        """As `TriPeaksEnv`; `threads` slices of the games step at the same time, with the same results.

        Raises:
            ValueError: for an unknown name or an impossible game, in one sentence.
        """
        mode = _mode(autoreset_mode)
        check_render_mode(render_mode)
        self.settings = tripeaks_settings(preset, piles, stock, ring, tempo, clock, tick)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = paced(self.metadata, self.settings) | {"autoreset_mode": mode}
        self._batch = GipfelsturmBatch(
            self.settings,
            num_envs,
            reward=reward,
            autoreset=_BATCH_MODES[mode],
            most_steps=most_steps(self.settings),
            threads=threads,
        )
        self.single_observation_space = observation_space(self.settings)
        self.single_action_space = action_space(self.settings)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mode = mode
        self._parts = parts_of(reward)
        self._spans = [(name, field.span) for name, field in self._batch.layout.items()]
        self._actions = np.zeros((num_envs, 1), np.int64)
        self._count = action_count(self.settings)
        self._seeded = np.zeros(num_envs, np.bool_)
        self._deck_given = np.zeros(num_envs, np.bool_)
        self._ended = np.zeros(num_envs, np.bool_)
        self._every = np.ones(num_envs, np.bool_)
        self._dealt = self._waiting = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the next deal in every game, or where `options["reset_mask"]`, bool (games,), says so.

        Args:
            seed: of the first game, the others following by one; or one each, None to go on with a game's stream.
            options: `number`, `id` or `deck`, as for one environment or a sequence with one for each game.

        Raises:
            gymnasium.error.ResetNeeded: for a `reset_mask` before anything was dealt.
        """
        asked = dict(options or {})
        chosen = chosen_games(asked.pop("reset_mask", None), self.num_envs)
        if not (self._dealt or chosen.all()):
            raise ResetNeeded("nothing has been dealt: leave reset_mask out of the first reset")
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._seed(each_seed(seed, self.num_envs), chosen)
        if not deal_as_asked(self._batch, asked, chosen):
            self._batch.deal_where(chosen)
        self._batch.renew_buffers()
        self._batch.look()
        self._deck_given[chosen] = "deck" in asked
        self._ended &= ~chosen
        self._waiting = self._mode is AutoresetMode.DISABLED and bool(self._ended.any())
        self._dealt = True
        return self._observation(), self._info(self._batch.outcome(), chosen) | {"action_mask": self._batch.masks[:, 0]}

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[Observation, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """One action, or one tick, in every game; under NEXT_STEP a new deal instead where the last step was an end.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset, and under DISABLED while an ended game is not reset.
            gymnasium.error.InvalidAction: for anything that is not in the action space.
        """
        self._check_dealt()
        self._check(actions)
        batch = self._batch
        batch.renew_buffers()  # the last ones belong to the caller
        batch.advance(self._actions)
        outcome = batch.outcome()
        self._ended = outcome.ended
        ends = self._after_ends(outcome) if outcome.endings else {}
        renewed = "final_info" in ends  # then the rest of infos speaks of the new games
        info = self._info(batch.outcome() if renewed else outcome)
        return self._observation(), outcome.reward, outcome.terminated, outcome.truncated, info | ends

    def render(self) -> tuple[Frame, ...] | None:
        """Every table as text in render mode "ansi", as uint8 pixels (height, width, 3) in "rgb_array"."""
        if self.render_mode is None:
            warn_of_no_mode()
            return None
        if not self._dealt:
            raise ResetNeeded("nothing has been dealt: call reset before render")
        return tuple(rendered(self.render_mode, self.settings, game) for game in self._batch.games)

    def _seed(self, seeds: list[int | None], chosen: Flags) -> None:
        """Begin the chosen streams that have a seed, and those that never had one with chance."""
        given = np.array([seed is not None for seed in seeds])
        fresh = chosen & ~(given | self._seeded)
        chance = self.np_random.integers(2**63, size=self.num_envs) if fresh.any() else fresh
        each = zip(seeds, chosen.tolist(), fresh.tolist(), chance.tolist(), strict=True)
        self._batch.seed(bits if new else seed if wanted else None for seed, wanted, new, bits in each)
        self._seeded |= chosen

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise ResetNeeded("nothing has been dealt: call reset before step")
        if self._waiting:
            ended = np.flatnonzero(self._ended).tolist()
            raise ResetNeeded(f"games {ended} are over: reset them with options={{'reset_mask': ...}} before step")

    def _check(self, actions: NDArray[np.integer[Any]]) -> None:
        """Take the actions over as int64 (games, 1)."""
        try:
            given = np.asarray(actions)
        except ValueError:  # rows of several lengths
            raise self._invalid(repr(actions)) from None
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise self._invalid(f"{given.dtype} in shape {given.shape}")
        self._actions[:, 0] = given
        unsigned = self._actions.view(np.uint64)  # negative numbers are the highest here: one bound to check
        if unsigned.max() >= self._count:
            slot = int(unsigned.argmax())
            raise self._invalid(f"{given[slot]} for game {slot}")

    def _invalid(self, given: str) -> InvalidAction:
        wanted = f"actions are whole numbers from 0 to {self._count - 1} in an array of shape ({self.num_envs},)"
        return InvalidAction(f"{wanted}, not {given}")

    def _after_ends(self, outcome: Outcome) -> dict[str, Any]:
        """What infos say of the games that this step ended."""
        ended = self._ended
        self._waiting = self._mode is AutoresetMode.DISABLED
        results = self._results(outcome)
        if self._mode is not AutoresetMode.SAME_STEP:
            return results
        info = self._info(outcome, ended) | results
        each = self._each(ended)
        self._batch.deal_where(ended)
        return {"final_info": info, "_final_info": ended.copy(), "final_obs": each, "_final_obs": ended.copy()}

    def _results(self, outcome: Outcome) -> dict[str, Any]:
        ended, deals = outcome.ended, outcome.deal
        if np.count_nonzero(self._deck_given):
            deals[ended & self._deck_given] = -1
            self._deck_given &= ~ended  # whatever comes next is dealt
        flags = ended.copy()
        return {
            "result": outcome.result,
            "_result": flags,
            "score": outcome.score,
            "_score": flags,
            "longest_streak": outcome.longest_streak,
            "_longest_streak": flags,
            "deal": deals,
            "_deal": flags,
        }

    def _each(self, ended: Flags) -> NDArray[np.object_]:
        """The observations of the ended games one by one, (games,) of dicts and None."""
        each = np.full(self.num_envs, None, object)
        names = [name for name, _ in self._spans]
        rows = self._batch.observations[ended, 0]
        fields = [list(rows[:, span]) for _, span in self._spans]
        each[ended] = [dict(zip(names, one, strict=True)) for one in zip(*fields, strict=True)]
        return each

    def _observation(self) -> Observation:
        rows = self._batch.observations[:, 0]
        return {name: rows[:, span] for name, span in self._spans}

    def _info(self, outcome: Outcome, shown: Flags | None = None) -> dict[str, Any]:
        """What infos say of the games that are shown, zeros for the others; None shows all."""
        flags = (self._every if shown is None else shown).copy()
        parts = {name: _only(outcome.parts[column], shown) for name, column in self._parts.items()}
        return {
            "action_mask": _only(self._batch.masks[:, 0], shown),
            "_action_mask": flags,
            "reason": _only(outcome.reasons[0], shown),
            "_reason": flags,
            "reward_parts": parts | {f"_{name}": flags for name in parts},
            "_reward_parts": flags,
        }


def _only(values: NDArray[Any], shown: Flags | None) -> NDArray[Any]:
    """Values (games, ...), or a copy with zeros where they are not shown; None shows all."""
    if shown is None:
        return values
    only = np.zeros(values.shape, values.dtype)
    only[shown] = values[shown]
    return only


def _mode(given: AutoresetMode | str) -> AutoresetMode:
    modes = [mode.value for mode in AutoresetMode]
    if not isinstance(given, AutoresetMode) and given not in modes:
        raise ValueError(f"unknown autoreset_mode {given!r}: use one of {', '.join(modes)}")
    return AutoresetMode(given)
