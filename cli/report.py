"""`gipfelsturm report`: what became of trainings and measurements, as one page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import tyro

from gipfelsturm.training.comparison import Report
from gipfelsturm.training.crossplay import CrossPlayReport
from gipfelsturm.training.json_file import check_writable
from gipfelsturm.training.partners import PartnersReport
from gipfelsturm.training.report_page.learning import learning_part, read_curves
from gipfelsturm.training.report_page.network import network_parts
from gipfelsturm.training.report_page.page import Part, write_page
from gipfelsturm.training.report_page.pairs import calls_part, cross_play_part, partners_part
from gipfelsturm.training.report_page.win_rates import win_rate_parts
from gipfelsturm.training.talk import TalkReport

Measured = Report | CrossPlayReport | PartnersReport | TalkReport


def report(
    sources: Annotated[
        tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="RUN|JSON|WEIGHTS...", help_behavior_hint="")
    ],
    out: Path = Path("report.html"),
) -> None:
    """Write an HTML page on trainings and measurements; its pictures lie beside it as PNGs too.

    Args:
        sources: Folders that gipfelsturm train has written: learning curves. Files that evaluate, crossplay, partners
            and calls have written by --json: tables and plots. Files of weights, NAME.safetensors: whether games are
            won as often as they say, and which cards count.
        out: The page; its pictures are NAME-PICTURE.png.
    """
    if not sources:
        raise ValueError(
            "report is on trainings and measurements: name a run's folder, a JSON file or a file of weights"
        )
    check_writable(out)
    measured = [_read(path) for path in sources if path.suffix == ".json"]
    weights = [path for path in sources if path.suffix == ".safetensors"]
    runs = [path for path in sources if path.suffix not in (".json", ".safetensors")]
    parts = _parts(measured, runs, weights)
    if not parts:
        raise ValueError("there is nothing to tell: the evaluations that are named have no rows")
    files = write_page(out, parts)
    print(f"{out} tells of: {', '.join(part.title for part in parts)}; {len(files) - 1} pictures lie beside it")


def _read(path: Path) -> Measured:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Measured)
    except OSError as fault:
        raise ValueError(f"cannot read {path}: {fault.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise ValueError(f"{path} is no report of evaluate, crossplay, partners or calls: {fault}") from None


def _parts(measured: Sequence[Measured], runs: Sequence[Path], weights: Sequence[Path]) -> list[Part]:
    """All parts that there is anything for, in the order of the page."""
    parts = win_rate_parts([row for one in measured if isinstance(one, Report) for row in one.rows])
    if runs:
        parts.append(learning_part(read_curves(runs)))
    parts += [cross_play_part(one) for one in measured if isinstance(one, CrossPlayReport)]
    parts += [partners_part(one) for one in measured if isinstance(one, PartnersReport)]
    parts += [calls_part(one) for one in measured if isinstance(one, TalkReport)]
    for path in weights:
        parts += network_parts(path)
    return parts
