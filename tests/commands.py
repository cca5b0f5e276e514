"""The commands as their users call them: in this process, which has imported all, or in one of their own."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from gipfelsturm.cli import main

GIPFELSTURM = Path(sys.executable).with_name("gipfelsturm")
WIDE = {"COLUMNS": "120"}


class Done(NamedTuple):
    """What is left of a command."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str | Path) -> Done:
    """Call a command in this process, which takes a hundredth of the time."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    with contextlib.ExitStack() as changed:
        changed.enter_context(mock.patch.object(sys, "argv", ["gipfelsturm", *map(str, arguments)]))
        changed.enter_context(mock.patch.object(sys, "path", list(sys.path)))
        changed.enter_context(mock.patch.dict(os.environ, WIDE))
        changed.enter_context(contextlib.redirect_stdout(out))
        changed.enter_context(contextlib.redirect_stderr(err))
        try:
            main()
        except SystemExit as end:
            assert isinstance(end.code, int)
            status = end.code
    return Done(status, out.getvalue(), err.getvalue())


def run_process(*arguments: str | Path, folder: Path | None = None) -> Done:
    """Call a command in a process of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | WIDE
    command = [GIPFELSTURM, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, check=False)
    return Done(done.returncode, done.stdout, done.stderr)
