"""TriPeaks as a table game: the stopwatch (rules.md section 4). A tap at 1000 ms is not refused."""

from collections.abc import Sequence

import pytest

from gipfelsturm.envs.session import DRAW, UNDO
from playing import LOST, ORDER, WON
from sessions import OPENING, do, done, sitting


def test_the_stopwatch_starts_with_the_first_tap_that_is_not_refused() -> None:
    session = sitting(OPENING)
    assert session.elapsed(500) == 0
    do(session, 20, 700)
    do(session, UNDO, 800)
    assert session.elapsed(900) == 0
    done(session, [18], 1000)
    assert (session.elapsed(1000), session.elapsed(1750)) == (0, 750)
    do(session, 20, 2000)
    assert session.elapsed(2500) == 1500


def test_undo_takes_no_time_back() -> None:
    session = done(sitting(OPENING), [DRAW], 1000)
    done(session, [UNDO], 3000)
    assert (session.elapsed(3000), session.elapsed(4000)) == (2000, 3000)


def test_it_stands_while_the_page_is_hidden() -> None:
    session = done(sitting(OPENING), [DRAW], 1000)
    for shown, now in ((False, 1500), (False, 2000), (True, 9000), (True, 9100)):
        session.show_page(shown, now)
    assert session.elapsed(9300) == 500 + 300


def test_a_page_that_is_shown_again_before_the_first_tap_starts_nothing() -> None:
    session = sitting(OPENING)
    session.show_page(False, 100)
    session.show_page(True, 200)
    assert session.elapsed(900) == 0
    done(session, [DRAW], 1000)
    assert session.elapsed(1300) == 300


@pytest.mark.parametrize(("deck", "actions"), [(WON, ORDER), (LOST, [DRAW] * 23)])
def test_it_ends_with_the_game_and_goes_on_when_that_is_undone(deck: str, actions: Sequence[int]) -> None:
    session = done(sitting(deck), actions[:-1], 1000)
    done(session, actions[-1:], 4000)
    assert session.elapsed(60_000) == 3000
    session.show_page(False, 61_000)
    session.show_page(True, 62_000)
    assert session.elapsed(63_000) == 3000
    done(session, [UNDO], 70_000)
    assert session.elapsed(70_500) == 3500
    done(session, actions[-1:], 71_000)
    assert session.elapsed(99_000) == 4000


def test_an_end_that_is_undone_on_a_hidden_page_waits_for_the_page() -> None:
    session = done(sitting(LOST), [DRAW] * 23, 1000)
    session.show_page(False, 2000)
    done(session, [UNDO], 3000)
    assert session.elapsed(4000) == 0
    session.show_page(True, 5000)
    assert session.elapsed(5600) == 600
