"""All tables of a server without the server: when they tick, who is connected, and what is given up."""

import pytest

from evening import PERSON, with_agent
from gipfelsturm.play import realtime_tables
from gipfelsturm.play.asking import Answer
from gipfelsturm.play.realtime_messages import Draw, Go, Over, PersonMessage, State, Tap
from gipfelsturm.play.realtime_table import RealTimeTable
from gipfelsturm.play.realtime_tables import EMPTY_MS, PHASES
from gipfelsturm.play.room import FAULTY, FLOOD, FLOODING, NO_SUCH_SEAT, TAKEN_OVER
from gipfelsturm.play.seats import GONE_MS
from gipfelsturm.play.table_plan import TablePlan
from lines import House, ListLine

ALONE = TablePlan(seats=(PERSON, with_agent()), clock=None)
TWO = TablePlan(seats=(PERSON, PERSON), clock=None)
QUICK = TablePlan(seats=(PERSON, with_agent()), clock=0.5)


def state(line: ListLine) -> State:
    return next(message for message in reversed(line.heard) if isinstance(message, State))


def begun(house: House, plan: TablePlan = ALONE) -> tuple[str, ListLine]:
    """One person at a game that runs; the first tick was spent on the Go."""
    (token,) = house.open(plan)
    line = house.come(token)
    house.span()
    house.say(token, line, Go())
    return token, line


# Ticks


def test_who_comes_is_told_everything_at_once() -> None:
    house = House()
    (token,) = house.open(ALONE)
    assert house.come(token).kinds() == ["Welcome", "Roster", "State"]


def test_what_a_person_does_is_shown_at_once() -> None:
    house = House()
    token, line = begun(house)
    house.span(2)
    assert state(line).hands[0].phase == "free"
    house.say(token, line, Draw())
    assert (state(line).tick, state(line).hands[0].phase) == (3, "drawing")


def test_a_table_is_at_most_one_tick_ahead_of_the_grid() -> None:
    house = House()
    token, line = begun(house)
    for span in range(1, 30):
        house.say(token, line, Draw(), Tap(0), Draw(), Tap(27))
        assert state(line).tick <= span
        house.span()
    assert state(line).tick in (29, 30)


def test_a_table_without_commands_ticks_with_the_grid() -> None:
    house = House()
    _, line = begun(house)
    house.span(100)
    told = [message.tick for message in line.heard if isinstance(message, State)]
    assert told[-1] == 100
    assert told == sorted(told)


def test_a_command_that_came_too_soon_waits_for_the_next_span() -> None:
    house = House()
    token, line = begun(house)
    house.span(2)
    house.say(token, line, Tap(0))
    assert line.kinds()[-1] == "Refused"
    house.say(token, line, Tap(1))
    assert line.kinds() == []
    house.span()
    assert "Refused" in line.kinds()


def test_tables_tick_one_after_another_within_a_tick() -> None:
    house = House()
    lines = [begun(house)[1] for _ in range(PHASES + 1)]
    house.span(20)
    seen = []
    for phase in range(PHASES):
        for line in lines:
            line.heard.clear()
        house.now += realtime_tables.PHASE_MS
        for _ in range(10):  # the whole table is sent every ten ticks
            house.tables.beat(phase, house.now)
        seen.append([number for number, line in enumerate(lines) if line.heard])
    assert seen[0] == [0, PHASES]
    assert seen[1:] == [[number] for number in range(1, PHASES)]


# Coming and going


def test_a_second_connection_takes_the_seat_over() -> None:
    house = House()
    token, line = begun(house)
    house.say(token, line, Draw())
    house.span(4)
    again = house.come(token)
    assert line.closed == TAKEN_OVER
    assert again.closed is None
    assert state(again).stocks[0] == 10
    house.tables.stand_up(token, line, house.now)  # its connection ends
    house.say(token, line, Tap(0))  # and this was still on its way
    again.heard.clear()
    house.span(3)
    assert "Refused" not in again.kinds()
    house.say(token, again, Tap(0))
    assert "Refused" in again.kinds()
    assert all(len(room.lines) == 1 for room in house.tables._rooms.values())


def test_who_comes_back_finds_the_game_as_it_was_left() -> None:
    house = House()
    token, line = begun(house)
    house.span(5)
    house.tables.stand_up(token, line, house.now)
    house.span(50)
    back = house.come(token)
    assert (state(back).tick, house.ticks(token)) == (5, 5)
    house.say(token, back, Go())
    house.span(25)
    assert house.ticks(token) >= 29


def test_a_token_of_no_table_is_turned_away() -> None:
    house = House()
    line = house.come("guess")
    assert line.closed == NO_SUCH_SEAT
    house.say("guess", line, Go())
    house.tables.stand_up("guess", line, house.now)
    assert "guess" not in house.tables


def test_three_people_hear_the_same() -> None:
    house = House()
    tokens = house.open(TablePlan(seats=(PERSON, PERSON, PERSON)))
    lines = [house.come(token) for token in tokens]
    for token, line in zip(tokens, lines, strict=True):
        house.say(token, line, Go())
    house.span(30)
    house.say(tokens[1], lines[1], Draw())
    house.span(2)
    assert state(lines[0]) == state(lines[1]) == state(lines[2])
    assert state(lines[0]).stocks[1] == 6


