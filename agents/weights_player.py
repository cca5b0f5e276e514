"""Players by a file of weights, such as a training leaves: `learned@FILE`, and `learned-search@FILE`."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.learned import LearnedAgent, LearnedSearchAgent, check_trained_for
from gipfelsturm.agents.mlp import read_mlp
from gipfelsturm.agents.network_weights import KINDS, read_network
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.weights import read_description, weights_file
from gipfelsturm.envs.rules.settings import Settings


def read_player(path: Path) -> Agent:
    """The player that weights make, of whatever kind their training was.

    Args:
        path: the file, or the folder of the run that left it.

    Raises:
        ValueError: for a file that is refused, or of a kind that no player is made of.
    """
    file = weights_file(path)
    kind = read_description(file).kind
    if kind == "ppo":
        return read_mlp(file)
    if kind in KINDS:
        return _AtItsTables(LearnedAgent(read_network(file)), file)
    raise ValueError(f"{file} holds weights of the kind {kind!r}: players are made of 'value', 'rollout' and 'ppo'")


def read_searcher(path: Path, playouts: int, depth: int) -> Agent:
    """`LearnedSearchAgent` by a file of weights, or that of a run's folder.

    Raises:
        ValueError: for a file that is refused, or what `LearnedSearchAgent` refuses.
    """
    file = weights_file(path)
    return _AtItsTables(LearnedSearchAgent(playouts, depth, read_network(file)), file)


class _AtItsTables:
    """An agent that sits at tables with the piles and the ring alone that its weights were trained for."""

    def __init__(self, agent: Agent, file: Path) -> None:
        self._agent, self._file = agent, file
        self._known = frozenset((table.seats, table.ring) for table in read_description(file).tables.values())

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`; raises ValueError for a table that it was not trained for."""
        check_trained_for(self._file, self._known, settings)
        self._agent.reset(games, seats, seed, settings)

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """See `gipfelsturm.agents.protocol.Agent.act`."""
        return self._agent.act(observations, masks)
