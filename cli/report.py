"""`gipfelsturm report`: what became of runs, as one page."""

from pathlib import Path
from typing import Annotated

import tyro

from gipfelsturm.agents.whole_file import write_whole
from gipfelsturm.training.json_file import check_writable
from gipfelsturm.training.learning_report import draw_curves, page, read_curves


def report(
    runs: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="RUN...")],
    out: Path = Path("report.html"),
) -> None:
    """Write an HTML page on runs of training, with their learning curves, which lie beside it as a PNG too.

    Args:
        runs: Folders that gipfelsturm train has written.
        out: The page; the picture beside it has the same name.
    """
    if not runs:
        raise ValueError("report is on runs: name at least one folder that gipfelsturm train has written")
    check_writable(out)
    curves = read_curves(runs)
    picture = draw_curves(curves)
    write_whole(out.with_suffix(".png"), picture)
    write_whole(out, page(curves, picture).encode())
    print(f"{out} tells of {', '.join(curves)}")
