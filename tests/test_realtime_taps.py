"""A person's hand at the real-time table: taps, named piles, a busy hand, calls, refusals (rules.md section 3)."""

import pytest

from decks import code, deck_with
from evening import PERSON, Evening, with_agent
from gipfelsturm.envs.rules.record import CARRYING
from gipfelsturm.envs.rules.replay import replay
from gipfelsturm.envs.rules.transcript_text import command_line
from gipfelsturm.play.realtime_messages import Call, Draw, Go, PersonMessage, Refused, State, Tap
from gipfelsturm.play.realtime_table import MISSED, MOST_MESSAGES, TOO_MANY
from gipfelsturm.play.table_plan import TablePlan
from tables import ANNA, BASE, BEN, DECK

TWO = TablePlan(seats=(PERSON, PERSON), clock=None)
A_PLAY = 3  # ticks: touched and lifted in the first, carried for two


def at(deck: list[int] = DECK, plan: TablePlan = TWO) -> Evening:
    evening = Evening(plan, [tuple(deck)] * 5).begin()
    evening.tick()
    return evening


def log(evening: Evening) -> list[str]:
    return [command_line(command, len(evening.table.seats)) for command in evening.table.transcript().commands]


def tops(evening: Evening) -> tuple[int, ...]:
    return evening.state().tops


def card(text: str) -> int:
    """As messages number it."""
    return code(text) + 1


def test_a_tap_plays_on_the_own_pile_where_the_card_fits_it() -> None:
    evening = at(deck_with(BASE, [["5S"], ["7S"]], 12))  # 6H fits both piles
    evening.say(BEN, Tap(18))
    evening.tick(A_PLAY)
    assert tops(evening) == (card("5S"), card("6H"))
    assert evening.state().peaks[18] == -1


def test_a_tap_plays_on_the_first_pile_to_the_left_where_the_card_does_not_fit_the_own() -> None:
    evening = at()
    evening.say(ANNA, Tap(20))
    evening.tick(A_PLAY)
    assert tops(evening) == (card("5S"), card("TH"))


def test_with_three_seats_left_is_the_next_seat() -> None:
    deck = deck_with(BASE, [["5S"], ["7S"], ["QS"]], 8)
    evening = at(deck, TablePlan(seats=(PERSON, PERSON, PERSON), clock=None))
    evening.say(2, Tap(18))  # 6H fits Anna's 5S, next to the left of seat 2, and Ben's 7S
    evening.tick(A_PLAY)
    assert tops(evening) == (card("6H"), card("7S"), card("QS"))


def test_a_named_pile_overrides() -> None:
    evening = at(deck_with(BASE, [["5S"], ["7S"]], 12))
    evening.say(BEN, Tap(18, pile=ANNA))
    evening.tick(A_PLAY)
    assert tops(evening) == (card("6H"), card("7S"))


def test_everybody_sees_a_hand_move() -> None:
    evening = at()
    evening.say(ANNA, Tap(18))
    seen = []
    for _ in range(A_PLAY):
        evening.tick()
        seen.append(evening.state(BEN).hands[ANNA])
    assert [(hand.phase, hand.place, hand.pile, hand.left) for hand in seen] == [
        ("carrying", 18, 0, 2),
        ("carrying", 18, 0, 2),  # not sent again: only the time has changed
        ("free", -1, -1, 0),
    ]


def test_a_hand_is_sent_when_it_is_given_something_and_when_it_is_done() -> None:
    evening = at()
    evening.tick(20)
    evening.say(ANNA, Tap(18))
    states = [sum(isinstance(message, State) for _, message in evening.tick()) for _ in range(6)]
    assert states == [2, 0, 2, 0, 0, 0]  # to both


def test_everything_is_sent_once_a_second_while_nothing_happens() -> None:
    evening = at()
    evening.tick(20)
    states = [message for seat, message in evening.tick(50) if seat == BEN]
    assert [type(message) for message in states] == [State] * 5
    assert [message.tick % 10 for message in states if isinstance(message, State)] == [0] * 5


@pytest.mark.parametrize(
    ("message", "refused"),
    [
        (Tap(22), Refused("not one rank away", 22)),
        (Tap(18, pile=BEN), Refused("not one rank away", 18)),
        (Tap(9), Refused("face down", 9)),
        (Tap(0), Refused("face down", 0)),
        (Tap(18, pile=2), Refused("not at this table", 18)),
    ],
)
def test_a_refused_tap_says_why_to_its_person_and_changes_nothing(message: PersonMessage, refused: Refused) -> None:
    evening = at()
    before = evening.state()
    evening.say(ANNA, message)
    sent = evening.tick()
    assert [(seat, told) for seat, told in sent if isinstance(told, Refused)] == [(ANNA, refused)]
    assert not any(isinstance(told, State) for _, told in sent)
    evening.tick(10)
    assert evening.state().peaks == before.peaks
    assert evening.state().hands == before.hands


def test_more_refusals() -> None:
    evening = at()
    evening.say(ANNA, Tap(18))
    evening.tick()
    evening.say(BEN, Tap(18))
    evening.tick()
    evening.tick(2)
    evening.say(BEN, Tap(18))
    evening.tick()
    evening.say(BEN, Tap(9))
    evening.tick()
    assert [refused.reason for refused in evening.refusals(BEN)] == ["in a hand", "place empty", "still covered"]


def test_a_tap_while_the_hand_is_busy_waits_and_replaces_an_earlier_one() -> None:
    evening = at()
    evening.say(ANNA, Tap(18))
    evening.tick()
    evening.say(ANNA, Tap(20))
    evening.tick()
    evening.say(ANNA, Tap(21))
    evening.tick(5)
    assert log(evening) == ["2 0 play 18 0", "5 0 play 21 1"]  # 18 lies on the pile after tick 4
    assert not evening.refusals(ANNA)


