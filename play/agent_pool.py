"""The agents of all tables: questions are answered in batches, and no game's memory reaches another.

An agent keeps what it has seen game by game, by position in its batch, and can only be reset as a whole. So each agent
object here has `GAMES` positions, a game is given one that no game had before, and the object goes when all games that
were given one are over. Games that ask nothing take part with a mask that says they are over, which the protocol lets
agents ignore.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from gipfelsturm.agents.answers import whole_numbers
from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.envs.rules.actions import action_count, wait_action
from gipfelsturm.envs.rules.chance import nth_seed
from gipfelsturm.envs.rules.observation import observation_size
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.play.asking import Answer, Ask, GameKey

GAMES = 64


class Kind(NamedTuple):
    """Questions that one agent object can answer together."""

    agent: str
    settings: Settings
    seat: int


class Chair(NamedTuple):
    """Who plays where: of one game."""

    key: GameKey
    seat: int
    agent: str


class AgentPool:
    """All agents that play at tables. One thread uses it; answering takes as long as the agents think.

    Attributes:
        faults: a sentence for each agent that failed, by its name; its seats wait instead.
    """

    def __init__(self, seed: int, make: Callable[[str], Agent] = make_agent) -> None:
        """Draw every agent's chance from the seed."""
        self.faults: dict[str, str] = {}
        self._seed, self._make = seed, make
        self._made = 0
        self._open: dict[Kind, Bench] = {}
        self._places: dict[Chair, tuple[Bench, int]] = {}
        self._chairs: dict[GameKey, list[Chair]] = {}

    def answer(self, asks: Iterable[Ask], ended: Iterable[GameKey] = ()) -> list[Answer]:
        """One answer to each question, in any order.

        Args:
            asks: at most one of each seat of a game.
            ended: games that are over or given up, and ask nothing any more.
        """
        batches: dict[Bench, list[tuple[int, Ask]]] = {}
        for ask in asks:
            bench, position = self._place(ask)
            batches.setdefault(bench, []).append((position, ask))
        answers = [answer for bench, batch in batches.items() for answer in self._answered(bench, batch)]
        for key in ended:
            self._dismiss(key)
        return answers

    def __len__(self) -> int:
        """How many agent objects are kept."""
        return len({id(bench) for bench, _ in self._places.values()} | {id(bench) for bench in self._open.values()})

    def _place(self, ask: Ask) -> tuple["Bench", int]:
        chair = Chair(ask.key, ask.seat, ask.agent)
        if chair not in self._places:
            self._places[chair] = self._next_place(Kind(ask.agent, ask.settings, ask.seat))
            self._chairs.setdefault(ask.key, []).append(chair)
        return self._places[chair]

    def _next_place(self, kind: Kind) -> tuple["Bench", int]:
        bench = self._open.get(kind)
        if bench is None or bench.used == GAMES:
            bench = self._open[kind] = Bench(kind, nth_seed(self._seed, self._made))
            self._made += 1
        bench.used += 1
        return bench, bench.used - 1

    def _dismiss(self, key: GameKey) -> None:
        for chair in self._chairs.pop(key, ()):
            bench, _ = self._places.pop(chair)
            bench.left += 1
            if bench.left == bench.used and self._open.get(bench.kind) is bench:
                del self._open[bench.kind]

    def _answered(self, bench: "Bench", batch: Sequence[tuple[int, Ask]]) -> list[Answer]:
        wait = wait_action(bench.kind.settings.seats)
        try:
            actions = bench.act(self._make, batch)
        except Exception as fault:  # somebody else's code, and nobody else's game may suffer
            self.faults[bench.kind.agent] = f"agent {bench.kind.agent!r} failed: {fault!r}"
            return [Answer(ask, wait) for _, ask in batch]
        return [Answer(ask, self._checked(ask, action, wait)) for (_, ask), action in zip(batch, actions, strict=True)]

    def _checked(self, ask: Ask, action: int, wait: int) -> int:
        if 0 <= action < len(ask.mask) and ask.mask[action]:
            return action
        self.faults[ask.agent] = f"agent {ask.agent!r} chose action {action} in seat {ask.seat} against its mask"
        return wait


class Bench:
    """One agent object in one seat of up to `GAMES` games, one after another.

    Attributes:
        used: how many positions have been given away.
        left: how many of their games are over.
    """

    def __init__(self, kind: Kind, seed: int) -> None:
        self.kind = kind
        self.used = self.left = 0
        self._seed = seed
        self._agent: Agent | None = None

    def act(self, make: Callable[[str], Agent], batch: Sequence[tuple[int, Ask]]) -> list[int]:
        """One action for each position and its question."""
        if self._agent is None:
            agent = make(self.kind.agent)
            agent.reset(GAMES, [self.kind.seat], self._seed, self.kind.settings)
            self._agent = agent
        observations = np.zeros((GAMES, 1, observation_size(self.kind.settings)), np.int8)
        masks = np.ones((GAMES, 1, action_count(self.kind.settings)), np.int8)
        positions = [position for position, _ in batch]
        observations[positions, 0] = [ask.observation for _, ask in batch]
        masks[positions, 0] = [ask.mask for _, ask in batch]
        actions = whole_numbers(self._agent.act(observations, masks), (GAMES, 1))
        chosen: list[int] = actions[positions, 0].tolist()
        return chosen
