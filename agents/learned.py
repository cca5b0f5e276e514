"""`learned`: a player who takes what a trained network thinks best; and `learned-search`, who looks ahead with it."""

import importlib.resources
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from gipfelsturm.agents.network import TENSORS, network_of
from gipfelsturm.agents.playouts import LEARNED
from gipfelsturm.agents.search import ChoosingAgent
from gipfelsturm.agents.weights import load_weights
from gipfelsturm.envs.rules.settings import Settings

KIND = "value"
PLAYOUTS = 200
DEPTH = 8


def shipped_weights(settings: Settings) -> Path:
    """Where the weights for a table lie: there is one network for each number of piles, with and without the ring."""
    name = f"{settings.seats}_{'ring' if settings.ring else 'line'}.safetensors"
    return Path(str(importlib.resources.files("gipfelsturm.agents"))) / "weights_shipped" / name


class LearnedAgent(ChoosingAgent):
    """Takes what a network thinks best, after playouts in which it plays for some moves, or at once."""

    def __init__(
        self, weights: Mapping[str, NDArray[Any]] | None = None, playouts: int = 0, depth: int = DEPTH
    ) -> None:
        """Take weights for the tables to come, else those that are shipped; and a budget of playouts a decision."""
        super().__init__(playouts, LEARNED, depth)
        self._weights = weights

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`; raises ValueError for shipped weights that were changed."""
        weights = self._weights
        self._network = network_of(load_weights(shipped_weights(settings), TENSORS) if weights is None else weights)
        super().reset(games, seats, seed, settings)
