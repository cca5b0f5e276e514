"""`learned`: a player who takes what a trained network thinks best; and `learned-search`, who looks ahead with it."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from gipfelsturm.agents.network import network_of
from gipfelsturm.agents.network_weights import read_network
from gipfelsturm.agents.playouts import LEARNED
from gipfelsturm.agents.search import ChoosingAgent
from gipfelsturm.agents.weights import read_description
from gipfelsturm.envs.rules.checks import counted
from gipfelsturm.envs.rules.settings import Settings

PLAYOUTS = 500
DEPTH = 8
"""Moves of a playout: then the network is asked. Deeper is no better, and dearer."""


def shipped_weights(settings: Settings) -> Path:
    """Where the weights for a table lie: there is a network for each number of piles, with the ring and without."""
    name = f"{settings.seats}_{'ring' if settings.ring else 'line'}.safetensors"
    return Path(str(files("gipfelsturm.agents"))) / "networks" / name


@cache
def weights_of(path: Path) -> Mapping[str, NDArray[Any]]:
    """The tensors of a file, which is read and checked once: everybody gets the same ones, and can change none.

    Raises:
        ValueError: as `gipfelsturm.agents.network_weights.read_network` does, each time anew.
    """
    arrays = read_network(path)
    for array in arrays.values():
        array.setflags(write=False)
    return MappingProxyType(arrays)


@cache
def tables_of(path: Path) -> frozenset[tuple[int, bool]]:
    """The piles, and whether with the ring, of the tables that a file was trained for; it is read once.

    Raises:
        ValueError: as `gipfelsturm.agents.weights.read_description` does, each time anew.
    """
    return frozenset((table.seats, table.ring) for table in read_description(path).tables.values())


def check_trained_for(path: Path, known: frozenset[tuple[int, bool]], settings: Settings) -> None:
    """Raise ValueError unless a table is among those that the weights of a file are known to be for."""
    if (settings.seats, settings.ring) not in known:
        trained = " or ".join(_told(*table) for table in sorted(known))
        asked = _told(settings.seats, settings.ring)
        raise ValueError(f"{path} was trained for {trained}, not for {asked}: name weights for this table")


def _told(piles: int, ring: bool) -> str:
    return f"{counted(piles, 'pile')} {'with' if ring else 'without'} the ring"


class LearnedAgent(ChoosingAgent):
    """Takes what a network thinks best."""

    def __init__(self, weights: Mapping[str, NDArray[Any]] | None = None) -> None:
        """Take weights for the tables to come, else those that are shipped."""
        super().__init__(0, LEARNED, DEPTH)
        self._weights = weights

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`; raises ValueError where no fitting weights are shipped."""
        weights = _fitting_weights(settings) if self._weights is None else self._weights
        super().reset(games, seats, seed, settings)
        self._room["network"] = network_of(weights)


def _fitting_weights(settings: Settings) -> Mapping[str, NDArray[Any]]:
    path = shipped_weights(settings)
    check_trained_for(path, tables_of(path), settings)
    return weights_of(path)


class LearnedSearchAgent(LearnedAgent):
    """Takes what leads to the best positions a few moves on, as the network plays and judges them."""

    def __init__(
        self, playouts: int = PLAYOUTS, depth: int = DEPTH, weights: Mapping[str, NDArray[Any]] | None = None
    ) -> None:
        """Take a budget of playouts a decision, after how many moves they break off, and weights as `LearnedAgent`.

        Raises:
            ValueError: for no playouts, or a depth below 0.
        """
        if playouts < 1:
            raise ValueError(f"learned-search needs 1 playout a decision or more, not {playouts}")
        if depth < 0:
            raise ValueError(f"learned-search needs playouts of 0 moves or more, not {depth}")
        super().__init__(weights)
        self._playouts, self._depth = playouts, depth
