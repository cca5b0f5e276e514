"""Learning by self-play: a network judges afterstates, plays by what it thinks, and learns from how its games end.

This is temporal-difference learning as TD-Gammon did it (Tesauro 1995).
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import binary_cross_entropy_with_logits

from gipfelsturm.agents.afterstate import MOST_ACTIVE
from gipfelsturm.agents.compact import POSITION, TABLE
from gipfelsturm.agents.network import network_of
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.afterstate_trainer import AfterstateTrainer
from gipfelsturm.training.config import Value
from gipfelsturm.training.self_play import LONGEST_GAME, play_games
from gipfelsturm.training.trainer import Chunk


class ValueTrainer(AfterstateTrainer[Value]):
    """A chunk is some games at each table, and one pass over what they taught."""

    def __init__(self, config: Value) -> None:
        """Begin with a new network, by torch's global generator."""
        super().__init__(config)
        self._position, self._table = np.zeros(1, POSITION), np.zeros(1, TABLE)

    def advance(self) -> Chunk:
        """See `gipfelsturm.training.trainer.Trainer.advance`; the losses add the share of games won on the way."""
        self._clock.take()
        played = [self._play(settings) for settings in self.tables.values()]
        rows, targets = (np.concatenate(parts) for parts in zip(*(each[:2] for each in played), strict=True))
        with self._clock("learner"):
            loss = self._learn(rows, targets)
        self._learned += len(rows)
        return Chunk(len(rows), self._clock.take(), {"loss": loss, "won": float(np.mean([each[2] for each in played]))})

    def _play(self, settings: Settings) -> tuple[NDArray[np.uint16], NDArray[np.float32], float]:
        """Rows, targets, and the share of the games without a random action that were won."""
        config = self._config
        with self._clock("kernel"):
            games = self._deal(settings)
        rows = np.zeros((LONGEST_GAME * config.games, MOST_ACTIVE), np.uint16)
        targets = np.zeros(len(rows), np.float32)
        with self._clock("network"):  # which takes all but a hundredth of a game
            network = network_of(self._network.weights())
            room = self._position, self._table
            written, plain, won = play_games(games, config.explore, config.trace, *room, network, rows, targets)
        return rows[:written], targets[:written], won / max(plain, 1)

    def _learn(self, rows: NDArray[np.uint16], targets: NDArray[np.float32]) -> float:
        """One pass in random order; returns the mean loss."""
        self._set_rate()
        order, losses = torch.randperm(len(rows)).numpy(), []
        for start in range(0, len(rows), self._config.batch):
            chosen = order[start : start + self._config.batch]
            forms = torch.randint(len(self._forms), (len(chosen), 1)).numpy()
            inputs = torch.from_numpy(self._forms[forms, rows[chosen]])
            loss = binary_cross_entropy_with_logits(self._network(inputs), torch.from_numpy(targets[chosen]))
            self._step(loss)
            losses.append(loss.item())
        return float(np.mean(losses))
