"""Thousands of tables at once: the buffers that every environment works on."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rewards import part_weights
from gipfelsturm.envs.rules import loop
from gipfelsturm.envs.rules.actions import action_count
from gipfelsturm.envs.rules.cards import CARDS
from gipfelsturm.envs.rules.checks import whole
from gipfelsturm.envs.rules.deals import DEALS
from gipfelsturm.envs.rules.observation import layout_of, observation_size
from gipfelsturm.envs.rules.record import Games, blank_games, lay_out_all, start_all
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.rules.transcript import check_tie_seed

T = TypeVar("T")
Flags = NDArray[np.bool_]  # (games,)


class Outcome(NamedTuple):
    """What a step gave, in arrays of the caller's own; what it says of ended games is 0 for the others."""

    reward: NDArray[np.float64]  # (games,)
    parts: NDArray[np.float64]  # (3, games)
    terminated: NDArray[np.bool_]  # (games,)
    truncated: NDArray[np.bool_]  # (games,)
    ended: NDArray[np.bool_]  # (games,)
    reasons: NDArray[np.int8]  # (viewers, games)
    result: NDArray[np.int64]  # (games,) of ended games, an index of `record.STATUSES`
    score: NDArray[np.int64]  # (games,) of ended games
    longest_streak: NDArray[np.int64]  # (games,) of ended games
    deal: NDArray[np.int64]  # (games,) of ended games, its number, -1 for a deck given as cards
    endings: int  # how many games have ended


BOUND = ("observations", "masks", "rewards", "parts", "reasons", "terminated", "truncated", "numbers", "_pool")
"""What a copy of a batch makes anew, since copied views would no longer show its slots."""

ADVANCES = ("tick", "decision")
NO_NUMBER = np.uint64(2**64 - 1)
"""What stands for a deck that was given as cards among the numbers of deals."""
AUTORESET = {"next-step": loop.NEXT_STEP, "same-step": loop.SAME_STEP, "disabled": loop.DISABLED}


