"""How often `search` wins by how many playouts a decision, and how long it thinks: one mind, the same deals for all.

`python benchmarks/search_curve.py --preset tripeaks --deals 4096` prints a line for each budget: the wins with a 95 %
interval, the difference to the line before on the same deals, and the processor time of a decision, in milliseconds. A
decision is a turn with more than one legal action.
"""

import time

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.intervals import Interval, paired_difference, win_rate
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.envs.rules.settings import PRESETS, one_mind
from gipfelsturm.training.evaluation import play_all
from gipfelsturm.training.script_arguments import Parser, count

AGENTS = ("counting", "search@20", "search@100", "search@400", "search@2000", "search@20000")


class Stopwatch:
    """An agent that is timed while it decides."""

    def __init__(self, agent: Agent) -> None:
        """Take the agent."""
        self.reset = agent.reset
        self._agent = agent
        self.decisions, self.seconds = 0, 0.0

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """See `gipfelsturm.agents.protocol.Agent.act`."""
        choices = masks[:, 0].sum(axis=1)
        self.decisions += int(((choices > 1) & (choices < masks.shape[2])).sum())
        begun = time.thread_time()
        actions = self._agent.act(observations, masks)
        self.seconds += time.thread_time() - begun
        return actions


def told(interval: Interval, sign: str = "") -> str:
    """An interval in percent."""
    value, low, high = (100 * figure for figure in interval)
    return f"{value:{sign}.2f} [{low:{sign}.2f}, {high:{sign}.2f}]"


def main() -> None:
    """Play and print."""
    parser = Parser(description=__doc__)
    parser.add_argument("--preset", default="tripeaks", choices=PRESETS)
    parser.add_argument("--deals", type=count, default=4096)
    parser.add_argument("--agents", nargs="+", default=AGENTS)
    asked = parser.parse_args()
    settings, before = one_mind(asked.preset), None
    try:
        for name in asked.agents:
            make_agent(name)
    except ValueError as fault:
        parser.error(str(fault))
    for name in asked.agents:
        play_all(settings, make_agent(name), range(1), 0)  # compiles
        agent = Stopwatch(make_agent(name))
        won = play_all(settings, agent, range(asked.deals), 0).won
        step = "" if before is None else f", {told(paired_difference(won, before), '+')} to the line before"
        each = 1000 * agent.seconds / agent.decisions
        print(f"{name}: {told(win_rate(won))} % won{step}; {each:.3g} ms a decision", flush=True)
        before = won


if __name__ == "__main__":
    main()
