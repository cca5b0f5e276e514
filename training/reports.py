"""What a run writes as it goes: two CSVs, and the same for TensorBoard."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from torch.utils.tensorboard import SummaryWriter

PROGRESS, EVALUATIONS = "progress.csv", "evaluations.csv"


class Reports:
    """`progress.csv` has a row for each chunk, `evaluations.csv` one for each table evaluated."""

    def __init__(self, folder: Path, steps: int, lengths: Mapping[str, int]) -> None:
        """Begin, or go on where the files had these lengths after that many steps.

        Raises:
            ValueError: for a file that has become shorter.
            OSError: for one that cannot be written.
        """
        self._rows = {name: Rows(folder / name, lengths.get(name, 0)) for name in (PROGRESS, EVALUATIONS)}
        # What an interrupted run has reported beyond its checkpoint is dropped.
        self._events = SummaryWriter(str(folder / "tensorboard"), purge_step=steps + 1)

    def progress(self, row: Mapping[str, float]) -> None:
        """Report a chunk; `steps` is among the columns."""
        self._rows[PROGRESS].add(row)
        self._tell("progress", row)

    def evaluation(self, table: str, row: Mapping[str, float | str]) -> None:
        """Report how a table was played; `steps` is among the columns."""
        self._rows[EVALUATIONS].add(row)
        self._tell(table, row)

    def lengths(self) -> dict[str, int]:
        """The lengths of the files in bytes."""
        return {name: rows.length for name, rows in self._rows.items()}

    def close(self) -> None:
        """Write out what waits."""
        self._events.close()

    def _tell(self, group: str, row: Mapping[str, float | str]) -> None:
        for name, value in row.items():
            if name != "steps" and not isinstance(value, str):
                self._events.add_scalar(f"{group}/{name}", value, row["steps"])


class Rows:
    """A CSV that grows by a row at a time.

    Attributes:
        length: of the file in bytes.
    """

    def __init__(self, file: Path, length: int) -> None:
        """Forget what was written after the file had that length.

        Raises:
            ValueError: if it is shorter.
        """
        self._file = file
        self.length = length
        with file.open("ab") as opened:
            if opened.tell() < length:
                raise ValueError(f"{file} has lost rows: {opened.tell()} bytes are left of {length}")
            opened.truncate(length)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row, and have it on disk; the first goes under its keys as a header."""
        with self._file.open("ab") as opened:
            if not opened.tell():
                opened.write(_line(row.keys()))
            opened.write(_line(row.values()))
            opened.flush()
            os.fsync(opened.fileno())
            self.length = opened.tell()


def _line(cells: Iterable[object]) -> bytes:
    return (",".join(f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in cells) + "\n").encode()
