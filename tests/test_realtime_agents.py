"""What a real-time table asks of its agents, when it waits for them, and what it makes of their answers."""

from evening import ALONE, MINUTE, PERSON, TWO, at, running, with_agent
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.play.asking import Answer
from gipfelsturm.play.realtime_messages import Go, Replace, Tap
from gipfelsturm.play.realtime_table import ENDED, RUNNING, WAITING
from gipfelsturm.play.table_plan import TablePlan
from tables import ANNA, BEN

WAIT = wait_action(2)
THREE = TablePlan(seats=(PERSON, with_agent("counting"), with_agent()), clock=1)


def test_a_game_begins_when_its_agents_can_be_asked() -> None:
    evening = at(THREE, prepared=["careful"])
    evening.begin().tick(3)
    assert evening.roster().stage == WAITING
    assert [player.ready for player in evening.roster().players] == [True, False, False]
    evening.prepared.add("lookahead")
    evening.tick(3)
    assert evening.roster().stage == WAITING
    assert [player.ready for player in evening.roster().players] == [True, False, True]
    evening.prepared.add("counting")
    evening.tick(3)
    assert evening.roster().stage == RUNNING and all(player.ready for player in evening.roster().players)
    assert evening.table.transcript().ticks == 3
    assert {ask.agent for ask in evening.asks} == {"counting", "lookahead"}


def test_an_agent_that_can_be_asked_waits_for_the_go_of_people() -> None:
    evening = at(THREE, prepared=[])
    evening.come(ANNA)
    evening.tick()
    evening.prepared |= {"counting", "lookahead"}
    evening.tick(3)
    assert evening.roster().stage == WAITING
    evening.say(ANNA, Go())
    evening.tick(10)
    assert evening.roster().stage == ENDED


def test_an_agent_in_the_place_of_a_person_waits_until_it_can_be_asked() -> None:
    evening = running(TWO)
    evening.prepared.discard("careful")
    evening.go_away(BEN)
    evening.tick(MINUTE)
    evening.say(ANNA, Replace(BEN))
    evening.tick(30)
    assert (evening.roster().players[BEN].agent, evening.roster().players[BEN].ready) == ("careful", False)
    assert evening.roster().stage == RUNNING and evening.asks == []
    evening.prepared.add("careful")
    evening.tick(2)
    assert [ask.agent for ask in evening.asks] == ["careful"]
    assert evening.roster().players[BEN].ready


def test_an_agent_is_asked_once_until_it_answers_and_no_tick_waits() -> None:
    evening = running(ALONE)
    (ask,) = evening.asks
    assert (ask.seat, ask.tick, ask.agent, ask.settings) == (BEN, 1, "lookahead", evening.table.settings)
    evening.tick(10)
    assert evening.asks == [ask]
    evening.act(BEN, WAIT)
    evening.tick()
    assert [ask.tick for ask in evening.asks] == [12]


def test_a_late_answer_is_judged_by_the_table_of_the_tick_in_which_it_arrives() -> None:
    evening = running(ALONE)
    evening.say(ANNA, Tap(20))  # onto Ben's 9S
    evening.tick(3)
    evening.act(BEN, 20)
    evening.tick()
    assert evening.table.transcript().commands[-1] == (5, BEN, 20)
    assert evening.state().hands[BEN].phase == "free"  # refused: the place is empty
    assert evening.refusals() == []
    evening.act(BEN, 24)  # QH on QS, which was no QH when he was asked
    evening.tick()
    assert evening.table.transcript().commands[-1] == (6, BEN, 24)


def test_a_late_answer_that_still_fits_is_carried_out() -> None:
    evening = running(ALONE)
    evening.tick(30)
    evening.act(BEN, 20)
    evening.tick()
    assert evening.state().peaks[20] == -1  # at an instant


def test_an_answer_to_a_question_of_another_game_is_dropped() -> None:
    evening = running(TablePlan(seats=(PERSON, with_agent()), clock=1))
    (ask,) = evening.asks
    evening.tick(9)
    evening.say(ANNA, Go())
    evening.say(ANNA, Go())
    evening.tick()
    assert evening.table.stage == RUNNING
    evening.table.answer(Answer(ask, 20))
    evening.tick()
    assert evening.table.transcript().commands == ()


def test_an_agent_that_cannot_choose_is_not_asked() -> None:
    evening = running(TablePlan(seats=(PERSON, with_agent(pace="slow")), clock=None, calls=False))
    evening.act(BEN, 20)
    asked = []
    for _ in range(60):
        evening.tick()
        asked += [ask.tick for ask in evening.asks]
        for _ in evening.asks:
            evening.act(BEN, WAIT)
    assert asked == [*range(2, 9), *range(57, 62)]  # a reach of 8 ticks, then a carry of 8 and a pause of 40
