"""The twin against the rules' sentences on the one mind, on hand-made decks."""

import pytest

from twin import (
    RUNNING,
    STUCK,
    WON,
)
from twin_tables import (
    BASE,
    IDLE,
    STOCKS,
    draw,
    hands,
    leave,
    one_mind,
    play,
    tops,
)


def test_one_mind_plays_on_every_pile_and_draws_from_every_stock() -> None:
    twin = one_mind(BASE, STOCKS)
    assert [twin.command(action) for action in (play(18), play(20, 1), draw(twin, 1), draw(twin, 0))] == [0] * 4
    assert (tops(twin), twin.stocks, twin.ticks_gone, twin.longest) == (["QS", "QD"], [6, 6], 0, 2)
    assert hands(twin) == [IDLE, IDLE]


def test_one_mind_has_neither_wait_nor_calls() -> None:
    twin = one_mind(BASE, STOCKS)
    assert len(twin.mask(0)) == 58
    with pytest.raises(ValueError, match="no action"):
        twin.command(58)


def test_with_one_pile_it_is_tripeaks() -> None:
    twin = one_mind({18: "6H", 19: "9H"}, (("5S", "8S"),))
    asked = [play(0), play(19), play(18), play(18), play(9), draw(twin), play(19)]
    assert [twin.command(action) for action in asked] == [7, 10, 0, 6, 8, 0, 0]
    assert (tops(twin), twin.free()) == (["9H"], {9} | set(range(20, 28)))


@pytest.mark.parametrize(("last", "top"), [("AS", "KH"), ("KS", "AH")])
def test_the_ring_decides_about_a_last_ace_or_king(last: str, top: str) -> None:
    for ring, status in ((True, RUNNING), (False, STUCK)):
        twin = leave(one_mind({0: last}, (("5S", top),), 2, ring), {0}, (1,))
        assert (twin.command(draw(twin)), twin.status) == (0, status)
        assert twin.command(play(0)) == (0 if ring else 1)
        assert twin.status == (WON if ring else STUCK)


def test_one_mind_is_stuck_only_when_all_stocks_are_empty_and_nothing_fits() -> None:
    twin = leave(one_mind({18: "6H", 19: "9H"}, (("5S", "JS"), ("QS", "QD")), 2), {18, 19}, (1, 1))
    for action in (play(18), draw(twin, 1), draw(twin, 0)):
        assert twin.status == RUNNING
        assert twin.command(action) == 0
    assert (twin.status, twin.score()) == (STUCK, 0)


def test_a_finished_one_mind_game_refuses_everything() -> None:
    twin = leave(one_mind({0: "6H"}, (("5S",), ("QS",))), {0}, (3, 4))
    assert (twin.command(play(0)), twin.status, twin.score()) == (0, WON, 7)
    before = twin.state()
    assert [twin.command(action) for action in range(58)] == [1] * 58
    assert (twin.state(), twin.mask(0)) == (before, [1] * 58)
