"""People and agents come, go, are replaced and play on: the stages of a real-time table."""

import pytest

from evening import ALONE, MINUTE, PERSON, TWO, Evening, at, running, with_agent
from gipfelsturm.envs.rules.deals import deal_id, read_deck
from gipfelsturm.play.asking import Answer
from gipfelsturm.play.realtime_messages import Call, Go, Over, PersonMessage, Refused, Replace, Roster, Tap, Welcome
from gipfelsturm.play.realtime_table import ENDED, PAUSED, RUNNING, WAITING
from gipfelsturm.play.table_plan import SeatPlan, TablePlan
from playing import ORDER, WON
from tables import ANNA, BEN


def test_whoever_comes_hears_where_they_sit_and_everything_that_can_be_seen() -> None:
    evening = at(TWO)
    evening.come(BEN)
    assert [type(message).__name__ for _, message in evening.tick()] == ["Welcome", "Roster", "State"]
    assert evening.last(Welcome, BEN) == Welcome(BEN, "normal", evening.table.settings)
    assert [player.present for player in evening.roster(BEN).players] == [False, True]
    evening.come(ANNA)
    heard = evening.tick()
    assert [(seat, type(message).__name__) for seat, message in heard if seat == ANNA] == [
        (ANNA, "Welcome"),
        (ANNA, "Roster"),
        (ANNA, "State"),
    ]
    assert [player.present for player in evening.roster(BEN).players] == [True, True]
    assert evening.tick(5) == []


def test_the_clock_starts_when_every_person_has_said_go() -> None:
    evening = at(TablePlan(seats=(PERSON, with_agent(), PERSON)))
    evening.come(0, 2)
    evening.say(0, Go())
    evening.tick(5)
    assert evening.table.stage == WAITING
    assert [player.ready for player in evening.roster().players] == [True, True, False]
    assert (evening.state().tick, evening.state().clock) == (0, 1800)
    evening.say(2, Go())
    evening.tick(3)
    assert evening.roster().stage == RUNNING
    assert evening.table.transcript().ticks == 3


def test_who_goes_before_the_start_has_to_say_go_again() -> None:
    evening = at(TWO)
    evening.come(ANNA, BEN)
    evening.say(ANNA, Go())
    evening.go_away(ANNA)
    evening.say(BEN, Go())
    evening.tick()
    assert evening.table.stage == WAITING
    evening.come(ANNA)
    evening.tick()
    assert evening.table.stage == WAITING
    evening.say(ANNA, Go())
    evening.tick()
    assert evening.table.stage == RUNNING


def test_with_other_people_the_game_goes_on_without_somebody_who_comes_back() -> None:
    evening = running(TWO)
    evening.say(BEN, Tap(20))
    evening.tick()
    evening.say(BEN, Tap(21), Call(3))
    evening.go_away(BEN)
    evening.tick(20)
    assert evening.table.stage == RUNNING
    assert not evening.roster().players[BEN].present
    assert len(evening.table.transcript().commands) == 1  # what he still wanted went with him
    evening.come(BEN)
    evening.tick()
    assert evening.last(Welcome, BEN).seat == BEN
    assert evening.state(BEN).tick == evening.table.transcript().ticks == 23
    evening.say(BEN, Tap(19))
    evening.tick(3)
    assert evening.state(ANNA).peaks[19] == -1


@pytest.mark.parametrize("plan", [ALONE, TWO])
def test_the_game_pauses_while_nobody_is_there(plan: TablePlan) -> None:
    evening = running(plan)
    evening.go_away(*evening.people)
    ticks = evening.table.transcript().ticks
    assert evening.tick(50) == []
    assert evening.table.stage == PAUSED
    evening.come(ANNA)
    evening.tick(5)
    assert evening.roster().stage == PAUSED
    evening.say(ANNA, Tap(18))
    evening.tick()
    assert evening.refusals() == [Refused("paused", 18)]
    assert evening.table.transcript().ticks == ticks
    evening.say(ANNA, Go())
    evening.tick(5)
    assert evening.roster().stage == RUNNING
    assert evening.table.transcript().ticks == ticks + 5


def test_a_second_connection_keeps_the_seat_when_the_first_is_lost() -> None:
    evening = running(ALONE)
    evening.come(ANNA)  # the reloaded page is faster than the end of the old one
    evening.say(ANNA, Tap(18))
    evening.go_away(ANNA)
    evening.tick(5)
    assert evening.table.stage == RUNNING
    assert evening.roster().players[ANNA].ready
    assert evening.state().peaks[18] == -1
    evening.go_away(ANNA)
    assert evening.table.stage == PAUSED


