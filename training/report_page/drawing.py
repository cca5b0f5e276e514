"""Plots as PNGs, all in one look; matplotlib is loaded when the first one is drawn."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gipfelsturm.agents.intervals import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def blank_figure(width: float, height: float, columns: int = 1) -> tuple["Figure", list["Axes"]]:
    """A figure of so many inches, with plots side by side.

    Raises:
        ValueError: if nothing is installed that draws.
    """
    try:
        from matplotlib.figure import Figure  # takes most of a second to import
    except ImportError:
        raise ValueError("reports are drawn by matplotlib: pip install 'gipfelsturm[train]'") from None
    figure = Figure(figsize=(width, height))
    figure.set_layout_engine("constrained", h_pad=0.1, w_pad=0.1)
    axes = figure.subplots(1, columns, squeeze=False)[0]
    for plot in axes:
        plot.grid(alpha=0.3)
        plot.spines[["top", "right"]].set_visible(False)
    return figure, list(axes)


def png(figure: "Figure") -> bytes:
    """A figure as a file, the same to the byte whenever it is drawn."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=120, metadata={"Software": None})
    return file.getvalue()


def draw_rates(
    axes: "Axes",
    across: ArrayLike,
    rates: Sequence[Interval],
    *,
    label: str | None = None,
    color: str | None = None,
    joined: bool = True,
) -> None:
    """Shares of 1 as points in percent with their intervals."""
    value, low, high = 100 * np.array(rates).T
    axes.errorbar(
        np.asarray(across),
        value,
        np.maximum([value - low, high - value], 0),
        capsize=2,
        label=label,
        color=color,
        marker="o",
        markersize=5,
        linestyle="solid" if joined else "none",
    )
