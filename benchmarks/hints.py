"""How often TriPeaks is won by following every hint from the deal on, and how often by `search` with the same budget.

Both play the same deals. `python benchmarks/hints.py --playouts 2000` gives both so many playouts a decision, and
`--milliseconds 200` gives hints so long, and `search` as many playouts as one core plays in that time. Threads that
have no core of their own falsify the latter.
"""

import functools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.hint import Hinter
from gipfelsturm.agents.intervals import Interval, paired_difference, win_rate
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.search import SearchAgent
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.chance import nth_seed
from gipfelsturm.envs.rules.settings import Settings, one_mind
from gipfelsturm.training.evaluation import play_deals
from gipfelsturm.training.script_arguments import Parser, count

SOLO = one_mind()
CHUNK = 20
TRIAL_DEALS = 20
TRIAL_PLAYOUTS = 20_000

Won = NDArray[np.bool_]  # (deals,)


class Follower:
    """Does what the hints say."""

    def __init__(self, playouts: int | None, milliseconds: int | None) -> None:
        """Take the budget of a hint."""
        self._make = functools.partial(Hinter, playouts=playouts, milliseconds=milliseconds)

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`."""
        self._hinter = self._make(settings)

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """See `gipfelsturm.agents.protocol.Agent.act`."""
        actions = np.zeros(masks.shape[:2], np.int64)
        for game in np.flatnonzero(~masks[:, 0].all(axis=1)):
            actions[game] = self._hinter.hint(observations[game, 0]).action
        return actions


def playouts_in(milliseconds: int) -> int:
    """How many playouts a decision at the start of a game one core has time for."""
    batch = GipfelsturmBatch(SOLO, TRIAL_DEALS)
    batch.set_deals(range(TRIAL_DEALS))
    undecided = batch.masks[:, 0].sum(axis=1) > 2  # something fits, twice at least
    agent = SearchAgent(TRIAL_PLAYOUTS)
    for _ in range(2):  # the first time compiles
        agent.reset(TRIAL_DEALS, [0], 0, SOLO)
        begun = time.thread_time()
        agent.act(batch.observations[undecided], batch.masks[undecided])
    seconds = time.thread_time() - begun
    return max(1, round(TRIAL_PLAYOUTS * int(undecided.sum()) / seconds * milliseconds / 1000))


def play(make: Callable[[], Agent], deals: int, threads: int) -> Won:
    """Which of the first deals an agent wins."""

    def play_chunk(number: int) -> Won:
        first = CHUNK * number
        return play_deals(SOLO, make(), range(first, min(first + CHUNK, deals)), nth_seed(0, number)).won

    with ThreadPoolExecutor(threads) as pool:
        return np.concatenate(list(pool.map(play_chunk, range(-(-deals // CHUNK)))))


def told(name: str, interval: Interval, sign: str = "") -> str:
    """A line with an interval in percent."""
    value, low, high = (100 * figure for figure in interval)
    return f"{name}: {value:{sign}.2f} % [{low:{sign}.2f}, {high:{sign}.2f}]"


def main() -> None:
    """Play and print."""
    parser = Parser(description=__doc__)
    parser.add_argument("--deals", type=count, default=1000)
    parser.add_argument("--threads", type=count, default=1)
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument("--playouts", type=count)
    budget.add_argument("--milliseconds", type=count)
    asked = parser.parse_args()
    playouts = playouts_in(asked.milliseconds) if asked.playouts is None else asked.playouts
    hints = play(lambda: Follower(asked.playouts, asked.milliseconds), asked.deals, asked.threads)
    search = play(lambda: SearchAgent(playouts), asked.deals, asked.threads)
    print(f"deals 0 to {asked.deals - 1}, won, with 95 % intervals")
    print(told("every hint followed", win_rate(hints)))
    print(told(f"search@{playouts}", win_rate(search)))
    print(told("paired difference", paired_difference(hints, search), "+"))


if __name__ == "__main__":
    main()
