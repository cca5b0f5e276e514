"""The tables that `gipfelsturm evaluate` prints of a report."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table

from gipfelsturm.agents.catalogue import ORACLE
from gipfelsturm.agents.intervals import percent
from gipfelsturm.training.comparison import RealTime, Report, Row, tempo_of


class Form(NamedTuple):
    """How a table is laid."""

    wide: bool  # everything of a row on one line, the setting in front of it
    gap: str  # between the two parts of a cell


WIDE, NARROW = Form(True, " "), Form(False, "\n")
WIDEST = 1000
"""Columns in which every table has room."""
Line = tuple[str, str, tuple[str, ...]]
"""A setting, a team and its figures."""


def tables(report: Report, console: Console) -> Iterator[Table]:
    """Who won; of the real-time table also how the games went, and the curve where several tempos were played.

    Where the console is too narrow, settings have lines of their own, and intervals stand below their figures: names
    stay whole.
    """
    for wide, narrow in zip(_tables(report, WIDE), _tables(report, NARROW), strict=True):
        needed = console.measure(wide, options=console.options.update(max_width=WIDEST)).maximum
        yield wide if needed <= console.width else narrow


def _tables(report: Report, form: Form) -> Iterator[Table]:
    yield _wins(report.rows, form)
    timed = [(row, row.real_time) for row in report.rows if row.real_time is not None]
    if timed:
        yield _games(timed, form)
    if len({time.tempo for _, time in timed}) > 1:
        yield _curve(report.rows, {time.tempo: time.seconds_a_play for _, time in timed}, form)


def footnotes(report: Report) -> Iterator[str]:
    """What the figures were made with, and what the columns mean."""
    first = report.rows[0]
    made = ", ".join(f"{name} {number}" for name, number in report.versions.items())
    form = "One mind for all piles, no clock"
    if not first.settings.one_mind:
        form = f"A hand for each seat, ticks of {first.settings.tick_ms / 1000:g} s, the preset's clock if it has one"
    yield f"{form}; deals {first.first_deal} onwards, seed {first.seed}; {made}."
    yield (
        f"'against the first': the paired difference to {first.team} on the deals that both played; "
        "'score': mean stock left of won games; 'streak': mean / longest of the longest streaks."
    )
    if any(row.team == ORACLE for row in report.rows):
        yield "'oracle': how many of these deals one mind that sees every card can win, without time: nobody wins more."
    if any(row.unsettled for row in report.rows):
        yield "Where the solver's memory does not suffice, 'oracle' has two figures: won for certain, and won at most."
    if not first.settings.one_mind:
        yield (
            "'time-outs': games that the clock ended, in percent; then means over the games: 'seconds' on the clock, "
            "'missed' touches that found no card to play, cards 'returned' to their place, 'refused' commands."
        )


def _share(row: Row) -> str:
    """Of the games that are won, in percent; from how many to how many where some are not settled."""
    most = f" to {100 * (row.wins + row.unsettled) / row.games:.2f}" if row.unsettled else ""
    return f"{100 * row.win_rate.value:.2f}{most}"


def _won(row: Row, gap: str) -> str:
    return f"{_share(row)}{gap}[{100 * row.win_rate.low:.2f}, {100 * row.win_rate.high:.2f}]"


def _laid(title: str, columns: Iterable[str], lines: Iterable[Line], form: Form) -> Table:
    """A table with a section for each setting."""
    wide = form.wide
    table = Table(title=title, box=box.SIMPLE_HEAD, show_edge=wide, pad_edge=wide, collapse_padding=not wide)
    if wide:
        table.add_column("setting")
    table.add_column("team", overflow="fold")
    for name in columns:
        table.add_column(name if wide else name.replace(" ", "\n", 1), justify="right", no_wrap=True)
    for setting, section in groupby(lines, lambda line: line[0]):
        if not wide:
            table.add_row(setting)
        for _, team, figures in section:
            table.add_row(*((setting,) if wide else ()), team, *figures)
        table.add_section()
    return table


def _setting(row: Row) -> str:
    return row.setting if row.settings.one_mind else f"{row.setting} {tempo_of(row.settings)}"


def _wins(rows: list[Row], form: Form) -> Table:
    published = form.wide and any(row.published_percent is not None for row in rows)
    columns = ("won", "against the first", "score", "streak", "games")
    lines = []
    for row in rows:
        known = "" if row.published_percent is None else f"{row.published_percent:g}"
        cells = (
            _won(row, form.gap),
            "" if row.difference is None else percent(row.difference, "+").replace(" ", form.gap, 1),
            "" if row.mean_score is None else f"{row.mean_score:.2f}",
            "" if row.longest_streak is None else f"{row.mean_longest_streak:.2f} /{form.gap}{row.longest_streak}",
            f"{row.games:,}",
        )
        setting = _setting(row) if form.wide or not known else f"{_setting(row)}, published {known}"
        lines.append((setting, row.team, (known, *cells) if published else cells))
    title = "Games won, in percent, with 95 % intervals"
    return _laid(title, ("published", *columns) if published else columns, lines, form)


def _games(timed: list[tuple[Row, RealTime]], form: Form) -> Table:
    lines = []
    for row, time in timed:
        figures = (
            f"{100 * time.time_outs:.2f}",
            f"{time.seconds:.1f}",
            f"{time.missed:.2f}",
            f"{time.returned:.2f}",
            f"{time.refused:.2f}",
        )
        lines.append((_setting(row), row.team, figures))
    return _laid("How the games went", ("time-outs", "seconds", "missed", "returned", "refused"), lines, form)


def _curve(rows: list[Row], seconds: dict[str, float], form: Form) -> Table:
    """Rows of setting and team, columns of tempos with their seconds a play, from the quickest."""
    tempos = sorted(seconds, key=seconds.__getitem__)
    won = {(row.setting, row.team, tempo_of(row.settings)): _share(row) for row in rows}
    lines = [
        (setting, team, tuple(won[setting, team, tempo] for tempo in tempos))
        for setting, team in dict.fromkeys((row.setting, row.team) for row in rows)
    ]
    columns = [f"{seconds[tempo]:g} s ({tempo})" for tempo in tempos]
    return _laid("Won, in percent, by seconds a play", columns, lines, form)
