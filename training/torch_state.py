"""The state of torch's modules, optimizers and generators, and of NumPy's global one, without pickle."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gipfelsturm.training.state import State


def module_state(module: torch.nn.Module) -> State:
    """Its parameters and buffers."""
    return State({name: _array(tensor) for name, tensor in module.state_dict().items()}, {})


def load_module(module: torch.nn.Module, state: State) -> None:
    """Take parameters and buffers over; raises RuntimeError for those of another network."""
    module.load_state_dict({name: _tensor(array) for name, array in state.arrays.items()})


def optimizer_state(optimizer: torch.optim.Optimizer) -> State:
    """What it remembers of each parameter, and its groups of parameters."""
    known = optimizer.state_dict()
    arrays: dict[str, NDArray[Any]] = {}
    for index, values in known["state"].items():
        arrays |= {f"{index}/{name}": _array(torch.as_tensor(value)) for name, value in values.items()}
    return State(arrays, {"groups": known["param_groups"]})


def load_optimizer(optimizer: torch.optim.Optimizer, state: State) -> None:
    """Go on from there; raises ValueError for an optimizer of other parameters."""
    known: dict[int, dict[str, torch.Tensor]] = {}
    for key, array in state.arrays.items():
        index, name = key.split("/")
        known.setdefault(int(index), {})[name] = _tensor(array)
    optimizer.load_state_dict({"state": known, "param_groups": state.facts["groups"]})


def seed_all(seed: int) -> None:
    """Seed the global generators of torch and NumPy."""
    torch.manual_seed(seed)
    np.random.seed(seed)


def chance_state() -> State:
    """Where the global generators of torch and NumPy stand."""
    name, keys, position, has_gauss, gauss = np.random.get_state(legacy=True)
    arrays = {"torch": _array(torch.get_rng_state()), "numpy": np.array(keys)}
    return State(arrays, {"numpy": [name, position, has_gauss, gauss]})


def load_chance(state: State) -> None:
    """Let the global generators of torch and NumPy go on from there."""
    torch.set_rng_state(_tensor(state.arrays["torch"]))
    name, position, has_gauss, gauss = state.facts["numpy"]
    np.random.set_state((name, state.arrays["numpy"], position, has_gauss, gauss))


def _array(tensor: torch.Tensor) -> NDArray[Any]:
    return np.array(tensor.detach().cpu().numpy())


def _tensor(array: NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(np.array(array))
