"""`learned@FILE.safetensors`: a player by a file of weights, such as a training leaves."""

from collections.abc import Sequence
from pathlib import Path

from gipfelsturm.agents.learned import LearnedAgent, check_trained_for
from gipfelsturm.agents.mlp import read_mlp
from gipfelsturm.agents.network_weights import KINDS, read_network
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.weights import read_description
from gipfelsturm.envs.rules.settings import Settings


def read_player(path: Path) -> Agent:
    """The player that a file of weights makes, of whatever kind its training was.

    Raises:
        ValueError: for a file that is refused, or of a kind that no player is made of.
    """
    kind = read_description(path).kind
    if kind == "ppo":
        return read_mlp(path)
    if kind in KINDS:
        return WeightsAgent(path)
    raise ValueError(f"{path} holds weights of the kind {kind!r}: players are made of 'value', 'rollout' and 'ppo'")


class WeightsAgent(LearnedAgent):
    """`learned` by a file of weights, at tables with the piles and the ring that it was trained for."""

    def __init__(self, path: Path) -> None:
        """Read the file; raises ValueError for one that `read_network` refuses."""
        super().__init__(read_network(path))
        self._path = path
        self._known = frozenset((table.seats, table.ring) for table in read_description(path).tables.values())

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`; raises ValueError for a table that it was not trained for."""
        check_trained_for(self._path, self._known, settings)
        super().reset(games, seats, seed, settings)
