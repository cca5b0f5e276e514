"""The smoke configs as they stand learn within a minute each: they beat `random` on the same deals, beyond doubt."""

from pathlib import Path

import pytest

from gipfelsturm.training.config import read_config
from training_runs import CONFIGS, rows, run

SMOKES = sorted(CONFIGS.glob("*_smoke.yaml"))


@pytest.mark.long
@pytest.mark.parametrize("file", SMOKES, ids=[file.stem for file in SMOKES])
def test_it_visibly_learns(file: Path, tmp_path: Path) -> None:
    assert run(read_config(file), tmp_path / "a")
    (first, *_, last) = rows(tmp_path / "a", "evaluations.csv")
    assert (first["steps"], last["baseline"]) == ("0", "random")
    assert float(first["difference_high"]) < 0 < float(last["difference_low"])
