"""`learned@FILE` and `learned-search@FILE`: players by weights, at tables that these were trained for."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from gipfelsturm.agents import catalogue
from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.learned import shipped_weights
from gipfelsturm.agents.mlp import MlpAgent, mlp_tensors
from gipfelsturm.agents.team import make_team
from gipfelsturm.agents.weights import Origin, save_weights
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training.evaluation import evaluate

TABLE = real_time("normal")
SHIPPED = shipped_weights(TABLE)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A copy of the shipped weights for two piles with the ring."""
    for suffix in (".safetensors", ".json"):
        shutil.copy(SHIPPED.with_suffix(suffix), tmp_path / f"w{suffix}")
    return tmp_path / "w.safetensors"


@pytest.mark.parametrize("table", [TABLE, one_mind("hard"), real_time("blitz", tempo="slow")])
def test_it_plays_as_the_shipped_one_does(table: Settings, file: Path) -> None:
    one, other = (evaluate(table, name, 12, threads=1) for name in ("learned", f"learned@{file}"))
    np.testing.assert_array_equal(one.won, other.won)
    np.testing.assert_array_equal(one.seconds, other.seconds)


def test_the_folder_of_a_run_stands_for_its_weights(file: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    with pytest.raises(ValueError, match="run holds no weights: a run writes weights.safetensors at its first evaluat"):
        make_agent(f"learned@{run}")
    for suffix in (".safetensors", ".json"):
        shutil.copy(file.with_suffix(suffix), run / f"weights{suffix}")
    for name in ("learned@{}", "learned-search@{}@4@2"):
        one, other = (evaluate(one_mind("hard"), name.format(path), 8, threads=1) for path in (file, run))
        np.testing.assert_array_equal(one.won, other.won)


@pytest.mark.parametrize("budget", ["", "@20", "@20@3"])
def test_a_search_by_a_file_chooses_as_with_the_shipped_one(
    budget: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "PLAYOUTS", 20)  # or else it takes long
    names = f"learned-search{budget or '@20'}", f"learned-search@{file}{budget}"
    one, other = (evaluate(one_mind("hard"), name, 8, threads=1) for name in names)
    np.testing.assert_array_equal(one.won, other.won)


@pytest.mark.parametrize("budget", ["", "@20"])
def test_a_search_by_a_file_is_refused_at_other_tables(budget: str, file: Path) -> None:
    with pytest.raises(ValueError, match="w.safetensors was trained for 2 piles with the ring, not for 1 pile with"):
        make_agent(f"learned-search@{file}{budget}").reset(1, [0], 0, one_mind("tripeaks"))


def test_it_can_sit_in_a_mixed_team_and_call(file: Path) -> None:
    won = evaluate(TABLE, f"calling-learned@{file}+careful", 6, threads=1).won
    np.testing.assert_array_equal(won, evaluate(TABLE, "calling-learned+careful", 6, threads=1).won)


@pytest.mark.parametrize(
    ("table", "other"),
    [
        (one_mind("tripeaks"), "1 pile with the ring"),
        (real_time("expert"), "2 piles without the ring"),
        (real_time("normal", seats=3), "3 piles with the ring"),
    ],
)
def test_a_table_that_it_was_not_trained_for_is_refused(table: Settings, other: str, file: Path) -> None:
    fault = f"w.safetensors was trained for 2 piles with the ring, not for {other}: name"
    with pytest.raises(ValueError, match=fault):
        make_agent(f"learned@{file}").reset(1, [0], 0, table)
    with pytest.raises(ValueError, match=fault):
        make_team(f"learned@{file}", table)


def test_a_file_of_ppo_is_played_by_its_own_player(tmp_path: Path) -> None:
    settings, path = one_mind("tripeaks"), tmp_path / "ppo.safetensors"
    dice = np.random.default_rng(0)
    arrays = {
        name: dice.normal(size=tensor.shape).astype(np.float32) for name, tensor in mlp_tensors(settings, [4]).items()
    }
    origin = Origin(kind="ppo", config={"hidden": [4]}, command="", versions={}, tables={"solo": settings}, measured=[])
    save_weights(path, arrays, origin)
    with pytest.raises(ValueError, match="ppo.safetensors .* of the kind 'ppo'"):
        make_agent(f"learned-search@{path}")
    agent = make_agent(f"learned@{path}")
    assert isinstance(agent, MlpAgent)
    with pytest.raises(ValueError, match="^this table has .* inputs and .* actions, the network was trained for"):
        agent.reset(1, [0], 0, one_mind("normal"))


@pytest.mark.parametrize("hidden", [None, "4", [4, "x"], [0]])
def test_hidden_layers_that_are_none_are_refused(hidden: object, tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    origin = Origin(
        kind="ppo", config={"hidden": hidden}, command="", versions={}, tables={"": one_mind()}, measured=[]
    )
    save_weights(path, {"0.bias": np.zeros(3, np.float32)}, origin)
    with pytest.raises(ValueError, match=f"w.safetensors tells of hidden layers {re.escape(repr(hidden))}, not of a"):
        make_agent(f"learned@{path}")


def test_a_network_of_ppo_for_two_tables_is_refused(tmp_path: Path) -> None:
    path, tables = tmp_path / "w.safetensors", {"solo": one_mind(), "normal": one_mind("normal")}
    origin = Origin(kind="ppo", config={"hidden": [4]}, command="", versions={}, tables=tables, measured=[])
    save_weights(path, {"0.bias": np.zeros(3, np.float32)}, origin)
    with pytest.raises(ValueError, match=f"^{path} was trained for 2 tables: such a network knows one$"):
        make_agent(f"learned@{path}")


def test_what_is_no_file_of_weights_is_refused_at_once(file: Path, tmp_path: Path) -> None:
    for name, fault in (
        ("learned@no.safetensors", "^cannot read no.safetensors: No such file or directory$"),
        ("learned@", "^. holds no weights: a run writes weights.safetensors at its first evaluation$"),
        ("learned-search@no.safetensors@7", "^cannot read no.safetensors: No such file"),
        ("learned-search@no", "^weights are files named NAME.safetensors, not no$"),
        (f"learned@{file.with_suffix('.json')}", "^weights are files named NAME.safetensors, not .*w.json$"),
    ):
        with pytest.raises(ValueError, match=fault):
            make_agent(name)
    file.write_bytes(file.read_bytes()[:-4])
    with pytest.raises(ValueError, match="is not the file that the JSON beside it describes"):
        make_agent(f"learned@{file}")


def test_a_kind_without_a_player_is_refused(file: Path) -> None:
    beside = file.with_suffix(".json")
    beside.write_text(json.dumps(json.loads(beside.read_text()) | {"kind": "tree"}))
    with pytest.raises(ValueError, match="holds weights of the kind 'tree': players are made of 'value', "):
        make_agent(f"learned@{file}")
