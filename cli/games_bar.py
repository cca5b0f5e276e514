"""What the commands that measure players share: where they print, and a bar of games."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def wide_console() -> Console:
    """The terminal, or 120 columns where there is none."""
    return Console(width=None if Console().is_terminal else 120)


@contextmanager
def games_bar(console: Console, total: int) -> Iterator[Callable[[int], None]]:
    """A bar while games are played; what it gives is to be called with the number of games that are done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("games", total=total)
        yield lambda done: bar.advance(task, done)
