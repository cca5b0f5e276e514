"""Advice for the one who plays: a worthwhile action with its reason, from what was seen in this game and nothing else.

While a card that still counts is unseen, the advice comes from playouts and never calls a game lost. Once every one has
been seen, undone moves included, it comes from the exact solver (rules.md section 4).
"""

import hashlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.belief import rebuild_game
from gipfelsturm.agents.hint_reasons import Reason, reason_for, remembered_cards, sentence
from gipfelsturm.agents.hint_search import SLICE, Judge
from gipfelsturm.agents.solver import solve
from gipfelsturm.agents.solver_memory import Memory, solver_memory
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.cards import EMPTY, PLACES
from gipfelsturm.envs.rules.observation import ONE_MIND_FIXED
from gipfelsturm.envs.rules.record import FREE, RUNNING, Games
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.session import Known

PLAYOUTS = 20_000
"""A hint's budget where none is given."""
MOST_KEPT = 10_000
"""How many hints are kept to be given again: the oldest make room."""


class Hint(NamedTuple):
    """One piece of advice.

    Attributes:
        action: flat, as the seat numbers it (`gipfelsturm.envs.rules.actions`); for a game that cannot be won, what
            the playouts advise.
        reason: a code that a page can say in its own language.
        cards: the codes of the cards that the reason speaks of.
        exact: whether every card that counts has been seen and the solver has spoken.
        line: of an exact winning hint, the actions of a shortest win, this one first.
        share: of the playouts after the action that were won; None if none was played. An exact win is 1, a loss 0.
    """

    action: int
    reason: Reason
    cards: tuple[int, ...]
    exact: bool
    line: tuple[int, ...]
    share: float | None

    @property
    def sentence(self) -> str:
        """The reason in English."""
        return sentence(self.reason, self.cards)


class Hinter:
    """Gives hints at tables of one kind; the same state and the same knowledge get the same hint."""

    def __init__(self, settings: Settings, playouts: int | None = None, milliseconds: int | None = None) -> None:
        """Take a budget in playouts (`PLAYOUTS` if none is given), in time for play with people, or both.

        The first that is used up ends a hint.

        Raises:
            ValueError: for no playouts or no time.
        """
        if playouts is None:
            playouts = PLAYOUTS if milliseconds is None else sys.maxsize
        if playouts < 1:
            raise ValueError(f"a hint needs 1 playout or more, not {playouts}")
        if milliseconds is not None and milliseconds < 1:
            raise ValueError(f"a hint needs 1 ms or more, not {milliseconds} ms")
        self._settings, self._playouts, self._milliseconds = settings, playouts, milliseconds
        self._judge = Judge(settings)
        self._memory: Memory | None = None
        self._given: dict[int, Hint] = {}

    def hint(
        self, observation: NDArray[np.int8], known: Known | None = None, stop: Callable[[], bool] = lambda: False
    ) -> Hint:
        """Advise whoever has this observation (size,).

        Args:
            known: what a session's player may remember besides.
            stop: asked before each slice of the calculation; once it says yes, the hint is ordinary advice from what
                has been calculated so far.

        Raises:
            ValueError: for a game that is over.
        """
        belief = believe(self._settings, observation, known)
        seat = seat_of(self._settings, observation)
        seed = _seed(belief[0], seat)
        if seed in self._given:
            return self._given[seed]
        interrupted = _Interruption(stop)
        hint = self._advise(belief, seat, seed, interrupted)
        if not interrupted.happened:
            self._given[seed] = hint
            if len(self._given) > MOST_KEPT:
                del self._given[next(iter(self._given))]
        return hint

    def _advise(self, belief: Games, seat: int, seed: int, interrupted: "_Interruption") -> Hint:
        if not self._settings.one_mind and belief[0]["phase"][seat] != FREE:
            return Hint(wait_action(self._settings.seats), Reason.HAND_BUSY, (), False, (), None)
        solution = None
        if self._settings.one_mind and _all_seen(belief[0]) and not interrupted():
            solution = solve(belief, self._solver_memory())
        if solution is not None and solution.winnable:
            return Hint(solution.moves[0], Reason.WINNING_LINE, (), True, solution.moves, 1.0)
        hint = self._search(belief, seat, seed, interrupted)
        if solution is not None and solution.settled and not interrupted.happened:
            return hint._replace(reason=Reason.CANNOT_BE_WON, cards=(), exact=True, share=0.0)
        return hint

    def _search(self, belief: Games, seat: int, seed: int, interrupted: "_Interruption") -> Hint:
        cards = remembered_cards(belief[0]) if self._settings.one_mind else ()
        choices = self._judge.choices(belief, seat)
        slices = self._slices(interrupted) if len(choices) > 1 else iter(())
        best = self._judge.best(belief, choices, seat, seed, slices)
        reason, spoken_of = reason_for(belief[0], best.action, choices, seat)
        if cards and len(choices) > 1:
            reason, spoken_of = Reason.REMEMBERED, cards
        return Hint(best.action, reason, spoken_of, False, (), best.share)

    def _slices(self, interrupted: "_Interruption") -> Iterator[int]:
        begun = time.monotonic()
        left = self._playouts
        while left and not interrupted():
            yield min(left, SLICE)
            left -= min(left, SLICE)
            if self._milliseconds is not None and (time.monotonic() - begun) * 1000 >= self._milliseconds:
                break

    def _solver_memory(self) -> Memory:
        if self._memory is None:
            self._memory = solver_memory(self._settings.seats)
        return self._memory


class _Interruption:
    """Asks whether to stop, and remembers that it was so."""

    def __init__(self, stop: Callable[[], bool]) -> None:
        self._stop = stop
        self.happened = False

    def __call__(self) -> bool:
        self.happened = self.happened or self._stop()
        return self.happened


def believe(settings: Settings, observation: NDArray[np.int8], known: Known | None) -> Games:
    """The game (an array of one) that an observation tells of, with the remembered cards that it does not show.

    Its counts of unseen cards are the observation's: a remembered card turns up, and is counted, once more.

    Raises:
        ValueError: for a game that is over.
    """
    games = rebuild_game(settings, observation)
    if games[0]["status"] != RUNNING:
        raise ValueError("the game is over: there is nothing left to advise")
    if known is not None:
        deck = games[0]["deck"]
        deck[:PLACES] = np.where(deck[:PLACES] == EMPTY, known.peaks, deck[:PLACES])
        deck[PLACES : PLACES + len(known.stock)] = known.stock
    return games


def _all_seen(g: np.void) -> bool:
    """Whether every card that still lies or is still to be drawn is known."""
    present = int(g["present"])
    still = [place for place in range(PLACES) if present >> place & 1]
    for pile in range(int(g["seats"])):
        end = PLACES + (pile + 1) * int(g["dealt"])
        still += range(end - int(g["stock"][pile]), end)
    return bool((g["deck"][still] != EMPTY).all())


def seat_of(settings: Settings, observation: NDArray[np.int8]) -> int:
    """Whose observation (size,) it is."""
    return 0 if settings.one_mind else int(observation[ONE_MIND_FIXED + 2 * settings.seats])


def _seed(g: np.void, seat: int) -> int:
    """A number of its own for each table, as far as it is known, and seat; what time it is makes no difference."""
    digest = hashlib.blake2b(bytes([seat]), digest_size=8)
    for field in ("present", "deck", "unseen", "top", "stock", "phase", "place", "pile"):
        digest.update(g[field].tobytes())
    return int.from_bytes(digest.digest(), "little")
