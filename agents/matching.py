"""`matching-NAME`: an agent that is never faster than its partners.

It lets no less time pass from one action to the next than the slowest of them does: the upper median of the last
`REMEMBERED` times between two of a hand's plays or draws. Who has shown fewer than `ENOUGH` of them counts as `steady`.
All of this is seen at the table, tick by tick. A hand that needs no time at all is never seen to act: it is `steady`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.answers import whole_numbers
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.observation import BASE, layout_of, named
from gipfelsturm.envs.rules.record import FREE
from gipfelsturm.envs.rules.settings import Settings, ticks
from gipfelsturm.envs.rules.tempo import TEMPOS

REMEMBERED = 9
ENOUGH = 3
FIRST_GAP_MS = TEMPOS["steady"].pause + TEMPOS["steady"].reach + TEMPOS["steady"].carry
_NO_GAP = np.iinfo(np.int64).max


class MatchingAgent:
    """Another agent, whose plays and draws become waits where they would come too soon.

    One mind has no partners, and a hand without any keeps its own pace.
    """

    def __init__(self, agent: Agent) -> None:
        """Take the agent that plays."""
        self._agent = agent

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`."""
        self._agent.reset(games, seats, seed, settings)
        alone = settings.one_mind or settings.seats == 1
        self._paces = None if alone else Paces(games, len(seats), settings)
        self._wait = wait_action(settings.seats)

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """See `gipfelsturm.agents.protocol.Agent.act`; raises ValueError for the agent's answer of another form."""
        actions = whole_numbers(self._agent.act(observations, masks), masks.shape[:2])
        if self._paces is None:
            return actions
        too_soon = self._paces.look(observations)
        return np.where(too_soon & (actions < self._wait), self._wait, actions)


class Paces:
    """When each hand acts, as each of an agent's own seats sees it, from one game's deal to its end."""

    def __init__(self, games: int, own_seats: int, settings: Settings) -> None:
        """Begin new games."""
        hands = (games, own_seats, settings.seats)
        self._layout = layout_of(settings)
        self._first_gap = ticks(FIRST_GAP_MS, settings.tick_ms)
        self._free = np.ones(hands, np.bool_)
        self._last = np.zeros(hands, np.int64)  # tick of the last action, 0 before the first
        self._gaps = np.full((*hands, REMEMBERED), _NO_GAP)  # ticks, in a ring
        self._noted = np.zeros(hands, np.int64)

    def look(self, observations: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Take in the next tick (games, own seats, size); returns for whom an action in it would be too soon."""
        seen = named(observations, self._layout)
        tick = seen["elapsed"].astype(np.int64) @ (BASE**2, BASE, 1)  # (games, own seats)
        free = seen["phase"] == FREE
        self._note(self._free & ~free, tick[..., np.newaxis])
        self._free = free
        slowest = self._gap()[..., 1:].max(axis=-1)
        too_soon: NDArray[np.bool_] = tick + 1 - self._last[..., 0] < slowest
        return too_soon

    def _note(self, begun: NDArray[np.bool_], tick: NDArray[np.int64]) -> None:
        """These hands have begun a play or a draw."""
        tick = np.broadcast_to(tick, begun.shape)
        again = begun & (self._last > 0)
        self._gaps[(*again.nonzero(), self._noted[again] % REMEMBERED)] = (tick - self._last)[again]
        self._noted += again
        self._last = np.where(begun, tick, self._last)

    def _gap(self) -> NDArray[np.int64]:
        """Ticks from one action of each hand to the next (games, own seats, hands)."""
        middle = np.minimum(self._noted, REMEMBERED) // 2
        median = np.take_along_axis(np.sort(self._gaps, axis=-1), middle[..., np.newaxis], axis=-1)[..., 0]
        return np.where(self._noted < ENOUGH, self._first_gap, median)
