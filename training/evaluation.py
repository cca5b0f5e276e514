"""Numbered deals, played by a team to their ends: the one way in which strength is measured."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.options import most_steps
from gipfelsturm.envs.rules.chance import mix
from gipfelsturm.envs.rules.deals import DEALS
from gipfelsturm.envs.rules.record import WON
from gipfelsturm.envs.rules.settings import Settings

# Games in one batch. Results depend on it through the agents' seeds, so it is part of what "seed" means.
CHUNK = 2048


class Outcome(NamedTuple):
    """What became of each game, in the order of the deals."""

    won: NDArray[np.bool_]  # (games,)
    score: NDArray[np.int64]  # (games,) cards left in the stocks of a won game
    longest: NDArray[np.int64]  # (games,) longest streak


def evaluate(
    settings: Settings,
    agent: str,
    games: int,
    *,
    first_deal: int = 0,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Outcome:
    """Play the deals `first_deal`, `first_deal + 1`, ... as one mind, or alone against the clock.

    The result depends on neither threads nor batch: each chunk of games has a seed from `seed` and its own number.

    Args:
        agent: a name that `gipfelsturm.agents.catalogue.make_agent` knows.
        threads: None for one a core.
        progress: called with the number of games of each finished chunk.

    Raises:
        ValueError: for no games or threads, an unknown agent, or deals that have no number.
    """
    workers = _cores() if threads is None else threads
    for name, number in (("games", games), ("threads", workers)):
        if number < 1:
            raise ValueError(f"{name} must be 1 or more, not {number}")
    if not 0 <= first_deal <= DEALS - games:
        raise ValueError(f"deal numbers are 0 to {DEALS - 1}, not {first_deal} to {first_deal + games - 1}")
    idle: SimpleQueue[Agent] = SimpleQueue()
    for _ in range(workers):
        idle.put(make_agent(agent))

    def play(chunk: tuple[int, range]) -> Outcome:
        number, deals = chunk
        player = idle.get()
        try:
            outcome = play_deals(settings, player, deals, seed=_chunk_seed(seed, number))
        finally:
            idle.put(player)
        progress(len(deals))
        return outcome

    with ThreadPoolExecutor(workers) as pool:
        outcomes = list(pool.map(play, _chunks(first_deal, games)))
    return Outcome(*(np.concatenate(column) for column in zip(*outcomes, strict=True)))


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chunks(first_deal: int, games: int) -> Iterator[tuple[int, range]]:
    for number, start in enumerate(range(0, games, CHUNK)):
        yield number, range(first_deal + start, first_deal + min(start + CHUNK, games))


def _chunk_seed(seed: int, number: int) -> int:
    return int(mix(np.uint64((int(mix(np.uint64(seed % 2**64))) + number) % 2**64)))


def play_deals(settings: Settings, agent: Agent, deals: range, seed: int) -> Outcome:
    """Play a batch of numbered deals with one agent, from the deal to the last end (or truncation, as environments do).

    Raises:
        ValueError: for a deal that has no number, or an agent that answers with anything but legal actions.
    """
    batch = GipfelsturmBatch(settings, len(deals), autoreset="disabled", most_steps=most_steps(settings))
    batch.set_deals(deals)
    agent.reset(len(deals), range(batch.viewers), seed, settings)
    while not (batch.terminated | batch.truncated).all():
        actions = agent.act(batch.observations.copy(), batch.masks.copy())
        batch.advance(_legal(np.asarray(actions), batch))
    games = batch.games
    won = games["status"] == WON
    left = games["stock"].astype(np.int64).sum(axis=1)
    return Outcome(won, np.where(won, left, 0), games["longest"].astype(np.int64))


def _legal(actions: NDArray[np.int64], batch: GipfelsturmBatch) -> NDArray[np.int64]:
    """The actions of somebody's agent, once they are known to be some: compiled code would believe anything."""
    shape = batch.masks.shape[:2]
    if actions.shape != shape or actions.dtype.kind not in "iu":
        raise ValueError(f"an agent answers with whole numbers {shape}, not with {actions.dtype} {actions.shape}")
    within = np.clip(actions, 0, batch.actions - 1)
    allowed = np.take_along_axis(batch.masks, within[..., np.newaxis], axis=-1)[..., 0] > 0
    wrong = ((within != actions) | ~allowed) & ~batch.terminated[:, np.newaxis]
    if wrong.any():
        game, seat = np.argwhere(wrong)[0]
        raise ValueError(f"the agent chose action {actions[game, seat]} where its mask forbids it")
    return np.ascontiguousarray(within, np.int64)
