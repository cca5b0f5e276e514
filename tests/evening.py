"""A real-time table with simulated people, who know nothing but the messages that they get."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec
import numpy as np

from gipfelsturm.agents.catalogue import CATALOGUE
from gipfelsturm.envs.rules.transcript import Deal
from gipfelsturm.play.agent_pool import AgentPool
from gipfelsturm.play.asking import Answer, Ask, GameKey
from gipfelsturm.play.realtime_messages import Draw, Go, PageMessage, PersonMessage, Refused, Roster, State, Tap
from gipfelsturm.play.realtime_table import RUNNING, RealTimeTable
from gipfelsturm.play.results import Result
from gipfelsturm.play.table_plan import SeatPlan, TablePlan
from tables import DECK

TICK_MS = 100
M = TypeVar("M", bound=PageMessage)
PERSON = SeatPlan()
MINUTE = 600  # ticks


def tokens() -> Callable[[], str]:
    numbers = itertools.count()
    return lambda: f"token-{next(numbers)}"


def with_agent(agent: str = "lookahead", pace: str = "instant") -> SeatPlan:
    return SeatPlan(agent, pace)


class Evening:
    """Drives a table; what it sent lies in `heard`, by seat, and its results in `results`."""

    def __init__(
        self,
        plan: TablePlan,
        deals: Iterable[Deal],
        answering: bool = True,
        number: int = 0,
        prepared: Iterable[str] = CATALOGUE,
    ) -> None:
        self.now = 0
        self.prepared = set(prepared)
        self.table = RealTimeTable(number, plan, iter(deals), tokens(), "careful", self.prepared, self.now)
        self.heard: dict[int, list[PageMessage]] = {seat: [] for seat in range(len(plan.seats))}
        self.results: list[Result] = []
        self.asks: list[Ask] = []
        self.pool = AgentPool(seed=0)
        self.answering = answering

    @property
    def people(self) -> list[int]:
        """The seats that people can take."""
        return [number for number, seat in enumerate(self.table.seats) if seat.token]

    def token(self, seat: int) -> str:
        return self.table.seats[seat].token

    def come(self, *seats: int) -> None:
        for seat in seats:
            assert self.table.arrive(self.token(seat)) == seat

    def go_away(self, *seats: int) -> None:
        for seat in seats:
            self.table.leave(self.token(seat), self.now)

    def say(self, seat: int, *messages: PersonMessage) -> None:
        for message in messages:
            self.table.receive(self.token(seat), message)

    def begin(self) -> "Evening":
        """Everybody comes and says Go."""
        self.come(*self.people)
        for seat in self.people:
            self.say(seat, Go())
        return self

    def tick(self, ticks: int = 1) -> list[tuple[int, PageMessage]]:
        """So many ticks; returns what was sent, by seat."""
        sent: list[tuple[int, PageMessage]] = []
        for _ in range(ticks):
            self.now += TICK_MS
            beat = self.table.tick(self.now)
            sent += [(seat, message) for seats, message in beat.outgoing for seat in seats]
            self.asks += beat.asks
            if beat.result:
                self.results.append(beat.result)
            if self.answering:
                self.answer([beat.result.key] if beat.result else [])
        for seat, message in sent:
            self.heard[seat].append(message)
        return sent

    def answer(self, ended: Sequence[GameKey] = ()) -> None:
        for answer in self.pool.answer(self.asks, ended):
            self.table.answer(answer)
        self.asks.clear()

    def act(self, number: int, action: int) -> None:
        """Answer the question to a seat by hand."""
        (ask,) = (ask for ask in self.asks if ask.seat == number)
        self.asks.remove(ask)
        self.table.answer(Answer(ask, action))

    def last(self, kind: type[M], seat: int = 0) -> M:
        """The last message of a kind that a seat has heard."""
        return next(message for message in reversed(self.heard[seat]) if isinstance(message, kind))

    def state(self, seat: int = 0) -> State:
        return self.last(State, seat)

    def roster(self, seat: int = 0) -> Roster:
        return self.last(Roster, seat)

    def refusals(self, seat: int = 0) -> list[Refused]:
        return [message for message in self.heard[seat] if isinstance(message, Refused)]


TWO = TablePlan(seats=(PERSON, PERSON), clock=None)
ALONE = TablePlan(seats=(PERSON, with_agent()), clock=None)


def at(plan: TablePlan, answering: bool = False, prepared: Iterable[str] = CATALOGUE) -> Evening:
    """A table where every deal is `tables.DECK`."""
    return Evening(plan, [tuple(DECK)] * 5, answering, prepared=prepared)


def running(plan: TablePlan) -> Evening:
    """One where everybody has said Go, a tick later."""
    evening = at(plan).begin()
    evening.tick()
    assert evening.table.stage == RUNNING
    return evening


def fits(card: int, top: int, ring: bool = True) -> bool:
    """Whether two cards of a state, numbered from 1, are one rank apart."""
    apart = abs((card - 1) // 4 - (top - 1) // 4)
    return apart == 1 or (ring and apart == 12)


def sensible(state: State, seat: int, dice: np.random.Generator) -> PersonMessage | None:
    """What a person does who plays what fits, draws if nothing does, and is not always quick."""
    if not state.hands or dice.random() < 0.6:
        return None
    held = {hand.place for hand in state.hands}
    fitting = [
        place
        for place, card in enumerate(state.peaks)
        if card > 0 and place not in held and any(fits(card, top) for top in state.tops)
    ]
    if fitting:
        return Tap(int(dice.choice(fitting)))
    return Draw() if state.stocks[seat] else None


def play_out(evening: Evening, seed: int, most_ticks: int = 4000) -> Iterator[list[tuple[int, PageMessage]]]:
    """People play one game to its end; what each tick sent."""
    dice = np.random.default_rng(seed)
    for _ in range(most_ticks):
        yield evening.tick()
        if evening.results:
            return
        for seat in evening.people:
            message = sensible(evening.state(seat), seat, dice)
            if message is not None:
                evening.say(seat, message)
    raise AssertionError("the game does not end")


def as_bytes(sent: Iterable[tuple[int, PageMessage]]) -> list[tuple[int, bytes]]:
    return [(seat, msgspec.json.encode(message)) for seat, message in sent]
