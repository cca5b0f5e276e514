"""What a table asks of its agents, and what they answer."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.settings import Settings


class GameKey(NamedTuple):
    """One game of one table: both count what they number."""

    table: int
    game: int


class Ask(NamedTuple):
    """What a seat's agent is to do, with arrays of its own; a tick does not wait for the answer."""

    key: GameKey
    seat: int
    tick: int  # after which the table looks like this
    agent: str
    settings: Settings
    observation: NDArray[np.int8]  # (size,)
    mask: NDArray[np.int8]  # (actions,)


class Answer(NamedTuple):
    """An action that the mask of its question allows."""

    ask: Ask
    action: int