def test_a_draw_waits_as_a_tap_does() -> None:
    evening = at()
    evening.say(ANNA, Draw())
    evening.tick()
    evening.say(ANNA, Tap(18))
    evening.say(ANNA, Draw())
    evening.tick(10)
    assert log(evening) == ["2 0 draw 0", "4 0 draw 0"]
    assert evening.state().stocks == (9, 11)
    assert tops(evening) == (card("3S"), card("9S"))


def test_a_waiting_tap_is_judged_when_it_is_given() -> None:
    evening = at()
    evening.say(ANNA, Tap(18))
    evening.tick()
    evening.say(ANNA, Tap(20))
    evening.say(BEN, Tap(20))
    evening.tick(6)
    assert evening.refusals(ANNA) == [Refused("in a hand", 20)]


def test_the_hand_goes_before_the_voice_in_one_tick_and_a_busy_hand_does_not_keep_it() -> None:
    evening = at()
    evening.say(ANNA, Call(8), Tap(18))
    evening.tick(2)
    assert log(evening) == ["2 0 play 18 0", "3 0 need 8"]
    assert (evening.state(BEN).calls[ANNA].call, evening.state(BEN).calls[ANNA].age) == (8, 0)


def test_a_repeated_call_is_sent_again() -> None:
    evening = at()
    for _ in range(2):
        evening.say(ANNA, Call(14))
        sent = evening.tick()
        assert [message.calls[ANNA].age for seat, message in sent if isinstance(message, State) and seat == BEN] == [0]


def test_a_call_ends_after_three_seconds() -> None:
    evening = at()
    evening.say(ANNA, Call(15))
    evening.tick(30)
    assert evening.state(BEN).calls[ANNA].call == 15
    evening.tick()
    assert evening.state(BEN).calls[ANNA].call == 0


def test_a_silent_table_refuses_calls() -> None:
    evening = at(plan=TablePlan(seats=(PERSON, PERSON), calls=False))
    evening.say(ANNA, Call(1))
    evening.tick()
    assert evening.refusals(ANNA) == [Refused("no talk here", None)]
    assert evening.state().calls[ANNA].call == 0


def test_hands_wait_for_the_clock() -> None:
    evening = Evening(TWO, [tuple(DECK)])
    evening.come(ANNA, BEN)
    evening.say(ANNA, Go(), Tap(18))
    evening.tick()
    assert evening.refusals(ANNA) == [Refused("not started", 18)]
    evening.say(BEN, Go())
    evening.tick(10)
    assert log(evening) == []


def test_time_out_takes_the_hands_away() -> None:
    evening = at(plan=TablePlan(seats=(PERSON, PERSON), clock=1))
    evening.tick(7)
    evening.say(ANNA, Tap(18))
    evening.tick()
    assert evening.state().clock == 1
    assert evening.state().hands[ANNA].phase == "carrying"
    evening.say(ANNA, Tap(19))
    evening.tick()
    assert (evening.state().clock, evening.state().hands, evening.state().peaks[18]) == (0, (), card("6H"))
    assert evening.results[0].status == "lost by the clock"
    evening.say(ANNA, Tap(18))
    evening.tick()
    assert evening.refusals(ANNA) == [Refused("game over", 18)]


def test_both_hands_reach_for_one_card_and_the_order_of_arrival_does_not_matter() -> None:
    winners = set()
    for ticks in range(1, 20):  # the order of the turns is another in each tick
        one, other = (after_both_tap(ticks, order) for order in ((ANNA, BEN), (BEN, ANNA)))
        carrying = [seat for seat in (ANNA, BEN) if one.state().hands[seat].phase == "carrying"]
        assert len(carrying) == 1
        (other_hand,) = {ANNA, BEN} - set(carrying)
        assert one.refusals(carrying[0]) == []
        assert one.refusals(other_hand) == [Refused(MISSED, 18)]
        *_, last = replay(one.table.transcript())
        assert last[0]["phase"][carrying[0]] == CARRYING
        assert last[0]["missed"] == 1
        assert one.heard == other.heard
        winners.add(carrying[0])
    assert winners == {ANNA, BEN}


def after_both_tap(ticks: int, order: tuple[int, int]) -> Evening:
    evening = at(deck_with(BASE, [["5S"], ["7S"]], 12))
    evening.tick(ticks)
    for seat in order:
        evening.say(seat, Tap(18))
    evening.tick()
    return evening


def test_a_flood_is_not_read() -> None:
    evening = at()
    for _ in range(10_000):
        evening.say(ANNA, Tap(19))
    evening.say(ANNA, Tap(18))
    evening.say(BEN, Tap(20))
    sent = evening.tick(6)
    assert [message for _, message in sent if isinstance(message, Refused)] == [Refused(TOO_MANY, 18)]
    assert log(evening) == ["2 0 play 19 0", "2 1 play 20 0"]


def test_a_seat_is_heard_again_in_the_next_tick() -> None:
    evening = at()
    evening.say(ANNA, *[Call(1)] * (MOST_MESSAGES + 1))
    evening.tick(2)
    evening.say(ANNA, *[Call(2)] * MOST_MESSAGES)
    evening.tick()
    assert len(evening.refusals(ANNA)) == 1
    assert evening.state(BEN).calls[ANNA].call == 2


def test_an_agents_seat_plays_at_the_same_table() -> None:
    evening = at(plan=TablePlan(seats=(PERSON, with_agent()), clock=None))
    evening.tick(60)
    assert any(line.split()[1] == "1" for line in log(evening))
