"""Files of weights: read as they were written, and refused whenever anything does not fit."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors import numpy as safetensors

from gipfelsturm.agents import weights
from gipfelsturm.agents.weights import Origin, Tensor, load_weights, read_description, save_weights
from gipfelsturm.envs.rules.settings import one_mind, real_time

ARRAYS: dict[str, NDArray[Any]] = {
    "first": np.arange(12, dtype=np.float32).reshape(3, 4),
    "second": np.arange(12, 24, dtype=np.float32).reshape(3, 4),
    "half": np.ones(2, np.float16),
    "whole": np.array([[-9, 9]], np.int16),
}
EXPECT = {
    "first": Tensor((3, 4)),
    "second": Tensor((3, 4)),
    "half": Tensor((2,), "float16"),
    "whole": Tensor((1, 2), "int16", 9),
}
ORIGIN = Origin(
    kind="ppo",
    config={"hidden": [3]},
    command="gipfelsturm train",
    versions={"numpy": "2"},
    tables={"solo": one_mind(), "pair": real_time("normal")},
    measured=[{"won": 0.5}],
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "w.safetensors"
    save_weights(path, ARRAYS, ORIGIN)
    return path


def rewrite(file: Path, arrays: dict[str, NDArray[Any]], *, describe: bool) -> None:
    """Write other tensors, and have the JSON describe them or not."""
    content = safetensors.save(arrays)
    file.write_bytes(content)
    if describe:
        change(file, "content", hashlib.sha256(content).hexdigest())


def change(file: Path, field: str, value: object) -> None:
    beside = file.with_suffix(".json")
    beside.write_text(json.dumps(json.loads(beside.read_text()) | {field: value}))


def test_they_are_read_as_they_were_written(file: Path) -> None:
    found = load_weights(file, EXPECT)
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_the_order_in_memory_does_not_count(file: Path) -> None:
    save_weights(file, ARRAYS | {"first": np.asfortranarray(ARRAYS["first"])}, ORIGIN)
    np.testing.assert_array_equal(load_weights(file, EXPECT)["first"], ARRAYS["first"])


def test_the_description_tells_all_that_it_was_given(file: Path) -> None:
    description = read_description(file)
    assert (description.kind, description.config, description.command) == ("ppo", {"hidden": [3]}, "gipfelsturm train")
    assert description.tables == ORIGIN.tables
    assert (description.versions, description.measured) == ({"numpy": "2"}, [{"won": 0.5}])


def test_the_same_weights_are_the_same_files(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.safetensors"
    save_weights(other, dict(reversed(ARRAYS.items())), ORIGIN)
    assert other.read_bytes() == file.read_bytes()
    assert other.with_suffix(".json").read_bytes() == file.with_suffix(".json").read_bytes()


def missing(file: Path) -> None:
    rewrite(file, {name: ARRAYS[name] for name in ("first", "half", "whole")}, describe=True)


def extra(file: Path) -> None:
    rewrite(file, ARRAYS | {"third": ARRAYS["first"]}, describe=True)


def reshaped(file: Path) -> None:
    rewrite(file, ARRAYS | {"first": ARRAYS["first"].T.copy()}, describe=True)


def other_type(file: Path) -> None:
    rewrite(file, ARRAYS | {"first": ARRAYS["first"].astype(np.float64)}, describe=True)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-4])


def cut_and_described(file: Path) -> None:
    content = safetensors.save(ARRAYS)[:-4]
    file.write_bytes(content)
    change(file, "content", hashlib.sha256(content).hexdigest())


def swapped(file: Path) -> None:
    rewrite(file, ARRAYS | {"first": ARRAYS["second"], "second": ARRAYS["first"]}, describe=False)


def permuted(file: Path) -> None:
    rewrite(file, ARRAYS | {"first": ARRAYS["first"][::-1].copy()}, describe=False)


def too_great(file: Path) -> None:
    rewrite(file, ARRAYS | {"whole": np.array([[9, -10]], np.int16)}, describe=True)


def least_of_its_type(file: Path) -> None:
    rewrite(file, ARRAYS | {"whole": np.array([[9, -(2**15)]], np.int16)}, describe=True)


def type_without_numbers(file: Path) -> None:
    """Half as long as float32, of which numpy has no kind."""
    content = safetensors.save(ARRAYS).replace(b'"F16"', b'"BF16"').replace(b"  ", b" ", 1)
    file.write_bytes(content)
    change(file, "content", hashlib.sha256(content).hexdigest())


def not_a_number(file: Path) -> None:
    rewrite(file, ARRAYS | {"first": np.full((3, 4), np.nan, np.float32)}, describe=True)


def endless(file: Path) -> None:
    rewrite(file, ARRAYS | {"half": np.array([1, np.inf], np.float16)}, describe=True)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (missing, "lacks tensor 'second': it belongs to another network"),
        (extra, "has an unknown tensor 'third': it belongs to another network"),
        (reshaped, r"must be float32 of shape \(3, 4\), not float32 of shape \(4, 3\)"),
        (other_type, r"must be float32 of shape \(3, 4\), not float64 of shape \(3, 4\)"),
        (cut, "is not the file that the JSON beside it describes"),
        (cut_and_described, "is no file of weights"),
        (swapped, "is not the file that the JSON beside it describes"),
        (permuted, "is not the file that the JSON beside it describes"),
        (too_great, "tensor 'whole' of .* has values beyond 9, which do not add up"),
        (least_of_its_type, "tensor 'whole' of .* has values beyond 9, which do not add up"),
        (type_without_numbers, "w.safetensors is no file of weights: 'BF16'"),
        (not_a_number, "tensor 'first' of .* has 12 values that are no number"),
        (endless, "tensor 'half' of .* has 1 values that are no number"),
        (lambda file: change(file, "env", "v9"), "was trained for environments v9, these are v0: train it anew"),
        (lambda file: change(file, "observation", "0" * 64), "was trained for observations 000000000000, these are"),
        (lambda file: change(file, "actions", "0" * 64), "was trained for action numbers 000000000000, these are"),
        (lambda file: change(file, "tables", {}), "w.json names no table that w.safetensors was trained for: train"),
        (lambda file: change(file, "stray", 1), "w.json is no description of weights: .*stray"),
        (lambda file: file.with_suffix(".json").write_text("{"), "w.json is no description of weights"),
        (lambda file: file.with_suffix(".json").write_bytes(b'"\xff"'), "w.json is no description of weights"),
        (lambda file: file.with_suffix(".json").unlink(), "cannot read .*w.json: No such file"),
        (lambda file: file.unlink(), "cannot read .*w.safetensors: No such file"),
    ],
)
def test_what_does_not_fit_is_refused(file: Path, spoil: Callable[[Path], None], fault: str) -> None:
    spoil(file)
    with pytest.raises(ValueError, match=fault) as caught:
        load_weights(file, EXPECT)
    assert "\n" not in str(caught.value)


def test_another_name_or_no_number_is_not_even_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="weights are files named NAME.safetensors, not .*w.npz"):
        save_weights(tmp_path / "w.npz", ARRAYS, ORIGIN)
    with pytest.raises(ValueError, match="tensor 'a' of .* has 1 values that are no number"):
        save_weights(tmp_path / "w.safetensors", {"a": np.array([1, np.nan])}, ORIGIN)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("table", ["fields", "action_text"])
def test_the_digests_notice_a_change_of_layout(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = weights.observation_digest if table == "fields" else weights.action_digest
    before = digest()
    assert digest() == before
    original = getattr(weights, table)

    def other(first: int, second: object) -> object:
        made = original(first, second)
        return dict(list(made.items())[:-1]) if isinstance(made, dict) else made + "!"

    monkeypatch.setattr(weights, table, other)
    assert digest() != before
