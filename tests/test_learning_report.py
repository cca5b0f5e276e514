"""The page on runs: all that it shows is in it, and says what the runs have written."""

import base64
import re
import sys
from pathlib import Path

import pytest

from gipfelsturm.agents.intervals import Interval
from gipfelsturm.cli.report import report
from gipfelsturm.training.learning_report import Point, draw_curves, page, read_curves

HEADER = "steps,table,games,first_deal,won,low,high,baseline,difference,difference_low,difference_high\n"
ROWS = (
    "0,solo,4000,500000,0.1,0.09,0.11,random,-0.3,-0.32,-0.28\n"
    "640,solo,4000,500000,0.52,0.5,0.54,random,0.125,0.1,0.15\n"
)


def a_run(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    (folder / name / "evaluations.csv").write_text(HEADER + ROWS)
    return folder / name


def test_curves_are_read_as_they_were_written(tmp_path: Path) -> None:
    (curve,) = read_curves([a_run(tmp_path, "a")]).items()
    assert curve[0] == "a, solo"
    assert curve[1][-1] == Point(640, 4000, Interval(0.52, 0.5, 0.54), "random", Interval(0.125, 0.1, 0.15))
    assert [point.steps for point in curve[1]] == [0, 640]


def test_the_page_needs_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    report((a_run(tmp_path, "a"), a_run(tmp_path, "<b>")), out)
    text, picture = out.read_text(), (tmp_path / "page.png").read_bytes()
    assert "<td>a, solo</td><td>640</td><td>4,000</td><td>52.00 [50.00, 54.00]</td>" in text
    assert "<td>+12.50 [+10.00, +15.00] to random</td>" in text and "&lt;b&gt;, solo" in text and "<b>" not in text
    (source,) = re.findall('src="data:image/png;base64,([^"]*)"', text)
    assert base64.b64decode(source) == picture and picture.startswith(b"\x89PNG")
    assert not re.search("https?:", text)
    assert capsys.readouterr().out == f"{out} tells of a, solo, <b>, solo\n"


def test_the_picture_shows_every_run(tmp_path: Path) -> None:
    one = draw_curves(read_curves([a_run(tmp_path, "a")]))
    assert one != draw_curves(read_curves([tmp_path / "a", a_run(tmp_path, "b")]))
    assert one == draw_curves(read_curves([tmp_path / "a"]))


def test_faults_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="a holds no run: there is no evaluations.csv in it"):
        report((tmp_path / "a",), tmp_path / "page.html")
    with pytest.raises(ValueError, match="report is on runs: name at least one folder that gipfelsturm train has"):
        report((), tmp_path / "page.html")
    with pytest.raises(ValueError, match="cannot write .*page.html: there is no folder"):
        report((a_run(tmp_path, "a"),), tmp_path / "nowhere" / "page.html")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ValueError, match="curves are drawn by matplotlib: pip install"):
        draw_curves({})
    assert page({}, b"").startswith("<!DOCTYPE html>")
