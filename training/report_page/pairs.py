"""What pairs came to at the real-time table: the matrix of cross-play, partners, and what calls are worth."""

import math
from collections.abc import Sequence
from pathlib import Path

from gipfelsturm.agents.intervals import percent
from gipfelsturm.agents.weights import WEIGHTS
from gipfelsturm.training.crossplay import CrossPlayReport
from gipfelsturm.training.partners import PartnerRow, PartnersReport
from gipfelsturm.training.report_page.drawing import blank_figure, png
from gipfelsturm.training.report_page.page import Part, table
from gipfelsturm.training.talk import FORMS, TalkReport


def cross_play_part(report: CrossPlayReport) -> Part:
    """The matrix as a heat map, and the gap to self-play."""
    return Part(
        title="Cross-play",
        text=f"{report.setting}, {_played(report.games, report.first_deal)}: games won of every pair, in percent. "
        f"Self-play {percent(report.self_play)}, cross-play {percent(report.cross_play)}, difference on the same deals "
        f"{percent(report.gap, '+')}, with 95 % intervals.",
        pictures={"crossplay": draw_matrix(report)},
        tables=[
            table(("agent", "self-play less cross-play"), ((row.agent, percent(row.gap, "+")) for row in report.rows))
        ],
    )


def draw_matrix(report: CrossPlayReport) -> bytes:
    """A PNG of the rates in percent, rows and columns in the report's order."""
    agents = [row.agent for row in report.rows]
    rates = [[100 * row.win_rates[agent].value for agent in agents] for row in report.rows]
    size = 2.5 + 0.9 * len(agents)
    figure, (axes,) = blank_figure(size + 1.5, size)
    least, most = min(map(min, rates)), max(map(max, rates))
    least, most = math.floor(least), max(math.ceil(most), math.floor(least) + 1)
    image = axes.imshow(rates, cmap="viridis", vmin=least, vmax=most)
    for i, line in enumerate(rates):
        for j, rate in enumerate(line):
            light = (rate - least) / (most - least) > 0.6
            axes.text(j, i, f"{rate:.1f}", ha="center", va="center", color="black" if light else "white")
    names, ticks = [short_name(agent) for agent in agents], range(len(agents))
    axes.set(xticks=ticks, yticks=ticks, yticklabels=names, xlabel="partner")
    axes.set_xticklabels(names, rotation=30, ha="right")
    axes.grid(visible=False)
    figure.colorbar(image, label="games won, %")
    return png(figure)


def short_name(agent: str) -> str:
    """An agent's name; of one by weights the run that left them, or else their file, without folders."""
    _, by, path = agent.partition("learned@")
    if not by:
        return agent
    run = Path(path).parent if Path(path).name == WEIGHTS else Path(path)
    return run.name.removesuffix(".safetensors")


def partners_part(report: PartnersReport) -> Part:
    """Everybody's rate beside every partner, the differences, and how near to the best response that is."""
    robust, pooled = report.robustness, report.pooled
    against = [f"against {name}" for name in pooled.differences]
    head = ("partner", *map(short_name, pooled.win_rates), "of the best", *against)
    return Part(
        title="Beside partners that are held out of training",
        text=f"{', '.join(map(short_name, report.agents))}, {report.setting}, "
        f"{_played(report.games, report.first_deal)} with each partner: games won, in percent; those in percent of the "
        "games that the best of all these players wins with the same partner; and differences on the same deals. "
        "Interquartile means over partners, seats and seeds: "
        f"{percent(robust.win_rate)} of the games won, {percent(robust.proximity)} of the best. With 95 % intervals, "
        "those of the best and of interquartile means by stratified bootstrap.",
        pictures={},
        tables=[table(head, map(_partner, [*report.rows, pooled]))],
    )


def _partner(row: PartnerRow) -> list[str]:
    rates = [f"{100 * rate.value:.2f}" for rate in row.win_rates.values()]
    return [row.partner, *rates, percent(row.proximity), *(percent(each, "+") for each in row.differences.values())]


def calls_part(report: TalkReport) -> Part:
    """What it is worth to heed calls, and what silence costs."""
    lines: list[Sequence[str]] = [
        (
            row.partner,
            *(percent(row.win_rates[form]) for form in FORMS),
            percent(row.heeding, "+"),
            percent(row.silence, "+"),
        )
        for row in report.rows
    ]
    return Part(
        title="Calls",
        text=f"{report.agent}, {report.setting}, {_played(report.games, report.first_deal)} with each partner: games "
        "won, in percent, where it makes calls and heeds them, where it makes the same and heeds none, and at the "
        "table without calls; with 95 % intervals, differences on the same deals.",
        pictures={},
        tables=[table(("partner", *FORMS, "heeding wins", "silence costs"), lines)],
    )


def _played(games: int, first_deal: int) -> str:
    return f"{games:,} games (deals {first_deal} to {first_deal + games - 1})"
