"""A run of training: chunk by chunk to the last step, with reports, evaluations, checkpoints and weights."""

import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Protocol

import msgspec
import numpy as np

from gipfelsturm.agents.weights import WEIGHTS, Origin, save_weights
from gipfelsturm.training.comparison import versions
from gipfelsturm.training.config import Config
from gipfelsturm.training.fixed_deals import FixedDeals, Result
from gipfelsturm.training.run_folder import RunFolder, Session, cannot_write
from gipfelsturm.training.state import State, joined, part
from gipfelsturm.training.trainer import PARTS, Chunk, Trainer

LEARNERS = {
    "torch": "torch",
    "stable_baselines3": "stable-baselines3",
    "sb3_contrib": "sb3-contrib",
    "tensorboard": "tensorboard",
    "safetensors": "safetensors",
}
"""What training imports, with the names of the packages."""


class Show(Protocol):
    """Who watches a run."""

    def progress(self, steps: int, rate: float) -> None:
        """Learn that so many steps are done, at that rate a second."""

    def say(self, line: str) -> None:
        """Hear a sentence."""


def train(config: Config, path: Path, command: str, show: Show, *, resume: bool = False) -> bool:
    """Begin a run in a folder, or go on with the one there; False if it was interrupted, and saved, before its end.

    Raises:
        ValueError: if training cannot begin there, or files cannot be written; what was saved before stays.
    """
    for module, package in LEARNERS.items():
        if find_spec(module) is None:
            raise ValueError(f"training needs {package}, which is not installed: pip install 'gipfelsturm[train]'")
    session = Session(command, versions() | {package: version(package) for package in LEARNERS.values()})
    folder = RunFolder(path, config, resume=resume)
    try:
        run = Run(config, folder, session, show)
        with closing(run):
            return run.go()
    except OSError as fault:
        raise cannot_write(path, fault) from None


class Run:
    """One session of a run."""

    def __init__(self, config: Config, folder: RunFolder, session: Session, show: Show) -> None:
        """Begin, or go on from the newest checkpoint."""
        import torch  # these take seconds

        from gipfelsturm.training.kinds import make_trainer
        from gipfelsturm.training.reports import Reports
        from gipfelsturm.training.torch_state import seed_all

        torch.set_num_threads(1)  # for a small network more threads take many times as long
        self._config, self._folder, self._session, self._show = config, folder, session, show
        self._steps, self._seconds, self._best = 0, 0.0, -1.0
        self._spent: dict[str, float] = defaultdict(float)  # in this session: steps, seconds, and those of each part
        saved = folder.checkpoints.newest()
        self._resumed = saved is not None
        seed_all(config.seed)
        self._trainer: Trainer = make_trainer(config)
        lengths = {}
        if saved is None:
            self._trainer.begin()
        else:
            lengths = self._load(saved)
        self._deals = FixedDeals(self._trainer.tables, config.evaluation)
        folder.begin(session)  # whatever is refused before leaves nothing behind
        self._reports = Reports(folder.path, self._steps, lengths)
        self._saved_at = time.monotonic()

    def go(self) -> bool:
        """Train to the last step; False if it was interrupted and saved before."""
        with interruptions(self._show.say) as interrupted:
            if self._resumed:
                self._show.say(f"goes on from the checkpoint after {self._steps:,} steps")
            else:
                self._show.say("plays the deals of its evaluations first; to compile it takes a minute the first time")
                self._evaluate()
                self._save()
            while self._steps < self._config.steps and not interrupted():
                self._advance()
                if time.monotonic() - self._saved_at >= self._config.checkpoint_seconds:
                    self._save()
        self._save()
        if self._spent:
            self._show.say(self._account())
        self._show.say(f"saved after {self._steps:,} steps in {self._folder.path}")
        return self._steps >= self._config.steps

    def close(self) -> None:
        """Write out what waits."""
        self._reports.close()

    def _advance(self) -> None:
        begun = time.perf_counter()
        chunk = self._trainer.advance()
        seconds = time.perf_counter() - begun
        before, self._steps = self._steps, self._steps + chunk.steps
        self._seconds += seconds
        for name, amount in (chunk.seconds | {"steps": chunk.steps, "seconds": seconds}).items():
            self._spent[name] += amount
        self._reports.progress(self._row(chunk, seconds))
        self._show.progress(self._steps, chunk.steps / seconds)
        every = self._config.evaluation.every
        if self._steps // every > before // every or self._steps >= self._config.steps:
            self._evaluate()

    def _account(self) -> str:
        """What this session has spent its time on, besides evaluations and checkpoints."""
        steps, seconds = self._spent["steps"], self._spent["seconds"]
        shares = ", ".join(f"{name} {100 * self._spent[name] / seconds:.0f} %" for name in PARTS)
        return f"{steps:,.0f} steps in {seconds:,.0f} s, {steps / seconds:,.0f} a second: {shares}"

    def _row(self, chunk: Chunk, seconds: float) -> dict[str, float]:
        shares = {name: chunk.seconds.get(name, 0.0) / seconds for name in PARTS}
        return {
            "steps": self._steps,
            "seconds": self._seconds,
            "frames_a_second": chunk.steps / seconds,
            **shares,
            **chunk.losses,
        }

    def _evaluate(self) -> None:
        """Play the fixed deals, and keep the weights if none before have won more."""
        results = self._deals.play(self._trainer.player())
        for result in results:
            self._reports.evaluation(result.table, result.row(self._steps))
            self._show.say(f"after {self._steps:,} steps {result.sentence()}")
        won = float(np.mean([result.won.value for result in results]))
        if won >= self._best:
            self._best = won
            save_weights(self._folder.path / WEIGHTS, self._trainer.weights(), self._origin(results))

    def _origin(self, results: list[Result]) -> Origin:
        return Origin(
            kind=str(self._config.__struct_config__.tag),
            config=msgspec.to_builtins(self._config),
            command=self._session.command,
            versions=self._session.versions,
            tables=dict(self._trainer.tables),
            measured=[result.row(self._steps) for result in results],
        )

    def _save(self) -> None:
        """Write a checkpoint; all that was reported before is on disk already."""
        from gipfelsturm.training.torch_state import chance_state

        facts = {
            "steps": self._steps,
            "seconds": self._seconds,
            "best": self._best,
            "lengths": self._reports.lengths(),
        }
        state = joined(trainer=self._trainer.state_dict(), chance=chance_state(), run=State({}, facts))
        self._folder.checkpoints.save(self._steps, state)
        self._saved_at = time.monotonic()

    def _load(self, state: State) -> dict[str, int]:
        """Go on from a checkpoint; the lengths that the reports had then."""
        try:
            return self._take_over(state)
        except (KeyError, RuntimeError, TypeError, ValueError):  # torch's words for it fill a page
            raise ValueError(
                f"the newest checkpoint in {self._folder.path} is not of this training: it was changed, or saved by "
                "another version of gipfelsturm"
            ) from None

    def _take_over(self, state: State) -> dict[str, int]:
        from gipfelsturm.training.torch_state import load_chance

        facts = part(state, "run").facts
        self._steps, self._seconds, self._best = facts["steps"], facts["seconds"], facts["best"]
        self._trainer.load_state(part(state, "trainer"))
        load_chance(part(state, "chance"))
        lengths: dict[str, int] = facts["lengths"]
        return lengths


@contextmanager
def interruptions(say: Callable[[str], None]) -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed, in the place of its interruption; the second time it interrupts at once."""
    pressed = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        say("ends after what is under way, and saves; Ctrl-C once more ends at once, and loses what is not saved")

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
