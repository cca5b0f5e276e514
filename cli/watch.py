"""`gipfelsturm watch`: one game in the terminal, at its own pace."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from numpy.typing import NDArray
from rich.console import Console
from rich.live import Live
from rich.text import Text

from gipfelsturm.agents.answers import legal_actions, whole_numbers
from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.whole_file import write_asked
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.endings import ending
from gipfelsturm.envs.options import most_steps
from gipfelsturm.envs.picture.raster import gif, require_pictures
from gipfelsturm.envs.rendering import picture
from gipfelsturm.envs.rules.board import board_text
from gipfelsturm.envs.rules.cards import PLACES, card_text
from gipfelsturm.envs.rules.checks import counted
from gipfelsturm.envs.rules.deals import read_deal
from gipfelsturm.envs.rules.record import CARRYING, REACHING, RETURNING
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.rules.table import ROWS
from gipfelsturm.envs.rules.tempo import DEFAULT_TEMPO
from gipfelsturm.training.json_file import check_writable

MOVE_MS = 1000
"""How long a move is shown that takes no time in the game."""
END_MS = 3000
"""How much longer an animation shows the end, before it goes on from the start."""
TIME = ("tick", "left", "age")
"""The fields of a record whose change alone is not worth another frame of text."""

Team = list[tuple[Agent, slice]]
"""Everybody, with the seats that they sit in."""


def watch(
    preset: str = "normal",
    agents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME")] = ("careful",),
    seats: int | None = None,
    tempo: Annotated[tuple[str, ...], tyro.conf.arg(metavar="TEMPO")] = (),
    deal: str | None = None,
    seed: int = 0,
    out: Path | None = None,
) -> None:
    """Show one game as it is played: at its own pace in a terminal, elsewhere at once and only what changes.

    Args:
        preset: tripeaks (one mind without time, unless a tempo is named), normal, hard, expert, easy, blitz.
        agents: Players by name, or as module:factory: one for all seats, or one for each.
        seats: 1, 2 or 3; one for each player if left out, or the preset's for a single player.
        tempo: One for all hands, or one for each: instant, brisk (if none is named), steady, slow, person, or
            pause/reach/carry/draw in ms.
        deal: Id of the deal, as in 000-0YG-J00, or its number; the first one of the seed if left out.
        seed: Of the deal, and of the players' random choices.
        out: Write the game as an animation to this file, as in game.gif, and show nothing but how it ended.
    """
    if out is not None:
        _check_out(out)
    if seats is None and len(agents) > 1:
        seats = len(agents)
    settings = _settings(preset, seats, tempo)
    batch = _dealt(settings, deal, seed)
    games = _played(batch, _seated(agents, batch, seed))
    names = list(agents) * (settings.seats // len(agents))
    pace = MOVE_MS if settings.one_mind else settings.tick_ms
    if out is not None:
        with Console(stderr=True).status("Drawing every picture"):
            write_asked(out, gif(_pictures(games, settings, pace)))
    elif sys.stdout.isatty():
        _show(games, names, pace / 1000)
    else:
        _print(games, names)
    print(_result(batch))


def _settings(preset: str, seats: int | None, tempo: tuple[str, ...]) -> Settings:
    """One mind for plain TriPeaks, hands for everything else."""
    if preset == "tripeaks" and seats in (None, 1) and not tempo:
        return one_mind(preset)
    return real_time(preset, seats=seats, tempo=tempo[0] if len(tempo) == 1 else tempo or DEFAULT_TEMPO)


def _check_out(out: Path) -> None:
    """Find every fault before the game is played."""
    if out.suffix.lower() != ".gif":
        raise ValueError(f"--out writes animations: name a file that ends in .gif, not {out}")
    check_writable(out)
    require_pictures()


def _dealt(settings: Settings, deal: str | None, seed: int) -> GipfelsturmBatch:
    """The one table, with its cards dealt."""
    batch = GipfelsturmBatch(settings, 1, autoreset="disabled", most_steps=most_steps(settings))
    if deal is None:
        batch.seed([seed])
        batch.deal_all()
    else:
        batch.set_deals([read_deal(deal)])
    return batch


def _seated(names: tuple[str, ...], batch: GipfelsturmBatch, seed: int) -> Team:
    """One player in all seats, or one in each, with chance of their own."""
    seats = batch.viewers
    if len(names) not in (1, seats):
        given = f"{counted(len(names), 'player')} for {counted(seats, 'seat')}"
        raise ValueError(f"--agents names {given}: name one for all, or one for each")
    each = [slice(0, seats)] if len(names) == 1 else [slice(seat, seat + 1) for seat in range(seats)]
    team = list(zip(map(make_agent, names), each, strict=True))
    for i, (agent, own) in enumerate(team):
        agent.reset(1, range(seats)[own], seed + i, batch.settings)
    return team


def _played(batch: GipfelsturmBatch, team: Team) -> Iterator[np.void]:
    """The record of the game after the deal and after each step: one and the same, which goes on changing.

    Raises:
        ValueError: for a player that answers with anything but legal actions.
    """
    yield batch.games[0]
    while not (batch.terminated[0] or batch.truncated[0]):
        answers = [_answer(agent, batch.observations[:, seats], batch.masks[:, seats]) for agent, seats in team]
        batch.step(legal_actions(np.concatenate(answers, axis=1), batch.masks, batch.terminated))
        yield batch.games[0]


def _answer(agent: Agent, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    return whole_numbers(agent.act(observations.copy(), masks.copy()), masks.shape[:2])


def _print(games: Iterator[np.void], names: list[str]) -> None:
    """Every frame in which something has changed besides the time."""
    before = b""
    for game in games:
        still = game.copy()
        for field in TIME:
            still[field] = 0
        if still.tobytes() != before:
            print(_frame(game, names), end="\n\n")
        before = still.tobytes()


def _show(games: Iterator[np.void], names: list[str], seconds: float) -> None:
    """Every frame in the place of the last one, after that has been shown for some seconds, or longer thoughts."""
    with Live(console=Console(), auto_refresh=False) as live:
        due = 0.0
        for game in games:
            time.sleep(max(0.0, due - time.monotonic()))
            due = time.monotonic() + seconds
            live.update(_coloured(game, names), refresh=True)


def _pictures(games: Iterator[np.void], settings: Settings, pace: int) -> Iterator[tuple[str, int]]:
    """Every step as a picture, with the milliseconds that it is shown."""
    svg = ""
    for game in games:
        svg = picture(settings, game)
        yield svg, pace
    yield svg, END_MS


def _frame(game: np.void, names: list[str]) -> str:
    """The table as text, with the players' names."""
    lines = board_text(game).splitlines()
    width = max(map(len, names))
    piles = [f"{name:{width}} {line}" for name, line in zip(names, lines[len(ROWS) : -1], strict=True)]
    return "\n".join([*lines[: len(ROWS)], "", *piles, "", lines[-1]])


def _coloured(game: np.void, names: list[str]) -> Text:
    """A frame with red suits, and with the cards marked that a hand reaches for or holds."""
    text = Text(_frame(game, names), no_wrap=True, overflow="ellipsis")
    text.highlight_regex("##", "dim")
    text.highlight_regex(r"\b[A2-9TJQK][DH]\b", "red")
    aimed = [seat for seat, phase in enumerate(game["phase"]) if phase in (REACHING, CARRYING, RETURNING)]
    text.highlight_words([card_text(int(game["deck"][game["place"][seat]])) for seat in aimed], "reverse")
    return text


def _result(batch: GipfelsturmBatch) -> str:
    """How the game ended, in one line."""
    game, end = batch.games[0], ending(batch, deck_given=False)
    if game["one_mind"]:
        drawn = batch.settings.draws - int(game["stock"].sum())
        took = counted(PLACES - int(game["present"]).bit_count() + drawn, "move")
    else:
        ticks = int(game["tick"])
        took = f"{counted(ticks, 'tick')} ({ticks * batch.settings.tick_ms / 1000:g} s)"
    return f"{end['result']}; score {end['score']}, longest streak {end['longest_streak']}, {took}, deal {end['deal']}"
