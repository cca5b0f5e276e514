"""`gipfelsturm hint`: a recorded game move by move, and what each move gave up."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gipfelsturm.agents.analysis import Analyst, Weighed
from gipfelsturm.cli.text_file import read_text
from gipfelsturm.envs.rules.actions import action_count, action_text
from gipfelsturm.envs.rules.checks import counted
from gipfelsturm.envs.rules.mask import write_mask
from gipfelsturm.envs.rules.observation import observation_size, write_observation
from gipfelsturm.envs.rules.record import RUNNING, Games
from gipfelsturm.envs.rules.replay import replay
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.rules.transcript import Command, Transcript
from gipfelsturm.envs.rules.transcript_text import command_line, read_transcript


def hint(game: Path, playouts: int = 2000) -> None:
    """Tell of each move of a recorded game how often it wins, and how much of the best action's wins it gave up.

    Judged by what its player could know. A line is: tick, seat, action, and what it was worth. Shares come from
    playouts; once a player of one mind has seen every card they are exact, 100 or 0 %.

    Args:
        game: A game record, as text.
        playouts: For finding the best action of each move, and as many again to compare the two.
    """
    text = read_text(game)
    try:
        transcript = read_transcript(text)
    except ValueError as fault:
        raise ValueError(f"{game}: {fault}") from None
    for line in _account(transcript, Analyst(transcript.settings, playouts)):
        print(line)


def _account(transcript: Transcript, analyst: Analyst) -> Iterator[str]:
    """A line a command, then a line a seat that was judged."""
    piles = transcript.settings.seats
    given_up: defaultdict[int, list[float]] = defaultdict(list)
    for command, before in _moments(transcript):
        told, weighed = _judge(transcript.settings, command, before, analyst)
        if weighed is not None:
            given_up[command.seat].append(weighed.gave_up)
        yield f"{command_line(command, piles)}: {told}"
    for seat, points in sorted(given_up.items()):
        yield f"seat {seat} gave up {100 * sum(points):.1f} points in {counted(len(points), 'move')}"


def _moments(transcript: Transcript) -> Iterator[tuple[Command, Games]]:
    """Each command, with the game (an array of one) on which it was judged."""
    commands = iter(transcript.commands)
    command = next(commands, None)
    for ticks, before in enumerate(replay(transcript)):
        while command is not None and command.tick == ticks + 1:
            yield command, before
            command = next(commands, None)


def _judge(settings: Settings, command: Command, before: Games, analyst: Analyst) -> tuple[str, Weighed | None]:
    """What is told of a command, and what it was worth if it could be weighed."""
    mask = np.zeros(action_count(settings), np.int8)
    write_mask(before[0], command.seat, mask)
    if before[0]["status"] != RUNNING or command.action >= len(mask) or not mask[command.action]:
        return "refused", None
    row = np.zeros(observation_size(settings), np.int8)
    write_observation(before[0], command.seat, row)
    weighed = analyst.weigh(row, command.action)
    return ("not judged" if weighed is None else _worth(command.action, weighed, settings.seats)), weighed


def _worth(action: int, weighed: Weighed, piles: int) -> str:
    """How often a move wins, and what it gave up to which other."""
    wins = f"wins {100 * weighed.share:.1f} %" + (" (exact)" if weighed.best.exact else "")
    if weighed.gave_up == 0 or action == weighed.best.action:
        return wins
    best = action_text(weighed.best.action, piles)
    return f"{wins}, gave up {100 * weighed.gave_up:.1f} points to {best}: {weighed.best.sentence}"
