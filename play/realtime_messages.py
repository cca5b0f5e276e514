"""What a page and a table of Gipfelsturm say to each other, as JSON objects with a `type`.

Places, cards, calls and hands are those of `gipfelsturm.envs.rules.observation`; seats and piles count in seat order,
for everybody alike, times in ticks. Everything that a table sends before the end of a game is public information.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from gipfelsturm.envs.rules.actions import CALLS
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.record import MOST_SEATS
from gipfelsturm.envs.rules.settings import Settings

Place = Annotated[int, Meta(ge=0, lt=PLACES)]
Seat = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
MOST_BYTES = 200
"""Of one message from a person; the longest honest one has 40."""


class FromPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """Whatever a person can say."""


class Go(FromPerson, frozen=True):
    """Los! Starts the clock, takes a paused game up again, and asks for the next game after an end."""


class Tap(FromPerson, frozen=True):
    """Play the card of a place: on the named pile, else on the first that fits, one's own first and on to the left."""

    place: Place
    pile: Seat | None = None


class Draw(FromPerson, frozen=True):
    """Draw from one's own stock."""


class Call(FromPerson, frozen=True):
    """Say something: 1..13 need A..K, 14 hold, 15 drawing."""

    call: Annotated[int, Meta(ge=1, le=len(CALLS))]


class Replace(FromPerson, frozen=True):
    """Wish that an agent plays for somebody who is gone."""

    seat: Seat


PersonMessage = Go | Tap | Draw | Call | Replace
_READER = msgspec.json.Decoder(PersonMessage)


def read_message(data: bytes | str) -> PersonMessage:
    """What a page sent.

    Raises:
        ValueError: for anything but one of the messages above; the sentence names the fault.
    """
    if len(data) > MOST_BYTES:
        raise ValueError(f"a message must be at most {MOST_BYTES} bytes, not {len(data)}")
    try:
        return _READER.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise ValueError(f"a message must be one that the table knows: {fault}") from None


class ToPage(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag=str.lower):
    """Whatever a table can tell; no cycles, so nothing for the collector, whose pauses would delay ticks."""


class Welcome(ToPage, frozen=True):
    """To somebody who has come (back): where they sit, and what is played."""

    seat: int
    preset: str
    settings: Settings


class Player(msgspec.Struct, frozen=True, gc=False):
    """Who sits in a seat, as everybody may know."""

    agent: str  # the name of the agent that plays, "" while a person does
    pace: str  # of the agent's hand: a tempo or "matching"; "" for a person
    present: bool  # always, for an agent
    ready: bool  # has said Go since the table last waited for it; of an agent: can be asked
    replaceable: bool  # a person who has been gone long enough
    wishes: tuple[int, ...]  # the seats that wish an agent in this person's place


class Roster(ToPage, frozen=True):
    """Who sits here, and what everybody waits for; sent when any of it changes."""

    stage: str  # "waiting" for everybody's Go, "running", "paused" or "over"
    game: int  # of the record hunt, from 1
    games: int  # of the record hunt; 1 for a single game
    total: int  # score of the hunt's finished games
    players: tuple[Player, ...]  # (seats,)


class Hand(msgspec.Struct, frozen=True, gc=False):
    """What a hand does; the card of its place is drawn in it while it carries or returns."""

    phase: str  # of `gipfelsturm.envs.rules.record.PHASES`
    place: int  # that it reaches for or came from, -1 if none
    pile: int  # that it plays on, -1 if none
    left: int  # ticks to the end of its phase


class Said(msgspec.Struct, frozen=True, gc=False):
    """A seat's last call."""

    call: int  # 0 none, else as in `Call`
    age: int  # ticks


class State(ToPage, frozen=True):
    """The whole table; sent when anything but the time has changed, and once a second."""

    tick: int  # ticks gone
    clock: int  # ticks left, 0 without a clock
    peaks: tuple[int, ...]  # (28,) 1 + card code if it is face up, 0 face down, -1 gone
    tops: tuple[int, ...]  # (piles,) 1 + card code
    stocks: tuple[int, ...]  # (seats,) cards left
    streak: int
    longest: int
    hands: tuple[Hand, ...]  # (seats,), none once the game is over
    calls: tuple[Said, ...]  # (seats,)


class Refused(ToPage, frozen=True):
    """To one person: what they asked for was not done."""

    reason: str  # of `gipfelsturm.envs.rules.actions.REASONS`, or of `gipfelsturm.play.realtime_table`
    place: int | None  # the card that springs back


class Over(ToPage, frozen=True):
    """How the game ended."""

    status: str  # of `gipfelsturm.envs.rules.record.STATUSES`; "running" for one that was cut off after too long
    score: int
    longest: int
    ticks: int
    deal: str  # its id, "" for a deck given as cards


PageMessage = Welcome | Roster | State | Refused | Over
