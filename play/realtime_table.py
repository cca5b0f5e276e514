"""A table of Gipfelsturm with people and agents in the same seats: events and time in, messages out.

The table is the referee and does no I/O. Whoever drives it calls `tick` every tick, without waiting for anybody; what
has been received since then waits in its seat, one command of the hand and one call at most, and is committed by the
tick. So it does not matter in which order messages arrive. All messages leave with a tick.

A table waits for the Go of every person and until every agent can be asked, then runs. Nobody is there: it pauses, and
runs again once all who are back have said Go. After the end, the Go of all who are there deals the next game, for which
the table waits anew.
"""

from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from gipfelsturm.envs.rules.actions import GAME_OVER, REASONS, wait_action
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.rules.transcript import Deal, Transcript
from gipfelsturm.play.asking import Answer, Ask, GameKey
from gipfelsturm.play.realtime_game import RealTimeGame
from gipfelsturm.play.realtime_messages import (
    Call,
    Draw,
    Go,
    Over,
    PersonMessage,
    Refused,
    Replace,
    Roster,
    Tap,
)
from gipfelsturm.play.reporter import Outgoing, Reporter
from gipfelsturm.play.results import Result, result_of
from gipfelsturm.play.seats import Seat, Seats
from gipfelsturm.play.table_plan import MATCHING, TablePlan

WAITING, RUNNING, PAUSED, ENDED = "waiting", "running", "paused", "over"
NOT_STARTED, NOW_PAUSED, TOO_MANY, NOT_HERE = "not started", "paused", "too many messages", "not at this table"
MISSED = "somebody was faster"
"""Of a play that the rules allowed, and whose hand came back empty within the same tick."""
_NO_HANDS = {WAITING: NOT_STARTED, PAUSED: NOW_PAUSED, ENDED: REASONS[GAME_OVER]}
MOST_MESSAGES = 20
"""From one seat in one tick; the others are not read."""


class Beat(NamedTuple):
    """What a tick gave: messages to send, questions to agents, and after the end of a game what became of it."""

    outgoing: list[Outgoing]
    asks: list[Ask]
    result: Result | None


