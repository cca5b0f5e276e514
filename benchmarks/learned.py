"""How many decisions of `learned` a core makes in a second, and how long one alone takes.

At every table 1,024 games are played to their ends, by one mind and in real time; a decision is an action where more
than one is legal, in real time mostly to wait. Then single decisions of the same games are asked for one by one. All
times are of the CPU. `python benchmarks/learned.py` prints a row for each table.
"""

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.learned import LearnedAgent
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time

GAMES = 1024
ALONE = 500
"""Single decisions."""
TABLES = {
    "tripeaks": one_mind(),
    "normal": one_mind("normal"),
    "hard": one_mind("hard"),
    "normal for 3": one_mind("normal", piles=3),
    "normal brisk": real_time("normal"),
}


class Moment(NamedTuple):
    """What an agent is asked."""

    observations: NDArray[np.int8]  # (games, seats, observation)
    masks: NDArray[np.int8]  # (games, seats, actions)


def play(settings: Settings, agent: LearnedAgent) -> tuple[int, float, list[Moment]]:
    """Decisions of whole games, the CPU seconds that they took, and moments on the way."""
    batch = GipfelsturmBatch(settings, GAMES, autoreset="disabled")
    batch.set_deals(range(GAMES))
    agent.reset(GAMES, range(batch.masks.shape[1]), 0, settings)
    decisions, seconds, moments = 0, 0.0, []
    while not batch.terminated.all():
        moment = Moment(batch.observations.copy(), batch.masks.copy())
        moments.append(moment)
        begun = time.process_time()
        actions = agent.act(*moment)
        seconds += time.process_time() - begun
        decisions += int(asked(moment).sum())
        batch.advance(actions)
    return decisions, seconds, moments


def asked(moment: Moment) -> NDArray[np.bool_]:
    """(games, seats): whether there is a choice; where a game is over all actions are legal."""
    choices: NDArray[np.bool_] = (moment.masks.sum(axis=-1) > 1) & ~moment.masks.all(axis=-1)
    return choices


def alone(settings: Settings, agent: LearnedAgent, moments: list[Moment]) -> NDArray[np.float64]:
    """Milliseconds of single decisions, one table at a time."""
    agent.reset(1, range(moments[0].masks.shape[1]), 0, settings)
    chosen = [(moment, game) for moment in moments for game in np.flatnonzero(asked(moment).any(axis=1))[:50]]
    taken = []
    for moment, game in chosen[:: max(1, len(chosen) // ALONE)]:
        begun = time.process_time()
        agent.act(moment.observations[game : game + 1], moment.masks[game : game + 1])
        taken.append(1000 * (time.process_time() - begun))
    return np.array(taken)


def main() -> None:
    """Measure and print."""
    for name, settings in TABLES.items():
        agent = LearnedAgent()
        play(settings, agent)  # compiles
        decisions, seconds, moments = play(settings, agent)
        single = alone(settings, agent, moments)
        told = f"{decisions / seconds:,.0f} decisions a second in a batch of {GAMES:,}"
        print(f"{name}: {told}; alone {np.median(single):.3f} ms, at most {single.max():.3f}")


if __name__ == "__main__":
    main()
