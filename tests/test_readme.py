"""README's snippets run as they stand, and are as short as it promises; its commands do what they say and no more."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_there_are_snippets() -> None:
    assert len(SNIPPETS) >= 5


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_snippet_runs(snippet: str) -> None:
    names: dict[str, object] = {"__name__": "snippet"}
    exec(compile(snippet, "README.md", "exec"), names)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_snippet_is_short(snippet: str) -> None:
    lines = [line for line in snippet.splitlines() if line.strip()]
    assert len(lines) <= 10


@pytest.mark.parametrize("target", ["evaluate", "benchmark"])
def test_make_measures_without_starting_the_server(target: str) -> None:
    """The folder `play` has the name of a target, and must not be taken for it."""
    planned = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"gipfelsturm {target}" in planned
    assert "gipfelsturm play" not in planned
