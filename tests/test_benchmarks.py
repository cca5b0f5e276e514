"""The benchmarks that take arguments: a fault is one sentence, before anything is played."""

import runpy
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
NO_COUNT = "must be a whole number, 1 or more, not"


@pytest.mark.parametrize(
    ("script", "arguments", "fault"),
    [
        ("search_curve.py", "--deals 0", f"argument --deals: {NO_COUNT} '0'"),
        ("search_curve.py", "--deals many", f"argument --deals: {NO_COUNT} 'many'"),
        ("search_curve.py", "--agents counting carful", "unknown agent 'carful': did you mean 'careful'?"),
        ("hints.py", "--playouts 20 --deals 0", f"argument --deals: {NO_COUNT} '0'"),
        ("hints.py", "--playouts 20 --threads -1", f"argument --threads: {NO_COUNT} '-1'"),
        ("hints.py", "--playouts 0", f"argument --playouts: {NO_COUNT} '0'"),
        ("hints.py", "--milliseconds 0.5", f"argument --milliseconds: {NO_COUNT} '0.5'"),
        ("hints.py", "", "one of the arguments --playouts --milliseconds is required"),
    ],
)
def test_faults_are_one_sentence(
    script: str, arguments: str, fault: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [script, *arguments.split()])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(BENCHMARKS / script), run_name="__main__")
    assert ended.value.code == 2
    assert capsys.readouterr() == ("", f"{script}: {fault}\n")
