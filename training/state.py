"""The state of something that learns: arrays by name, and facts that JSON can hold. Stored without pickle."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.batch import GipfelsturmBatch


class State(NamedTuple):
    """Arrays of numbers or flags, and facts that JSON can hold, whole numbers of any size among them."""

    arrays: dict[str, NDArray[Any]]
    facts: dict[str, Any]


def joined(**parts: State) -> State:
    """Several states as one; `part` takes them apart."""
    arrays = {f"{name}/{key}": array for name, state in parts.items() for key, array in state.arrays.items()}
    return State(arrays, {name: state.facts for name, state in parts.items()})


def part(state: State, name: str) -> State:
    """One of the states that were joined; raises KeyError if there is none of that name."""
    prefix = name + "/"
    arrays = {key.removeprefix(prefix): array for key, array in state.arrays.items() if key.startswith(prefix)}
    return State(arrays, state.facts[name])


def generator_state(generator: np.random.Generator) -> State:
    """Where a generator stands."""
    return State({}, dict(generator.bit_generator.state))


def load_generator(generator: np.random.Generator, state: State) -> None:
    """Go on from there; raises ValueError for a generator of another kind."""
    generator.bit_generator.state = state.facts


def batch_state(batch: GipfelsturmBatch) -> State:
    """The games of a batch and its streams of deals."""
    games, slots = (np.frombuffer(array.tobytes(), np.uint8) for array in (batch.games, batch.slots))
    return State({"games": games, "slots": slots}, {})


def load_batch(batch: GipfelsturmBatch, state: State) -> None:
    """Go on with the games that a batch of the same settings and size had.

    Raises:
        ValueError: for a state of another size.
    """
    for name, array in (("games", batch.games), ("slots", batch.slots)):
        stored = state.arrays[name]
        if stored.nbytes != array.nbytes:
            raise ValueError(f"a batch with {array.nbytes} bytes of {name} cannot go on from {stored.nbytes} bytes")
        array[:] = np.frombuffer(stored.tobytes(), array.dtype)
    batch.look()
