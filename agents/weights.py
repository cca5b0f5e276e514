"""Learned weights as files: safetensors, with a JSON beside it that says what they are and how they came about.

What is read is believed only if all of it agrees: the tensors with the JSON, the JSON with these environments, and the
shapes with the network that is to hold them. Nothing is unpickled.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors import numpy as safetensors

from gipfelsturm.agents.whole_file import write_whole
from gipfelsturm.envs.rules.actions import CALLS, action_text
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.observation import fields
from gipfelsturm.envs.rules.record import MOST_SEATS
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.version import ENV_VERSION

WEIGHTS = "weights.safetensors"
"""What a run of training calls its weights."""


class Tensor(NamedTuple):
    """What a network expects of one of its tensors."""

    shape: tuple[int, ...]
    dtype: str = "float32"
    greatest: float = np.inf  # of its values, without their signs


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """How weights came about."""

    kind: str  # of training, as in its config
    config: dict[str, Any]
    command: str
    versions: dict[str, str]
    tables: dict[str, Settings]  # what they were trained to play
    measured: list[dict[str, Any]]  # results, with what they were measured on


class Description(Origin, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the JSON beside a file of weights says."""

    env: str  # `gipfelsturm.envs.version.ENV_VERSION`
    observation: str  # `observation_digest()`
    actions: str  # `action_digest()`
    content: str  # SHA-256 of the file of weights


def observation_digest() -> str:
    """A digest of the layout of every form of observation."""
    return _digest([fields(piles, mind) for piles in range(1, MOST_SEATS + 1) for mind in (True, False)])


def action_digest() -> str:
    """A digest of the numbering of actions."""
    counts = {piles: (PLACES + 1) * piles + 1 + len(CALLS) for piles in range(1, MOST_SEATS + 1)}
    return _digest([[action_text(action, piles) for action in range(count)] for piles, count in counts.items()])


def _digest(layout: object) -> str:
    return hashlib.sha256(json.dumps(layout, sort_keys=True).encode()).hexdigest()


def weights_file(path: Path) -> Path:
    """The file itself, or the weights in the folder of a run; raises ValueError for a folder without."""
    if not path.is_dir():
        return path
    if not (path / WEIGHTS).is_file():
        raise ValueError(f"{path} holds no weights: a run writes {WEIGHTS} at its first evaluation")
    return path / WEIGHTS


def save_weights(path: Path, arrays: Mapping[str, NDArray[Any]], origin: Origin) -> None:
    """Write weights, and the JSON with the same name beside them.

    Raises:
        ValueError: for a name that does not end in .safetensors, or weights that `load_weights` would refuse.
        OSError: if they cannot be written.
    """
    _check_name(path)
    for name, array in arrays.items():
        _check_finite(path, name, array)
    # In this order in memory, whatever order they had: safetensors writes the memory.
    content = safetensors.save({name: np.array(array, order="C") for name, array in arrays.items()})
    description = Description(
        **msgspec.structs.asdict(origin),
        env=ENV_VERSION,
        observation=observation_digest(),
        actions=action_digest(),
        content=hashlib.sha256(content).hexdigest(),
    )
    write_whole(path, content)
    write_whole(path.with_suffix(".json"), msgspec.json.format(msgspec.json.encode(description), indent=1) + b"\n")


def read_description(path: Path) -> Description:
    """What the JSON beside a file of weights says.

    Raises:
        ValueError: if one of the two files cannot be read, or the JSON names no table or tells of other environments.
    """
    _check_name(path)
    _read(path)  # or else who mistypes a name would be told of a JSON that nobody has named
    beside = path.with_suffix(".json")
    try:
        description = msgspec.json.decode(_read(beside), type=Description)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise ValueError(f"{beside} is no description of weights: {fault}") from None
    ours = {"env": ENV_VERSION, "observation": observation_digest(), "actions": action_digest()}
    for field, what in (("env", "environments"), ("observation", "observations"), ("actions", "action numbers")):
        theirs = getattr(description, field)
        if theirs != ours[field]:
            raise ValueError(
                f"{path} was trained for {what} {theirs[:12]}, these are {ours[field][:12]}: train it anew"
            )
    if not description.tables:
        raise ValueError(f"{beside} names no table that {path.name} was trained for: train it anew")
    return description


def load_weights(path: Path, expect: Mapping[str, Tensor]) -> dict[str, NDArray[Any]]:
    """The tensors of a file of weights, by name.

    Raises:
        ValueError: unless they are just what is expected, finite, and those that the JSON beside them describes.
    """
    description = read_description(path)
    content = _read(path)
    if hashlib.sha256(content).hexdigest() != description.content:
        raise ValueError(f"{path} is not the file that the JSON beside it describes: it was cut, changed or mixed up")
    try:
        arrays: dict[str, NDArray[Any]] = safetensors.load(content)
    except (SafetensorError, KeyError) as fault:
        raise ValueError(f"{path} is no file of weights: {fault}") from None
    _check_names(path, set(arrays), set(expect))
    for name, tensor in expect.items():
        _check_tensor(path, name, arrays[name], tensor)
    return arrays


def _check_name(path: Path) -> None:
    if path.suffix != ".safetensors":
        raise ValueError(f"weights are files named NAME.safetensors, not {path}")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise ValueError(f"cannot read {path}: {fault.strerror}") from None


def _check_names(path: Path, found: set[str], wanted: set[str]) -> None:
    for fault, names in (("lacks", wanted - found), ("has an unknown", found - wanted)):
        if names:
            raise ValueError(f"{path} {fault} tensor {min(names)!r}: it belongs to another network")


def _check_tensor(path: Path, name: str, array: NDArray[Any], tensor: Tensor) -> None:
    if array.shape != tensor.shape or array.dtype != np.dtype(tensor.dtype):
        wanted = f"{tensor.dtype} of shape {tensor.shape}"
        raise ValueError(f"tensor {name!r} of {path} must be {wanted}, not {array.dtype} of shape {array.shape}")
    _check_finite(path, name, array)
    if np.abs(array.astype(np.float64)).max() > tensor.greatest:
        raise ValueError(f"tensor {name!r} of {path} has values beyond {tensor.greatest:g}, which do not add up")


def _check_finite(path: Path, name: str, array: NDArray[Any]) -> None:
    if not np.isfinite(array).all():
        raise ValueError(
            f"tensor {name!r} of {path} has {np.count_nonzero(~np.isfinite(array))} values that are no number"
        )
