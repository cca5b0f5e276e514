"""Configs: every shipped one loads, says all its keys with comments, and every fault is one sentence with its path."""

import re
from pathlib import Path

import msgspec
import pytest

from gipfelsturm.configs import FOLDER, PARTNERS
from gipfelsturm.envs.rules.deals import EVALUATION_DEALS
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training.config import PPO, differences, find_config, read_config, write_config

CHECKOUT = Path(__file__).parents[1] / "configs"
FILES = sorted(file for file in CHECKOUT.glob("*.yaml") if file.name != PARTNERS.name)
SOLO = CHECKOUT / "ppo_solo_smoke.yaml"
EACH_FILE = pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])


def test_all_of_them_are_installed() -> None:
    names = [file.name for file in (*FILES, CHECKOUT / PARTNERS.name)]
    assert sorted(names) == sorted(file.name for file in FOLDER.glob("*.yaml")) and len(FILES) > 0


@EACH_FILE
def test_it_is_read_and_written(file: Path, tmp_path: Path) -> None:
    config = read_config(file)
    (tmp_path / "again.yaml").write_bytes(write_config(config))
    assert read_config(tmp_path / "again.yaml") == config
    assert config.evaluation.first_deal + config.evaluation.games <= EVALUATION_DEALS


@EACH_FILE
def test_every_key_is_there_and_has_a_comment(file: Path) -> None:
    lines = [line for line in file.read_text().splitlines() if line.strip() and not line.startswith("#")]
    keys = [re.match(r" *(\w+):", line) for line in lines]
    assert all("  # " in line or line.endswith(":") for line in lines)
    told = {match[1] for match in keys if match}
    assert told == names(msgspec.to_builtins(read_config(file)))


def names(tree: dict[str, object]) -> set[str]:
    inner = [names(value) for value in tree.values() if isinstance(value, dict)]
    return set(tree).union(*inner)


@pytest.mark.parametrize(
    ("overrides", "value"),
    [
        (["steps=4096"], 4096),
        (["steps=1", "steps=2"], 2),
        (["evaluation.games=12"], 12),
        (["learning_rate=3e-4"], 0.0003),
        (["table.tempo=slow", "table.preset=hard"], "slow"),
        (["table.ring=false"], False),
        (["hidden=[3, 2]"], (3, 2)),
        (["evaluation={every: 5, games: 6, first_deal: 7, baseline: careful}"], None),
    ],
)
def test_every_field_can_be_overridden(overrides: list[str], value: object) -> None:
    config = read_config(SOLO, overrides)
    found: object = config
    for name in overrides[0].split("=")[0].split("."):
        found = getattr(found, name)
    assert found == value or (value is None and config.evaluation.games == 6)
    assert differences(read_config(SOLO), config) != []


@pytest.mark.parametrize(
    ("override", "fault"),
    [
        ("stepz=3", "{file}: unknown key stepz: did you mean steps?"),
        ("evaluation.gamez=3", "{file}: unknown key evaluation.gamez: did you mean games?"),
        ("regret=1", "{file}: unknown key regret"),
        ("table.clock=3", "{file}: unknown key table.clock"),
        ("foo.bar=3", "unknown key foo.bar: foo is no group of keys"),
        ("steps.more=3", "unknown key steps.more: steps is no group of keys"),
        ("steps=0", "{file}: steps: Expected int >= 1"),
        ("steps=5.5", "{file}: steps: Expected int, got float"),
        ("steps=", "{file}: steps: Expected int, got null"),
        ("hidden=[1,two]", "{file}: hidden[1]: Expected int, got str"),
        ("learning_rate=.nan", "{file}: learning_rate: Expected float > 0.0"),
        ("kind=valeu", "{file}: kind: Invalid value 'valeu'"),
        ("env=v1", "{file}: the config is for environments v1, these are v0"),
        ("reward=fun", "{file}: unknown reward 'fun': use one of win, score, shaped"),
        ("batch=1000", "{file}: batch must divide the 8192 steps between two updates, which 1000 does not"),
        ("table.calls=true", "{file}: table: one mind has nobody to call: leave out calls, or give a tempo"),
        ("table.preset=x", "{file}: table: unknown preset 'x': use one of tripeaks, normal, hard, expert, easy, blitz"),
        ("evaluation.baseline=randm", "{file}: evaluation: unknown agent 'randm': did you mean 'random'?"),
        (
            "evaluation.first_deal=999999",
            "{file}: evaluation: deals from 1000000 are for training: evaluation must not reach deal 1003998",
        ),
        ("steps=[1", "steps: this is no YAML: expected ',' or ']', but got '<stream end>' in line 1"),
        (
            "steps=\x07",
            "steps: this is no YAML: unacceptable character #x0007: "
            'special characters are not allowed in "<byte string>", position 0',
        ),
    ],
)
def test_a_fault_is_one_sentence(override: str, fault: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_config(SOLO, [override])
    assert str(caught.value) == fault.format(file=SOLO)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is no config: it must hold keys and values"),
        ("[1]", "is no config: it must hold keys and values"),
        ("kind: [", "this is no YAML"),
        ("seed: 1", "the key kind is missing"),
        ("kind: ppo", "the key env is missing"),
        ("kind: &a {x: *a}", "this is no YAML: it contains itself, or is nested too deeply$"),
        ("kind: " + 5000 * "[", "this is no YAML: it contains itself, or is nested too deeply$"),
    ],
)
def test_a_file_that_is_no_config(text: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(ValueError, match=fault):
        read_config(tmp_path / "a.yaml")


@pytest.mark.parametrize("kind", ["value", "rollout"])
def test_no_more_games_than_memory_holds(kind: str) -> None:
    with pytest.raises(ValueError, match="games: Expected int <= 100000$"):
        read_config(CHECKOUT / f"{kind}_smoke.yaml", ["games=100001"])


def test_a_key_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SOLO.read_text() + "steps: 5  # again\n")
    with pytest.raises(ValueError, match="a.yaml: the key steps stands there twice"):
        read_config(tmp_path / "a.yaml")


def test_the_path_comes_before_our_own_names(tmp_path: Path) -> None:
    (tmp_path / SOLO.name).write_text("")
    assert find_config(tmp_path / SOLO.name) == tmp_path / SOLO.name
    assert find_config(Path("nowhere") / SOLO.name) == FOLDER / SOLO.name
    with pytest.raises(
        ValueError, match=r"there is no config x.yaml: name a YAML file, or one of ours: ppo_real.*ppo_solo_sm"
    ):
        find_config(Path("x.yaml"))


def test_differences_are_named_with_their_path() -> None:
    told = read_config(SOLO)
    assert differences(told, told) == []
    assert differences(told, read_config(SOLO, ["seed=2", "table.ring=true"])) == ["seed", "table.ring"]


def table(*overrides: str) -> Settings:
    config = read_config(SOLO, overrides)
    assert isinstance(config, PPO)
    return config.table.settings()


def test_a_table_is_played_as_it_says() -> None:
    assert table() == one_mind()
    pair = ["table.preset=normal", "table.tempo=slow", "table.stock=9", "table.calls=true", "table.ring=false"]
    assert table(*pair) == real_time("normal", stock=9, tempo="slow", ring=False)
    silent = ["table.preset=hard", "table.seats=3", "table.tempo=brisk"]
    assert table(*silent) == real_time("hard", seats=3, calls=False)
    assert table("table.preset=hard", "table.seats=3") == one_mind("hard", piles=3)
