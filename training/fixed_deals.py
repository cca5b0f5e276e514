"""How a learner stands: games on the same deals each time, beside a baseline's on those."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.intervals import Interval, paired_difference, win_rate
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.team import make_team
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.config import Evaluation
from gipfelsturm.training.evaluation import play_all


class Result(NamedTuple):
    """How a player did at one table. Rates are shares of 1."""

    table: str
    games: int
    first_deal: int
    won: Interval
    baseline: str
    difference: Interval  # to the baseline on the same deals

    def row(self, steps: int) -> dict[str, Any]:
        """A row of a CSV, of the evaluation after that many steps."""
        return {
            "steps": steps,
            "table": self.table,
            "games": self.games,
            "first_deal": self.first_deal,
            **dict(zip(("won", "low", "high"), self.won, strict=True)),
            "baseline": self.baseline,
            **dict(zip(("difference", "difference_low", "difference_high"), self.difference, strict=True)),
        }

    def sentence(self) -> str:
        """What a person reads, in percent."""
        won, low, high = (100 * figure for figure in self.won)
        more, least, most = (100 * figure for figure in self.difference)
        rate = f"{self.table}: {won:.2f} % [{low:.2f}, {high:.2f}] of {self.games:,} games won"
        return f"{rate}, {more:+.2f} [{least:+.2f}, {most:+.2f}] against {self.baseline}"


class FixedDeals:
    """The deals of a run's evaluations."""

    def __init__(self, tables: Mapping[str, Settings], evaluation: Evaluation) -> None:
        """Take the settings of each table; a baseline that cannot sit there is refused with a ValueError."""
        self._tables = tables
        self._evaluation = evaluation
        self._deals = range(evaluation.first_deal, evaluation.first_deal + evaluation.games)
        self._baselines = {name: make_team(evaluation.baseline, settings) for name, settings in tables.items()}
        self._by_baseline: dict[str, NDArray[np.bool_]] = {}

    def play(self, player: Agent) -> list[Result]:
        """Let somebody play every table."""
        return [self._result(table, player) for table in self._tables]

    def _result(self, table: str, player: Agent) -> Result:
        if table not in self._by_baseline:
            self._by_baseline[table] = self._won(table, self._baselines[table])
        won, others = self._won(table, player), self._by_baseline[table]
        return Result(
            table=table,
            games=len(won),
            first_deal=self._deals.start,
            won=win_rate(won),
            baseline=self._evaluation.baseline,
            difference=paired_difference(won, others),
        )

    def _won(self, table: str, player: Agent) -> NDArray[np.bool_]:
        return play_all(self._tables[table], player, self._deals, seed=0).won
