"""Where a hint is asked for, and what each move of a finished game was worth (rules.md section 4)."""

import itertools
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.analysis import Analyst
from gipfelsturm.agents.hint import PLAYOUTS, Hinter
from gipfelsturm.agents.hint_reasons import Reason
from gipfelsturm.agents.solver import solve
from gipfelsturm.agents.solver_memory import solver_memory
from gipfelsturm.envs.rules.cards import card_text
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.envs.session import DRAW, Known, Session
from gipfelsturm.play.messages import Worth

FILM_PLAYOUTS = 2000
"""For each move of a finished game, and as many again: a fifth of a second for the whole game."""


class Question(NamedTuple):
    """All that an adviser may know of a running game, in arrays of its own."""

    observation: NDArray[np.int8]  # (size,)
    known: Known


class Move(NamedTuple):
    """A move that was made, and what its player saw before."""

    observation: NDArray[np.int8]  # (size,)
    action: int  # a place, or 28 for the stock


class Advice(NamedTuple):
    """A move, and what speaks for it."""

    action: int  # a place, or 28 for the stock
    reason: Reason
    cards: tuple[str, ...] = ()  # that the reason speaks of
    hopeless: bool = False  # proven that no move wins


class Adviser:
    """Gives hints and weighs moves, from seen information alone: the same knowledge gets the same advice.

    One thread uses it.
    """

    def __init__(self, playouts: int = PLAYOUTS, film_playouts: int = FILM_PLAYOUTS) -> None:
        """Take a budget for a hint, and one for a move of a finished game."""
        self._hinter = Hinter(one_mind(), playouts)
        self._analyst = Analyst(one_mind(), film_playouts)

    def hint(self, question: Question, stop: Callable[[], bool] = lambda: False) -> Advice:
        """A worthwhile move; once `stop` says yes, the best that is known by then."""
        hint = self._hinter.hint(question.observation, question.known, stop)
        cards = tuple(card_text(card) for card in hint.cards)
        return Advice(hint.action, hint.reason, cards, hopeless=hint.reason is Reason.CANNOT_BE_WON)

    def weigh(self, moves: Iterable[Move], stop: Callable[[], bool] = lambda: False) -> tuple[Worth, ...]:
        """What each of some legal moves was worth; of those before `stop` said yes."""
        return tuple(map(self._worth, itertools.takewhile(lambda _: not stop(), moves)))

    def _worth(self, move: Move) -> Worth:
        weighed = self._analyst.weigh(move.observation, move.action)
        assert weighed is not None  # one mind has neither waits nor calls
        best = weighed.best.action
        gave_up = 0.0 if best == move.action else weighed.gave_up
        return Worth(round(weighed.share, 4), round(gave_up, 4), best, weighed.best.exact)


def warm_up() -> None:
    """Have everything compiled that advice needs, which takes half a minute the first time; any thread may do it."""
    session, adviser = Session(one_mind(), 0), Adviser(1, 1)
    adviser.hint(question_about(session))
    adviser.weigh([Move(session.observation(), DRAW)])
    solve(session.record(), solver_memory(1))


def question_about(session: Session) -> Question:
    """What an adviser is asked about a running game."""
    return Question(session.observation(), session.known())
