"""What a trainer is: it learns, one chunk at a time. Time, reports, evaluation and checkpoints are the run's.

A kind of training is a struct in `gipfelsturm.training.config`, a branch in `gipfelsturm.training.kinds`, and a class
with this protocol.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from numpy.typing import NDArray

from gipfelsturm.agents.protocol import Agent
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.state import State

PARTS = ("kernel", "network", "learner")


class Chunk(NamedTuple):
    """What one chunk of training came to."""

    steps: int  # of the environment, or decisions learned from
    seconds: dict[str, float]  # by `PARTS`; what a chunk took beyond them is counted as other
    losses: dict[str, float]  # the same names in every chunk


class Trainer(Protocol):
    """Somebody who learns.

    Attributes:
        tables: what is evaluated, by name.
    """

    tables: Mapping[str, Settings]

    def begin(self) -> None:
        """Take what a new training begins with, which one that goes on needs no more; raises ValueError if refused."""

    def advance(self) -> Chunk:
        """Learn for a chunk, of about a second.

        It depends on the config, the state and the global generators of torch and NumPy alone, and never on the clock.
        """

    def state_dict(self) -> State:
        """All that the next chunk depends on, but the global generators, as copies."""

    def load_state(self, state: State) -> None:
        """Go on from a state that a trainer with the same config had."""

    def player(self) -> Agent:
        """Somebody who plays as well as it has learned so far; it uses no global generator."""

    def weights(self) -> dict[str, NDArray[Any]]:
        """What the player needs, by name: what is exported."""


class Clock:
    """Tells where a chunk's seconds went: `with clock("kernel"): ...`, then `take`. Time inside counts once, inmost."""

    def __init__(self) -> None:
        self._part, self._since = "", time.perf_counter()
        self._seconds = dict.fromkeys(("", *PARTS), 0.0)

    @contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        """Count the time inside as that part's, one of `PARTS`."""
        outer = self._part
        self._go_on(part)
        try:
            yield
        finally:
            self._go_on(outer)

    def take(self) -> dict[str, float]:
        """The seconds of each part since the last call."""
        self._go_on(self._part)
        seconds = {part: self._seconds[part] for part in PARTS}
        self._seconds = dict.fromkeys(self._seconds, 0.0)
        return seconds

    def _go_on(self, part: str) -> None:
        now = time.perf_counter()
        self._seconds[self._part] += now - self._since
        self._part, self._since = part, now
