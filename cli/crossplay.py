"""`gipfelsturm crossplay`: everybody beside everybody, such as what several trainings came to."""

from pathlib import Path
from typing import Annotated

import tyro
from rich import box
from rich.table import Table

from gipfelsturm.agents.intervals import percent
from gipfelsturm.agents.weights import weights_file
from gipfelsturm.cli.games_bar import games_bar, wide_console
from gipfelsturm.cli.pairs import played
from gipfelsturm.envs.rules.settings import real_time
from gipfelsturm.training.crossplay import CrossPlayReport, cross_play_report, pairs
from gipfelsturm.training.json_file import check_writable, write_json


def crossplay(
    agents: Annotated[
        tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="RUN|WEIGHTS|NAME...", help_behavior_hint="")
    ],
    preset: str = "normal",
    tempo: str = "brisk",
    games: int = 4000,
    first_deal: int = 0,
    seed: int = 0,
    json: Path | None = None,
    threads: int | None = None,
) -> None:
    """Let everybody play with everybody in real time, and tell what self-play has over cross-play.

    Args:
        agents: Folders of runs, files of weights, or players by name; two at least.
        preset: The table for two: normal, hard, expert, easy, blitz, tripeaks.
        tempo: Of both hands: instant, brisk, steady, slow, person, pause/reach/carry/draw in ms.
        games: Deals of each pair, half of them either way round.
        first_deal: Number of the first deal.
        seed: Seed of the players' random choices.
        json: Write the report to this file too.
        threads: One for each core if left out; results do not depend on it.
    """
    names = tuple(map(_name, agents))
    settings = real_time(preset, seats=2, tempo=tempo)
    if json is not None:
        check_writable(json)
    console = wide_console()
    with games_bar(console, pairs(names) * games) as progress:
        report = cross_play_report(
            f"{preset} {tempo}",
            settings,
            names,
            games,
            first_deal=first_deal,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    console.print(_table(report))
    console.print(_footnote(report), soft_wrap=True)
    if json is not None:
        write_json(json, report)


def _name(agent: str) -> str:
    """The name of the player that a run, a file of weights or a name stands for."""
    path = Path(agent)
    is_file = path.suffix == ".safetensors" and "@" not in agent
    return f"learned@{weights_file(path)}" if is_file or path.is_dir() else agent


def _table(report: CrossPlayReport) -> Table:
    table = Table(title=f"Cross-play: games won of {report.setting}, percent", box=box.SIMPLE_HEAD)
    table.add_column("", overflow="fold")
    for number, _ in enumerate(report.rows, 1):
        table.add_column(f"beside {number}", justify="right")
    table.add_column("self-play less cross-play", justify="right", no_wrap=True)
    for number, row in enumerate(report.rows, 1):
        rates = [f"{100 * rate.value:.2f}" for rate in row.win_rates.values()]
        table.add_row(f"{number} {row.agent}", *rates, percent(row.gap, "+"))
    return table


def _footnote(report: CrossPlayReport) -> str:
    return (
        f"Self-play {percent(report.self_play)}, cross-play {percent(report.cross_play)}, difference on the same deals "
        f"{percent(report.gap, '+')}, with 95 % intervals over deals. {report.games:,} games of each pair, "
        + played(report.games, report.first_deal, report.seed, report.versions)
    )
