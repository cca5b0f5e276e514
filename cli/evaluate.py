"""`gipfelsturm evaluate`: players on the same deals, beside the published figures."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import tyro
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.envs.rules.settings import Settings, one_mind
from gipfelsturm.training.comparison import Report, Row, compare
from gipfelsturm.training.json_file import check_writable, write_json
from gipfelsturm.training.published import PUBLISHED
from gipfelsturm.training.statistics import Interval

TEAMS = ("random", "careful", "uncover", "lookahead")
GAMES = 200_000
SLOW_GAMES = {"lookahead": 20_000}


def evaluate(
    preset: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME")] = (),
    agents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME")] = TEAMS,
    games: int | None = None,
    first_deal: int = 0,
    seed: int = 0,
    published: tyro.conf.FlagCreatePairsOff[bool] = False,
    json: Path | None = None,
    threads: int | None = None,
) -> None:
    """Play numbered deals as one mind, without time, and print how many were won.

    Args:
        preset: Presets to play: tripeaks (if none is named), normal, hard, expert, easy, blitz.
        agents: Players by name, or as module:factory; each is compared with the first.
        games: Deals for each player; 200,000 if left out, 20,000 for lookahead.
        first_deal: Number of the first deal.
        seed: Seed of the players' random choices.
        published: Play the five settings of the published simulation instead of presets.
        json: Write the rows to this file too.
        threads: One for each core if left out; results do not depend on it.
    """
    settings = _settings(preset, published)
    teams = _teams(agents, games)
    if json is not None:
        check_writable(json)
    console = Console(width=None if Console().is_terminal else 120)
    with _progress(console) as bar:
        task = bar.add_task("games", total=len(settings) * sum(teams.values()))
        report = compare(
            settings,
            teams,
            first_deal=first_deal,
            seed=seed,
            threads=threads,
            progress=lambda done: bar.advance(task, done),
        )
    console.print(_table(report))
    for line in _footnotes(report, published):
        console.print(line, soft_wrap=True)
    if json is not None:
        write_json(json, report)


def _settings(presets: tuple[str, ...], published: bool) -> dict[str, Settings]:
    if published and presets:
        raise ValueError("--published plays settings of its own: leave out --preset")
    _once("preset", presets)
    if published:
        return {name: row.settings for name, row in PUBLISHED.items()}
    return {name: one_mind(name) for name in presets or ("tripeaks",)}


def _once(what: str, names: tuple[str, ...]) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"{what} {name!r} is named {times} times: name it once")


def _teams(agents: tuple[str, ...], games: int | None) -> dict[str, int]:
    if not agents:
        raise ValueError("--agents names nobody: name at least one player")
    _once("agent", agents)
    for name in agents:
        make_agent(name)
    if games is not None and games < 1:
        raise ValueError(f"games must be 1 or more, not {games}")
    return {name: games or SLOW_GAMES.get(name, GAMES) for name in agents}


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)


def _percent(interval: Interval, sign: str = "") -> str:
    value, low, high = (100 * figure for figure in interval)
    return f"{value:{sign}.2f} [{low:{sign}.2f}, {high:{sign}.2f}]"


def _table(report: Report) -> Table:
    table = Table(title="Games won, in percent, with 95 % intervals", box=box.SIMPLE_HEAD)
    table.add_column("setting")
    table.add_column("player", overflow="fold")
    for name in ("published", "won", "against the first", "score", "streak", "games"):
        table.add_column(name, justify="right", no_wrap=True)
    for i, row in enumerate(report.rows):
        last = i + 1 == len(report.rows) or report.rows[i + 1].setting != row.setting
        table.add_row(*_cells(row), end_section=last)
    return table


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.setting,
        row.team,
        "" if row.published_percent is None else f"{row.published_percent:g}",
        _percent(row.win_rate),
        "" if row.difference is None else _percent(row.difference, "+"),
        "" if row.mean_score is None else f"{row.mean_score:.2f}",
        f"{row.mean_longest_streak:.2f} / {row.longest_streak}",
        f"{row.games:,}",
    )


def _footnotes(report: Report, published: bool) -> list[str]:
    first = report.rows[0]
    made = ", ".join(f"{name} {number}" for name, number in report.versions.items())
    lines = [
        f"One mind for all piles, no clock; deals {first.first_deal} onwards, seed {first.seed}; {made}.",
        f"'against the first': the paired difference to {first.team} on the deals that both played; "
        "'score': mean stock left of won games; 'streak': mean / longest of the longest streaks.",
    ]
    if published:
        lines.append(
            "The published strategy and sample size are unknown; `careful` is our reconstruction of it. The published "
            "solo figure lies below random play: to beat it proves nothing."
        )
    return lines
