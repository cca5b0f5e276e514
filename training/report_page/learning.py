"""What became of runs: their learning curves, and where they stand."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gipfelsturm.agents.intervals import Interval, percent
from gipfelsturm.training.report_page.drawing import blank_figure, png
from gipfelsturm.training.report_page.page import Part, table

EVALUATIONS = "evaluations.csv"


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
        ValueError: for a folder that holds no evaluations, or others than training writes, and for two of one name.
    """
    curves: dict[str, list[Point]] = {}
    for number, run in enumerate(runs):
        for other in runs[:number]:
            if other.name == run.name:
                raise ValueError(f"{other} and {run} have the same name, by which curves are told apart: rename one")
        for name, point in _points(run / EVALUATIONS):
            curves.setdefault(f"{run.name}, {name}", []).append(point)
    return curves


def _points(file: Path) -> list[tuple[str, Point]]:
    """The tables of a file's evaluations, and those."""
    if not file.is_file():
        raise ValueError(f"{file.parent} holds no run: there is no {file.name} in it")
    try:
        with file.open(newline="") as opened:
            points = [(row["table"], _point(row)) for row in csv.DictReader(opened)]
    except (KeyError, TypeError, ValueError, csv.Error):  # whose words are of a line's parts
        raise ValueError(f"{file} is not what gipfelsturm train writes: a line of it was changed or cut") from None
    if not points:
        raise ValueError(f"{file} tells of no evaluation yet: a training writes the first one when it begins")
    return points


def _point(row: Mapping[str, str]) -> Point:
    won = Interval(float(row["won"]), float(row["low"]), float(row["high"]))
    difference = Interval(*(float(row[name]) for name in ("difference", "difference_low", "difference_high")))
    return Point(int(row["steps"]), int(row["games"]), won, row["baseline"], difference)


def learning_part(curves: Curves) -> Part:
    """Learning curves, and the last evaluation of each."""
    head = ("run, table", "steps", "games", "won", "against the baseline")
    return Part(
        title="Learning curves",
        text="Games won over steps of training, in percent, with 95 % intervals, on the same deals each time.",
        pictures={"learning": draw_curves(curves)},
        tables=[table(head, (_row(name, points[-1]) for name, points in curves.items()))],
    )


def draw_curves(curves: Curves) -> bytes:
    """A PNG of the games won over steps; raises ValueError if nothing is installed that draws."""
    figure, (axes,) = blank_figure(9, 5)
    for name, points in curves.items():
        steps = [point.steps for point in points]
        low, value, high = ([100 * getattr(point.won, end) for point in points] for end in ("low", "value", "high"))
        axes.plot(steps, value, marker="o", label=name)
        axes.fill_between(steps, low, high, alpha=0.2)
    axes.set(xlabel="steps", ylabel="games won, %")
    axes.legend()
    return png(figure)


def _row(name: str, point: Point) -> tuple[str, ...]:
    against = f"{percent(point.difference, '+')} to {point.baseline}"
    return name, f"{point.steps:,}", f"{point.games:,}", percent(point.won), against
