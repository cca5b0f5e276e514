"""What an agent is: it sees observations and masks, and nothing else of the game."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.settings import Settings


class Agent(Protocol):
    """Somebody who can sit in the seats of many games at once.

    Both methods are batched. An agent may keep what it has seen since `reset`, game by game, and draws every random
    number from the seed, so that game `i` comes out the same however many others are played beside it.
    """

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """Begin new games, sitting in these seats of each (one mind: seat 0).

        Raises:
            ValueError: for a table that the agent cannot play at.
        """

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One action for each game and own seat.

        Args:
            observations: (games, own seats, size), laid out as `gipfelsturm.envs.rules.observation` says.
            masks: (games, own seats, actions). A mask that is all 1 says that the game is over; its action is ignored.

        Returns:
            (games, own seats), each an action that its mask allows.
        """
