"""What somebody asks for who opens a table of Gipfelsturm."""

from collections.abc import Collection
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from gipfelsturm.agents.catalogue import ORACLE
from gipfelsturm.envs.rules.settings import Settings, TempoLike, real_time
from gipfelsturm.envs.rules.tempo import TEMPOS, tempo_named

TICK_S = 0.1
"""Tables with people tick this often."""
MATCHING = "matching"
PERSON_TEMPO = "person"
PACES = (*(name for name in TEMPOS if name != PERSON_TEMPO), MATCHING)
MOST_GAMES = 100
MOST_PLAN_BYTES = 1000


class SeatPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit in a seat: a person, or an agent at a pace of `PACES`."""

    agent: str = ""  # "" for a person
    pace: str = MATCHING

    def __post_init__(self) -> None:
        if self.pace not in PACES:
            raise ValueError(f"unknown pace {self.pace!r}: use one of {', '.join(PACES)}")

    @property
    def tempo(self) -> TempoLike:
        """Of the hand. `matching` moves like a person's, and is held back between its actions."""
        return tempo_named(PERSON_TEMPO if not self.agent or self.pace == MATCHING else self.pace)


class TablePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A preset with two or three seats, one person at least; fields left out are the preset's.

    Raises:
        ValueError: for an impossible table, in one sentence.
    """

    seats: tuple[SeatPlan, ...]
    preset: str = "normal"
    stock: int | None = None
    ring: bool | None = None
    calls: bool = True
    clock: float | None | Literal["preset"] = "preset"  # seconds, None for no clock
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 1  # in a row: a record hunt if there are several

    def __post_init__(self) -> None:
        if len(self.seats) not in (2, 3):
            raise ValueError(f"a table must have 2 or 3 seats, not {len(self.seats)}")
        if all(seat.agent for seat in self.seats):
            raise ValueError("a table must have a person in one of its seats")
        self.settings()

    def settings(self) -> Settings:
        """What the game is played with."""
        return real_time(
            self.preset,
            seats=len(self.seats),
            stock=self.stock,
            ring=self.ring,
            calls=self.calls,
            clock=self.clock,
            tick=TICK_S,
            tempo=[seat.tempo for seat in self.seats],
        )


def read_plan(data: bytes | str, partners: Collection[str]) -> TablePlan:
    """A plan that a page sent, as JSON.

    Args:
        partners: the names of agents that may be asked for: any other `module:factory` would be imported.

    Raises:
        ValueError: for anything else; the sentence names the fault.
    """
    if len(data) > MOST_PLAN_BYTES:
        raise ValueError(f"a plan must be at most {MOST_PLAN_BYTES} bytes, not {len(data)}")
    try:
        plan = msgspec.json.decode(data, type=TablePlan)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise ValueError(f"a table cannot be planned like this: {fault}") from None
    for seat in plan.seats:
        if seat.agent == ORACLE:
            raise ValueError(f"{ORACLE!r} sees every card and can sit in no seat: use one of {', '.join(partners)}")
        if seat.agent and seat.agent not in partners:
            raise ValueError(f"unknown partner {seat.agent!r}: use one of {', '.join(partners)}")
    return plan