# Bounds


def test_the_number_of_tables_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(realtime_tables, "MOST_TABLES", 3)
    house = House()
    tokens = [house.open(ALONE)[0] for _ in range(3)]
    lines = [house.come(token) for token in tokens]
    house.tables.stand_up(tokens[1], lines[1], house.now)
    house.now += GONE_MS - 1
    assert house.tables.open(ALONE, house.now, "late") is None
    house.now += 1
    (fourth,) = house.open(ALONE)
    assert tokens[1] not in house.tables
    assert all(token in house.tables for token in (tokens[0], tokens[2], fourth))
    assert len(house.tables) == 3


def test_whoever_opens_tables_without_end_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(realtime_tables, "MOST_TABLES", 3)
    house = House()
    (played,), (left,) = house.open(ALONE), house.open(ALONE)
    house.come(played)
    house.tables.stand_up(left, house.come(left), house.now)
    opened = [house.open(ALONE)[0] for _ in range(10)]
    assert [token for token in (played, left, *opened) if token in house.tables] == [played, left, opened[-1]]


def test_whoever_sits_at_many_tables_leaves_some_for_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(realtime_tables, "MOST_TABLES", 20)
    house = House()

    def open_and_sit(opener: str) -> int:
        opened = 0
        while (table := house.tables.open(ALONE, house.now, opener)) is not None:
            house.come(table.seats[0].token)
            opened += 1
        return opened

    assert [open_and_sit(opener) for opener in "abcdef"] == [10, 5, 3, 1, 1, 0]


def test_whoever_has_enough_tables_gives_up_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(realtime_tables, "MOST_TABLES", 10)
    house = House()
    (other,) = house.open(ALONE, "other")
    opened = [house.open(ALONE, "many")[0] for _ in range(20)]
    kept = [token for token in opened if token in house.tables]
    assert (other in house.tables, kept) == (True, opened[-5:])
    assert [house.open(ALONE, "other")[0] in house.tables for _ in range(3)] == [True] * 3


def test_nobody_who_is_in_the_middle_of_a_game_is_put_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(realtime_tables, "MOST_TABLES", 2)
    house = House()
    (played, line), (paused, away) = begun(house), begun(house)
    house.tables.stand_up(paused, away, house.now)
    house.now += EMPTY_MS - 1
    assert house.tables.open(ALONE, house.now, "late") is None
    back = house.come(paused)
    assert (line.closed, away.closed, back.closed) == (None, None, None)
    house.span()
    assert back.kinds()[0] == "Welcome" and played in house.tables


def test_a_table_that_was_left_for_long_is_given_up() -> None:
    house = House()
    token, line = begun(house)
    kept, _ = begun(house)
    house.tables.stand_up(token, line, house.now)
    house.now += EMPTY_MS - 100
    house.span()
    assert token in house.tables
    house.span()
    assert token not in house.tables and kept in house.tables
    assert [key.table for key in house.tables.ended] == [0]
    assert house.come(token).closed == NO_SUCH_SEAT


def test_a_flood_ends_the_connection() -> None:
    house = House()
    token, line = begun(house)
    house.say(token, line, *[Tap(0)] * FLOOD)
    assert line.closed is None
    house.say(token, line, *[Tap(0)] * 2)
    assert line.closed == FLOODING


def test_a_table_that_breaks_disturbs_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house = House()
    token, line = begun(house)
    _, other = begun(house)
    broken = house.tables._by_token[token].table
    whole = RealTimeTable.tick
    monkeypatch.setattr(RealTimeTable, "tick", lambda table, now: 1 / 0 if table is broken else whole(table, now))
    other.heard.clear()
    house.span(20)
    assert line.closed == FAULTY
    assert state(other).tick >= 18
    assert token not in house.tables and len(house.tables) == 1
    assert capsys.readouterr().err.startswith("gipfelsturm: a table had to be closed: ZeroDivisionError")


# Agents and ends


def test_agents_are_asked_and_answered_beside_the_ticks() -> None:
    house = House()
    _, line = begun(house)
    (ask,) = house.tables.asks
    house.span(3)
    house.tables.answer([Answer(ask, 57), Answer(ask._replace(key=ask.key._replace(table=99)), 57)])
    house.span()
    assert state(line).stocks[1] == 11


@pytest.mark.parametrize("message", [Draw(), Go()])
def test_nobody_hears_of_an_end_that_is_not_kept(message: PersonMessage) -> None:
    house = House(keeps_at_once=False)
    token, line = begun(house, QUICK)
    house.span(10)
    (kept,) = house.unkept
    heard = line.kinds()
    assert "Over" not in heard
    house.say(token, line, message)
    house.span(2)
    assert line.kinds() == []
    kept()
    assert "Over" in [type(told).__name__ for told in line.heard]
    over = next(told for told in line.heard if isinstance(told, Over))
    assert (over.status, house.results[0].deal) == ("lost by the clock", over.deal)
    assert house.tables.ended == [house.results[0].key]