def test_how_long_a_table_has_been_empty() -> None:
    evening = at(TWO)
    evening.tick(3)
    assert evening.table.empty_for(evening.now) == 300
    evening.come(ANNA, BEN)
    assert evening.table.empty_for(evening.now) == 0
    evening.go_away(ANNA)
    evening.tick(7)
    assert evening.table.empty_for(evening.now) == 0
    evening.go_away(BEN)
    evening.tick(2)
    assert evening.table.empty_for(evening.now) == 200


def test_somebody_who_is_gone_for_a_minute_is_replaced_if_the_others_wish() -> None:
    evening = running(TablePlan(seats=(PERSON, PERSON, PERSON), clock=None))
    evening.go_away(2)
    evening.tick(MINUTE - 1)
    evening.say(0, Replace(2))
    evening.tick()
    assert evening.refusals(0) == [Refused("still at the table", None)]
    assert evening.roster().players[2].replaceable
    evening.say(0, Replace(2))
    evening.tick()
    assert evening.roster().players[2].wishes == (0,)
    assert evening.roster().players[2].agent == ""
    evening.say(1, Replace(2))
    evening.tick()
    player = evening.roster().players[2]
    assert (player.agent, player.pace, player.present, player.ready) == ("careful", "matching", True, True)
    assert (player.replaceable, player.wishes) == (False, ())
    evening.answering = True
    evening.tick(60)
    assert {command.seat for command in evening.table.transcript().commands} == {2}


def test_who_comes_back_takes_the_seat_from_the_agent() -> None:
    evening = running(TWO)
    evening.go_away(BEN)
    evening.tick(MINUTE)
    evening.say(ANNA, Replace(BEN))
    evening.tick(30)
    (ask,) = evening.asks
    assert ask.seat == BEN
    evening.come(BEN)
    evening.table.answer(Answer(ask, 20))
    evening.tick()
    assert evening.roster().players[BEN].agent == ""
    assert evening.table.transcript().commands == ()
    evening.say(BEN, Tap(20))
    evening.tick()
    assert [command.seat for command in evening.table.transcript().commands] == [BEN]


def test_an_agent_that_plays_for_somebody_a_second_time_answers_no_question_of_the_first() -> None:
    evening = running(TWO)
    for _ in range(2):
        evening.go_away(BEN)
        evening.tick(MINUTE)
        evening.say(ANNA, Replace(BEN))
        evening.tick(30)
        evening.come(BEN)
    evening.go_away(BEN)
    evening.tick(MINUTE)
    evening.say(ANNA, Replace(BEN))
    evening.tick(30)
    first, second, third = evening.asks
    assert {first.seat, second.seat, third.seat} == {BEN}
    evening.table.answer(Answer(first, 20))
    evening.tick()
    assert evening.table.transcript().commands == ()
    evening.table.answer(Answer(third, 20))
    evening.tick()
    log = evening.table.transcript()
    assert log.commands == ((log.ticks, BEN, 20),)


def test_a_minute_begins_anew_when_somebody_has_been_back() -> None:
    evening = running(TWO)
    evening.go_away(BEN)
    evening.tick(MINUTE)
    assert evening.roster().players[BEN].replaceable
    evening.come(BEN)
    evening.go_away(BEN)
    evening.tick(MINUTE - 1)
    assert not evening.roster().players[BEN].replaceable


def test_the_last_who_had_not_wished_it_goes_and_the_wish_is_granted() -> None:
    evening = running(TablePlan(seats=(PERSON, PERSON, PERSON), clock=None))
    evening.go_away(2)
    evening.tick(MINUTE)
    evening.say(0, Replace(2))
    evening.go_away(1)
    evening.tick()
    assert evening.roster().players[2].agent == "careful"


def test_who_never_came_can_be_replaced_too_and_the_game_begins() -> None:
    evening = at(TWO)
    evening.come(ANNA)
    evening.say(ANNA, Go())
    evening.tick(MINUTE)
    evening.say(ANNA, Replace(BEN))
    evening.tick()
    assert evening.table.stage == RUNNING


@pytest.mark.parametrize("seat", [ANNA, BEN, 2])
def test_nobody_else_can_be_replaced(seat: int) -> None:
    evening = running(ALONE)
    evening.tick(MINUTE)
    evening.say(ANNA, Replace(seat))
    evening.tick()
    reason = "not at this table" if seat == 2 else "still at the table"
    assert evening.refusals() == [Refused(reason, None)]


