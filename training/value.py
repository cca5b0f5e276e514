"""Learning by self-play: a network judges afterstates, plays by what it thinks, and learns from how its games end.

This is temporal-difference learning as TD-Gammon did it (Tesauro 1995), with the network's inputs drawn up anew in
mirrored and reversed form as a table allows.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import binary_cross_entropy_with_logits

from gipfelsturm.agents.afterstate import FEATURES, MOST_ACTIVE, mirrored, reversed_ranks
from gipfelsturm.agents.compact import POSITION, TABLE
from gipfelsturm.agents.learned import LearnedAgent
from gipfelsturm.agents.network import network_of
from gipfelsturm.agents.network_weights import NARROW, in_whole_numbers
from gipfelsturm.envs.rules.chance import nth_seed
from gipfelsturm.envs.rules.deals import training_deal
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.config import Value
from gipfelsturm.training.feature_sum import feature_sum
from gipfelsturm.training.self_play import LONGEST_GAME, play_games
from gipfelsturm.training.state import State, joined, part
from gipfelsturm.training.torch_state import load_module, load_optimizer, module_state, optimizer_state
from gipfelsturm.training.trainer import Chunk, Clock


class ValueNetwork(torch.nn.Module):
    """The network of `gipfelsturm.agents.network`, as torch trains it."""

    def __init__(self, wide: int) -> None:
        """Begin at random, by torch's global generator, with so many outputs of the first layer."""
        super().__init__()
        self.first = torch.nn.Parameter(0.05 * torch.randn(FEATURES, wide))
        self.first_bias = torch.nn.Parameter(torch.zeros(wide))
        self.second = torch.nn.Linear(wide, NARROW)
        self.last = torch.nn.Linear(NARROW, 1)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """The logits (rows,) of afterstates (rows, MOST_ACTIVE)."""
        wide = torch.relu(feature_sum(rows, self.first) + self.first_bias).square()
        logits: torch.Tensor = self.last(torch.relu(self.second(wide)))[:, 0]
        return logits

    def weights(self) -> dict[str, NDArray[Any]]:
        """As `gipfelsturm.agents.network_weights.tensors` names them."""
        tensors = {
            "first": self.first,
            "first_bias": self.first_bias,
            "second": self.second.weight.T,
            "second_bias": self.second.bias,
            "last": self.last.weight[0],
            "last_bias": self.last.bias,
        }
        arrays = {name: np.array(tensor.detach().numpy(), order="C") for name, tensor in tensors.items()}
        return in_whole_numbers(arrays)


class ValueTrainer:
    """A chunk is some games at each table, and one pass over what they taught."""

    def __init__(self, config: Value) -> None:
        """Begin with a new network, by torch's global generator."""
        self.tables: Mapping[str, Settings] = {name: table.settings() for name, table in config.tables.items()}
        self._config, self._clock = config, Clock()
        self._network = ValueNetwork(config.wide)
        self._optimizer = torch.optim.Adam(self._network.parameters(), fused=True)
        self._dealt = self._learned = 0
        self._forms = self._equal_forms()
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

    def state_dict(self) -> State:
        """See `gipfelsturm.training.trainer.Trainer.state_dict`."""
        counts = State({}, {"dealt": self._dealt, "learned": self._learned})
        return joined(network=module_state(self._network), optimizer=optimizer_state(self._optimizer), counts=counts)

    def load_state(self, state: State) -> None:
        """See `gipfelsturm.training.trainer.Trainer.load_state`."""
        load_module(self._network, part(state, "network"))
        load_optimizer(self._optimizer, part(state, "optimizer"))
        counts = part(state, "counts").facts
        self._dealt, self._learned = counts["dealt"], counts["learned"]

    def player(self) -> LearnedAgent:
        """Takes what the network thinks best."""
        return LearnedAgent(self.weights())

    def weights(self) -> dict[str, NDArray[Any]]:
        """See `gipfelsturm.training.trainer.Trainer.weights`."""
        return self._network.weights()

    def _equal_forms(self) -> NDArray[np.uint16]:
        """(4, FEATURES + 1): what features become as they are, mirrored, by the other order of ranks, and by both."""
        rings = {settings.ring for settings in self.tables.values()}
        same, mirror, ranks = np.arange(FEATURES), mirrored(), reversed_ranks(rings.pop())
        forms = np.stack([same, mirror, ranks, mirror[ranks]])
        return np.append(forms, np.full((4, 1), FEATURES), axis=1).astype(np.uint16)

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

    def _deal(self, settings: Settings) -> Games:
        config = self._config
        deals = [int(training_deal(np.uint64(nth_seed(config.seed, self._dealt + i)))) for i in range(config.games)]
        self._dealt += config.games
        return deal_games(settings, deals)

    def _learn(self, rows: NDArray[np.uint16], targets: NDArray[np.float32]) -> float:
        """One pass in random order; returns the mean loss."""
        left = max(0.0, 1 - self._learned / self._config.steps)
        for group in self._optimizer.param_groups:
            group["lr"] = self._config.learning_rate * max(left, self._config.last_rate)
        order, losses = torch.randperm(len(rows)).numpy(), []
        for start in range(0, len(rows), self._config.batch):
            chosen = order[start : start + self._config.batch]
            forms = torch.randint(len(self._forms), (len(chosen), 1)).numpy()
            inputs = torch.from_numpy(self._forms[forms, rows[chosen]])
            loss = binary_cross_entropy_with_logits(self._network(inputs), torch.from_numpy(targets[chosen]))
            self._optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self._optimizer.step()
            losses.append(loss.item())
        return float(np.mean(losses))