class RealTimeTable:
    """One table, game after game. Every `now` is in whole milliseconds of one clock that never goes back.

    Attributes:
        plan: who sits here, and what is played.
        settings: of every game.
        seats: with the token of each person.
    """

    def __init__(
        self,
        number: int,
        plan: TablePlan,
        deals: Iterator[Deal],
        make_token: Callable[[], str],
        substitute: str,
        prepared: Container[str],
        now: int,
    ) -> None:
        """Deal the first game.

        Args:
            number: of the table, which no other has.
            deals: one for each game, for ever.
            make_token: something new at each call that nobody can guess.
            substitute: the agent that plays for people who are gone.
            prepared: the agents that can be asked, which may become more.
        """
        self.plan = plan
        self.settings: Settings = plan.settings()
        self.seats = Seats(plan.seats, make_token, self.settings.tick_ms, prepared, now)
        self._number, self._deals, self._substitute = number, deals, substitute
        self._wait = wait_action(self.settings.seats)
        self._reporter = Reporter(plan.preset, self.settings, stagger=number)
        self._empty_since = now
        self._stage = WAITING
        self._ending: Over | None = None
        self._games_dealt = self._game_of_hunt = self._total = 0
        self._deal()

    @property
    def key(self) -> GameKey:
        """The game that is played, for the pool of agents."""
        return GameKey(self._number, self._games_dealt)

    @property
    def stage(self) -> str:
        """What the table does: `WAITING`, `RUNNING`, `PAUSED` or `ENDED`."""
        return self._stage

    def empty_for(self, now: int) -> int:
        """Milliseconds since the last person left; 0 while somebody is there."""
        return 0 if self.seats.present() else now - self._empty_since

    def transcript(self) -> Transcript:
        """The record of the game so far; it holds the deal, so no page may be given it."""
        return self._game.transcript()

    def arrive(self, token: str) -> int:
        """A connection of somebody with a seat's token; returns the seat, which hears from the next tick.

        Raises:
            ValueError: for a token of another table.
        """
        number = self.seats.find(token)
        self.seats[number].arrive()
        self._reporter.arrived.add(number)
        self._touch()
        return number

    def leave(self, token: str, now: int) -> None:
        """A connection is lost; raises ValueError for a token of another table, or one that is not connected."""
        number = self._at_table(token)
        self.seats[number].leave(now)
        self.seats.grant(self._substitute)
        self._empty_since = now
        self._touch()

    def receive(self, token: str, message: PersonMessage) -> None:
        """A message from a person who is connected; whatever cannot be done is refused with the next tick.

        Raises:
            ValueError: for a token of another table, or one that is not connected.
        """
        number = self._at_table(token)
        seat = self.seats[number]
        seat.received += 1
        reason = TOO_MANY if seat.received > MOST_MESSAGES else self._take(number, seat, message)
        if reason:
            seat.refused = _refusal(reason, message)

    def answer(self, answer: Answer) -> None:
        """What an agent wants to do, however late: the next tick judges it, if the seat still waits for it."""
        seat = self.seats[answer.ask.seat]
        if answer.ask.key == self.key and answer.ask.agent == seat.agent and answer.ask.tick == seat.asked:
            seat.answer = answer.action

    def tick(self, now: int) -> Beat:
        """One tick of the table, and of the game if it runs."""
        for seat in self.seats:
            seat.received = 0
        if any([seat.look(now) for seat in self.seats]):
            self._touch()
        result = None
        if self._stage == RUNNING:
            self._play()
            result = self._end() if self._game.over else None
        asks = self._asks() if self._stage == RUNNING else []
        return Beat(self._reporter.report(self.seats, self._game, self._roster, self._ending), asks, result)

    def _at_table(self, token: str) -> int:
        number = self.seats.find(token)
        if not self.seats[number].present:
            raise ValueError(f"seat {number} must be connected before anything comes from it")
        return number

    def _touch(self) -> None:
        """Somebody has come, gone or said something: go on if all that are waited for are ready."""
        self._reporter.roster_due = True
        if self._stage == RUNNING:
            if not self.seats.present():
                self._stage = PAUSED
        elif self._stage == WAITING:
            if self.seats.all_ready():
                self._stage = RUNNING
        elif self.seats.here_ready():
            if self._stage == PAUSED:
                self._stage = RUNNING
            else:
                self._deal()

    def _deal(self) -> None:
        """Begin the next game, of the next record hunt if this one is complete."""
        if self._game_of_hunt == self.plan.games:
            self._game_of_hunt = self._total = 0
        self._game = RealTimeGame(self.settings, next(self._deals))
        self._games_dealt += 1
        self._game_of_hunt += 1
        self._stage, self._ending = WAITING, None
        self._reporter.roster_due = self._reporter.state_due = True
        self.seats.wait_anew()
        for seat in self.seats:
            seat.begin()

    def _take(self, number: int, seat: Seat, message: PersonMessage) -> str:
        """Keep a message for the next tick; returns why it cannot be, "" if it can."""
        if isinstance(message, Go):
            if not seat.ready:
                seat.ready = True
                self._touch()
            return ""
        if isinstance(message, Replace):
            return self._wish(number, message)
        if self._stage != RUNNING:
            return _NO_HANDS[self._stage]
        if isinstance(message, Call):
            seat.call = message
        elif isinstance(message, Tap) and message.pile is not None and message.pile >= len(self.seats):
            return NOT_HERE
        else:
            seat.hand = message
        return ""

    def _wish(self, number: int, message: Replace) -> str:
        if message.seat >= len(self.seats):
            return NOT_HERE
        reason = self.seats.wish(number, message.seat, self._substitute)
        if not reason:
            self._touch()
        return reason

    def _play(self) -> None:
        """Commit what waits, and tell apart what was done and what was refused."""
        given = [None if seat.agent else seat.give(self._game.hand_free(i)) for i, seat in enumerate(self.seats)]
        actions = [self._action(i, seat, given[i]) for i, seat in enumerate(self.seats)]
        reasons = self._game.tick(actions)
        for i, action in enumerate(actions):
            if action != self._wait:
                self._judged(i, given[i], action, REASONS[reasons[i]])

    def _action(self, number: int, seat: Seat, given: Tap | Draw | Call | None) -> int:
        if isinstance(given, Tap):
            return self._game.play_action(number, given.place, given.pile)
        if isinstance(given, Draw):
            return PLACES * len(self.seats)
        if isinstance(given, Call):
            return self._wait + given.call
        answer = seat.give_answer() if seat.agent else -1
        return self._wait if answer < 0 else answer

    def _judged(self, number: int, given: Tap | Draw | Call | None, action: int, reason: str) -> None:
        """Note what came of a command; an agent needs no word of a refusal, since it is asked again."""
        seat = self.seats[number]
        missed = isinstance(given, Tap) and not reason and self._game.hand_free(number)
        if given is not None and (reason or missed):
            seat.refused = _refusal(reason or MISSED, given)
        if not reason:
            self._reporter.state_due = True
            if action < self._wait:
                seat.rhythm.note(self._game.ticks)

    def _end(self) -> Result:
        """After the last tick."""
        self._stage = ENDED
        self.seats.wait_anew()
        self._ending = self._game.ending()
        self._total += self._ending.score
        self._reporter.roster_due = self._reporter.state_due = self._reporter.ending_due = True
        number, total = self._game_of_hunt, self._total
        return result_of(self.plan, self.seats, self._ending, number, total, self.key, self._game.transcript())

    def _asks(self) -> list[Ask]:
        """A question to each agent who has answered the last one, has a choice, and is not held back by its pace."""
        asks = []
        for number, seat in enumerate(self.seats):
            if not seat.agent or not seat.prepared or seat.asked >= 0 or self._too_fast(seat):
                continue
            mask = self._game.mask(number)
            if mask.tobytes().count(1) > 1:
                seat.asked = self._game.ticks
                observation = self._game.observation(number)
                asks.append(Ask(self.key, number, seat.asked, seat.agent, self.settings, observation, mask))
        return asks

    def _too_fast(self, seat: Seat) -> bool:
        return seat.pace == MATCHING and self._game.ticks + 1 - seat.rhythm.last < self.seats.slowest_gap()

    def _roster(self) -> Roster:
        return Roster(self._stage, self._game_of_hunt, self.plan.games, self._total, self.seats.players())


def _refusal(reason: str, message: PersonMessage) -> Refused:
    return Refused(reason, message.place if isinstance(message, Tap) else None)
