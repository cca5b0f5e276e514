"""The folder of a run: what it was told, what it has reported, and where it can go on."""

from pathlib import Path

import msgspec

from gipfelsturm.agents.whole_file import write_whole
from gipfelsturm.training.checkpoints import Checkpoints
from gipfelsturm.training.config import MAY_CHANGE, Config, differences, read_config, write_config

CONFIG, SESSIONS = "config.yaml", "run.json"


class Session(msgspec.Struct, frozen=True):
    """One call of the command."""

    command: str
    versions: dict[str, str]


class RunFolder:
    """A folder that holds one run, or will.

    Attributes:
        path: where it is.
        checkpoints: the run's.
    """

    def __init__(self, path: Path, config: Config, *, resume: bool) -> None:
        """Take a folder to begin a run in, or to go on with the one that is there, by the config given.

        Raises:
            ValueError: if there is a run already, or none to go on with, or one with another config.
        """
        self.path, self._config = path, config
        begun = (path / CONFIG).is_file()
        if begun and not resume:
            raise ValueError(f"{path} holds a run already: go on with it by --resume, or name another folder by --out")
        if resume and not begun:
            raise ValueError(f"{path} holds no run that could be resumed: leave out --resume to begin one")
        if begun:
            _check_same(read_config(path / CONFIG), config, path)
        self.checkpoints = Checkpoints(path / "checkpoints", config.checkpoints)

    def begin(self, session: Session) -> None:
        """Make the folder, and note a call of the command and its config in it.

        Raises:
            ValueError: if its list of commands cannot be read.
            OSError: if it cannot be written.
        """
        (self.path / "checkpoints").mkdir(parents=True, exist_ok=True)
        self._note(session)
        write_whole(self.path / CONFIG, write_config(self._config))

    def _note(self, session: Session) -> None:
        file = self.path / SESSIONS
        try:
            sessions = msgspec.json.decode(file.read_bytes(), type=list[Session]) if file.is_file() else []
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            raise ValueError(f"{file} is no list of the run's commands ({fault}): remove it") from None
        write_whole(file, msgspec.json.format(msgspec.json.encode([*sessions, session]), indent=1) + b"\n")


def cannot_write(path: Path, fault: OSError) -> ValueError:
    """What to tell of a fault in writing a run's files."""
    kept = "what was saved there before is whole, and --resume goes on from it"
    hint = kept if (path / CONFIG).is_file() else "name another folder by --out"
    return ValueError(f"cannot write {fault.filename or path}: {fault.strerror or fault}; {hint}")


def _check_same(before: Config, config: Config, path: Path) -> None:
    differing = [key for key in differences(before, config) if key not in MAY_CHANGE]
    if differing:
        raise ValueError(f"{path} was begun with another {differing[0]}: resume it with the config that it holds")
    if config.steps < before.steps:
        raise ValueError(f"{path} is a run of {before.steps} steps: there may be more, not {config.steps}")
