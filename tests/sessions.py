"""Tables of TriPeaks for people, and all that there is to one."""

from collections.abc import Iterable

import numpy as np

from gipfelsturm.envs.rules.board import board_text
from gipfelsturm.envs.rules.deals import read_deck
from gipfelsturm.envs.rules.observation import layout_of
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.envs.session import DRAW, UNDO, Session
from playing import deck_text, legal

TABLES = [one_mind(ring=ring, stock=stock) for ring in (True, False) for stock in (24, 10, 2)]
OPENING = deck_text([4, 2, 9], [3, 3, 10])
"""5 and 3 in places 18 and 19, a 10 in place 20; the pile begins with a 4, on which a 4 and a jack can be drawn."""


def sitting(deck: str, ring: bool = True) -> Session:
    return Session(one_mind(ring=ring), codes(deck))


def codes(deck: str) -> tuple[int, ...]:
    return tuple(read_deck(deck).tolist())


def done(session: Session, actions: Iterable[int], now: int = 0) -> Session:
    for action in actions:
        assert do(session, action, now) == ""
    return session


def do(session: Session, action: int, now: int = 0) -> str:
    if action == UNDO:
        return session.undo(now)
    return session.draw(now) if action == DRAW else session.tap(action, now)


def seen(session: Session, field: str) -> list[int]:
    return [int(number) for number in session.observation()[layout_of(session.settings)[field].span]]


def shown(session: Session) -> tuple[bytes, bytes, str]:
    """All that the player is given of the table."""
    return session.observation().tobytes(), session.mask().tobytes(), board_text(session.record()[0])


def state(session: Session, now: int = 0) -> tuple[object, ...]:
    """All there is to a session."""
    known = [cards.tobytes() for cards in session.known()]
    return session.record().tobytes(), known, session.standing(), tuple(session.history), session.elapsed(now)


def any_action(session: Session, dice: np.random.Generator, undos: float = 0.3) -> int:
    """An undo, a legal action, or one time in ten any at all."""
    if dice.random() < undos:
        return UNDO
    return int(dice.integers(DRAW + 1)) if dice.random() < 0.1 else legal(dice, session.mask())
