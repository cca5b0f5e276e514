"""README's snippets run as they stand, and are as short as it promises."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text()
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
