"""`gipfelsturm benchmark`: how fast the environments step, beside Gymnasium's CartPole in the same run."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import msgspec
import numpy as np
import pettingzoo
from rich import box
from rich.table import Table

import gipfelsturm.envs  # noqa: F401  # registers the ids
from gipfelsturm.cli.games_bar import wide_console
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.settings import real_time
from gipfelsturm.envs.sampling import LegalSampler
from gipfelsturm.training.json_file import check_writable, write_json

BATCH = 1024
ROUNDS = 5
BATCH_STEPS = 500
SINGLE_STEPS = 10_000
TRIPEAKS = "gipfelsturm/TriPeaks-v0"
CARTPOLE = "CartPole-v1"
GIPFELSTURM = "gipfelsturm/Gipfelsturm-v0"

Loop = Callable[[int], None]
"""Takes that many steps of an environment, and of each game in a batch."""


class Speed(msgspec.Struct):
    """One row: steps of one game (seat-steps at a table for two), and the processor time they took."""

    name: str
    steps: int = 0
    cpu_seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Steps per CPU second."""
        return self.steps / self.cpu_seconds


def benchmark(json: Path | None = None) -> None:
    """Step every environment on one core with random legal moves, observation, mask and new deals included.

    Args:
        json: Write the rows to this file too.
    """
    if json is not None:
        check_writable(json)
    seats = 2
    loops: dict[str, tuple[Loop, int, int]] = {
        "tripeaks-vector": (_tripeaks_vector(), BATCH_STEPS, BATCH),
        "gipfelsturm-batch": (_gipfelsturm_batch(), BATCH_STEPS, BATCH * seats),
        "cartpole-vector": (_cartpole_vector(), BATCH_STEPS, BATCH),
        "tripeaks-gym": (_tripeaks_gym(), SINGLE_STEPS, 1),
        "cartpole-gym": (_cartpole_gym(), SINGLE_STEPS, 1),
        "gipfelsturm-parallel": (_gipfelsturm_parallel(), SINGLE_STEPS, seats),
    }
    rows = _measure(loops)
    wide_console().print(_table(rows))
    if json is not None:
        write_json(json, {"rows": rows})


def _measure(loops: dict[str, tuple[Loop, int, int]]) -> list[Speed]:
    """Take turns, so that a busy machine slows every row alike."""
    rows = {name: Speed(name) for name in loops}
    for loop, _, _ in loops.values():
        loop(3)
    for _ in range(ROUNDS):
        for name, (loop, steps, games) in loops.items():
            before = time.process_time()
            loop(steps)
            rows[name].cpu_seconds += time.process_time() - before
            rows[name].steps += steps * games
    return list(rows.values())


def _tripeaks_vector() -> Loop:
    envs = gymnasium.make_vec(TRIPEAKS, num_envs=BATCH)
    sample = LegalSampler(0)
    _, info = envs.reset(seed=0)
    mask = info["action_mask"]

    def loop(steps: int) -> None:
        nonlocal mask
        for _ in range(steps):
            mask = envs.step(sample(mask))[4]["action_mask"]

    return loop


def _gipfelsturm_batch() -> Loop:
    batch = GipfelsturmBatch(real_time("normal"), BATCH)
    batch.seed(range(BATCH))
    batch.deal_all()
    sample = LegalSampler(0)

    def loop(steps: int) -> None:
        for _ in range(steps):
            batch.step(sample(batch.masks))

    return loop


def _cartpole_vector() -> Loop:
    envs = gymnasium.make_vec(CARTPOLE, num_envs=BATCH)
    envs.reset(seed=0)
    envs.action_space.seed(0)

    def loop(steps: int) -> None:
        for _ in range(steps):
            envs.step(envs.action_space.sample())

    return loop


def _tripeaks_gym() -> Loop:
    env: gymnasium.Env[Any, np.int64] = gymnasium.make(TRIPEAKS)
    sample = LegalSampler(0)
    _, info = env.reset(seed=0)

    def loop(steps: int) -> None:
        nonlocal info
        for _ in range(steps):
            _, _, terminated, truncated, info = env.step(sample.one(info["action_mask"]))  # type: ignore[arg-type]
            if terminated or truncated:
                _, info = env.reset()

    return loop


def _cartpole_gym() -> Loop:
    env = gymnasium.make(CARTPOLE)
    env.reset(seed=0)
    env.action_space.seed(0)

    def loop(steps: int) -> None:
        for _ in range(steps):
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            if terminated or truncated:
                env.reset()

    return loop


def _gipfelsturm_parallel() -> Loop:
    env = pettingzoo.make("parallel", GIPFELSTURM)
    sample = LegalSampler(0)
    views, _ = env.reset(seed=0)

    def loop(steps: int) -> None:
        nonlocal views
        for _ in range(steps):
            views = env.step({agent: sample.one(view["action_mask"]) for agent, view in views.items()})[0]
            if not env.agents:
                views, _ = env.reset()

    return loop


def _table(rows: list[Speed]) -> Table:
    rates = {row.name: row.rate for row in rows}
    table = Table(title=f"Random legal steps (batches of {BATCH})", box=box.SIMPLE_HEAD)
    for column in ("environment", "steps", "CPU s", "per CPU second", "times CartPole"):
        table.add_column(column, justify="left" if column == "environment" else "right")
    for row in rows:
        in_batches = row.name.endswith(("-vector", "-batch"))
        rival = rates["cartpole-vector" if in_batches else "cartpole-gym"]
        table.add_row(
            row.name, f"{row.steps:,}", f"{row.cpu_seconds:.2f}", f"{row.rate:,.0f}", f"{row.rate / rival:.2f}"
        )
    return table
