"""What became of runs: an HTML page that needs nothing beside it, with learning curves and a table of win rates."""

import base64
import csv
import html
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gipfelsturm.agents.intervals import Interval

EVALUATIONS = "evaluations.csv"
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Learning curves</title>
<style>body {{ font: 16px sans-serif; max-width: 60em; margin: 2em auto }} img {{ max-width: 100% }}
td, th {{ padding: 0.2em 1em; text-align: right }} td:first-child, th:first-child {{ text-align: left }}</style>
<h1>Learning curves</h1>
<img src="data:image/png;base64,{picture}" alt="Games won over steps of training, with 95 % intervals">
<h1>Games won, in percent, with 95 % intervals</h1>
<table>
<tr><th>run, table</th><th>steps</th><th>games</th><th>won</th><th>against the baseline</th></tr>
{rows}
</table>
</html>
"""


class Point(NamedTuple):
    """One evaluation. Rates are shares of 1."""

    steps: int
    games: int
    won: Interval
    baseline: str
    difference: Interval


Curves = Mapping[str, Sequence[Point]]


def read_curves(runs: Sequence[Path]) -> dict[str, list[Point]]:
    """The evaluations of every run and table, from the first, by `run, table`.

    Raises:
        ValueError: for a folder that holds no evaluations.
    """
    curves: dict[str, list[Point]] = {}
    for run in runs:
        for row in _rows(run / EVALUATIONS):
            won = Interval(float(row["won"]), float(row["low"]), float(row["high"]))
            difference = [float(row[name]) for name in ("difference", "difference_low", "difference_high")]
            point = Point(int(row["steps"]), int(row["games"]), won, row["baseline"], Interval(*difference))
            curves.setdefault(f"{run.name}, {row['table']}", []).append(point)
    return curves


def _rows(file: Path) -> list[dict[str, str]]:
    if not file.is_file():
        raise ValueError(f"{file.parent} holds no run: there is no {file.name} in it")
    with file.open(newline="") as opened:
        return list(csv.DictReader(opened))


def draw_curves(curves: Curves) -> bytes:
    """A PNG of the games won over steps; raises ValueError if nothing is installed that draws."""
    try:
        from matplotlib.figure import Figure  # takes most of a second to import
    except ImportError:
        raise ValueError("curves are drawn by matplotlib: pip install 'gipfelsturm[train]'") from None
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    for name, points in curves.items():
        steps = [point.steps for point in points]
        low, value, high = ([100 * getattr(point.won, end) for point in points] for end in ("low", "value", "high"))
        axes.plot(steps, value, marker="o", label=name)
        axes.fill_between(steps, low, high, alpha=0.2)
    axes.set(xlabel="steps", ylabel="games won, %")
    axes.grid(alpha=0.3)
    axes.legend()
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    return picture.getvalue()


def page(curves: Curves, picture: bytes) -> str:
    """The page, with the last evaluation of each curve in its table."""
    rows = "\n".join(_row(name, points[-1]) for name, points in curves.items())
    return PAGE.format(picture=base64.b64encode(picture).decode(), rows=rows)


def _row(name: str, point: Point) -> str:
    cells = (
        html.escape(name),
        f"{point.steps:,}",
        f"{point.games:,}",
        _percent(point.won),
        f"{_percent(point.difference, '+')} to {html.escape(point.baseline)}",
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _percent(interval: Interval, sign: str = "") -> str:
    value, low, high = (100 * figure for figure in interval)
    return f"{value:{sign}.2f} [{low:{sign}.2f}, {high:{sign}.2f}]"
