"""What the trainers of a network over afterstates share: games as one mind, a falling learning rate, and their state.

The network's inputs are drawn up anew in mirrored and reversed form, as a table allows.
"""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from gipfelsturm.agents.learned import LearnedAgent
from gipfelsturm.envs.rules.chance import nth_seed
from gipfelsturm.envs.rules.deals import training_deal
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.config import Afterstates
from gipfelsturm.training.state import State, joined, part
from gipfelsturm.training.torch_state import load_module, load_optimizer, module_state, optimizer_state
from gipfelsturm.training.trainer import Clock
from gipfelsturm.training.value_network import ValueNetwork, equal_forms

Told = TypeVar("Told", bound=Afterstates)


class AfterstateTrainer(Generic[Told]):
    """All of `gipfelsturm.training.trainer.Trainer` but how a chunk is learned."""

    def __init__(self, config: Told) -> None:
        """Begin with a new network, by torch's global generator."""
        self.tables: Mapping[str, Settings] = {name: table.settings() for name, table in config.tables.items()}
        self._config, self._clock = config, Clock()
        self._network = ValueNetwork(config.wide)
        self._optimizer = torch.optim.Adam(self._network.parameters(), fused=True)
        self._dealt = self._learned = 0
        self._forms = equal_forms(next(iter(self.tables.values())).ring)

    def begin(self) -> None:
        """See `gipfelsturm.training.trainer.Trainer.begin`."""

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

    def _deal(self, settings: Settings) -> Games:
        numbers = range(self._dealt, self._dealt + self._config.games)
        self._dealt += self._config.games
        deals = [int(training_deal(np.uint64(nth_seed(self._config.seed, number)))) for number in numbers]
        return deal_games(settings, deals)

    def _set_rate(self) -> None:
        """Let the learning rate fall in a straight line."""
        left = max(0.0, 1 - self._learned / self._config.steps)
        for group in self._optimizer.param_groups:
            group["lr"] = self._config.learning_rate * max(left, self._config.last_rate)

    def _step(self, loss: torch.Tensor) -> None:
        """One step down the gradient."""
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimizer.step()
