"""The commands as `gipfelsturm` runs them, in this process: the machine code of the rules is loaded once."""

import sys
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest

from gipfelsturm import cli


class Called(NamedTuple):
    """What became of a command."""

    status: int
    out: str
    err: str


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Called:
    """Run a command with these arguments, and take what it prints."""
    capsys.readouterr()
    status = 0
    path = sys.path.copy()
    with mock.patch.object(sys, "argv", ["gipfelsturm", *map(str, arguments)]), mock.patch.object(sys, "path", path):
        try:
            cli.main()
        except SystemExit as end:
            status = int(end.code or 0)
    return Called(status, *capsys.readouterr())
