"""Checkpoints: the state of a run, one file each, written whole or not at all; the last few are kept. No pickle."""

import json
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors import numpy as safetensors

from gipfelsturm.agents.whole_file import write_whole
from gipfelsturm.training.state import State


class Checkpoints:
    """The checkpoints of a run, `000000001024.safetensors` after 1,024 steps, with the facts in its metadata."""

    def __init__(self, folder: Path, kept: int) -> None:
        """Keep that many of them in a folder, which is there."""
        self._folder = folder
        self._kept = kept

    def save(self, steps: int, state: State) -> None:
        """Write a checkpoint, and then remove those that are too many; raises OSError if it cannot be written."""
        # In this order in memory, whatever order they had: safetensors writes the memory.
        arrays = {name: np.array(array, order="C") for name, array in state.arrays.items()}
        content = safetensors.save(arrays, {"facts": json.dumps(state.facts)})
        write_whole(self._folder / f"{steps:012d}.safetensors", content)
        for file in self._files()[: -self._kept]:
            file.unlink()

    def newest(self) -> State | None:
        """The state in the newest checkpoint, None without any; raises ValueError for one that cannot be read."""
        files = self._files()
        return _read(files[-1]) if files else None

    def _files(self) -> list[Path]:
        """From the oldest to the newest."""
        return sorted(self._folder.glob("[0-9]*.safetensors"))


def _read(file: Path) -> State:
    try:
        with safe_open(file, framework="np") as opened:
            arrays = {name: opened.get_tensor(name) for name in opened.keys()}
            return State(arrays, json.loads(opened.metadata()["facts"]))
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as fault:
        raise ValueError(f"{file} cannot be read ({fault}): remove it to go on from the one before") from None