def test_a_game_of_a_record_hunt_and_the_next() -> None:
    deck = tuple(read_deck(WON).tolist())
    evening = Evening(TablePlan(seats=(PERSON, PERSON), games=2), [deck, 7, deck], answering=False).begin()
    clear(evening)
    over = evening.last(Over)
    assert (over.status, over.score, over.longest, over.deal) == ("won", 22, 28, "")
    assert (evening.roster().stage, evening.roster().game, evening.roster().games, evening.roster().total) == (
        ENDED,
        1,
        2,
        22,
    )
    assert evening.results[0].won
    evening.say(ANNA, Go())
    evening.tick(3)
    assert evening.table.stage == ENDED
    evening.say(BEN, Go())
    evening.tick()
    assert (evening.roster().stage, evening.roster().game, evening.roster().total) == (WAITING, 2, 22)
    assert not any(player.ready for player in evening.roster().players)
    lose(evening)
    assert (evening.results[1].deal, evening.results[1].game, evening.results[1].total) == (deal_id(7), 2, 22)
    for seat in (ANNA, BEN):
        evening.say(seat, Go())
    evening.tick()
    assert (evening.roster().game, evening.roster().total) == (1, 0)


def clear(evening: Evening) -> None:
    for seat, place in ((ANNA, place) for place in ORDER):
        evening.say(seat, Tap(place, pile=0))
        evening.tick(3)


def lose(evening: Evening) -> None:
    for seat in (ANNA, BEN):
        evening.say(seat, Go())
    evening.tick(1800)
    assert not evening.results[-1].won


def test_who_comes_back_after_the_end_hears_how_it_ended() -> None:
    evening = running(TablePlan(seats=(PERSON, PERSON), clock=1))
    evening.tick(9)
    evening.go_away(BEN)
    evening.tick()
    evening.come(BEN)
    heard = [(seat, type(message).__name__) for seat, message in evening.tick()]
    assert (BEN, "Over") in heard
    assert (ANNA, "Over") not in heard


def test_who_has_gone_after_the_end_holds_nobody_up() -> None:
    evening = running(TablePlan(seats=(PERSON, PERSON), clock=1))
    evening.tick(9)
    evening.say(ANNA, Go())
    evening.go_away(BEN)
    evening.tick()
    assert evening.table.stage == WAITING


def test_a_result_tells_what_statistics_need() -> None:
    plan = TablePlan(seats=(SeatPlan("uncover", "brisk"), PERSON, PERSON), preset="hard", ring=False, clock=70)
    evening = Evening(plan, [5], answering=False).begin()
    evening.go_away(2)
    evening.tick(MINUTE)
    evening.say(1, Replace(2))
    evening.tick(100)
    (result,) = evening.results
    assert result.players == (("uncover",), ("person",), ("person", "careful"))
    assert result.paces == ("brisk", "", "matching")
    assert (result.preset, result.settings) == ("hard", plan.settings())
    assert (result.won, result.status, result.score, result.longest) == (False, "lost by the clock", 0, 0)
    assert (result.ticks, result.deal, result.game, result.games, result.total) == (700, deal_id(5), 1, 1, 0)
    assert result.key == evening.table.key


@pytest.mark.parametrize("message", [Go(), Tap(18), Replace(0)])
def test_a_foreign_token_opens_nothing(message: PersonMessage) -> None:
    evening = running(ALONE)
    for token in ("", "token-1", "Token-0", "\0", "lookahead"):
        with pytest.raises(ValueError, match="this link opens no seat at this table"):
            evening.table.receive(token, message)
        with pytest.raises(ValueError, match="this link opens no seat"):
            evening.table.arrive(token)
        with pytest.raises(ValueError, match="this link opens no seat"):
            evening.table.leave(token, 0)


def test_nothing_comes_from_a_seat_that_is_not_connected() -> None:
    evening = at(TWO)
    with pytest.raises(ValueError, match="seat 0 must be connected"):
        evening.say(ANNA, Go())
    with pytest.raises(ValueError, match="seat 1 must be connected"):
        evening.go_away(BEN)


def test_every_person_has_a_token_of_their_own_and_agents_have_none() -> None:
    seats = at(TablePlan(seats=(PERSON, with_agent(), PERSON))).table.seats
    assert [seat.token for seat in seats] == ["token-0", "", "token-1"]


def test_a_roster_is_sent_when_it_changes_and_not_otherwise() -> None:
    evening = running(TWO)
    assert not any(isinstance(message, Roster) for _, message in evening.tick(30))
