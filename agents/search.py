"""`search`: a player who judges each action by playouts on determinizations; and `counting`, its policy alone."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.belief import blank_belief, rebuild
from gipfelsturm.agents.choices import all_free, find_choices, has_time
from gipfelsturm.agents.halving import MOST_PLAYOUTS, best_choice, blank_room
from gipfelsturm.agents.playouts import COUNTING, POLICIES, TO_THE_END
from gipfelsturm.agents.scripted import begin_streams
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.chance import GOLDEN
from gipfelsturm.envs.rules.jit import compiled, inlined, signed
from gipfelsturm.envs.rules.observation import ONE_MIND_FIXED
from gipfelsturm.envs.rules.record import Games
from gipfelsturm.envs.rules.settings import Settings

PLAYOUTS = 2000
POLICY = "counting"
PATIENCE = 3
"""How many of its turns a hand leaves to others that could act and do not."""


class ChoosingAgent:
    """Weighs what it may choose from, as one mind or as a hand that decides for itself alone."""

    def __init__(self, playouts: int, policy: int, depth: int) -> None:
        """Take a budget of playouts a decision (0: none), their policy, and after how many moves they break off."""
        self._playouts, self._policy, self._depth = playouts, policy, depth

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`."""
        self._belief = blank_belief(settings)
        self._room = blank_room(settings)
        self._streams = np.zeros(games * len(seats), np.uint64)
        self._waited = np.zeros(games * len(seats), np.int64)
        begin_streams(self._streams, np.uint64(seed % 2**64))

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """See `gipfelsturm.agents.protocol.Agent.act`."""
        actions = np.zeros(masks.shape[:2], np.int64)
        _choose_all(
            min(self._playouts, MOST_PLAYOUTS),
            self._policy,
            min(self._depth, TO_THE_END),
            self._belief,
            self._room,
            observations,
            masks,
            self._streams,
            self._waited,
            actions,
        )
        return actions


class CountingAgent(ChoosingAgent):
    """Plays by `gipfelsturm.agents.counting`."""

    def __init__(self) -> None:
        """Make a player."""
        super().__init__(0, COUNTING, TO_THE_END)


class SearchAgent(ChoosingAgent):
    """Plays what wins the most playouts."""

    def __init__(self, playouts: int = PLAYOUTS, policy: str = POLICY, depth: int = TO_THE_END) -> None:
        """Take a budget of playouts a decision, the policy that plays them, and after how many moves they break off.

        Raises:
            ValueError: for no playouts or moves, or an unknown policy.
        """
        if playouts < 1:
            raise ValueError(f"search needs 1 playout a decision or more, not {playouts}")
        if policy not in POLICIES:
            raise ValueError(f"unknown playout policy {policy!r}: use one of {', '.join(POLICIES)}")
        if depth < 1:
            raise ValueError(f"search needs playouts of 1 move or more, not {depth}")
        super().__init__(playouts, POLICIES[policy], depth)


@compiled
def _choose_all(
    playouts: int,
    policy: int,
    depth: int,
    belief: Games,
    rooms: NDArray[np.void],
    observations: NDArray[np.int8],
    masks: NDArray[np.int8],
    streams: NDArray[np.uint64],
    waited: NDArray[np.int64],
    actions: NDArray[np.int64],
) -> None:
    g, room = belief[0], rooms[0]
    choices = room["choices"]
    for i in range(len(observations)):
        if masks[i, 0].all():
            continue
        for own in range(masks.shape[1]):
            rebuild(g, observations[i, own])
            seat = 0 if g["one_mind"] else signed(observations[i, own, ONE_MIND_FIXED + 2 * signed(g["seats"])])
            stream = i * masks.shape[1] + own
            idle = g["one_mind"] == 0 and all_free(g)
            found = find_choices(g, seat, has_time(g), waited[stream] >= PATIENCE, choices)
            best = 0
            if found > 1:
                streams[stream] += GOLDEN
                best = best_choice(g, room, found, playouts, policy, depth, streams[stream])
            actions[i, own] = as_seen_from(g, seat, choices[best]["action"])
            if not idle or actions[i, own] != wait_action(signed(g["seats"])):
                waited[stream] = 0
            elif found > 1:
                waited[stream] += 1


@inlined
def as_seen_from(g: np.void, seat: int, action: int) -> int:
    """A choice's action in the numbering of a seat, which counts piles from its own; others' draws are waited for."""
    piles = signed(g["seats"])
    if action >= PLACES * piles:
        if g["one_mind"]:
            return action
        return PLACES * piles if action == PLACES * piles + seat else wait_action(piles)
    pile, place = action // PLACES, action % PLACES
    return PLACES * ((pile - seat + piles) % piles) + place
