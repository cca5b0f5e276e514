"""The scripted players: a compiled policy for every game of a batch."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.belief import blank_belief, rebuild
from gipfelsturm.agents.chain import chain_stack
from gipfelsturm.agents.convention import choose_as_hand
from gipfelsturm.agents.rules_of_thumb import CAREFUL, LOOKAHEAD, RANDOM, UNCOVER, choose
from gipfelsturm.envs.rules.chance import GOLDEN, mix
from gipfelsturm.envs.rules.jit import compiled, signed
from gipfelsturm.envs.rules.observation import ONE_MIND_FIXED
from gipfelsturm.envs.rules.record import Games
from gipfelsturm.envs.rules.settings import Settings

POLICIES = {"random": RANDOM, "careful": CAREFUL, "uncover": UNCOVER, "lookahead": LOOKAHEAD}


class ScriptedAgent:
    """A policy of `POLICIES` by name, for one mind, and for hands that share a table by the convention."""

    def __init__(self, name: str) -> None:
        self._policy = POLICIES[name]

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`."""
        self._belief = blank_belief(settings)
        self._stack = chain_stack()
        self._streams = np.zeros(games * len(seats), np.uint64)
        begin_streams(self._streams, np.uint64(seed % 2**64))

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """See `gipfelsturm.agents.protocol.Agent.act`."""
        actions = np.zeros(masks.shape[:2], np.int64)
        _choose_all(self._policy, self._belief, self._stack, observations, masks, self._streams, actions)
        return actions


@compiled
def begin_streams(streams: NDArray[np.uint64], seed: np.uint64) -> None:
    """Start a stream of random bits for each game and seat (streams,), unrelated to the others'."""
    for i in range(len(streams)):
        streams[i] = mix(mix(seed) + np.uint64(i) * GOLDEN)


@compiled
def _choose_all(
    policy: int,
    belief: Games,
    stack: NDArray[np.int64],
    observations: NDArray[np.int8],
    masks: NDArray[np.int8],
    streams: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    g = belief[0]
    seats = masks.shape[1]
    for i in range(len(observations)):
        if masks[i, 0].all():
            continue
        for own in range(seats):
            rebuild(g, observations[i, own])
            stream = i * seats + own
            if g["one_mind"]:
                actions[i, own] = choose(policy, g, streams, stream, stack)
            else:
                seat = signed(observations[i, own, ONE_MIND_FIXED + 2 * signed(g["seats"])])
                actions[i, own] = choose_as_hand(policy, g, seat, streams, stream, stack)
