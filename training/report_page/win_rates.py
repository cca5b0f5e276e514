"""Who wins how many games as one mind: published figures, players, ceiling; and in real time over seconds a play."""

from collections.abc import Mapping, Sequence

from gipfelsturm.agents.catalogue import ORACLE
from gipfelsturm.agents.intervals import percent
from gipfelsturm.training.comparison import RealTime, Row
from gipfelsturm.training.report_page.drawing import blank_figure, draw_rates, png
from gipfelsturm.training.report_page.page import Part, table

PUBLISHED = "published simulation"
Cells = Mapping[tuple[str, str], Row]  # by team and setting
Timed = tuple[Row, RealTime]


def win_rate_parts(rows: Sequence[Row]) -> list[Part]:
    """A part on the rows of one mind, and one on those of real time, each if there are any.

    Of rows of the same team at the same table the one with the most games counts, the first among equals.
    """
    parts = []
    minds = [row for row in rows if row.settings.one_mind]
    if minds:
        parts.append(_mind_part(minds))
    timed = [(row, row.real_time) for row in rows if row.real_time is not None]
    if timed:
        parts.append(_time_part(timed))
    return parts


def _mind_part(rows: Sequence[Row]) -> Part:
    settings, teams = _names(rows)
    cells = _cells(rows)
    published = {row.setting: row.published_percent for row in rows if row.published_percent is not None}
    lines = [[team, *(_cell(cells.get((team, setting))) for setting in settings)] for team in teams]
    if published:
        lines.insert(0, [PUBLISHED, *(f"{published[name]:g}" if name in published else "" for name in settings)])
    text = "One mind for all piles, no clock: games won, in percent, with 95 % intervals."
    if ORACLE in teams:
        text += f" {ORACLE} sees every card: nobody can win more of its deals."
    return Part(
        title="Games won",
        text=text,
        pictures={"wins": _draw_minds(settings, teams, cells, published)},
        tables=[table(("player", *settings), lines)],
    )


def _names(rows: Sequence[Row]) -> tuple[list[str], list[str]]:
    """Settings and teams, each in the order in which they come first; the ceiling is the last team."""
    settings = list(dict.fromkeys(row.setting for row in rows))
    teams = list(dict.fromkeys(row.team for row in rows))
    return settings, sorted(teams, key=lambda team: team == ORACLE)


def _cells(rows: Sequence[Row]) -> Cells:
    cells: dict[tuple[str, str], Row] = {}
    for row in rows:
        key = row.team, row.setting
        if key not in cells or row.games > cells[key].games:
            cells[key] = row
    return cells


def _cell(row: Row | None) -> str:
    return "" if row is None else f"{percent(row.win_rate)} of {row.games:,}"


def _draw_minds(settings: Sequence[str], teams: Sequence[str], cells: Cells, published: Mapping[str, float]) -> bytes:
    """A column for each setting, players from left to right; published figures and the ceiling go across it."""
    figure, (axes,) = blank_figure(9, 5)
    ceiling = {name: 100 * cells[ORACLE, name].win_rate.value for name in settings if (ORACLE, name) in cells}
    for label, figures, style in ((PUBLISHED, published, "dashed"), (ORACLE, ceiling, "solid")):
        for name, won in figures.items():
            at, once = settings.index(name), label if name == next(iter(figures)) else None
            axes.plot((at - 0.4, at + 0.4), (won, won), color="black", linestyle=style, label=once)
    players = [team for team in teams if team != ORACLE]
    for number, team in enumerate(players):
        found = [(at, cells[team, name]) for at, name in enumerate(settings) if (team, name) in cells]
        across = [at + 0.7 * ((number + 0.5) / len(players) - 0.5) for at, _ in found]
        draw_rates(axes, across, [row.win_rate for _, row in found], label=team, joined=False)
    axes.set(ylabel="games won, %", ylim=(0, 103), xticks=range(len(settings)), xticklabels=settings)
    axes.grid(visible=False, axis="x")
    figure.legend(loc="outside right center", frameon=False)
    return png(figure)


def _time_part(timed: Sequence[Timed]) -> Part:
    settings, teams = _names([row for row, _ in timed])
    figure, plots = blank_figure(max(5, 3.6 * len(settings)), 4.5, columns=len(settings))
    lines = []
    for setting, axes in zip(settings, plots, strict=True):
        for number, team in enumerate(teams):
            curve = _curve(timed, setting, team)
            across, rates = [time.seconds_a_play for _, time in curve], [row.win_rate for row, _ in curve]
            if curve:
                draw_rates(axes, across, rates, color=f"C{number}", label=team)
            lines += [[setting, team, *_told(row, time)] for row, time in curve]
        axes.set(title=setting, xlabel="seconds a play", ylim=(0, 103))
    plots[0].set_ylabel("games won, %")
    figure.legend(*plots[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(teams), frameon=False)
    return Part(
        title="Games won over seconds a play",
        text="A hand for each seat, in real time: games won, in percent, with 95 % intervals. The longer a play takes, "
        "the more games the clock ends.",
        pictures={"tempo": png(figure)},
        tables=[table(("setting", "team", "seconds a play", "tempo", "won", "time-outs"), lines)],
    )


def _curve(timed: Sequence[Timed], setting: str, team: str) -> list[Timed]:
    """The rows of a team at a setting, from the quickest tempo."""
    found = {time.seconds_a_play: (row, time) for row, time in timed if (row.setting, row.team) == (setting, team)}
    return [found[seconds] for seconds in sorted(found)]


def _told(row: Row, time: RealTime) -> tuple[str, str, str, str]:
    return f"{time.seconds_a_play:g}", time.tempo, _cell(row), f"{100 * time.time_outs:.2f} %"
