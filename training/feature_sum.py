"""The first layer of the network as torch trains it: a sum of few rows of a table, with its gradient.

It is what `torch.nn.EmbeddingBag` calculates, which takes three to four times as long: most of the time of a training.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gipfelsturm.envs.rules.jit import compiled


class _FeatureSum(torch.autograd.Function):
    """Forward and backward, on the memory of the tensors."""

    @staticmethod
    def forward(ctx: Any, rows: torch.Tensor, table: torch.Tensor) -> torch.Tensor:  # noqa: ANN401 - torch's context
        ctx.rows, ctx.shape = rows.numpy(), table.shape
        sums = np.zeros((len(rows), table.shape[1]), np.float32)
        _add_up(ctx.rows, table.detach().numpy(), sums)
        return torch.from_numpy(sums)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[None, torch.Tensor]:  # noqa: ANN401 - torch's context
        spread = np.zeros(ctx.shape, np.float32)
        _spread(ctx.rows, gradient.contiguous().numpy(), spread)
        return None, torch.from_numpy(spread)


def feature_sum(rows: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """The sums (rows, width) of those rows of a table (features, width) whose numbers stand in each of `rows`.

    Args:
        rows: (rows, most) of uint16; the first number that is no row of the table ends a list.
    """
    sums: torch.Tensor = _FeatureSum.apply(rows, table)  # type: ignore[no-untyped-call]
    return sums


@compiled
def _add_up(rows: NDArray[np.uint16], table: NDArray[np.float32], sums: NDArray[np.float32]) -> None:
    """Four rows at a time, which spares most of the loads and stores."""
    features, width = table.shape
    for i in range(len(rows)):
        row, total, found = rows[i], sums[i], 0
        while found < len(row) and row[found] < features:
            found += 1
        for k in range(0, found - 3, 4):
            a, b, c, d = table[row[k]], table[row[k + 1]], table[row[k + 2]], table[row[k + 3]]
            for j in range(width):
                total[j] += (a[j] + b[j]) + (c[j] + d[j])
        for k in range(found & ~3, found):
            a = table[row[k]]
            for j in range(width):
                total[j] += a[j]


@compiled
def _spread(rows: NDArray[np.uint16], gradient: NDArray[np.float32], spread: NDArray[np.float32]) -> None:
    """Add each gradient to all rows of the table that were part of the sum."""
    features, width = spread.shape
    for i in range(len(rows)):
        for k in range(rows.shape[1]):
            if rows[i, k] >= features:
                break
            row = spread[rows[i, k]]
            for j in range(width):
                row[j] += gradient[i, j]
