"""Golden games: game records as text, with the table drawn in comments at the moments that matter.

After a change of the rules that is meant, draw every file anew, and read what has changed:

    PYTHONPATH=tests .venv/bin/python -m golden_tools tests/golden
"""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gipfelsturm.envs.rules.actions import REASONS
from gipfelsturm.envs.rules.board import board_text
from gipfelsturm.envs.rules.record import CARRYING, REACHING, RUNNING, Games
from gipfelsturm.envs.rules.replay import actions_by_tick, advance, replay
from gipfelsturm.envs.rules.table import free_places
from gipfelsturm.envs.rules.transcript import Transcript
from gipfelsturm.envs.rules.transcript_text import FORMAT, command_line, read_transcript, write_transcript

GOLDEN = Path(__file__).parent / "golden"
HEAD = 11  # lines of a game record that stand above its commands


def described(text: str) -> tuple[str, Transcript]:
    """The comment above a golden game, and the game."""
    description, _, _ = text.partition(FORMAT)
    return description, read_transcript(text)


def rendered(description: str, transcript: Transcript) -> str:
    """The whole text of a golden game."""
    lines = write_transcript(transcript).splitlines()[:HEAD]
    games = list(replay(transcript))
    lines += _board("dealt", games[0][0])
    for number, actions in enumerate(actions_by_tick(transcript), 1):
        lines += _commands(transcript, number)
        lines += _refusals(games[number - 1].copy(), actions)
        happened = list(_moments(games[number - 1][0], games[number][0]))
        if happened:
            lines += _board(f"tick {number}: {', '.join(happened)}", games[number][0])
    lines += [f"end {transcript.ticks}", f"# sha256 of the last record: {digest(games[-1][0])}"]
    return description + "\n".join(lines) + "\n"


def digest(game: np.void) -> str:
    """What tells two records apart."""
    return hashlib.sha256(game.tobytes()).hexdigest()


def _commands(transcript: Transcript, tick: int) -> list[str]:
    given = [command for command in transcript.commands if command.tick == tick]
    return [command_line(command, transcript.settings.seats) for command in given]


def _refusals(games: Games, actions: list[int]) -> list[str]:
    reasons = advance(games, actions)
    return [f"# refused to seat {seat}: {REASONS[reason]}" for seat, reason in enumerate(reasons) if reason]


def _board(title: str, game: np.void) -> list[str]:
    return [f"# {title}", *(f"#   {line}".rstrip() for line in board_text(game).splitlines())]


def _moments(before: np.void, after: np.void) -> Iterator[str]:
    """What happened in a tick that the commands alone do not tell."""
    turned = int(free_places(int(after["present"]))) & ~int(free_places(int(before["present"])))
    if turned:
        yield f"turned up {' '.join(str(place) for place in range(28) if turned >> place & 1)}"
    for seat in range(int(after["seats"])):
        if _sent_elsewhere(before, after, seat):
            yield f"seat {seat} is sent to another pile"
    if after["missed"] > before["missed"]:
        yield "a hand comes back empty"
    if after["returned"] > before["returned"]:
        yield "a card goes back"
    if before["status"] == RUNNING and after["status"] != RUNNING:
        yield "the end"


def _sent_elsewhere(before: np.void, after: np.void, seat: int) -> bool:
    """Whether a hand lifted or placed a card for another pile than the one it named."""
    named = before["pile"][seat]
    if after["phase"][seat] == CARRYING:
        return bool(before["phase"][seat] in (REACHING, CARRYING) and after["pile"][seat] != named)
    card = before["deck"][before["place"][seat]]
    return bool(before["phase"][seat] == CARRYING and card in np.delete(after["top"], named))


def main(folder: str) -> None:
    """Draw every golden game of a folder anew."""
    for file in sorted(Path(folder).glob("*.txt")):
        file.write_text(rendered(*described(file.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
