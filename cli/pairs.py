"""What the commands on pairs at the real-time table share: a bar of games, intervals, on what figures stand."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn


def wide_console() -> Console:
    """The terminal, or 120 columns where there is none."""
    return Console(width=None if Console().is_terminal else 120)


@contextmanager
def games_bar(console: Console, total: int) -> Iterator[Callable[[int], None]]:
    """A bar while games are played; what it gives is to be called with the number of games that are done."""
    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("games", total=total)
        yield lambda done: bar.advance(task, done)


def played(games: int, first_deal: int, seed: int, versions: Mapping[str, str]) -> str:
    """On what figures stand."""
    made = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"half from either seat, deals {first_deal} to {first_deal + games - 1}, seed {seed}; {made}."
