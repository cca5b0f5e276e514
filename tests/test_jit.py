"""The door to compiled code: what it keeps, where, and for how long. Each test runs a copy of the package."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("envs", "agents", "training", "cli", "benchmarks")
JIT = Path("envs/rules/jit.py")
ASK = """
from gipfelsturm.envs.rules import jit
assert jit.__file__.startswith({copy!r}), jit.__file__
print(jit.CACHE_DIR, jit.CACHED, sep="|", end="|")
"""
# `tie_seed` is compiled in deals.py, and most of it is `mix` of chance.py.
CALL = """
import numpy as np
from gipfelsturm.envs.rules.deals import tie_seed
print(tie_seed(np.uint64(5)), tie_seed.stats.cache_hits.total(), sep="|")
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the rules under their installed name, without what `gipfelsturm.envs` registers (it takes a second)."""
    copy = tmp_path / "sources" / "gipfelsturm"
    shutil.copytree(ROOT / "envs" / "rules", copy / "envs" / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "envs" / "__init__.py").touch()
    return copy


def process(package: Path, code: str, **environment: str) -> list[str]:
    """What the code prints, between `|`, in a process of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", code.format(copy=str(package))],
        env=kept | {"PYTHONPATH": str(package.parent)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip().split("|")


def cache(package: Path, **environment: str) -> tuple[Path, bool]:
    """The cache folder, and whether it is used."""
    folder, cached, _ = process(package, ASK, **environment)
    return Path(folder), cached == "True"


def run(package: Path, **environment: str) -> tuple[Path, bool, int, int]:
    """The same, a tie seed, and how often the code for it was there."""
    folder, cached, seed, hits = process(package, ASK + CALL, **environment)
    return Path(folder), cached == "True", int(seed), int(hits)


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_code_is_kept_until_any_source_changes(package: Path, tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")
    folder, cached, seed, hits = run(package, NUMBA_CACHE_DIR=kept)
    assert (folder.parent, cached, hits) == (tmp_path / "kept", True, 0)
    assert list(folder.rglob("*.nbc"))
    assert run(package, NUMBA_CACHE_DIR=kept) == (folder, True, seed, 1)
    # A callee in another file than its caller: Numba by itself would go on with the old code.
    edit(package / "envs" / "rules" / "chance.py", "0xBF58476D1CE4E5B9", "0xBF58476D1CE4E5BB")
    other_folder, _, other_seed, hits = run(package, NUMBA_CACHE_DIR=kept)
    assert (other_folder.parent, hits) == (folder.parent, 0)
    assert other_folder != folder
    assert other_seed != seed


def test_every_source_counts(package: Path, tmp_path: Path) -> None:
    folder, _ = cache(package, NUMBA_CACHE_DIR=str(tmp_path))
    (package / "agents").mkdir()
    (package / "agents" / "mine.py").write_text("A = 1\n", encoding="utf-8")
    assert cache(package, NUMBA_CACHE_DIR=str(tmp_path))[0] != folder


def test_without_a_folder_of_its_own_it_uses_the_home_of_caches(package: Path, tmp_path: Path) -> None:
    folder, cached = cache(package, XDG_CACHE_HOME=str(tmp_path / "home"))
    assert (folder.parent, cached) == (tmp_path / "home" / "gipfelsturm" / "numba", True)


def test_code_of_other_sources_goes_when_nobody_has_used_it_for_a_month(package: Path, tmp_path: Path) -> None:
    own, _, _, _ = run(package, NUMBA_CACHE_DIR=str(tmp_path))
    old, young, other = (tmp_path / name for name in ("0123456789abcdef", "fedcba9876543210", "somebody's"))
    for folder, days in ((old, 31), (young, 29), (other, 31), (own, 31)):
        (folder / "inside").mkdir(parents=True)
        os.utime(folder, times=(time.time() - 86_400 * days,) * 2)
    assert run(package, NUMBA_CACHE_DIR=str(tmp_path))[3] == 1, "what is used stays"
    assert [folder.exists() for folder in (old, young, other, own)] == [False, True, True, True]
    assert time.time() - own.stat().st_mtime < 86_400


def test_a_folder_that_cannot_be_written_costs_only_time(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    before = sorted(package.rglob("*"))
    _, cached, seed, hits = run(package, NUMBA_CACHE_DIR=str(tmp_path / "file" / "below"), PYTHONDONTWRITEBYTECODE="1")
    assert (cached, hits) == (False, 0)
    assert sorted(package.rglob("*")) == before, "nothing is kept beside the sources"
    assert seed == run(package, NUMBA_CACHE_DIR=str(tmp_path / "cache"))[2]


def test_there_is_no_other_door() -> None:
    sources = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
    assert ROOT / JIT in sources
    doors = [file for file in sources if "njit" in (text := file.read_text(encoding="utf-8")) or "import numba" in text]
    assert doors == [ROOT / JIT]
