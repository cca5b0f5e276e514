"""Positions for the solver, and what its lines come to."""

from pathlib import Path

import numpy as np

from gipfelsturm.agents.solver import Solution
from gipfelsturm.agents.solver_memory import Memory, solver_memory
from gipfelsturm.envs.rules.mask import write_mask
from gipfelsturm.envs.rules.record import STATUSES, Games, deal_games
from gipfelsturm.envs.rules.replay import advance
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.rules.table import free_places
from naive_solver import naive_answer

DATA = Path(__file__).with_name("data")


def dirty_memory(piles: int, sheets: int | None = None) -> Memory:
    """Memory full of what another game could have left."""
    memory = solver_memory(piles, sheets)
    memory.words[:] = 0xFFFFFFFF
    memory.slots[:] = 0
    memory.sheets[: 1000 if sheets is None else sheets] = 0xFFFFFFFFFFFFFFFF
    return memory


def position(settings: Settings, deal: int, cards: int, seed: int) -> Games:
    """A game (an array of one) with so many cards left: some of each stock drawn, and any of the gone cards on top."""
    games = deal_games(settings, [deal])
    g, dice = games[0], np.random.default_rng(seed)
    gone: list[int] = []
    while len(gone) < 28 - cards:
        free = free_places(int(g["present"]))
        gone.append(int(dice.choice([place for place in range(28) if free >> place & 1])))
        g["present"] -= 1 << gone[-1]
    for pile in range(settings.seats):
        left = int(dice.integers(0, settings.stock))
        first = 28 + pile * settings.stock
        gone += range(first, first + settings.stock - left)
        g["stock"][pile] = left
    for pile, at in enumerate(dice.choice(gone, settings.seats, replace=False)):
        g["top"][pile] = g["deck"][at]
    return games


def legal(games: Games) -> list[int]:
    """The legal actions of one game of one mind."""
    mask = np.zeros(29 * int(games[0]["seats"]), np.int8)
    write_mask(games[0], 0, mask)
    return np.flatnonzero(mask).tolist()


def end_of(games: Games, found: Solution) -> str:
    """How the kernel says that a game ends with the line of a solution; also counts its draws."""
    played = games.copy()
    for move in found.moves:
        assert advance(played, [move]) == [0]
    draws = int(games[0]["stock"].sum()) - int(played[0]["stock"].sum())
    assert draws == found.min_draws
    assert len(found.moves) == draws + int(games[0]["present"]).bit_count()
    return STATUSES[played[0]["status"]]


def agrees(games: Games, found: Solution) -> None:
    """Compare with the slow search, and play the line."""
    assert found.settled
    assert (found.min_draws, found.max_removed) == naive_answer(games[0])
    assert found.winnable == (found.min_draws >= 0)
    if found.winnable:
        assert end_of(games, found) == "won"
    else:
        assert found.moves == ()
