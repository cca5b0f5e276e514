"""The network of `gipfelsturm.agents.network` as torch trains it, and the equal forms of what it is shown."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gipfelsturm.agents.afterstate import FEATURES, mirrored, reversed_ranks
from gipfelsturm.agents.network_weights import NARROW, in_whole_numbers
from gipfelsturm.training.feature_sum import feature_sum


class ValueNetwork(torch.nn.Module):
    """Says of afterstates how likely their games are won, as logits."""

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

    @torch.no_grad()
    def take_over(self, weights: Mapping[str, NDArray[Any]]) -> None:
        """Think as a network with such weights does; outputs of the first layer that it lacks count for nothing yet.

        Raises:
            ValueError: if that network is wider than this one.
        """
        known = {name: torch.from_numpy(np.array(array)) for name, array in weights.items()}
        wide = len(known["first_bias"])
        if wide > len(self.first_bias):
            raise ValueError(f"a network {wide} wide does not fit into one {len(self.first_bias)} wide")
        self.first[:, :wide] = known["rows"] * known["unit"]
        self.first_bias[:wide] = known["first_bias"]
        self.second.weight.zero_()
        self.second.weight[:, :wide] = known["second"].T
        self.second.bias.copy_(known["second_bias"])
        self.last.weight.copy_(known["last"][None])
        self.last.bias.copy_(known["last_bias"])


def equal_forms(ring: bool) -> NDArray[np.uint16]:
    """(4, FEATURES + 1): what features become as they are, mirrored, by the other order of ranks, and by both."""
    same, mirror, ranks = np.arange(FEATURES), mirrored(), reversed_ranks(ring)
    forms = np.stack([same, mirror, ranks, mirror[ranks]])
    return np.append(forms, np.full((4, 1), FEATURES), axis=1).astype(np.uint16)
