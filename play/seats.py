"""Who sits at a table of people and agents: tokens, coming and going, and who is replaced (no clock of its own)."""

from collections.abc import Callable, Container, Sequence

from gipfelsturm.play.pace import Rhythm
from gipfelsturm.play.realtime_messages import Call, Draw, Player, Refused, Tap
from gipfelsturm.play.table_plan import MATCHING, SeatPlan

PERSON = "person"
"""What stands for a person where agents have names."""
GONE_MS = 60_000
"""A person who is gone for so long can be replaced, if all who are there wish it."""
STILL_HERE = "still at the table"


class Seat:
    """One seat, and all that waits there for the next tick: a command of the hand, a call and a refusal at most.

    Attributes:
        agent: that plays now, "" while a person does.
        prepared: whether the agent can be asked, as far as has been noticed.
        token: whoever has it is the person of this seat; "" for an agent's.
        players: everybody who has played here in this game, in their order: `PERSON`, or the name of an agent.
        asked: tick of the question that the agent has not answered yet, -1 if there is none.
        answer: the agent's action for the next tick, -1 if there is none.
        received: messages since the last tick.
        connections: of the seat's person.
    """

    def __init__(self, plan: SeatPlan, token: str, tick_ms: int, prepared: Container[str], now: int) -> None:
        self.agent, self.pace, self.token = plan.agent, plan.pace if plan.agent else "", token
        self._tick_ms, self._prepared = tick_ms, prepared
        self.prepared = self.agent in prepared
        self.rhythm = Rhythm(tick_ms)
        self.ready = self.replaceable = False
        self.wishes: set[int] = set()
        self.refused: Refused | None = None
        self.received = 0
        self.connections = 0
        self._gone_since = now
        self.begin()

    def begin(self) -> None:
        """Before a new game."""
        self.players = [self.agent or PERSON]
        self.rhythm.begin()
        self.forget()

    def forget(self) -> None:
        """Drop what waits for the next tick."""
        self.hand: Tap | Draw | None = None
        self.call: Call | None = None
        self.asked = self.answer = -1

    def give(self, hand_free: bool) -> Tap | Draw | Call | None:
        """What a person's seat gives in this tick: the hand's command goes before the call."""
        if self.hand is not None and hand_free:
            hand, self.hand = self.hand, None
            return hand
        call, self.call = self.call, None
        return call

    def give_answer(self) -> int:
        """What an agent's seat gives in this tick, -1 if nothing has been answered; then it can be asked again."""
        action, self.answer = self.answer, -1
        if action >= 0:
            self.asked = -1
        return action

    @property
    def present(self) -> bool:
        """Whether the seat's person is connected."""
        return self.connections > 0

    def arrive(self) -> None:
        """One more connection of this seat's person, who plays from now on, whoever has played for them."""
        self.connections += 1
        self.replaceable = False
        self.wishes.clear()
        if self.agent:
            self._hand_over("", "")

    def leave(self, now: int) -> None:
        """One connection less; the last one takes the person away, and what they had still wanted to do."""
        self.connections -= 1
        if not self.connections:
            self._gone_since = now
            self.ready = False
            self.refused = None
            self.forget()

    def look(self, now: int) -> bool:
        """Notice if the agent can be asked now, or the person has been gone for long enough; returns if that is new."""
        if self.agent and not self.prepared:
            self.prepared = self.agent in self._prepared
            return self.prepared
        if self.agent or self.connections or self.replaceable or now - self._gone_since < GONE_MS:
            return False
        self.replaceable = True
        return True

    def replace(self, agent: str) -> None:
        """Let an agent play for a person until they come back, at a pace that suits the others."""
        self.replaceable = False
        self.wishes.clear()
        self._hand_over(agent, MATCHING)

    def _hand_over(self, agent: str, pace: str) -> None:
        self.agent, self.pace = agent, pace
        self.prepared = agent in self._prepared
        self.players.append(agent or PERSON)
        self.rhythm = Rhythm(self._tick_ms)

    def player(self) -> Player:
        """What everybody may know."""
        return Player(
            agent=self.agent,
            pace=self.pace,
            present=bool(self.agent) or self.present,
            ready=self.prepared if self.agent else self.ready,
            replaceable=self.replaceable,
            wishes=tuple(sorted(self.wishes)),
        )


class Seats(list[Seat]):
    """All seats of a table, in seat order."""

    def __init__(
        self,
        plans: Sequence[SeatPlan],
        make_token: Callable[[], str],
        tick_ms: int,
        prepared: Container[str],
        now: int,
    ) -> None:
        """Give every person's seat a token that `make_token` makes: nobody can guess it."""
        super().__init__(Seat(plan, "" if plan.agent else make_token(), tick_ms, prepared, now) for plan in plans)
        self._by_token = {seat.token: number for number, seat in enumerate(self) if seat.token}

    def find(self, token: str) -> int:
        """The seat that a token opens; raises ValueError for a token of another table."""
        if token not in self._by_token:
            raise ValueError("this link opens no seat at this table: ask for a new one")
        return self._by_token[token]

    def present(self) -> tuple[int, ...]:
        """The seats of all persons who are there."""
        return tuple([number for number, seat in enumerate(self) if seat.connections])

    def here_ready(self) -> bool:
        """Whether somebody is there, and all who are there have said Go."""
        here = [seat.ready for seat in self if seat.present]
        return bool(here) and all(here)

    def all_ready(self) -> bool:
        """Whether every agent can be asked, and every person has said Go, also those who are gone and not replaced."""
        return all(seat.prepared if seat.agent else seat.ready for seat in self)

    def wait_anew(self) -> None:
        """Forget who has said Go."""
        for seat in self:
            seat.ready = False

    def wish(self, by: int, gone: int, substitute: str) -> str:
        """Somebody wishes an agent in the place of a person who is gone; returns why not, "" if it can be."""
        if not self[gone].replaceable:
            return STILL_HERE
        self[gone].wishes.add(by)
        self.grant(substitute)
        return ""

    def grant(self, substitute: str) -> None:
        """Replace whom all who are there wish to be replaced."""
        here = set(self.present())
        for seat in self:
            if here and seat.replaceable and here <= seat.wishes:
                seat.replace(substitute)

    def slowest_gap(self) -> int:
        """Ticks from one action to the next of the slowest person who plays."""
        return max((seat.rhythm.gap for seat in self if not seat.agent), default=0)

    def take_refusals(self) -> list[tuple[int, Refused]]:
        """What has been refused to whom since this was asked last."""
        taken = [(number, seat.refused) for number, seat in enumerate(self) if seat.refused]
        for number, _ in taken:
            self[number].refused = None
        return taken

    def players(self) -> tuple[Player, ...]:
        """What everybody may know of each seat."""
        return tuple([seat.player() for seat in self])
