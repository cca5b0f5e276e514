"""`gipfelsturm calls`: what it is worth to heed calls, and what the silent variant costs."""

from pathlib import Path

from rich import box
from rich.table import Table

from gipfelsturm.agents.intervals import percent
from gipfelsturm.cli.games_bar import games_bar, wide_console
from gipfelsturm.cli.pairs import played
from gipfelsturm.envs.rules.settings import real_time
from gipfelsturm.training.json_file import check_writable, write_json
from gipfelsturm.training.partners import read_partners
from gipfelsturm.training.talk import FORMS, TalkReport, worth_of_calls


def calls(
    agent: str = "learned",
    preset: str = "normal",
    tempo: str = "brisk",
    games: int | None = None,
    seed: int = 0,
    json: Path | None = None,
    threads: int | None = None,
) -> None:
    """Let an agent make and heed calls, make them alone, and be silent, beside itself and beside who talks.

    Args:
        agent: A player by name, or as module:factory; it makes true calls in place of waiting.
        preset: The table for two: normal, hard, expert, easy, blitz, tripeaks.
        tempo: Of both hands: instant, brisk, steady, slow, person, pause/reach/carry/draw in ms.
        games: Deals of each pair, half of them from either seat; if left out as many as configs/partners.yaml says.
        seed: Seed of the players' random choices.
        json: Write the report to this file too.
        threads: One for each core if left out; results do not depend on it.
    """
    told = read_partners()
    count = told.games if games is None else games
    settings = real_time(preset, seats=2, tempo=tempo)
    if json is not None:
        check_writable(json)
    console = wide_console()
    with games_bar(console, len(FORMS) * (1 + len(told.talkers)) * count) as progress:
        report = worth_of_calls(
            f"{preset} {tempo}",
            settings,
            agent,
            told.talkers,
            count,
            first_deal=told.first_deal,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    console.print(_table(report))
    console.print(_footnote(report), soft_wrap=True)
    if json is not None:
        write_json(json, report)


def _table(report: TalkReport) -> Table:
    table = Table(title=f"{report.agent} and calls: games won of {report.setting}, percent", box=box.SIMPLE_HEAD)
    table.add_column("partner")
    for form in FORMS:
        table.add_column(form, justify="right")
    table.add_column("heeding wins", justify="right", no_wrap=True)
    table.add_column("silence costs", justify="right", no_wrap=True)
    for row in report.rows:
        rates = [f"{100 * row.win_rates[form].value:.2f}" for form in FORMS]
        table.add_row(row.partner, *rates, percent(row.heeding, "+"), percent(row.silence, "+"))
    return table


def _footnote(report: TalkReport) -> str:
    return (
        "'heeding' makes calls and heeds them, 'deaf' makes the same and heeds none, 'silent' is the table without "
        "calls; 'heeding wins' and 'silence costs': heeding less deaf, and less silent, on the same deals, with 95 % "
        f"intervals. {report.games:,} games with each partner, "
        + played(report.games, report.first_deal, report.seed, report.versions)
    )
