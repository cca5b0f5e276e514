"""`gipfelsturm train` as its users call it."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from commands import GIPFELSTURM
from commands import run as call
from gipfelsturm.cli.arguments import gather_overrides
from gipfelsturm.training.config import read_config
from gipfelsturm.training.run import train
from training_runs import CONFIGS, SOLO, TINY, Listener, left_behind, run, tiny

OPTIONS = [word for key, value in TINY.items() for word in (f"--{key}", value)]
SMOKES = sorted(CONFIGS.glob("*_smoke.yaml"))


def test_it_goes_on_after_kill_9(tmp_path: Path) -> None:
    command: list[str | Path] = [GIPFELSTURM, "train", SOLO, *OPTIONS, "--out", tmp_path / "a"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any(line.startswith("after 512 steps tripeaks: ") for line in process.stdout)
        process.send_signal(signal.SIGKILL)
    assert call("train", SOLO, *OPTIONS, "--out", tmp_path / "a", "--resume").returncode == 0
    assert run(tiny(), tmp_path / "whole")
    assert left_behind(tmp_path / "a") == left_behind(tmp_path / "whole")


def test_what_it_prints_and_where_it_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("train", "ppo_solo_smoke.yaml", *OPTIONS, "--steps", "128")
    begun, first, last, spent, saved, *_ = done.stdout.splitlines()
    assert done.returncode == 0
    assert begun == "plays the deals of its evaluations first; to compile it takes a minute the first time"
    assert first.startswith("after 0 steps tripeaks: ")
    assert last.startswith("after 128 steps tripeaks: ") and last.endswith("against random")
    assert re.fullmatch(r"128 steps in \d s, [\d,]+ a second: kernel \d+ %, network \d+ %, learner \d+ %", spent)
    assert saved == "saved after 128 steps in runs/ppo_solo_smoke"
    assert read_config(tmp_path / "runs/ppo_solo_smoke/config.yaml") == tiny(steps="128")


def test_interrupted_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gipfelsturm.training.run.train", lambda *_, **__: False)
    done = call("train", SOLO, "--out", tmp_path / "a")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (130, "", "gipfelsturm: interrupted\n")


def test_too_much_for_the_memory_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def train(*_: object, **__: object) -> bool:
        np.zeros(10**18)
        return True

    monkeypatch.setattr("gipfelsturm.training.run.train", train)
    done = call("train", SOLO, "--out", tmp_path / "a")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("gipfelsturm: the memory does not suffice for so much: Unable to allocate")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("train", "nowhere.yaml"), "there is no config nowhere.yaml: name a YAML file, or one of ours: ppo_"),
        (("train", SOLO, "--stepz", "3"), f"{SOLO}: unknown key stepz: did you mean steps?"),
        (("train", SOLO, "--evaluation.games=many"), f"{SOLO}: evaluation.games: Expected int, got str"),
        (("train", SOLO, "--steps"), "--steps has no value: write --steps VALUE"),
        (("train", SOLO, "--steps", "--seed", "3"), "--steps has no value: write --steps VALUE"),
        (("train", SOLO, "--resume", "--out", "nowhere"), "nowhere holds no run that could be resumed: leave out"),
        (("train", SOLO, "--out", "/proc/a"), "cannot write /proc/a: No such file or directory; name another folder"),
        (("train",), "Missing from gipfelsturm train: PATH A YAML file, or"),
    ],
)
def test_faults_are_one_line(
    arguments: tuple[str, ...],
    fault: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"gipfelsturm: {fault}") and done.stderr.count("\n") == 1
    assert "Traceback" not in done.stdout and not list(tmp_path.iterdir())


def test_overrides_stand_anywhere() -> None:
    told = ["train", "--seed", "2", "a.yaml", "--out", "b", "--hidden=[1,2]", "--resume", "--steps", "-1"]
    wanted = ["train", "a.yaml", "seed=2", "hidden=[1,2]", "steps=-1", "--out", "b", "--resume"]
    assert gather_overrides(told) == wanted
    assert gather_overrides(["evaluate", "--seed", "2"]) == ["evaluate", "--seed", "2"]
    assert gather_overrides([]) == []


def test_help_costs_no_import_of_torch() -> None:
    script = "import sys, gipfelsturm.cli, gipfelsturm.training.run; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize("file", SMOKES, ids=[file.stem for file in SMOKES])
def test_a_smoke_config_trains(file: Path, tmp_path: Path) -> None:
    listener = Listener()
    config = read_config(file, ["steps=1", "evaluation.games=4"])
    assert train(config, tmp_path / "a", "gipfelsturm train", listener)
    assert len(listener.steps) == 1 and (tmp_path / "a" / "weights.json").is_file()
