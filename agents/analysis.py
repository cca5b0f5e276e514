"""What a move gave up: how often the best action wins from there, and how often the one that was played."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.hint import PLAYOUTS, Hint, Hinter, believe, seat_of
from gipfelsturm.agents.hint_search import Judge
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.moves import refuse_play
from gipfelsturm.envs.rules.record import FREE, Games
from gipfelsturm.envs.rules.settings import Settings


class Weighed(NamedTuple):
    """A move beside the best one that its player could know of.

    Attributes:
        best: the advice at that moment.
        best_share: of the playouts after the best action that were won. Where a player of one mind has seen every card
            (without undone moves: at most the three tips are left) they are exact, 1 or 0.
        share: the same after the action that was played.
    """

    best: Hint
    best_share: float
    share: float

    @property
    def gave_up(self) -> float:
        """The win probability that the move cost."""
        return self.best_share - self.share


class Analyst:
    """Weighs moves at tables of one kind."""

    def __init__(self, settings: Settings, playouts: int = PLAYOUTS) -> None:
        """Take a budget of playouts for finding the best action, and as many again for comparing the two.

        Raises:
            ValueError: for no playouts.
        """
        self._settings, self._playouts = settings, playouts
        self._hinter, self._judge = Hinter(settings, playouts), Judge(settings)

    def weigh(self, observation: NDArray[np.int8], action: int) -> Weighed | None:
        """Weigh a legal action of whoever has this observation (size,).

        Returns:
            None for waiting and calls, for a hand that aims anew, and for what other hands are making impossible.

        Raises:
            ValueError: for a game that is over.
        """
        belief, seat = believe(self._settings, observation, None), seat_of(self._settings, observation)
        if action >= wait_action(self._settings.seats):
            return None
        if not self._settings.one_mind and belief[0]["phase"][seat] != FREE:
            return None
        best = self._hinter.hint(observation)
        return self._compare(belief, seat, action, best)

    def _compare(self, belief: Games, seat: int, action: int, best: Hint) -> Weighed | None:
        self._judge.choices(belief, seat)
        if not _still_possible(belief[0], seat, action):
            return None
        shares = self._judge.compare(belief, [best.action, action], seat, self._playouts)
        return Weighed(best, max(shares), shares[1])


def _still_possible(g: np.void, seat: int, action: int) -> bool:
    """Whether a hand can do this at the table that it foresees."""
    piles = int(g["seats"])
    if action >= PLACES * piles:
        return True
    return not refuse_play(g, action % PLACES, (action // PLACES + seat) % piles)
