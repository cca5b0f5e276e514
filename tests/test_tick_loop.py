"""The grid of ticks, and agents that think for as long as they like."""

import asyncio
import threading
from collections.abc import Callable, Coroutine

import numpy as np
import pytest
from numpy.typing import NDArray

from evening import PERSON, with_agent
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.scripted import ScriptedAgent
from gipfelsturm.play import rehearsal
from gipfelsturm.play.agent_pool import AgentPool
from gipfelsturm.play.realtime_messages import Go, State
from gipfelsturm.play.realtime_tables import PHASE_MS, PHASES
from gipfelsturm.play.table_plan import TablePlan
from gipfelsturm.play.tick_loop import LATEST_MS, TickLoop
from lines import House, ListLine

PLAN = TablePlan(seats=(PERSON, with_agent("lookahead", "instant")), clock=None)


class Time:
    """A clock that sleeping moves on, and now and then work too; the test ends when `steps` are used up."""

    def __init__(self, steps: int, work: Callable[[int], int] = lambda step: 0) -> None:
        self.now, self.steps, self.taken = 1000, steps, 0
        self._work = work

    def clock(self) -> int:
        return self.now

    async def sleep(self, seconds: float) -> None:
        if self.taken == self.steps:
            raise EOFError
        self.now += round(1000 * seconds) + self._work(self.taken)
        self.taken += 1
        await asyncio.sleep(0)


def beats(time: Time) -> list[tuple[int, int]]:
    """Phase and time of each beat of a loop until its end."""
    house = House()
    told: list[tuple[int, int]] = []
    house.tables.beat = lambda phase, now: told.append((phase, now))  # type: ignore[method-assign]
    loop = TickLoop(house.tables, AgentPool(0), ["careful"], time.clock, time.sleep)
    run(loop, loop._run())
    return told


def run(loop: TickLoop, work: Coroutine[None, None, None]) -> None:
    async def all_of_it() -> None:
        try:
            await work
        except EOFError:
            pass
        await loop.stop()

    asyncio.run(all_of_it())


def test_the_grid_is_even_and_the_groups_take_turns() -> None:
    told = beats(Time(25))
    assert told == [(step % PHASES, 1000 + step * PHASE_MS) for step in range(25)]


def test_a_delay_is_made_up_for() -> None:
    delay = 2 * PHASE_MS + 3
    late = beats(Time(30, lambda step: delay if step == 4 else 0))
    due = [1000 + step * PHASE_MS for step in range(30)]
    assert [now for _, now in late] == [*due[:4], *[due[4] + delay] * 3, *due[7:]]
    assert [phase for phase, _ in late] == [step % PHASES for step in range(30)]


def test_after_a_long_sleep_of_the_machine_the_grid_begins_anew() -> None:
    asleep = beats(Time(30, lambda step: 8 * LATEST_MS if step == 4 else 0))
    times = [now for _, now in asleep]
    assert times[4] - times[3] > 8 * LATEST_MS
    assert [later - now for now, later in zip(times[5:], times[6:], strict=False)] == [PHASE_MS] * 24


def test_partners_are_prepared_one_after_another_and_a_table_can_be_opened_after_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: dict[threading.Thread, list[str]] = {}  # rehearsals of other tests may still be under way
    allowed = {name: threading.Event() for name in ("careful", "counting", "learned")}

    def note(what: str) -> None:
        done.setdefault(threading.current_thread(), []).append(what)

    def rehearse(partner: str) -> None:
        assert allowed[partner].wait(20)
        note(partner)

    monkeypatch.setattr(rehearsal, "rehearse", rehearse)
    monkeypatch.setattr(rehearsal, "warm_up", lambda: note("hints"))
    monkeypatch.setattr(rehearsal, "_spare_the_collector", lambda: note("collector"))
    prepared: set[str] = set()
    ready = rehearsal.begin_rehearsals(list(allowed), prepared)
    assert not prepared and not ready.done()
    allowed["careful"].set()
    ready.result(20)
    assert prepared == {"careful"}
    allowed["counting"].set()
    allowed["learned"].set()
    (mine,) = (thread for thread in done if done[thread][0] == "careful")
    mine.join(20)
    assert prepared == set(allowed)
    assert done[mine] == ["careful", "hints", "counting", "learned", "collector"]


def test_a_rehearsal_that_fails_is_told_to_whoever_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def rehearse(partner: str) -> None:
        raise OSError("no room for machine code")

    monkeypatch.setattr(rehearsal, "rehearse", rehearse)
    prepared: set[str] = set()
    with pytest.raises(OSError, match="no room for machine code"):
        rehearsal.begin_rehearsals(["careful"], prepared).result(20)
    assert not prepared


class Thinker(ScriptedAgent):
    """Answers when it is allowed to."""

    def __init__(self, allowed: threading.Event) -> None:
        super().__init__("careful")
        self._allowed = allowed

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        assert self._allowed.wait(20)
        return super().act(observations, masks)


def state(line: ListLine) -> State:
    return next(message for message in reversed(line.heard) if isinstance(message, State))


def seated(house: House) -> tuple[str, ListLine]:
    (token,) = house.open(PLAN)
    line = house.come(token)
    house.say(token, line, Go())
    return token, line


async def spans(house: House, loop: TickLoop, count: int) -> None:
    for _ in range(count):
        for phase in range(PHASES):
            house.now += PHASE_MS
            loop.beat(phase, house.now)
        await asyncio.sleep(0)


def test_a_slow_agent_holds_no_tick_back_and_plays_when_it_answers() -> None:
    house, allowed = House(), threading.Event()
    pool = AgentPool(0, lambda name: Thinker(allowed))
    loop = TickLoop(house.tables, pool, ["careful"], lambda: house.now)
    token, line = seated(house)

    async def play() -> None:
        await spans(house, loop, 30)
        assert (house.ticks(token), state(line).hands[1].phase) == (29, "free")
        before = state(line).peaks
        allowed.set()
        await loop.settle()
        await spans(house, loop, 1)
        assert state(line).peaks != before

    run(loop, play())


def test_a_failing_agent_is_told_of_once(capsys: pytest.CaptureFixture[str]) -> None:
    house = House()

    def fail(name: str) -> Agent:
        raise ValueError("no such mind")

    loop = TickLoop(house.tables, AgentPool(0, fail), ["careful"], lambda: house.now)
    _, line = seated(house)

    async def play() -> None:
        for _ in range(5):
            await spans(house, loop, 1)
            await loop.settle()

    run(loop, play())
    fault = "gipfelsturm: agent 'lookahead' failed: ValueError('no such mind')\n"
    assert capsys.readouterr().err == fault
    assert line.closed is None
