"""Where a hint is asked for: the one place that a better adviser has to fit (rules.md section 4)."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.session import Known, Session


class Question(NamedTuple):
    """All that an adviser may know of a running game, in arrays of its own."""

    settings: Settings
    observation: NDArray[np.int8]  # (size,)
    mask: NDArray[np.int8]  # (29,)
    known: Known


class Advice(NamedTuple):
    """A move, and whether it is proven that none wins."""

    action: int  # a place, or 28 for the stock
    hopeless: bool = False


Adviser = Callable[[Question], Advice]
"""Answers in a thread of its own, and only ever from seen information."""


def question_about(session: Session) -> Question:
    """What an adviser is asked about a running game."""
    return Question(session.settings, session.observation(), session.mask(), session.known())


def ask_lookahead(question: Question) -> Advice:
    """The play that `lookahead` thinks most of, or the stock where nothing fits; the same for the same table."""
    agent = make_agent("lookahead")
    agent.reset(1, [0], 0, question.settings)
    (action,) = agent.act(question.observation[None, None], question.mask[None, None]).flat
    return Advice(int(action))
