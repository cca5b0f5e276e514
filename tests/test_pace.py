"""How fast a person plays, whom an agent matches."""

import pytest

from evening import PERSON, tokens, with_agent
from gipfelsturm.play.pace import Rhythm
from gipfelsturm.play.seats import Seats

STEADY = 26  # ticks of 100 ms


def rhythm(*ticks: int) -> Rhythm:
    hand = Rhythm(100)
    for tick in ticks:
        hand.note(tick)
    return hand


@pytest.mark.parametrize(
    ("ticks", "gap"),
    [
        ((), STEADY),
        ((5, 10, 15), STEADY),  # too little to go by
        ((5, 10, 15, 20), 5),
        ((5, 10, 15, 115), 5),  # one long thought does not count
        ((5, 10, 20, 40, 80), 20),  # of 5, 10, 20, 40 the upper median
        ((0, 1, 2, 3, 4, 5, 105, 205, 305, 405, 505), 100),  # only the last nine: four of 1, five of 100
    ],
)
def test_the_time_from_one_action_to_the_next(ticks: tuple[int, ...], gap: int) -> None:
    assert rhythm(*(tick + 1 for tick in ticks)).gap == gap


def test_the_steady_tempo_in_other_ticks() -> None:
    assert Rhythm(200).gap == 13


def test_a_new_game_begins_its_time_anew_and_keeps_the_pace() -> None:
    hand = rhythm(1, 5, 9, 13)
    hand.begin()
    assert (hand.last, hand.gap) == (0, 4)
    hand.note(100)
    hand.note(104)
    assert (hand.last, hand.gap) == (104, 4)
    assert rhythm(1, 5).last == 5


def test_the_slowest_person_sets_the_pace_and_no_agent_does() -> None:
    seats = Seats([PERSON, PERSON, with_agent()], tokens(), 100, (), 0)
    for tick in range(100, 1000, 100):
        seats[2].rhythm.note(tick)
    assert seats.slowest_gap() == STEADY
    for tick in range(10, 100, 10):
        seats[0].rhythm.note(tick)
    assert seats.slowest_gap() == STEADY  # of the one who has shown nothing
    for tick in range(12, 120, 12):
        seats[1].rhythm.note(tick)
    assert seats.slowest_gap() == 12
    seats[1].replace("careful")
    assert seats.slowest_gap() == 10
