"""The smoke configs as they stand learn within a minute each, beyond doubt."""

from pathlib import Path

import pytest

from gipfelsturm.training.config import read_config
from training_runs import CONFIGS, rows, run

SOLO = ("ppo_solo_smoke.yaml", "value_smoke.yaml", "rollout_smoke.yaml")
PAIR = "ppo_real_time_smoke.yaml"


def first_and_last(name: str, folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """What a config's evaluations say of the untrained player and of the trained one."""
    assert run(read_config(CONFIGS / name), folder)
    (first, *_, last) = rows(folder, "evaluations.csv")
    assert (first["steps"], last["baseline"]) == ("0", "random")
    return first, last


@pytest.mark.long
@pytest.mark.parametrize("name", SOLO)
def test_solo_it_beats_random_on_the_same_deals(name: str, tmp_path: Path) -> None:
    first, last = first_and_last(name, tmp_path / "a")
    assert float(first["difference_high"]) < 0 < float(last["difference_low"])


@pytest.mark.long
def test_hands_learn_to_share_the_table(tmp_path: Path) -> None:
    first, last = first_and_last(PAIR, tmp_path / "a")
    assert float(first["high"]) < 0.1 and 0.4 < float(last["low"])


def test_every_smoke_config_is_tried_here() -> None:
    assert {file.name for file in CONFIGS.glob("*_smoke.yaml")} == {*SOLO, PAIR}
