"""Learning curves: what the runs have written."""

from pathlib import Path

import pytest

from gipfelsturm.agents.intervals import Interval
from gipfelsturm.training.report_page.learning import Point, draw_curves, learning_part, read_curves

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


def test_the_table_has_the_last_evaluation_of_each_curve(tmp_path: Path) -> None:
    part = learning_part(read_curves([a_run(tmp_path, "a"), a_run(tmp_path, "<b>")]))
    (table,) = part.tables
    assert "<td>a, solo</td><td>640</td><td>4,000</td><td>52.00 [50.00, 54.00]</td>" in table
    assert "<td>+12.50 [+10.00, +15.00] to random</td>" in table and "&lt;b&gt;, solo" in table
    assert table.count("<tr>") == 3 and list(part.pictures) == ["learning"]


def test_the_picture_shows_every_run(tmp_path: Path) -> None:
    one = draw_curves(read_curves([a_run(tmp_path, "a")]))
    assert one != draw_curves(read_curves([tmp_path / "a", a_run(tmp_path, "b")]))
    assert one == draw_curves(read_curves([tmp_path / "a"]))


def test_two_runs_of_one_name_are_not_mixed_up(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with pytest.raises(ValueError, match="b/a and .*/a have the same name, by which curves are told apart: rename one"):
        read_curves([a_run(tmp_path / "b", "a"), a_run(tmp_path, "a")])


def test_a_folder_without_evaluations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a holds no run: there is no evaluations.csv in it$"):
        read_curves([tmp_path / "a"])


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (b"steps,table\n1,x\n", "is not what gipfelsturm train writes: a line of it was changed or cut"),
        (b"\xff\n", "is not what gipfelsturm train writes: a line of it was changed or cut"),
        (b"%(head)s\na,b,c\n", "is not what gipfelsturm train writes: a line of it was changed or cut"),
        (b"%(head)s\n1,x,9,0,a,b,c,d,e,f,g\n", "is not what gipfelsturm train writes: a line of it was changed or cut"),
        (b"%(head)s\n", "tells of no evaluation yet: a training writes the first one when it begins"),
    ],
)
def test_evaluations_that_no_training_wrote_are_refused(tmp_path: Path, lines: bytes, fault: str) -> None:
    file = a_run(tmp_path, "a") / "evaluations.csv"
    head = file.read_bytes().splitlines()[0]
    file.write_bytes(lines.replace(b"%(head)s", head))
    with pytest.raises(ValueError, match=f"^{file} {fault}$"):
        read_curves([tmp_path / "a"])
