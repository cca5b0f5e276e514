"""A game record as text, to be read, mailed and compared.

Lines that begin with `#` and blank lines mean nothing. The others, in this order:

    gipfelsturm 0                      version of the format
    seats 2
    stock 12                           cards dealt to each stock
    ring yes
    form real-time                     or one-mind
    calls yes
    clock 180000                       milliseconds, or none
    tick 200                           milliseconds
    tempos brisk 0/400/400/800         of each seat: a name, or milliseconds of pause/reach/carry/draw
    deal 000-000-000                   or deck and the 52 cards in drawing order
    ties 6071283465                    the tie seed
    1 0 play 18 0                      tick, seat, action, in the words of `gipfelsturm.envs.rules.actions`
    end 1                              ticks in all
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec
import numpy as np

from gipfelsturm.envs.rules.actions import action_number, action_text
from gipfelsturm.envs.rules.deals import deal_id, deal_number, read_deck, write_deck
from gipfelsturm.envs.rules.settings import MOST_TICK_MS, Settings, real_time
from gipfelsturm.envs.rules.tempo import Tempo, tempo_name, tempo_named
from gipfelsturm.envs.rules.transcript import Command, Deal, Transcript, check_command, check_tie_seed

FORMAT = "gipfelsturm 0"
T = TypeVar("T")


def write_transcript(transcript: Transcript) -> str:
    """The text of a game record; `read_transcript` gives an equal one."""
    settings, deal = transcript.settings, transcript.deal
    lines = [
        FORMAT,
        f"seats {settings.seats}",
        f"stock {settings.stock}",
        f"ring {'yes' if settings.ring else 'no'}",
        f"form {'one-mind' if settings.one_mind else 'real-time'}",
        f"calls {'yes' if settings.calls else 'no'}",
        f"clock {'none' if settings.clock_ms is None else settings.clock_ms}",
        f"tick {settings.tick_ms}",
        f"tempos {' '.join(tempo_name(tempo) for tempo in settings.tempos)}",
        f"deal {deal_id(deal)}" if isinstance(deal, int) else f"deck {write_deck(np.array(deal, np.uint8))}",
        f"ties {transcript.tie_seed}",
    ]
    lines += [command_line(command, settings.seats) for command in transcript.commands]
    return "\n".join([*lines, f"end {transcript.ticks}", ""])


def command_line(command: Command, piles: int) -> str:
    """The line of a command, as in `1 0 play 18 0`."""
    return f"{command.tick} {command.seat} {action_text(command.action, piles)}"


def read_transcript(text: str) -> Transcript:
    """Read what `write_transcript` writes.

    Raises:
        ValueError: for anything else; the sentence names the line, counted from 1, and says what would be right.
    """
    lines = _Lines(text)
    if lines.take(FORMAT) != FORMAT:
        raise lines.wrong(f"write {FORMAT}: other versions cannot be read")
    settings = _read_settings(lines)
    deal = _read_deal(lines)
    ties = lines.value("ties", _whole)
    lines.checked(lambda: check_tie_seed(ties))
    commands = _read_commands(lines, settings)
    ticks = lines.value("end", _whole)
    transcript = lines.checked(lambda: Transcript(settings, deal, ties, commands, ticks))
    lines.expect_nothing()
    return transcript


class _Lines:
    """The lines that mean something, one after another."""

    def __init__(self, text: str) -> None:
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
        self._lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
        self._after_last = len(lines) + 1
        self._taken = 0

    def peek(self) -> str:
        """The next line; empty after the last."""
        return self._lines[self._taken][1] if self._taken < len(self._lines) else ""

    def take(self, right: str) -> str:
        line = self.peek()
        self._taken += 1
        if not line:
            raise self.wrong(f"the text ends where it should say {right}")
        return line

    def value(self, key: str, read: Callable[[str], T]) -> T:
        found, _, value = self.take(f"{key} and a value").partition(" ")
        if found != key or not value:
            raise self.wrong(f"write {key} and a value, not {f'{found} {value}'.strip()!r}")
        return self.checked(lambda: read(value.strip()), key)

    def checked(self, make: Callable[[], T], key: str = "") -> T:
        """What is made of the line that was taken last; a refusal names the line."""
        try:
            return make()
        except ValueError as error:
            raise self.wrong(f"{key}: {error}" if key else str(error)) from None

    def wrong(self, what: str) -> ValueError:
        beyond = self._taken > len(self._lines)
        number = self._after_last if beyond else self._lines[self._taken - 1][0]
        return ValueError(f"line {number}: {what}")

    def expect_nothing(self) -> None:
        if self.peek():
            self._taken += 1
            raise self.wrong("nothing may follow the end")


def _read_settings(lines: _Lines) -> Settings:
    """Settings that each line changes, from some that suit every later line: so a fault is refused at its own line."""
    seats = lines.value("seats", _whole)
    tick = MOST_TICK_MS / 1000
    settings = lines.checked(
        lambda: real_time(seats=seats, stock=2, calls=False, clock=None, tick=tick, tempo="instant")
    )
    for key, field, read in _FIELDS:
        change = {field: lines.value(key, read)}
        settings = lines.checked(lambda: msgspec.structs.replace(settings, **change))  # noqa: B023, called at once
    return settings


def _read_deal(lines: _Lines) -> Deal:
    if lines.peek().split()[:1] == ["deck"]:
        deck = lines.value("deck", read_deck)
        return tuple(int(card) for card in deck)
    return lines.value("deal", deal_number)


def _read_commands(lines: _Lines, settings: Settings) -> tuple[Command, ...]:
    commands: list[Command] = []
    while not lines.peek().startswith("end"):
        line = lines.take("end and the number of ticks")
        command = lines.checked(lambda: _read_command(line, settings.seats))  # noqa: B023, called at once
        previous = commands[-1] if commands else None
        lines.checked(lambda: check_command(settings, previous, command))  # noqa: B023, called at once
        commands.append(command)
    return tuple(commands)


def _read_command(line: str, piles: int) -> Command:
    words = line.split(maxsplit=2)
    if len(words) < 3:
        raise ValueError(f"write TICK SEAT ACTION or end TICKS, not {line!r}")
    return Command(_whole(words[0]), _whole(words[1]), action_number(words[2], piles))


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 20):
        raise ValueError(f"write a whole number, not {text!r}")
    return int(text)


def _clock(text: str) -> int | None:
    return None if text == "none" else _whole(text)


def _tempos(text: str) -> tuple[Tempo, ...]:
    return tuple(tempo_named(name) for name in text.split())


def _either(true: str, false: str) -> Callable[[str], bool]:
    def read(text: str) -> bool:
        if text not in (true, false):
            raise ValueError(f"write {true} or {false}, not {text!r}")
        return text == true

    return read


# The lines of the settings after `seats`: key, field of `Settings`, reader.
_FIELDS: tuple[tuple[str, str, Callable[[str], object]], ...] = (
    ("stock", "stock", _whole),
    ("ring", "ring", _either("yes", "no")),
    ("form", "one_mind", _either("one-mind", "real-time")),
    ("calls", "calls", _either("yes", "no")),
    ("clock", "clock_ms", _clock),
    ("tick", "tick_ms", _whole),
    ("tempos", "tempos", _tempos),
)
