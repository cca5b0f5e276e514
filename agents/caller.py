"""`calling-NAME`: an agent that says, in place of waiting, what is true of its hand and pile, and heeds `hold`.

`saying-NAME` says the same and heeds nothing: what lies between the two is what heeding is worth.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.answers import whole_numbers
from gipfelsturm.agents.belief import blank_belief, rebuild
from gipfelsturm.agents.calls import asked_to_wait, true_call
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.jit import compiled, signed
from gipfelsturm.envs.rules.observation import ONE_MIND_FIXED
from gipfelsturm.envs.rules.record import Games
from gipfelsturm.envs.rules.settings import Settings


class CallingAgent:
    """Another agent, whose waits become calls by `gipfelsturm.agents.calls`, and who draws later where asked to.

    A call takes no more than the wait that it replaces: at a table without heed the games are the same. Where there is
    no talk, and as one mind, the other agent is left alone.
    """

    def __init__(self, silent: Agent, heeds: bool = True) -> None:
        """Take the agent that plays, and whether it draws later where it is asked to."""
        self._silent, self._heeds = silent, heeds

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`."""
        self._silent.reset(games, seats, seed, settings)
        self._belief = blank_belief(settings)
        self._talks = settings.calls

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """See `gipfelsturm.agents.protocol.Agent.act`; raises ValueError for the agent's answer of another form."""
        actions = whole_numbers(self._silent.act(observations, masks), masks.shape[:2])
        if self._talks:
            _speak_for_all(self._heeds, self._belief, observations, masks, actions)
        return actions


@compiled
def _speak_for_all(
    heeds: bool, belief: Games, observations: NDArray[np.int8], masks: NDArray[np.int8], actions: NDArray[np.int64]
) -> None:
    g = belief[0]
    seats = signed(g["seats"])
    draw, wait = PLACES * seats, wait_action(seats)
    for i in range(len(observations)):
        if masks[i, 0].all():
            continue
        for own in range(masks.shape[1]):
            if actions[i, own] != wait and actions[i, own] != draw:
                continue
            rebuild(g, observations[i, own])
            seat = signed(observations[i, own, ONE_MIND_FIXED + 2 * seats])
            if heeds and actions[i, own] == draw and asked_to_wait(g, seat):
                actions[i, own] = wait
            if actions[i, own] == wait:
                said = true_call(g, seat)
                actions[i, own] = wait if said == g["call"][seat] else wait + said
