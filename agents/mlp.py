"""A dense network with tanh layers over the inputs of `gipfelsturm.envs.encoder`, in NumPy; it plays by one pass.

One mind takes the likeliest action. Hands that decide at the same time must not: where the likeliest is to wait for the
other, they would wait for each other for ever. They draw by chance, with likelier actions preferred.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.weights import Tensor, load_weights, read_description
from gipfelsturm.envs.encoder import Encoder
from gipfelsturm.envs.rules.actions import action_count
from gipfelsturm.envs.rules.settings import Settings

SHARPNESS = 2.0
"""The power to which hands take the chances of actions."""


class MlpAgent:
    """Takes a legal action by what the network thinks of each."""

    def __init__(self, weights: Mapping[str, NDArray[Any]]) -> None:
        """Take the layers' `weight` (outputs, inputs) and `bias` (outputs,), `0.weight`, `0.bias`, `1.weight`, ..."""
        self._layers = [(weights[f"{n}.weight"].T, weights[f"{n}.bias"]) for n in range(len(weights) // 2)]

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`."""
        self._encoder = Encoder(settings)
        self._chance = None if settings.one_mind else np.random.default_rng(seed % 2**64)
        table = self._encoder.width, action_count(settings)
        network = len(self._layers[0][0]), len(self._layers[-1][1])
        if table != network:
            raise ValueError(
                f"this table has {table[0]} inputs and {table[1]} actions, the network was trained for "
                f"{network[0]} and {network[1]}: play at the table that it knows"
            )

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """See `gipfelsturm.agents.protocol.Agent.act`."""
        actions: NDArray[np.int64] = np.argmax(masks, axis=-1)
        allowed = masks.sum(axis=-1, dtype=np.int64)
        asked = (allowed > 1) & (allowed < masks.shape[-1])  # there is a choice, and the game is not over
        thoughts = self._think(self._encoder(observations[asked]))
        if self._chance is not None:  # the highest sum is as likely as the softmax says (Gumbel 1954)
            thoughts = SHARPNESS * thoughts + self._chance.gumbel(size=masks.shape).astype(np.float32)[asked]
        actions[asked] = np.argmax(np.where(masks[asked] > 0, thoughts, -np.inf), axis=-1)
        return actions

    def _think(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """What it thinks of each action, (n, actions)."""
        values = inputs
        for weight, bias in self._layers[:-1]:
            values = np.tanh(values @ weight + bias)
        weight, bias = self._layers[-1]
        thoughts: NDArray[np.float32] = values @ weight + bias
        return thoughts


def mlp_tensors(settings: Settings, hidden: Sequence[int]) -> dict[str, Tensor]:
    """The tensors of the network for a table, with hidden layers of these widths."""
    widths = (Encoder(settings).width, *hidden, action_count(settings))
    tensors: dict[str, Tensor] = {}
    for n, (inputs, outputs) in enumerate(zip(widths, widths[1:], strict=False)):
        tensors |= {f"{n}.weight": Tensor((outputs, inputs)), f"{n}.bias": Tensor((outputs,))}
    return tensors


def read_mlp(path: Path) -> MlpAgent:
    """The player that a PPO run has exported; raises ValueError for any other file."""
    description = read_description(path)
    if description.kind != "ppo":
        raise ValueError(f"{path} holds weights of the kind {description.kind!r}, not of 'ppo'")
    if len(description.tables) != 1:
        raise ValueError(f"{path} was trained for {len(description.tables)} tables: such a network knows one")
    hidden, (settings,) = description.config.get("hidden"), description.tables.values()
    if not isinstance(hidden, list) or not all(type(width) is int and width > 0 for width in hidden):
        raise ValueError(f"{path} tells of hidden layers {hidden!r}, not of a list of widths: it is of another version")
    return MlpAgent(load_weights(path, mlp_tensors(settings, hidden)))
