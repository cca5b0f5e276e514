"""Faults in the middle of a training, and before it: one sentence each, and nothing is lost."""

import errno
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from gipfelsturm.agents.learned import shipped_weights
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.training import run as run_module
from gipfelsturm.training.checkpoints import Checkpoints
from gipfelsturm.training.state import State
from training_runs import Listener, left_behind, run, tiny

HINT = "what was saved there before is whole, and --resume goes on from it"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An uninterrupted run."""
    path = tmp_path_factory.mktemp("runs") / "whole"
    assert run(tiny(), path)
    return path


def limit_files(size: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))


def test_a_full_disk_costs_nothing(whole: Path, tmp_path: Path) -> None:
    try:
        with pytest.raises(ValueError) as caught:
            run(tiny(), tmp_path / "a", Listener(512, lambda: limit_files(10_000)))
    finally:
        limit_files(resource.RLIM_INFINITY)
    hint = "what was saved there before is whole, and --resume goes on from it"
    assert str(caught.value) == f"cannot write {tmp_path / 'a'}: File too large; {hint}"
    assert sorted(file.name for file in (tmp_path / "a" / "checkpoints").iterdir())[-1] == "000000000384.safetensors"
    assert not list((tmp_path / "a").rglob("*.partial"))
    assert run(tiny(), tmp_path / "a", resume=True)
    assert left_behind(tmp_path / "a") == left_behind(whole)


class FullDisk:
    """Lets so many files be written, and says of the next ones that the disk is full."""

    def __init__(self, writes: int) -> None:
        self._left, self._sync = writes, os.fsync

    def __call__(self, file: int) -> None:
        self._left -= 1
        if self._left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._sync(file)


@pytest.mark.parametrize("writes", range(0, 40, 3))
def test_whichever_file_does_not_find_room_nothing_is_lost(
    writes: int, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", FullDisk(writes))
        with pytest.raises(
            ValueError, match=r"^cannot write .*: No space left on device; .* --(resume|out)[^\n]*$"
        ) as told:
            run(tiny(), tmp_path / "a")
    assert not list(tmp_path.rglob("*.partial"))
    begun = (tmp_path / "a" / "config.yaml").is_file()
    assert ("--resume" in str(told.value)) == begun
    assert run(tiny(), tmp_path / "a", resume=begun)
    assert left_behind(tmp_path / "a") == left_behind(whole)


@pytest.mark.parametrize(("writes", "name"), [(0, "run.json"), (2, "config.yaml")])
def test_what_a_run_was_told_is_there_still_where_it_finds_no_room_anew(
    writes: int, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(tiny(steps="128"), tmp_path / "a")
    before = (tmp_path / "a" / name).read_bytes()
    monkeypatch.setattr(os, "fsync", FullDisk(writes))
    with pytest.raises(ValueError, match="No space left on device"):
        run(tiny(), tmp_path / "a", resume=True)
    assert (tmp_path / "a" / name).read_bytes() == before


DIES = """
import os, signal, sys
from pathlib import Path
from gipfelsturm.agents import whole_file
from gipfelsturm.training.checkpoints import Checkpoints

