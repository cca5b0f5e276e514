"""`gipfelsturm partners`: a teammate beside the partners that are held out of training."""

from pathlib import Path

import msgspec
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from gipfelsturm.agents.intervals import Interval
from gipfelsturm.envs.rules.settings import real_time
from gipfelsturm.training.crossplay import PartnerRow, PartnersReport, beside_partners, read_partners, teammates
from gipfelsturm.training.json_file import check_writable, write_json


def partners(
    agent: str,
    preset: str = "normal",
    tempo: str = "brisk",
    games: int | None = None,
    seed: int = 0,
    json: Path | None = None,
    threads: int | None = None,
) -> None:
    """Let an agent play beside each partner of configs/partners.yaml, and each baseline on the same deals as well.

    Args:
        agent: A player by name, or as module:factory.
        preset: The table for two: normal, hard, expert, easy, blitz, tripeaks.
        tempo: Of both hands: instant, brisk, steady, slow, person, pause/reach/carry/draw in ms.
        games: Deals with each partner, half of them from either seat; if left out as many as the config says.
        seed: Seed of the players' random choices.
        json: Write the report to this file too.
        threads: One for each core if left out; results do not depend on it.
    """
    told = read_partners()
    if games is not None:
        told = msgspec.structs.replace(told, games=games)
    settings = real_time(preset, seats=2, tempo=tempo)
    if json is not None:
        check_writable(json)
    console = Console(width=None if Console().is_terminal else 120)
    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("games", total=len(teammates(agent, told)) * len(told.partners) * told.games)
        report = beside_partners(
            f"{preset} {tempo}",
            settings,
            agent,
            told,
            seed=seed,
            threads=threads,
            progress=lambda done: bar.advance(task, done),
        )
    console.print(_table(report))
    console.print(_footnote(report), soft_wrap=True)
    if json is not None:
        write_json(json, report)


def _table(report: PartnersReport) -> Table:
    table = Table(title=f"{report.agent} beside partners: games won of {report.setting}, percent", box=box.SIMPLE_HEAD)
    table.add_column("partner")
    for name in report.pooled.win_rates:
        table.add_column(name, justify="right", overflow="fold")
    for name in report.pooled.differences:
        table.add_column(f"against {name}", justify="right", no_wrap=True)
    for row in report.rows:
        table.add_row(*_cells(row), end_section=row is report.rows[-1])
    table.add_row(*_cells(report.pooled))
    return table


def _cells(row: PartnerRow) -> list[str]:
    rates = [f"{100 * rate.value:.2f}" for rate in row.win_rates.values()]
    return [row.partner, *rates, *map(_points, row.differences.values())]


def _points(interval: Interval) -> str:
    value, low, high = (100 * figure for figure in interval)
    return f"{value:+.2f} [{low:+.2f}, {high:+.2f}]"


def _footnote(report: PartnersReport) -> str:
    made = ", ".join(f"{name} {number}" for name, number in report.versions.items())
    last = report.first_deal + report.games - 1
    return (
        f"'against': the paired difference on the same deals beside the same partner, with 95 % intervals; 'all': each "
        f"partner counts alike. {report.games:,} games with each partner, half from either seat, deals "
        f"{report.first_deal} to {last}, seed {report.seed}; {made}."
    )
