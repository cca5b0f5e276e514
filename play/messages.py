"""What page and server say to each other at TriPeaks: one definition for server, tests and page.

The page posts one `Ask` to `/api/tripeaks` as JSON, told apart by its `kind`, and is answered by one of the structs
below it, or by a `Fault`. Cards are written as in rules.md section 2 (`5H`, ten is `T`).
"""

from typing import Annotated

import msgspec

Token = Annotated[str, msgspec.Meta(max_length=64)]
"""Names a table; only who was given it can play there. "" for somebody who has none yet."""
DealText = Annotated[str, msgspec.Meta(max_length=40)]
"""A deal's id as a person writes it; "" for a new deal of the server's choice."""
Turn = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""What the page last saw: a message about another state of the table is refused and answered with this one."""
Place = Annotated[int, msgspec.Meta(ge=0, le=27)]

GONE = ""
FACE_DOWN = "??"
OUT_OF_TURN = "out of turn"
TOO_LONG = "too many moves"
NO_SUCH_DEAL = "no such deal"
NO_TABLE = "no such table"
TOO_BUSY = "too busy"
"""Why a message was refused, beside `gipfelsturm.envs.rules.actions.REASONS` and `NOTHING_TO_UNDO`."""


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=str.lower):
    """What the page asks; each kind is the name of its struct in small letters."""

    table: Token


class Sit(Ask, frozen=True):
    """Sit down at the own table, or at a new one; an id deals that game unless it lies there already."""

    deal: DealText = ""


class Show(Ask, frozen=True):
    """Tell whether the page is shown: the stopwatch stands still while it is not."""

    shown: bool


class Act(Ask, frozen=True):
    """Whatever changes the game."""

    turn: Turn


class Tap(Act, frozen=True):
    """Play the card of a place."""

    place: Place


class Draw(Act, frozen=True):
    """Draw a card."""


class Undo(Act, frozen=True):
    """Take the last move back."""


class Again(Act, frozen=True):
    """The same deal from the start."""


class Deal(Act, frozen=True):
    """Leave this deal and deal another one."""

    deal: DealText = ""


class Hint(Act, frozen=True):
    """Ask for a worthwhile move; it changes nothing but the count of hints."""


class Replay(Ask, frozen=True):
    """Ask for the finished game move by move."""


class Statistics(Ask, frozen=True):
    """Ask for the results of all deals so far."""


Asked = Sit | Show | Tap | Draw | Undo | Again | Deal | Hint | Replay | Statistics


class View(msgspec.Struct, frozen=True, tag_field="kind", tag="view"):
    """The table as the player may see it: nothing here depends on an unseen card."""

    turn: int
    peaks: tuple[str, ...]  # (28,) by place: a card, FACE_DOWN or GONE
    top: str
    stock: int  # cards left
    status: str  # running, won or lost
    moves: int
    cleared: int  # of 28
    streak: int
    longest: int
    elapsed: int  # milliseconds of the stopwatch
    ticking: bool  # whether the stopwatch runs
    hints: int
    undos: int
    deal: str  # its id once the game is over; "" before
    refused: str = ""  # why the message changed nothing


class Seated(msgspec.Struct, frozen=True, tag_field="kind", tag="seated"):
    """The answer to `Sit`."""

    table: str
    view: View


class Hinted(msgspec.Struct, frozen=True, tag_field="kind", tag="hinted"):
    """The answer to `Hint`."""

    turn: int
    action: int  # a place, or 28 for the stock
    hopeless: bool  # proven that the game cannot be won from here; the action is the best there is
    reason: str  # what speaks for it: a value of `gipfelsturm.agents.hint_reasons.Reason`
    cards: tuple[str, ...]  # that the reason speaks of


class Worth(msgspec.Struct, frozen=True):
    """What a move of a finished game was worth, by what its player could know then."""

    share: float  # of the games that were played out after it and won, 0 to 1
    gave_up: float  # by how much that share is higher after the best move
    best: int  # a place, or 28 for the stock
    exact: bool  # all was known: nothing had to be played out


class Film(msgspec.Struct, frozen=True, tag_field="kind", tag="film"):
    """The answer to `Replay`: the table after dealing and after each move that stands."""

    actions: tuple[int, ...]
    views: tuple[View, ...]  # one more than actions
    worth: tuple[Worth, ...] = ()  # of each action


class Tally(msgspec.Struct, frozen=True, tag_field="kind", tag="tally"):
    """The answer to `Statistics`, over all deals that were won or left."""

    deals: int
    won: int
    hints: int
    undos: int
    pure: int  # won at the first try without hint and undo
    fastest: int | None  # milliseconds of the fastest won deal
    longest: int  # streak


class Fault(msgspec.Struct, frozen=True, tag_field="kind", tag="fault"):
    """The answer to what could not be answered."""

    fault: str


def read_message(text: bytes) -> Asked:
    """What a page asks; raises ValueError with a sentence for anything else."""
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise ValueError(f"message cannot be read: {fault}") from None


_DECODER = msgspec.json.Decoder(Asked)
