"""Numbered deals, played by a team to their ends: the one way in which strength is measured."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.answers import legal_actions
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.team import make_team
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.cores import usable_cores
from gipfelsturm.envs.options import most_steps
from gipfelsturm.envs.rules.chance import nth_seed
from gipfelsturm.envs.rules.deals import DEALS
from gipfelsturm.envs.rules.record import TIME_OUT, WON, Games
from gipfelsturm.envs.rules.settings import Settings

# Games in one batch. Results depend on it through the agents' seeds, so it is part of what "seed" means.
CHUNK = 2048
MOST_GAMES = 10_000_000
"""Of one measurement: what became of them takes half a gigabyte."""


class Outcome(NamedTuple):
    """What became of each game, in the order of the deals; one mind has no time, and its last four columns are 0."""

    won: NDArray[np.bool_]  # (games,)
    score: NDArray[np.int64]  # (games,) cards left in the stocks of a won game
    longest: NDArray[np.int64]  # (games,) longest streak
    refused: NDArray[np.int64]  # (games,) commands
    timed_out: NDArray[np.bool_]  # (games,) lost by the clock
    seconds: NDArray[np.float64]  # (games,) on the clock of the game
    missed: NDArray[np.int64]  # (games,) touches that found no card to play
    returned: NDArray[np.int64]  # (games,) cards that went back


def evaluate(
    settings: Settings,
    team: str,
    games: int,
    *,
    first_deal: int = 0,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Outcome:
    """Play the deals `first_deal`, `first_deal + 1`, ... as one mind, or with a hand for each seat.

    The result depends on neither threads nor batch: each chunk of games has a seed from `seed` and its own number.

    Args:
        team: a name that `gipfelsturm.agents.team.make_team` knows.
        threads: None for one a core.
        progress: called with the number of games of each finished chunk.

    Raises:
        ValueError: for no games or too many, no threads, a team that cannot sit there, or deals that have no number.
    """
    workers = usable_cores() if threads is None else threads
    check_games(games)
    if workers < 1:
        raise ValueError(f"threads must be 1 or more, not {workers}")
    if not 0 <= first_deal <= DEALS - games:
        raise ValueError(f"deal numbers are 0 to {DEALS - 1}, not {first_deal} to {first_deal + games - 1}")
    idle: SimpleQueue[Agent] = SimpleQueue()
    for _ in range(workers):
        idle.put(make_team(team, settings))

    def play(chunk: tuple[int, range]) -> Outcome:
        number, deals = chunk
        players = idle.get()
        try:
            outcome = play_deals(settings, players, deals, seed=nth_seed(seed, number))
        finally:
            idle.put(players)
        progress(len(deals))
        return outcome

    with ThreadPoolExecutor(workers) as pool:
        outcomes = list(pool.map(play, _chunks(first_deal, games)))
    return Outcome(*(np.concatenate(column) for column in zip(*outcomes, strict=True)))


def check_games(games: int, least: int = 1) -> None:
    """Refuse to play so many games with a ValueError if they are too few, or more than memory holds the results of."""
    if not least <= games <= MOST_GAMES:
        raise ValueError(f"games must be {least} to {MOST_GAMES}, not {games}")


def _chunks(first_deal: int, games: int) -> Iterator[tuple[int, range]]:
    for number, start in enumerate(range(0, games, CHUNK)):
        yield number, range(first_deal + start, first_deal + min(start + CHUNK, games))


def play_all(settings: Settings, agent: Agent, deals: range, seed: int) -> Outcome:
    """What `evaluate` says of a team, for one agent in this thread; raises what `play_deals` raises."""
    outcomes = (
        play_deals(settings, agent, chunk, seed=nth_seed(seed, number))
        for number, chunk in _chunks(deals.start, len(deals))
    )
    return Outcome(*(np.concatenate(column) for column in zip(*outcomes, strict=True)))


def play_deals(settings: Settings, agent: Agent, deals: range, seed: int) -> Outcome:
    """Play a batch of numbered deals, from the deal to the last end (or truncation, as environments do).

    Args:
        agent: sits in all seats.

    Raises:
        ValueError: for a deal that has no number, or an agent that answers with anything but legal actions.
    """
    batch = GipfelsturmBatch(settings, len(deals), autoreset="disabled", most_steps=most_steps(settings))
    batch.set_deals(deals)
    agent.reset(len(deals), range(batch.viewers), seed, settings)
    refused = np.zeros(len(deals), np.int64)
    while not (over := batch.terminated | batch.truncated).all():
        answer = agent.act(batch.observations.copy(), batch.masks.copy())
        batch.advance(legal_actions(answer, batch.masks, batch.terminated))
        refused += (batch.reasons > 0).sum(axis=1) * ~over
    return _outcome(batch.games, refused)


def _outcome(games: Games, refused: NDArray[np.int64]) -> Outcome:
    won = games["status"] == WON
    return Outcome(
        won=won,
        score=np.where(won, games["stock"].astype(np.int64).sum(axis=1), 0),
        longest=games["longest"].astype(np.int64),
        refused=refused,
        timed_out=games["status"] == TIME_OUT,
        seconds=games["tick"].astype(np.int64) * games["tick_ms"] / 1000,
        missed=games["missed"].astype(np.int64),
        returned=games["returned"].astype(np.int64),
    )
