"""How fast somebody plays, so that an agent at the pace `matching` is never faster.

An agent that matches is not asked before as much time has passed since its last action as the person takes from one
action to the next: the upper median of the last `REMEMBERED` times between two of the person's plays or draws. Who has
shown fewer than `ENOUGH` of them counts as `steady`. With several persons the slowest sets the pace. All of this can be
seen at the table.
"""

from collections import deque

from gipfelsturm.agents.matching import ENOUGH, FIRST_GAP_MS, REMEMBERED
from gipfelsturm.envs.rules.settings import ticks


class Rhythm:
    """When one hand acts, game after game.

    Attributes:
        last: the tick of its last play or draw in this game, 0 before the first.
    """

    def __init__(self, tick_ms: int) -> None:
        self.last = 0
        self.gap = ticks(FIRST_GAP_MS, tick_ms)
        """Ticks that it takes from one action to the next."""
        self._gaps: deque[int] = deque(maxlen=REMEMBERED)

    def begin(self) -> None:
        """A new game; the pace of the last one is remembered."""
        self.last = 0

    def note(self, tick: int) -> None:
        """The hand has begun a play or a draw in this tick."""
        if self.last:
            self._gaps.append(tick - self.last)
        if len(self._gaps) >= ENOUGH:
            self.gap = sorted(self._gaps)[len(self._gaps) // 2]
        self.last = tick
