"""`gipfelsturm partners`: a teammate beside the partners that are held out of training."""

from pathlib import Path
from typing import Annotated

import msgspec
import tyro
from rich import box
from rich.table import Table

from gipfelsturm.agents.intervals import percent
from gipfelsturm.cli.games_bar import games_bar, wide_console
from gipfelsturm.cli.pairs import played
from gipfelsturm.envs.rules.settings import real_time
from gipfelsturm.training.json_file import check_writable, write_json
from gipfelsturm.training.partners import PartnerRow, PartnersReport, beside_partners, players_of, read_partners


def partners(
    agent: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME")],
    preset: str = "normal",
    tempo: str = "brisk",
    games: int | None = None,
    seed: int = 0,
    json: Path | None = None,
    threads: int | None = None,
) -> None:
    """Let an agent play beside each partner of configs/partners.yaml, and others on the same deals as well.

    Args:
        agent: A player by name, or as module:factory; or the same from several seeds of training, which count alike.
        preset: The table for two: normal, hard, expert, easy, blitz, tripeaks.
        tempo: Of both hands: instant, brisk, steady, slow, person, pause/reach/carry/draw in ms.
        games: Deals with each partner, half of them from either seat; if left out as many as the config says.
        seed: Seed of the players' random choices, and of the bootstrap.
        json: Write the report to this file too.
        threads: One for each core if left out; results do not depend on it.
    """
    told = read_partners()
    if games is not None:
        told = msgspec.structs.replace(told, games=games)
    settings = real_time(preset, seats=2, tempo=tempo)
    if json is not None:
        check_writable(json)
    console = wide_console()
    with games_bar(console, len(players_of(agent, told)) * len(told.partners) * told.games) as progress:
        report = beside_partners(
            f"{preset} {tempo}", settings, agent, told, seed=seed, threads=threads, progress=progress
        )
    console.print(_table(report))
    console.print(_footnote(report), soft_wrap=True)
    if json is not None:
        write_json(json, report)


def _table(report: PartnersReport) -> Table:
    title = f"{', '.join(report.agents)} beside partners: games won of {report.setting}, percent"
    table = Table(title=title, box=box.SIMPLE_HEAD)
    table.add_column("partner")
    table.add_column("won", justify="right")
    table.add_column("best", justify="right", overflow="fold")
    for name in ("of the best", *(f"against {name}" for name in report.pooled.differences)):
        table.add_column(name, justify="right", no_wrap=True)
    for row in report.rows:
        table.add_row(*_cells(row, report.agents), end_section=row is report.rows[-1])
    table.add_row(*_cells(report.pooled, report.agents))
    return table


def _cells(row: PartnerRow, agents: list[str]) -> list[str]:
    won = sum(row.win_rates[agent].value for agent in agents) / len(agents)
    best = f"{100 * row.win_rates[row.best].value:.2f} {row.best}" if row.best else ""
    against = [percent(each, "+") for each in row.differences.values()]
    return [row.partner, f"{100 * won:.2f}", best, percent(row.proximity), *against]


def _footnote(report: PartnersReport) -> str:
    robust = report.robustness
    return (
        "'best': who of our agents wins most with the same partner; 'of the best': games won in percent of those; "
        "'against': the paired difference on the same deals beside the same partner; 'all': each partner counts alike. "
        f"Interquartile means over partners, seats and seeds: {percent(robust.win_rate)} of the games won, "
        f"{percent(robust.proximity)} of the best. All with 95 % intervals, those of the best and of the interquartile "
        f"means by {robust.replicates:,} bootstrap replicates. {report.games:,} games with each partner, "
        + played(report.games, report.first_deal, report.seed, report.versions)
    )
