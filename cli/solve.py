"""`gipfelsturm solve`: can a deal be won with every card known, with how few draws, and how."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
import tyro
from numpy.typing import NDArray

from gipfelsturm.agents.solver import Solution, solve_all
from gipfelsturm.cli.text_file import read_text
from gipfelsturm.envs.rules.actions import action_text
from gipfelsturm.envs.rules.board import board_text
from gipfelsturm.envs.rules.cards import PLACES, card_text
from gipfelsturm.envs.rules.checks import counted
from gipfelsturm.envs.rules.deals import read_deal, read_deck
from gipfelsturm.envs.rules.record import Games, deal_games, deck_game
from gipfelsturm.envs.rules.replay import advance
from gipfelsturm.envs.rules.settings import Settings, one_mind
from gipfelsturm.training.json_file import check_writable, write_json


class Entry(msgspec.Struct):
    """One deal in the JSON; `moves` are flat actions, none if it cannot be won."""

    min_draws: int
    max_removed: int
    moves: tuple[int, ...]


def solve(
    deal: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[DEAL]")] = (),
    file: Path | None = None,
    preset: Annotated[str, tyro.conf.arg(metavar="NAME")] = "tripeaks",
    no_ring: tyro.conf.FlagCreatePairsOff[bool] = False,
    json: Path | None = None,
) -> None:
    """Tell whether deals can be won by one mind with every card known, and print a shortest line.

    Args:
        deal: The 52 cards in drawing order, the deal's id, or its number.
        file: One deal a line instead; further columns, after a tab, and a header line are passed over.
        preset: What the deals are played as: tripeaks, or with two piles normal, hard, expert, easy, blitz.
        no_ring: King and ace do not fit each other.
        json: Write a list of min_draws (-1 if it cannot be won), max_removed and moves to this file too.
    """
    settings = one_mind(preset, ring=False if no_ring else None)
    if json is not None:
        check_writable(json)
        if file is not None and json.resolve() == file.resolve():
            raise ValueError(f"--json {json} would write over the deals of --file: name another file")
    if bool(deal) == (file is not None):
        raise ValueError("name a deal or a --file with deals, and not both")
    games = _game(" ".join(deal), settings) if file is None else np.concatenate(list(_games(file, settings)))
    solutions = solve_all(games)
    for line in _list(solutions, settings) if file is not None else _account(games, solutions[0]):
        print(line)
    if json is not None:
        write_json(json, [Entry(found.min_draws, found.max_removed, found.moves) for found in solutions])


def _game(text: str, settings: Settings) -> Games:
    """The game (an array of one) of a deck, an id or a number."""
    words = text.split()
    return deal_games(settings, [read_deal(words[0])]) if len(words) == 1 else deck_game(settings, read_deck(text))


def _games(file: Path, settings: Settings) -> Iterator[Games]:
    """The game of each line of a file."""
    rows = [(n, line.split("\t")) for n, line in enumerate(read_text(file).splitlines(), 1) if line.strip()]
    column = _header_column(rows[0][1], settings) if rows else None
    if column is not None:
        del rows[0]
    if not rows:
        raise ValueError(f"{file} holds no deal: write one a line")
    for n, cells in rows:
        try:
            yield _game(_cell(cells, column or 0), settings)
        except ValueError as fault:
            raise ValueError(f"{file}, line {n}: {fault}") from None


def _cell(cells: list[str], column: int) -> str:
    if column >= len(cells):
        raise ValueError(f"it has no column {column + 1}, where the deals stand")
    return cells[column]


def _header_column(cells: list[str], settings: Settings) -> int | None:
    """In which column the deals stand if a file's first line is a header, None if it is a deal, or meant to be one."""
    if "deal" in cells:
        return cells.index("deal")
    if any(character.isdecimal() for character in cells[0]):
        return None
    try:
        _game(cells[0], settings)
    except ValueError:
        return 0
    return None


def _list(solutions: list[Solution], settings: Settings) -> Iterator[str]:
    """A line a deal, with the moves in words."""
    for n, found in enumerate(solutions, 1):
        moves = ", ".join(action_text(move, settings.seats) for move in found.moves)
        yield f"{n}: {_verdict(found)}{': ' if moves else ''}{moves}"
    won = sum(found.winnable for found in solutions)
    yield f"{won} of {counted(len(solutions), 'deal')} can be won ({100 * won / len(solutions):.1f} %)"


def _verdict(found: Solution) -> str:
    if found.winnable:
        return f"can be won, fewest draws {found.min_draws}"
    return f"cannot be won, at most {found.max_removed} of {PLACES} cards can go"


def _account(games: Games, found: Solution) -> Iterator[str]:
    """The verdict, then the board after each move of a copy of the game (an array of one)."""
    yield _verdict(found).capitalize()
    yield from ("", board_text(games[0]))
    played = games.copy()
    for n, move in enumerate(found.moves, 1):
        before = played[0]["top"].copy()
        advance(played, [move])
        yield from ("", f"{n}. {_move_text(played[0], move, before)}", board_text(played[0]))


def _move_text(g: np.void, move: int, before: NDArray[np.uint8]) -> str:
    """A move that has been made, and the cards it moved; `before` (3,) were the tops."""
    piles = int(g["seats"])
    pile = move // PLACES if move < PLACES * piles else move - PLACES * piles
    moved = f"{card_text(int(g['top'][pile]))} on {card_text(int(before[pile]))}"
    return f"{action_text(move, piles)}: {moved}"
