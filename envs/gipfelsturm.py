"""Gipfelsturm in real time as a PettingZoo environment (rules.md section 3)."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.wrappers import BaseWrapper

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.endings import ending
from gipfelsturm.envs.options import deal_as_asked, each_seed, most_steps
from gipfelsturm.envs.rendering import RENDER_MODES, Frame, check_render_mode, paced, picture, rendered, warn_of_no_mode
from gipfelsturm.envs.rewards import parts_of
from gipfelsturm.envs.rules.actions import REASONS, wait_action
from gipfelsturm.envs.rules.record import GAME
from gipfelsturm.envs.rules.settings import DEFAULT_TICK_MS, TempoLike, real_time
from gipfelsturm.envs.rules.tempo import DEFAULT_TEMPO
from gipfelsturm.envs.spaces import Observation, action_space, observation_space

PROBE = {"options": 1}
"""The reset options with which PettingZoo's own tests ask whether there are any; they name no deal."""


class View(TypedDict):
    """What an agent is given: the fields of `gipfelsturm.envs.rules.observation`, and int8 (actions,)."""

    observation: Observation
    action_mask: NDArray[np.int8]


Infos = dict[str, dict[str, Any]]
Step = tuple[dict[str, View], dict[str, float], dict[str, bool], dict[str, bool], Infos]


class GipfelsturmEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo ships no types, so its class is Any
    """One to three seats, one hand each, against the clock; agents are `seat_0`, `seat_1`, ...

    For n seats actions 28k..28k+27 play a place on the pile k to the left (0 is one's own), 28n draws (28n+k draws from
    another's stock, which is always refused), 29n waits, and with calls 15 more follow. An agent left out of a step's
    actions waits. Each `info` holds

    - `reason`: why the agent's action was refused and changed nothing, "" if it was not;
    - `reward_parts`: the named terms whose sum the reward is, which all seats share;
    - `ticks`: how many the step ran;
    - at the end `result`, `score`, `longest_streak` and `deal` (its id; "" for a deck given as cards).

    A step is one tick. With `advance="decision"` it runs on, with `wait` for all, to the next tick in which some free
    hand can do more than wait and call, or to the end; rewards are summed.

    All agents leave together at the end, and their masks are all 1 then. Without a clock the game is truncated after
    3,000 ticks and has not ended: its result is "running", its masks are what they were, and the `shaped` reward lacks
    what the end would add.
    """

    metadata: dict[str, Any] = {
        "name": "gipfelsturm_v0",
        "render_modes": RENDER_MODES,
        "render_fps": 5,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        preset: str = "normal",
        *,
        seats: int | None = None,
        stock: int | None = None,
        ring: bool | None = None,
        calls: bool = True,
        clock: float | None | str = "preset",
        tick: float = DEFAULT_TICK_MS / 1000,
        tempo: TempoLike | Sequence[TempoLike] = DEFAULT_TEMPO,
        reward: str = "win",
        advance: str = "tick",
        render_mode: str | None = None,
    ) -> None:
        """Fields left out are the preset's; the table's are those of `gipfelsturm.envs.rules.settings.real_time`.

        Args:
            clock: seconds, None for no clock, or "preset".
            tick: seconds.
            tempo: for every seat, or one for each.
            advance: "tick" or "decision".

        Raises:
            ValueError: for an unknown name or an impossible game, in one sentence.
        """
        check_render_mode(render_mode)
        self.settings = real_time(
            preset, seats=seats, stock=stock, ring=ring, calls=calls, clock=clock, tick=tick, tempo=tempo
        )
        self.render_mode = render_mode
        self.metadata = paced(self.metadata, self.settings)
        self._batch = GipfelsturmBatch(
            self.settings,
            1,
            reward=reward,
            autoreset="disabled",
            advance=advance,
            most_steps=most_steps(self.settings),
        )
        self._parts = parts_of(reward)
        self._count = self._batch.actions
        self._wait = wait_action(self.settings.seats)
        self._commands = np.zeros(self.settings.seats, np.int64)
        self._seeded = self._dealt = self._deck_given = False
        self._name_agents()
        self._cuts = [(agent, *self._cut(seat)) for agent, seat in self._seats.items()]
        self._blank: Observation = dict.fromkeys(self._batch.layout, np.zeros(0, np.int8))

    def _cut(self, seat: int) -> tuple[list[tuple[str, slice]], slice]:
        """Where a seat's fields and its mask lie in the rows of the batch."""
        batch = self._batch
        start = seat * batch.observations.shape[-1]
        mask = batch.observations.size + seat * batch.actions
        fields = [
            (name, slice(start + field.offset, start + field.offset + field.size))
            for name, field in batch.layout.items()
        ]
        return fields, slice(mask, mask + batch.actions)

    def _name_agents(self) -> None:
        self.possible_agents = [f"seat_{seat}" for seat in range(self.settings.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._action_spaces = {agent: action_space(self.settings) for agent in self.possible_agents}
        self._observation_spaces = {agent: self._view_space() for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 255, (GAME.itemsize,), np.uint8)

    def _view_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self._count,), np.int8)
        return spaces.Dict({"observation": observation_space(self.settings), "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's `View`, the same object at every call."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbering of `gipfelsturm.envs.rules.actions`, the same object at every call."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, View], Infos]:
        """Begin the next deal of the seed's stream, or the one that `options` name: `number`, `id` or `deck`.

        Raises:
            gymnasium.error.Error: for a seed that is no whole number from 0.
            ValueError: for an unknown option, or a deal that cannot be read.
        """
        seeds = each_seed(seed, 1)
        if seed is None and not self._seeded:
            seeds = [int(np.random.default_rng().integers(2**63))]
        self._batch.seed(seeds)
        self._seeded = True
        deal = {} if options is None or options == PROBE else options
        if not deal_as_asked(self._batch, deal):
            self._batch.deal_all()
        self._deck_given = "deck" in deal
        self._dealt = True
        self.agents = list(self.possible_agents)
        return self._views(), self._infos((0.0, 0.0, 0.0), (0, 0, 0), 0)

    def step(self, actions: Mapping[str, int | np.integer[Any]]) -> Step:
        """One tick, or the ticks to the next decision; without actions after the end, five empty dicts.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset, and for actions after the end.
            ValueError: for anything but a dict, an unknown agent, or anything that is not in its action space; nothing
                has changed then.
        """
        if type(actions) is not dict and not isinstance(actions, Mapping):  # the first is quicker
            example = {agent: self._wait for agent in self.possible_agents}
            raise ValueError(f"actions must be a dict such as {example}, not {actions!r}")
        if not self.agents:
            return self._nothing(actions)
        self._read(actions)
        reward, parts, reasons, terminated, truncated, ticks = self._batch.advance_alone(self._commands)
        infos = self._infos(parts, reasons, ticks)
        rewards: dict[str, float] = {}
        terminations: dict[str, bool] = {}
        truncations: dict[str, bool] = {}
        for agent in self.agents:  # `dict.fromkeys` takes twice as long
            rewards[agent] = reward
            terminations[agent] = terminated
            truncations[agent] = truncated
        if terminated or truncated:
            self.agents = []
            for info in infos.values():
                info |= ending(self._batch, self._deck_given)
        return self._views(), rewards, terminations, truncations, infos

    def state(self) -> NDArray[np.uint8]:
        """Full information for centralised critics: the bytes of the record `gipfelsturm.envs.rules.record.GAME`.

        It holds every unseen card and the seed of the ties, so no agent may act on it.
        """
        self._require_deal("state")
        return np.frombuffer(self._batch.games.tobytes(), np.uint8).copy()

    def render(self) -> Frame | None:
        """The table as text in render mode "ansi", in "rgb_array" as uint8 pixels (height, width, 3) from seat 0."""
        if self.render_mode is None:
            warn_of_no_mode()
            return None
        self._require_deal("render")
        return rendered(self.render_mode, self.settings, self._batch.games[0])

    def _repr_svg_(self) -> str | None:
        """What notebooks show: the table as a picture from seat 0, in every render mode."""
        return picture(self.settings, self._batch.games[0]) if self._dealt else None

    def _require_deal(self, what: str) -> None:
        if not self._dealt:
            raise ResetNeeded(f"nothing has been dealt: call reset before {what}")

    def _nothing(self, actions: Mapping[str, object]) -> Step:
        self._require_deal("step")
        if actions:
            raise ResetNeeded("the game is over and its agents have left: call reset before step")
        return {}, {}, {}, {}, {}

    def _read(self, actions: Mapping[str, int | np.integer[Any]]) -> None:
        """Write the command of each seat."""
        commands, seats = self._commands, self._seats
        if len(actions) < len(seats):
            commands.fill(self._wait)
        for agent, action in actions.items():
            if agent not in seats:
                raise ValueError(f"unknown agent {agent!r}: use one of {', '.join(self.possible_agents)}")
            if type(action) is not int or not 0 <= action < self._count:  # what few steps bring: `contains` is slow
                action = self._checked(agent, action)
            commands[seats[agent]] = action

    def _checked(self, agent: str, action: int | np.integer[Any]) -> int:
        if not self._action_spaces[agent].contains(action):
            raise ValueError(f"actions of {agent} are whole numbers from 0 to {self._count - 1}, not {action!r}")
        return int(action)

    def _views(self) -> dict[str, View]:
        """Everybody's, all cut from one copy of the batch's rows."""
        rows = self._batch.rows.copy()
        views: dict[str, View] = {}
        for agent, fields, mask in self._cuts:
            observation = self._blank.copy()  # faster than a dict that has to grow
            for name, span in fields:
                observation[name] = rows[span]
            views[agent] = {"observation": observation, "action_mask": rows[mask]}
        return views

    def _infos(self, parts: Sequence[float], reasons: Sequence[int], ticks: int) -> Infos:
        named: dict[str, float] = {}
        infos: Infos = {}
        for name, column in self._parts.items():
            named[name] = parts[column]
        for agent, seat in self._seats.items():
            infos[agent] = {"reason": REASONS[reasons[seat]], "reward_parts": named.copy(), "ticks": ticks}
        return infos


class _Turns(BaseWrapper):  # type: ignore[misc]
    """Refuses an impossible action in its own turn: the step that the last seat runs would do so for ever after."""

    def step(self, action: int | np.integer[Any] | None) -> None:
        agent = self.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):
            self.unwrapped._checked(agent, action)
        super().step(action)

    def __str__(self) -> str:
        return str(self.env)


def gipfelsturm_aec(**settings: Any) -> AECEnv:  # noqa: ANN401  # those of `GipfelsturmEnv`, which checks them
    """The same table as an AEC environment: the seats give their actions in turn, and the last one's runs the step."""
    return _Turns(parallel_to_aec(GipfelsturmEnv(**settings)))