def half(path, content):
    path.write_bytes(content[: len(content) // 2])
    os.kill(os.getpid(), signal.SIGKILL)

checkpoints = Checkpoints(Path(sys.argv[1]), 2)
whole_file._write_to_disk = half
checkpoints.save(512, checkpoints.newest())
"""


def test_a_checkpoint_of_which_half_was_written_when_it_was_killed(whole: Path, tmp_path: Path) -> None:
    interrupted = Listener(384, lambda: signal.raise_signal(signal.SIGINT))
    assert not run(tiny(), tmp_path / "a", interrupted)
    checkpoints = tmp_path / "a" / "checkpoints"
    killed = subprocess.run([sys.executable, "-c", DIES, checkpoints], check=False)
    assert killed.returncode == -signal.SIGKILL
    (half,) = checkpoints.glob("*512*")
    assert half.stat().st_size > 1000
    assert run(tiny(), tmp_path / "a", resume=True)
    assert left_behind(tmp_path / "a") == left_behind(whole)
    assert not list(tmp_path.rglob("*.partial"))


def of_other_environments(path: Path) -> None:
    told = (path / "config.yaml").read_text()
    (path / "config.yaml").write_text(told.replace("env: v0", "env: v1"))


def broken_checkpoint(path: Path) -> None:
    file = sorted((path / "checkpoints").iterdir())[-1]
    file.write_bytes(file.read_bytes()[:-10])


def checkpoint_of(state: State, path: Path) -> None:
    Checkpoints(path / "checkpoints", 1).save(128, state)


def lacking(path: Path) -> None:
    checkpoint_of(State({}, {}), path)


def of_another_network(path: Path) -> None:
    state = Checkpoints(path / "checkpoints", 1).newest()
    assert state is not None
    (name,) = (name for name in state.arrays if name.endswith("action_net.bias"))
    checkpoint_of(State(state.arrays | {name: state.arrays[name][1:]}, state.facts), path)


def broken_commands(path: Path) -> None:
    (path / "run.json").write_text("[{")


def lost_rows(path: Path) -> None:
    (path / "progress.csv").write_text("steps\n")


@pytest.mark.parametrize(
    ("spoil", "more", "fault"),
    [
        (of_other_environments, {}, "{path}/config.yaml: the config is for environments v1, these are v0"),
        (broken_checkpoint, {}, "{path}/checkpoints/000000000128.safetensors cannot be read (Error while deser"),
        (lacking, {}, "the newest checkpoint in {path} is not of this training: it was changed, or saved by another"),
        (of_another_network, {}, "the newest checkpoint in {path} is not of this training: it was changed, or saved"),
        (broken_commands, {}, "{path}/run.json is no list of the run's commands (Input data was truncated): remove it"),
        (lost_rows, {}, "{path}/progress.csv has lost rows: 6 bytes are left of"),
        (lambda path: None, {"seed": "2"}, "{path} was begun with another seed: resume it with the config that it"),
        (lambda path: None, {"steps": "127"}, "{path} is a run of 128 steps: there may be more, not 127"),
        (lambda path: None, {"table.ring": "true"}, "{path} was begun with another table.ring: resume it with the"),
    ],
)
def test_a_run_that_cannot_go_on_says_why(
    spoil: Callable[[Path], None], more: dict[str, str], fault: str, tmp_path: Path
) -> None:
    path = tmp_path / "a"
    run(tiny(steps="128"), path)
    spoil(path)
    with pytest.raises(ValueError) as caught:
        run(tiny(**more), path, resume=True)
    assert str(caught.value).startswith(fault.format(path=path))
    assert "\n" not in str(caught.value)


def test_a_run_whose_list_of_commands_is_broken_is_told_nothing_new(tmp_path: Path) -> None:
    path = tmp_path / "a"
    run(tiny(steps="128"), path)
    broken_commands(path)
    before = (path / "config.yaml").read_bytes()
    with pytest.raises(ValueError, match="is no list of the run's commands"):
        run(tiny(), path, resume=True)
    assert (path / "config.yaml").read_bytes() == before


def test_a_folder_is_not_taken_twice_and_not_resumed_from_nothing(whole: Path, tmp_path: Path) -> None:
    before = left_behind(whole)
    with pytest.raises(ValueError, match="holds a run already: go on with it by --resume, or name another folder by"):
        run(tiny(), whole)
    assert left_behind(whole) == before
    with pytest.raises(ValueError, match="b holds no run that could be resumed: leave out --resume to begin one"):
        run(tiny(), tmp_path / "b", resume=True)
    assert not (tmp_path / "b").exists()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    fault = f"^cannot write {tmp_path}/file/a/checkpoints: Not a directory; name another folder by --out$"
    with pytest.raises(ValueError, match=fault):
        run(tiny(), tmp_path / "file" / "a")


def test_a_baseline_that_cannot_sit_there_is_refused_and_nothing_is_left_of_the_run(tmp_path: Path) -> None:
    baseline = f"learned@{shipped_weights(one_mind('normal'))}"
    with pytest.raises(ValueError, match="was trained for 2 piles with the ring, not for 1 pile with the ring: name"):
        run(tiny(**{"evaluation.baseline": baseline}), tmp_path / "a")
    assert not list(tmp_path.iterdir())


def test_without_torch_nothing_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "find_spec", lambda name: None if name == "torch" else find_spec(name))
    with pytest.raises(ValueError) as caught:
        run(tiny(), tmp_path / "a")
    assert str(caught.value) == "training needs torch, which is not installed: pip install 'gipfelsturm[train]'"
    assert not (tmp_path / "a").exists()
