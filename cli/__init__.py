"""The command line: one file a command."""

import os
import sys
from collections.abc import Callable

from gipfelsturm.cli.arguments import parse
from gipfelsturm.cli.benchmark import benchmark
from gipfelsturm.cli.calls import calls
from gipfelsturm.cli.crossplay import crossplay
from gipfelsturm.cli.evaluate import evaluate
from gipfelsturm.cli.hint import hint
from gipfelsturm.cli.partners import partners
from gipfelsturm.cli.play import play
from gipfelsturm.cli.report import report
from gipfelsturm.cli.solve import solve
from gipfelsturm.cli.train import train
from gipfelsturm.cli.watch import watch
from gipfelsturm.envs.rules.jit import CACHE_DIR

COMMANDS: dict[str, Callable[..., None]] = {
    "play": play,
    "watch": watch,
    "evaluate": evaluate,
    "partners": partners,
    "crossplay": crossplay,
    "calls": calls,
    "solve": solve,
    "hint": hint,
    "train": train,
    "report": report,
    "benchmark": benchmark,
}


def main() -> None:
    """Run the command that the arguments name; a fault is one line on standard error, and exit status 2.

    Modules in the current folder can be imported, so that `module:factory` finds an agent of one's own.
    """
    sys.path.append(os.getcwd())
    if sys.stderr.isatty() and not any(CACHE_DIR.glob("*")):
        print("gipfelsturm: the first start compiles what it needs, for about a minute", file=sys.stderr)
    try:
        parse(COMMANDS)()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read along has seen enough, as `| head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python would still write at its end
        sys.exit(1)
    except (ValueError, OSError) as fault:
        print(f"gipfelsturm: {fault}", file=sys.stderr)
        sys.exit(2)
    except MemoryError as fault:
        print(f"gipfelsturm: the memory does not suffice for so much: {str(fault) or 'ask for less'}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("gipfelsturm: interrupted", file=sys.stderr)
        sys.exit(130)
