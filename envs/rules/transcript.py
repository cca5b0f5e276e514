"""A game as it was played: settings, deal, tie seed and every command with its tick, from which all else follows."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
import numpy as np

from gipfelsturm.envs.rules.actions import CALLS, wait_action
from gipfelsturm.envs.rules.cards import CARDS
from gipfelsturm.envs.rules.checks import whole
from gipfelsturm.envs.rules.deals import DEALS, tie_seed
from gipfelsturm.envs.rules.settings import MOST_CLOCK_TICKS, Settings

Deal = int | tuple[int, ...]
"""A deal's number, or the codes of a deck (52,) in drawing order."""


class Command(NamedTuple):
    """What a seat did in a tick, counted from 1; `action` is a number of `gipfelsturm.envs.rules.actions`."""

    tick: int
    seat: int
    action: int


_BEFORE_ALL = Command(0, 0, 0)


class Transcript(msgspec.Struct, frozen=True):
    """A game record: refused commands and calls stand in it as well, `wait` does not.

    Of one mind every command is a tick of its own, and its seat is 0.

    Raises:
        ValueError: for a deal, tie seed, command or length that no game can have; the sentence says what is right.
    """

    settings: Settings
    deal: Deal
    tie_seed: int
    commands: tuple[Command, ...]  # by tick, then by seat
    ticks: int  # in all

    def __post_init__(self) -> None:
        _make_plain(self)
        check_tie_seed(self.tie_seed)
        previous = _BEFORE_ALL
        for command in self.commands:
            check_command(self.settings, previous, command)
            previous = command
        _check_end(self.settings, previous.tick, self.ticks)


def plain_deal(deal: Deal | np.integer[Any]) -> Deal:
    """A deal with numbers of every type, NumPy's too, as int; raises ValueError for what no game can be dealt from."""
    plain = tuple(whole("card", card) for card in deal) if isinstance(deal, Iterable) else whole("deal", deal)
    _check_deal(plain)
    return plain


def _make_plain(transcript: Transcript) -> None:
    msgspec.structs.force_setattr(transcript, "deal", plain_deal(transcript.deal))
    msgspec.structs.force_setattr(transcript, "tie_seed", whole("ties", transcript.tie_seed))
    msgspec.structs.force_setattr(transcript, "ticks", whole("end", transcript.ticks))


def usual_tie_seed(deal: Deal) -> int:
    """The tie seed of a game that was given none: of a deal's number, 0 for a deck (rules.md section 3, ends)."""
    return int(tie_seed(np.uint64(deal))) if isinstance(deal, int) else 0


def _check_deal(deal: Deal) -> None:
    if isinstance(deal, int):
        if not 0 <= deal < DEALS:
            raise ValueError(f"deals are numbered 0 to {DEALS - 1}, not {deal}")
    elif sorted(deal) != list(range(CARDS)):
        raise ValueError(f"a deck must be each of the codes 0 to {CARDS - 1} once")


def check_tie_seed(tie_seed: int) -> None:
    """Raise ValueError unless a number can be a tie seed."""
    if not 0 <= tie_seed < 2**64:
        raise ValueError(f"ties must be 0 to {2**64 - 1}, not {tie_seed}")


def check_command(settings: Settings, previous: Command | None, command: Command) -> None:
    """Raise ValueError unless a command of these settings may follow the previous one (None: may be the first)."""
    previous = previous or _BEFORE_ALL
    viewers = 1 if settings.one_mind else settings.seats
    if not 0 <= command.seat < viewers:
        raise ValueError(f"seat must be 0 to {viewers - 1}, not {command.seat}")
    if settings.one_mind and command.tick != previous.tick + 1:
        raise ValueError(f"tick must be {previous.tick + 1}, the number of the command, not {command.tick}")
    if not 1 <= command.tick <= MOST_CLOCK_TICKS:
        raise ValueError(f"tick must be 1 to {MOST_CLOCK_TICKS}, not {command.tick}")
    if previous.tick and command[:2] <= previous[:2]:
        place = f"tick {command.tick} of seat {command.seat} after tick {previous.tick} of seat {previous.seat}"
        raise ValueError(f"commands must stand by tick, then by seat, one for a seat in a tick, not {place}")
    _check_action(settings, command.action)


def _check_action(settings: Settings, action: int) -> None:
    wait = wait_action(settings.seats)
    actions = wait if settings.one_mind else wait + 1 + len(CALLS)  # a silent table refuses calls, as a game shows
    if not 0 <= action < actions:
        raise ValueError(f"action must be 0 to {actions - 1}, not {action}")
    if action == wait:
        raise ValueError("wait is never written: leave the command out")


def _check_end(settings: Settings, last: int, ticks: int) -> None:
    if settings.one_mind and ticks != last:
        raise ValueError(f"end must be {last}, the number of commands, not {ticks}")
    if not last <= ticks <= MOST_CLOCK_TICKS:
        raise ValueError(f"end must be {last} to {MOST_CLOCK_TICKS} ticks, not {ticks}")
