"""The tables that `gipfelsturm evaluate` prints of a report."""

from collections.abc import Iterable, Iterator

from rich import box
from rich.table import Table

from gipfelsturm.agents.catalogue import ORACLE
from gipfelsturm.agents.intervals import percent
from gipfelsturm.training.comparison import RealTime, Report, Row, tempo_of


def tables(report: Report) -> Iterator[Table]:
    """Who won; of the real-time table also how the games went, and the curve where several tempos were played."""
    yield _wins(report.rows)
    timed = [(row, row.real_time) for row in report.rows if row.real_time is not None]
    if timed:
        yield _games(timed)
    if len({time.tempo for _, time in timed}) > 1:
        yield _curve(report.rows, {time.tempo: time.seconds_a_play for _, time in timed})


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


def _won(row: Row) -> str:
    return f"{_share(row)} [{100 * row.win_rate.low:.2f}, {100 * row.win_rate.high:.2f}]"


def _empty(title: str, columns: Iterable[str]) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD)
    table.add_column("setting")
    table.add_column("team", overflow="fold")
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _setting(row: Row) -> str:
    return row.setting if row.settings.one_mind else f"{row.setting} {tempo_of(row.settings)}"


def _wins(rows: list[Row]) -> Table:
    published = any(row.published_percent is not None for row in rows)
    columns = ("won", "against the first", "score", "streak", "games")
    table = _empty("Games won, in percent, with 95 % intervals", ("published", *columns) if published else columns)
    for i, row in enumerate(rows):
        figure = "" if row.published_percent is None else f"{row.published_percent:g}"
        cells = (
            _won(row),
            "" if row.difference is None else percent(row.difference, "+"),
            "" if row.mean_score is None else f"{row.mean_score:.2f}",
            "" if row.longest_streak is None else f"{row.mean_longest_streak:.2f} / {row.longest_streak}",
            f"{row.games:,}",
        )
        shown = (figure, *cells) if published else cells
        table.add_row(_setting(row), row.team, *shown, end_section=_last(rows, i))
    return table


def _last(rows: list[Row], i: int) -> bool:
    """Whether a row is the last of its setting."""
    return i + 1 == len(rows) or _setting(rows[i + 1]) != _setting(rows[i])


def _games(timed: list[tuple[Row, RealTime]]) -> Table:
    table = _empty("How the games went", ("time-outs", "seconds", "missed", "returned", "refused"))
    rows = [row for row, _ in timed]
    for i, (row, time) in enumerate(timed):
        table.add_row(
            _setting(row),
            row.team,
            f"{100 * time.time_outs:.2f}",
            f"{time.seconds:.1f}",
            f"{time.missed:.2f}",
            f"{time.returned:.2f}",
            f"{time.refused:.2f}",
            end_section=_last(rows, i),
        )
    return table


def _curve(rows: list[Row], seconds: dict[str, float]) -> Table:
    """Rows of setting and team, columns of tempos with their seconds a play, from the quickest."""
    tempos = sorted(seconds, key=seconds.__getitem__)
    won = {(row.setting, row.team, tempo_of(row.settings)): _share(row) for row in rows}
    columns = [f"{seconds[tempo]:g} s ({tempo})" for tempo in tempos]
    table = _empty("Won, in percent, by seconds a play", columns)
    lines = list(dict.fromkeys((row.setting, row.team) for row in rows))
    for i, (setting, team) in enumerate(lines):
        last = i + 1 == len(lines) or lines[i + 1][0] != setting
        table.add_row(setting, team, *(won[setting, team, tempo] for tempo in tempos), end_section=last)
    return table
