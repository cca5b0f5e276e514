"""Learning from rollouts: a network plays, plays each choice that it had out, and learns how they compare.

It is policy improvement by Monte-Carlo search (Tesauro and Galperin 1996) made into a network's own judgement, as
expert iteration does (Anthony, Tian, Barber 2017). Two choices of one decision differ by less than a percent point as a
rule, and yet that is all that a player goes by: the loss weighs those differences by themselves. And since only those
near the best matter, it also weighs what is given up by who chooses as the network does, but for some chance: a policy
gradient over all actions, with what they came to in playouts (Sutton, McAllester, Singh, Mansour 1999).
"""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import binary_cross_entropy_with_logits

from gipfelsturm.agents.afterstate import MOST_ACTIVE
from gipfelsturm.agents.compact import POSITION, TABLE
from gipfelsturm.agents.learned import check_trained_for, tables_of
from gipfelsturm.agents.network import network_of
from gipfelsturm.agents.network_weights import read_network
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.afterstate_trainer import AfterstateTrainer
from gipfelsturm.training.config import Rollout
from gipfelsturm.training.rollout_games import compare_choices, most_rows
from gipfelsturm.training.self_play import LONGEST_GAME
from gipfelsturm.training.trainer import Chunk


class RolloutTrainer(AfterstateTrainer[Rollout]):
    """A chunk is some games at each table, and one pass over their decisions."""

    def __init__(self, config: Rollout) -> None:
        """Begin with a new network, by torch's global generator."""
        super().__init__(config)
        self._positions, self._tables = np.zeros(2, POSITION), np.zeros(2, TABLE)

    def begin(self) -> None:
        """Begin with the weights that the config names, or at random.

        Raises:
            ValueError: for weights that are refused, or of another table.
        """
        if self._config.begin is not None:
            path, settings = Path(self._config.begin), next(iter(self.tables.values()))  # the tables are alike
            check_trained_for(path, tables_of(path), settings)
            self._network.take_over(read_network(path))

    def advance(self) -> Chunk:
        """See `gipfelsturm.training.trainer.Trainer.advance`; steps are decisions."""
        self._clock.take()
        played = [self._play(settings) for settings in self.tables.values()]
        rows, values, sizes = (np.concatenate(parts) for parts in zip(*(each[:3] for each in played), strict=True))
        with self._clock("learner"):
            losses = self._learn(rows, values, sizes)
        self._learned += len(sizes)
        return Chunk(len(sizes), self._clock.take(), losses | {"won": float(np.mean([each[3] for each in played]))})

    def _play(self, settings: Settings) -> tuple[NDArray[np.uint16], NDArray[np.float32], NDArray[np.int64], float]:
        """Rows, values, choices of each decision, and the share of the games that were won."""
        config = self._config
        with self._clock("kernel"):
            games = self._deal(settings)
        rows = np.zeros((most_rows(settings.seats) * config.games, MOST_ACTIVE), np.uint16)
        values, sizes = np.zeros(len(rows), np.float32), np.zeros(LONGEST_GAME * config.games, np.int64)
        with self._clock("network"):
            network, room = network_of(self._network.weights()), (self._positions, self._tables)
            budget = config.explore, config.playouts, config.depth
            decisions, won = compare_choices(games, *budget, *room, network, rows, values, sizes)
        written = sizes[:decisions].sum()
        return rows[:written], values[:written], sizes[:decisions], won / config.games

    def _learn(
        self, rows: NDArray[np.uint16], values: NDArray[np.float32], sizes: NDArray[np.int64]
    ) -> dict[str, float]:
        """One pass over decisions in random order; returns the mean losses."""
        self._set_rate()
        starts = np.append(0, np.cumsum(sizes))
        order, losses = torch.randperm(len(sizes)).numpy(), []
        for first in range(0, len(sizes), self._config.batch):
            chosen = order[first : first + self._config.batch]
            at = np.concatenate([np.arange(starts[each], starts[each + 1]) for each in chosen])
            decision = np.repeat(np.arange(len(chosen)), sizes[chosen])
            forms = torch.randint(len(self._forms), (len(chosen), 1)).numpy()[decision]
            logits = self._network(torch.from_numpy(self._forms[forms, rows[at]]))
            wanted = torch.from_numpy(values[at])
            loss = binary_cross_entropy_with_logits(logits, wanted)
            contrast = _spread(logits.sigmoid() - wanted, torch.from_numpy(decision))
            regret = _regret(logits / self._config.temperature, wanted, torch.from_numpy(decision))
            self._step(loss + self._config.contrast * contrast + self._config.regret * regret)
            losses.append((loss.item(), contrast.item(), regret.item()))
        return dict(zip(("loss", "contrast", "regret"), np.mean(losses, axis=0).tolist(), strict=True))


def _spread(errors: torch.Tensor, decision: torch.Tensor) -> torch.Tensor:
    """How much the errors (rows,) of one decision differ: the mean square around its mean."""
    means = _total(errors, decision) / _total(torch.ones(len(decision)), decision)
    return (errors - means[decision]).square().mean()


def _regret(scores: torch.Tensor, values: torch.Tensor, decision: torch.Tensor) -> torch.Tensor:
    """What is given up beside the best choice of a decision, on average, by the softmax of the scores (rows,)."""
    best = _largest(scores.detach(), decision)
    weights = (scores - best[decision]).exp()
    shares = weights / _total(weights, decision)[decision]
    return (_largest(values, decision) - _total(shares * values, decision)).mean()


def _total(values: torch.Tensor, decision: torch.Tensor) -> torch.Tensor:
    """The sum of the values (rows,) of each decision."""
    return torch.zeros(int(decision[-1]) + 1).index_add(0, decision, values)


def _largest(values: torch.Tensor, decision: torch.Tensor) -> torch.Tensor:
    """The largest value (rows,) of each decision."""
    return torch.zeros(int(decision[-1]) + 1).scatter_reduce(0, decision, values, "amax", include_self=False)