class GipfelsturmBatch:
    """A batch of games with the same settings, at the real-time table or of one mind, as arrays (games, viewers, ...).

    Viewers are the seats of the real-time table, or the one mind. The arrays are the batch's own buffers: each step
    writes over them, so keep copies. Deals come from a stream per game and depend on nothing else; until `seed` is
    called, game i has the stream of seed i.

    Attributes:
        games: (games,) records of `gipfelsturm.envs.rules.record.GAME`.
        observations: int8 (games, viewers, size), laid out as `layout` says.
        masks: int8 (games, viewers, actions), all 1 where a game is over.
        rows: int8, the memory of all observations and then all masks: one copy takes both.
        last_observations, last_masks: the same of the games that the last step ended, under "same-step".
        rewards: float64 (games,), the team's.
        parts: float64 (games, 3), of `gipfelsturm.envs.rewards.PARTS`.
        reasons: int8 (games, viewers), why a command was refused: an index of `actions.REASONS`, 0 if it was not.
        terminated, truncated: bool (games,).
        numbers: uint64 (games,), the deals, `NO_NUMBER` for a deck given as cards; hidden from players while a game
            runs.
    """

    def __init__(
        self,
        settings: Settings,
        games: int,
        *,
        reward: str = "win",
        autoreset: str = "next-step",
        advance: str = "tick",
        most_steps: int = 0,
        threads: int = 1,
    ) -> None:
        """Allocate; call `deal_all`, or `set_deals`, before the first step.

        Args:
            autoreset: "next-step", "same-step" or "disabled", as Gymnasium's AutoresetMode.
            advance: "tick", or "decision": each table runs on by itself, with `wait` for all its seats, to the next
                tick in which some free hand can play or draw, or to the end. One mind decides at every step anyway.
            most_steps: after which a running game is truncated, counted in ticks; 0 for never.
            threads: slices that step at the same time; results do not depend on it.

        Raises:
            ValueError: for an unknown name or an impossible number.
        """
        for name, number, least in (("games", games, 1), ("threads", threads, 1), ("most_steps", most_steps, 0)):
            if whole(name, number) < least:
                raise ValueError(f"{name} must be {least} or more, not {number}")
        if autoreset not in AUTORESET:
            raise ValueError(f"unknown autoreset {autoreset!r}: use one of {', '.join(AUTORESET)}")
        if advance not in ADVANCES:
            raise ValueError(f"unknown advance {advance!r}: use one of {', '.join(ADVANCES)}")
        self.settings = settings
        self.layout = layout_of(settings)
        self.viewers = 1 if settings.one_mind else settings.seats
        self.actions = action_count(settings)
        self.games = blank_games(settings, games)
        self._size = observation_size(settings)
        self.rows = np.zeros(games * self.viewers * (self._size + self.actions), np.int8)
        keeps_last = games if autoreset == "same-step" else 0
        self.last_observations = np.zeros((keeps_last, self.viewers, self._size), np.int8)
        self.last_masks = np.zeros((keeps_last, self.viewers, self.actions), np.int8)
        self._slots = np.zeros(games, loop.SLOT)
        self._slots["stream"] = np.arange(games)
        self._weights = part_weights(reward)
        self._autoreset = AUTORESET[autoreset]
        self._to_decisions = advance == "decision"
        self._most_steps = most_steps
        self._slices = [slice(games * t // threads, games * (t + 1) // threads) for t in range(threads)]
        self._dealt = False
        self._bind()

    def _bind(self) -> None:
        """Make what is only a view of something else, or a thread."""
        self._bind_rows()
        slots = self._slots
        self.rewards: NDArray[np.float64] = slots["reward"]
        self.parts: NDArray[np.float64] = slots["parts"]
        self.reasons: NDArray[np.int8] = slots["reasons"][:, : self.viewers]
        self.terminated: NDArray[np.bool_] = slots["terminated"]
        self.truncated: NDArray[np.bool_] = slots["truncated"]
        self.numbers: NDArray[np.uint64] = slots["number"]
        self._pool = ThreadPoolExecutor(len(self._slices)) if len(self._slices) > 1 else None

    def _bind_rows(self) -> None:
        shape = (len(self), self.viewers)
        masks = len(self) * self.viewers * self._size
        self.observations: NDArray[np.int8] = self.rows[:masks].reshape(*shape, self._size)
        self.masks: NDArray[np.int8] = self.rows[masks:].reshape(*shape, self.actions)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in BOUND}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    def __len__(self) -> int:
        return len(self.games)

    @property
    def slots(self) -> NDArray[np.void]:
        """(games,) records of `gipfelsturm.envs.rules.loop.SLOT`: each game's stream of deals, and its last step.

        With `games` they are all that a batch has to remember; after changing either by hand, `look`.
        """
        return self._slots

    def seed(self, seeds: Iterable[int | None]) -> None:
        """Begin each game's stream of deals anew, at its own seed (modulo 2^64); where that is None, it goes on."""
        for slot, seed in enumerate(self._one_each("seeds", seeds)):
            if seed is not None:
                self._slots["stream"][slot] = whole("seed", seed) % 2**64

    def _one_each(self, name: str, values: Iterable[T]) -> list[T]:
        each = list(values)
        if len(each) != len(self):
            raise ValueError(f"{name} must be one for each of the {len(self)} games, not {len(each)}")
        return each

    def deal_all(self) -> None:
        """Begin the next deal of every stream."""
        self.deal_where(np.ones(len(self), np.bool_))

    def deal_where(self, chosen: Flags) -> None:
        """Begin the next deal of the chosen (games,) streams."""
        loop.deal_where(self.games, self._slots, self._flags(chosen), self.observations, self.masks)
        self._dealt = True

    def _flags(self, chosen: Flags | None) -> Flags:
        """Which games are chosen, None being all of them; numbers of games would be mistaken for flags."""
        if chosen is None:
            return np.ones(len(self), np.bool_)
        flags = np.asarray(chosen)
        if flags.dtype != np.bool_ or flags.shape != (len(self),):
            wanted = f"a bool for each of the {len(self)} games"
            raise ValueError(f"chosen games must be {wanted}, not {flags.dtype} of shape {flags.shape}")
        return flags

    def set_deals(self, numbers: Iterable[int], chosen: Flags | None = None) -> None:
        """Begin a numbered deal in each game, or in the chosen (games,) ones.

        Raises:
            ValueError: for a number that no deal has, or other than one for each game.
        """
        deals = [whole("deal", number) for number in self._one_each("deals", numbers)]
        for number in deals:
            if not 0 <= number < DEALS:
                raise ValueError(f"deal numbers are 0 to {DEALS - 1}, not {number}")
        which = self._flags(chosen)
        self._slots["number"][which] = np.array(deals, np.uint64)[which]
        games = self.games[which]
        start_all(games, self._slots["number"][which])
        self._begin(games, which)

    def set_decks(self, decks: NDArray[np.integer[Any]], tie_seed: int = 0, chosen: Flags | None = None) -> None:
        """Begin a deck in drawing order, (52,) or (games, 52), in each game, or in the chosen (games,) ones.

        Raises:
            ValueError: for what is no deck, or no tie seed.
        """
        which = self._flags(chosen)
        check_tie_seed(ties := whole("tie_seed", tie_seed))
        games = self.games[which]
        games["deck"] = self._checked_decks(decks)[which]
        games["tie_seed"] = ties
        lay_out_all(games)
        self._slots["number"][which] = NO_NUMBER
        self._begin(games, which)

    def _checked_decks(self, decks: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
        given = np.asarray(decks)
        if given.dtype.kind not in "iu" or given.shape not in ((CARDS,), (len(self), CARDS)):
            shape = f"({CARDS},) or ({len(self)}, {CARDS})"
            raise ValueError(f"decks are whole numbers of shape {shape}, not {given.dtype} of shape {given.shape}")
        if (np.sort(given, axis=-1) != np.arange(CARDS)).any():
            raise ValueError(f"a deck must be each of the codes 0 to {CARDS - 1} once")
        return np.broadcast_to(given.astype(np.uint8), (len(self), CARDS))

    def _begin(self, games: Games, which: Flags) -> None:
        self.games[which] = games
        for name in ("steps", "reward", "parts", "reasons", "terminated", "truncated"):
            self._slots[name][which] = 0
        self.look()

    def outcome(self) -> Outcome:
        """What the last step gave."""
        games = len(self)
        flags, rewards = np.empty((3, games), np.bool_), np.empty((4, games))
        reasons, endings = np.empty((self.viewers, games), np.int8), np.zeros((4, games), np.int64)
        ended = loop.read_slots(self.games, self._slots, flags, rewards, reasons, endings)
        terminated, truncated, over = flags
        result, score, longest, deal = endings
        return Outcome(
            rewards[0], rewards[1:], terminated, truncated, over, reasons, result, score, longest, deal, ended
        )

    def renew_buffers(self) -> None:
        """Use new arrays for observations and masks, so that the old ones can be given away without a copy.

        The new ones hold nothing until the next step or look.
        """
        self.rows = np.empty_like(self.rows)
        self._bind_rows()

    def look(self) -> None:
        """Write observations and masks anew, after `games` were changed by hand."""
        self._dealt = True
        loop.look_all(self.games, self.observations, self.masks)

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """One action of each one mind, or of each seat for a tick and up to the next decision if `advance` says so.

        Args:
            actions: whole numbers (games, viewers), each 0..actions-1.

        Raises:
            ValueError: for anything else, and before the first deal.
        """
        if not self._dealt:
            raise ValueError("nothing has been dealt: call deal_all, set_deals or set_decks before step")
        given = np.asarray(actions)
        shape = (len(self), self.viewers)
        if given.shape != shape or given.dtype.kind not in "iu":
            raise ValueError(f"actions are whole numbers of shape {shape}, not {given.dtype} of shape {given.shape}")
        if given.min() < 0 or given.max() >= self.actions:
            raise ValueError(f"actions are 0 to {self.actions - 1}, not {given.min()} to {given.max()}")
        self.advance(np.ascontiguousarray(given, np.int64))

    def advance(self, actions: NDArray[np.int64]) -> None:
        """`step` for callers that have checked the actions: any others would be believed."""
        rows = (
            self.games,
            self._slots,
            actions,
            self.observations,
            self.masks,
            self.last_observations,
            self.last_masks,
        )
        if self._pool is None:
            self._step(rows)
        else:
            list(self._pool.map(self._step, [tuple(array[part] for array in rows) for part in self._slices]))

    def advance_alone(self, actions: NDArray[np.int64]) -> loop.Step:
        """`advance` for a batch of one real-time table under "disabled".

        Args:
            actions: (seats,), checked.
        """
        return loop.step_table(
            self.games,
            self._slots,
            actions,
            self.observations,
            self.masks,
            self._weights,
            self._most_steps,
            self._to_decisions,
        )

    def _step(self, rows: tuple[NDArray[Any], ...]) -> None:
        tables = loop.step_decisions if self._to_decisions else loop.step_tables
        advance: Callable[..., None] = loop.step_minds if self.settings.one_mind else tables
        advance(*rows, self._weights, self._most_steps, self._autoreset)
