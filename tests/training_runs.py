"""Tiny runs of training, and what they leave behind."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np

from gipfelsturm.training.checkpoints import Checkpoints
from gipfelsturm.training.config import Config, read_config
from gipfelsturm.training.run import train
from gipfelsturm.training.torch_state import chance_state, load_chance, seed_all
from gipfelsturm.training.trainer import Trainer

CONFIGS = Path(__file__).parents[1] / "configs"
SOLO = CONFIGS / "ppo_solo_smoke.yaml"
TIMES = ("seconds", "frames_a_second", "kernel", "network", "learner")
TINY = {
    "steps": "1024",
    "checkpoint_seconds": "0",
    "evaluation.every": "256",
    "evaluation.games": "20",
    "tables": "8",
    "rollout": "16",
    "batch": "64",
    "epochs": "1",
    "hidden": "[8]",
}


def tiny(**more: str) -> Config:
    return read_config(SOLO, [f"{key}={value}" for key, value in {**TINY, **more}.items()])


class Listener:
    """Keeps what a run says, and can do something once it has done so many steps."""

    def __init__(self, at: int = 0, act: Callable[[], None] = lambda: None) -> None:
        self.lines: list[str] = []
        self.steps: list[int] = []
        self._at, self._act = at, act

    def progress(self, steps: int, rate: float) -> None:
        assert rate > 0
        self.steps.append(steps)
        if steps == self._at:
            self._act()

    def say(self, line: str) -> None:
        self.lines.append(line)


def run(config: Config, path: Path, listener: Listener | None = None, *, resume: bool = False) -> bool:
    return train(config, path, "gipfelsturm train", listener or Listener(), resume=resume)


def rows(path: Path, name: str) -> list[dict[str, str]]:
    """A CSV's rows without what the clock says."""
    with (path / name).open(newline="") as file:
        return [{key: cell for key, cell in row.items() if key not in TIMES} for row in csv.DictReader(file)]


def left_behind(path: Path) -> tuple[object, ...]:
    """All that two runs of one config have to agree in."""
    weights = (path / "weights.safetensors").read_bytes()
    state = Checkpoints(path / "checkpoints", 1).newest()
    assert state is not None
    arrays = {name: array.tobytes() for name, array in state.arrays.items()}
    return rows(path, "progress.csv"), rows(path, "evaluations.csv"), weights, arrays


def goes_on(begin: Callable[[], Trainer]) -> None:
    """Another trainer learns the same from a state as the one that had it."""
    trainer = begin()
    trainer.advance()
    state, chance = trainer.state_dict(), chance_state()
    chunks = [trainer.advance() for _ in range(2)]
    other = begin()
    other.load_state(state)
    seed_all(9)
    load_chance(chance)
    for chunk in chunks:
        again = other.advance()
        assert (again.steps, again.losses) == (chunk.steps, chunk.losses)
    for name, weights in trainer.weights().items():
        np.testing.assert_array_equal(other.weights()[name], weights)
