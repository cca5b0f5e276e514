"""`gipfelsturm train`: a run of training from a config, begun or resumed."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from gipfelsturm.training.config import find_config, read_config


def train(
    config: Annotated[Path, tyro.conf.Positional],
    overrides: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[--KEY VALUE ...]")] = (),
    out: Path | None = None,
    resume: tyro.conf.FlagCreatePairsOff[bool] = False,
) -> None:
    """Train by a config, and write reports, checkpoints and weights into a folder. Ctrl-C saves; --resume goes on.

    Args:
        config: A YAML file, or the name of one of ours, as ppo_solo_smoke.yaml.
        overrides: Fields of the config, nested ones dotted, with values in YAML: --steps 5000 --evaluation.games 100.
        out: The folder; runs/NAME for the config NAME.yaml if left out.
        resume: Go on from the folder's last checkpoint, also after a crash; steps may be more than before.
    """
    from gipfelsturm.training.run import train as run

    file = find_config(config)
    told = read_config(file, overrides)
    folder = Path("runs", file.stem) if out is None else out
    with _Screen(told.steps) as screen:
        finished = run(told, folder, shlex.join(("gipfelsturm", *sys.argv[1:])), screen, resume=resume)
    if not finished:
        raise KeyboardInterrupt


class _Screen:
    """A bar with an estimate of the end where there is a terminal, and sentences everywhere."""

    def __init__(self, steps: int) -> None:
        columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
        self._bar = Progress(*columns, console=Console(), transient=True)
        self._task = self._bar.add_task("", total=steps)

    def __enter__(self) -> "_Screen":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def progress(self, steps: int, rate: float) -> None:
        """See `gipfelsturm.training.run.Show.progress`."""
        self._bar.update(self._task, completed=steps, description=f"{steps:,} steps, {rate:,.0f} a second")

    def say(self, line: str) -> None:
        """See `gipfelsturm.training.run.Show.say`."""
        self._bar.console.print(line, soft_wrap=True, highlight=False)
