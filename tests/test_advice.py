"""The adviser of the TriPeaks table: hints with reasons, and what each move of a finished game was worth."""

import numpy as np
import pytest

from gipfelsturm.agents.hint import Hinter
from gipfelsturm.agents.hint_reasons import Reason
from gipfelsturm.envs.rules.deals import read_deck
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.envs.session import DRAW, Session
from gipfelsturm.play.advice import Adviser, Question, question_about
from gipfelsturm.play.messages import Again, Draw, Tap, Undo
from gipfelsturm.play.tripeaks_table import TriPeaksTable
from playing import ORDER, WON, deck_text, zigzag

PLAYOUTS = 400


@pytest.fixture(scope="module")
def adviser() -> Adviser:
    return Adviser(PLAYOUTS, 200)


def laid(deck: str) -> Session:
    return Session(one_mind(), tuple(read_deck(deck).tolist()))


def played(session: Session, actions: tuple[int, ...]) -> Session:
    for action in actions:
        assert (session.draw(0) if action == DRAW else session.tap(action, 0)) == ""
    return session


THREE_KINGS = deck_text([*zigzag(26)[1:], 12, 12, 12], [0, 11, 11, 0, 0])
"""After `ORDER[:25]` a 2 is on the pile, the tips are kings, and the stock begins with two queens and two aces."""


def kings(left: int, seen: bool) -> Session:
    """Only the kings lie on the table, so many cards are in the stock, and its end has been seen or not."""
    session = played(laid(THREE_KINGS), ORDER[:25])
    played(session, (DRAW,) * (23 if seen else 23 - left))
    for _ in range(left if seen else 0):
        session.undo(0)
    assert session.standing().stock == left
    return session


def test_a_hint_is_the_hinters_with_cards_in_words(adviser: Adviser) -> None:
    hinter = Hinter(one_mind(), PLAYOUTS)
    reasons = set()
    for number in range(8):
        session = Session(one_mind(), number)
        while session.standing().status == "running":
            told, hint = adviser.hint(question_about(session)), hinter.hint(session.observation(), session.known())
            assert (told.action, told.reason, len(told.cards)) == (hint.action, hint.reason, len(hint.cards))
            assert all(card[0] in "A23456789TJQK" and card[1] in "CDHS" for card in told.cards)
            reasons.add(told.reason)
            played(session, (told.action,))
    assert len(reasons) >= 5


def test_the_same_knowledge_gets_the_same_hint_from_another_adviser(adviser: Adviser) -> None:
    session = played(Session(one_mind(), 3), (DRAW,))
    again = Session.restored(one_mind(), 3, [DRAW], 500)
    assert adviser.hint(question_about(session)) == Adviser(PLAYOUTS, 1).hint(question_about(again))


def test_a_game_is_hopeless_only_when_every_card_was_seen(adviser: Adviser) -> None:
    assert adviser.hint(question_about(kings(5, seen=False))).hopeless is False
    hopeless = adviser.hint(question_about(kings(5, seen=True)))
    assert (hopeless.hopeless, hopeless.reason, hopeless.cards) == (True, Reason.CANNOT_BE_WON, ())


def test_a_game_that_can_be_won_is_won_by_following_hints(adviser: Adviser) -> None:
    session = kings(23, seen=True)
    first = adviser.hint(question_about(session))
    assert (first.hopeless, first.reason) == (False, Reason.WINNING_LINE)
    while session.standing().status == "running":
        played(session, (adviser.hint(question_about(session)).action,))
    assert session.standing().status == "won"


def test_a_hint_that_nobody_waits_for_is_not_thought_about() -> None:
    session = Session(one_mind(), 5)
    while session.mask().sum() < 3:
        session.draw(0)
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return True

    assert session.mask()[Adviser(10**9, 1).hint(question_about(session), stop).action]
    assert len(asked) == 1


# What moves were worth


def finished(deck: str, actions: tuple[int, ...]) -> TriPeaksTable:
    table = TriPeaksTable(tuple(read_deck(deck).tolist()))
    for action in actions:
        message = Draw("", table.turn) if action == DRAW else Tap("", table.turn, action)
        assert table.take(message, 0, lambda: 0).refused == ""
    return table


def test_each_move_of_a_won_game_is_weighed(adviser: Adviser) -> None:
    table = finished(WON, ORDER)
    worth = adviser.weigh(table.moves())
    assert len(worth) == len(table.film().actions) == 28
    for move, judged in zip(table.moves(), worth, strict=True):
        assert 0 <= judged.gave_up <= 1 - judged.share <= 1
        assert judged.gave_up == 0 or judged.best != move.action
    assert (worth[-1].share, worth[-1].gave_up) == (1.0, 0.0)
    assert not any(judged.exact for judged in worth), "nobody has seen the stock"


def test_with_an_empty_stock_it_is_certain_what_a_move_was_worth(adviser: Adviser) -> None:
    peaks = [*zigzag(26)[1:], 12, 12, 12]
    left = [rank for rank in range(13) for _ in range(4 - peaks.count(rank))]
    left.remove(0)
    left.remove(11)
    stock = [0, *left, 11]  # an ace to begin with, and a queen comes last, for one king of the three
    worth = adviser.weigh(finished(deck_text(peaks, stock), (*ORDER[:25], *[DRAW] * 23, 0)).moves())
    assert [judged.exact for judged in worth] == [False] * 48 + [True]
    assert (worth[-1].share, worth[-1].gave_up, worth[-1].best) == (0.0, 0.0, 0)


def test_drawing_while_cards_fit_gives_up_the_game_bit_by_bit(adviser: Adviser) -> None:
    table = TriPeaksTable(17)
    while table.view(0).status == "running":
        stock = table.view(0).stock
        played_on = Draw("", table.turn) if stock else Tap("", table.turn, adviser_tap(adviser, table))
        assert table.take(played_on, 0, lambda: 0).refused == ""
    worth = adviser.weigh(table.moves())
    draws = worth[:23]
    assert sum(judged.gave_up for judged in draws) > 0.3
    assert any(judged.best != DRAW and judged.gave_up > 0.05 for judged in draws)
    assert draws[-1].share < 0.02


def adviser_tap(adviser: Adviser, table: TriPeaksTable) -> int:
    question = table.ask_hint(table.turn)
    assert isinstance(question, Question)
    return adviser.hint(question).action


def test_what_undone_moves_had_shown_does_not_count(adviser: Adviser) -> None:
    plain, undone = finished(WON, ORDER), finished(WON, ORDER[:10])
    for _ in range(3):
        undone.take(Undo("", undone.turn), 0, lambda: 0)
    for action in ORDER[7:]:
        undone.take(Tap("", undone.turn, action), 0, lambda: 0)
    assert adviser.weigh(plain.moves()) == adviser.weigh(undone.moves())


def test_a_running_game_has_no_moves_to_weigh() -> None:
    table = finished(WON, ORDER[:-1])
    assert table.moves() == []
    table.take(Tap("", table.turn, ORDER[-1]), 0, lambda: 0)
    assert [move.action for move in table.moves()] == list(ORDER)
    np.testing.assert_array_equal(table.moves()[0].observation, laid(WON).observation())
    table.take(Again("", table.turn), 0, lambda: 0)
    assert table.moves() == []
