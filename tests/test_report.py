"""The page on trainings and measurements: all that it shows is in it, and says what was measured."""

import base64
import errno
import os
import re
import sys
from pathlib import Path

import msgspec
import pytest

from gipfelsturm.agents.intervals import Interval, percent
from gipfelsturm.agents.learned import shipped_weights
from gipfelsturm.cli.report import report
from gipfelsturm.envs.rules.settings import one_mind, real_time
from gipfelsturm.training.comparison import Report, Row
from gipfelsturm.training.crossplay import CrossPlayReport, CrossPlayRow
from gipfelsturm.training.json_file import write_json
from gipfelsturm.training.partners import PartnerRow, PartnersReport, Robustness
from gipfelsturm.training.report_page import influence, network
from gipfelsturm.training.report_page.drawing import blank_figure
from gipfelsturm.training.report_page.page import Part, page, table, write_page
from gipfelsturm.training.report_page.pairs import calls_part, cross_play_part, draw_matrix, partners_part, short_name
from gipfelsturm.training.report_page.win_rates import win_rate_parts
from gipfelsturm.training.talk import TalkReport, TalkRow
from test_evaluation_tables import BRISK, MIND, ORACLE, SLOW
from test_learning_report import a_run

RATE = Interval(0.625, 0.5, 0.75)
PLUS = Interval(0.25, -0.125, 0.5)
ZERO = Interval(0, 0, 0)
TABLE = real_time("normal")
MATRIX = CrossPlayReport(
    setting="normal brisk",
    settings=TABLE,
    games=4000,
    first_deal=8,
    seed=0,
    rows=[
        CrossPlayRow(
            "learned@runs/a/weights.safetensors", {"learned@runs/a/weights.safetensors": RATE, "b": ZERO}, PLUS
        ),
        CrossPlayRow("b", {"learned@runs/a/weights.safetensors": ZERO, "b": Interval(0.75, 0.7, 0.8)}, ZERO),
    ],
    self_play=RATE,
    cross_play=ZERO,
    gap=PLUS,
    versions={},
)
PARTNERS = PartnersReport(
    setting="normal brisk",
    settings=TABLE,
    agents=["learned"],
    games=10,
    first_deal=0,
    seed=0,
    rows=[
        PartnerRow("random", {"learned": RATE, "careful": ZERO}, {"careful": PLUS}, "learned", Interval(0.875, 0.5, 1))
    ],
    pooled=PartnerRow("all", {"learned": RATE, "careful": ZERO}, {"careful": ZERO}, "", RATE),
    robustness=Robustness(Interval(0.5, 0.25, 0.75), Interval(0.75, 0.5, 1), 2000),
    versions={},
)
CALLS = TalkReport(
    setting="normal brisk",
    settings=TABLE,
    agent="learned",
    games=10,
    first_deal=0,
    seed=0,
    rows=[TalkRow("itself", {"heeding": RATE, "deaf": ZERO, "silent": ZERO}, PLUS, ZERO)],
    versions={},
)


def evaluation(*rows: Row) -> Report:
    return Report(list(rows), {}, 2048)


def cells(part: Part) -> list[list[str]]:
    """The first table of a part."""
    lines = re.findall("<tr>(.*?)</tr>", part.tables[0])
    return [re.findall("<t[hd]>(.*?)</t[hd]>", line) for line in lines]


# The page


def test_a_table_shows_text_as_it_is() -> None:
    assert table(("a",), [("<b>",)]) == "<table>\n<tr><th>a</th></tr>\n<tr><td>&lt;b&gt;</td></tr>\n</table>"
    assert (percent(RATE), percent(PLUS, "+")) == ("62.50 [50.00, 75.00]", "+25.00 [-12.50, +50.00]")


def test_a_page_holds_its_parts_in_order_and_needs_nothing_else(tmp_path: Path) -> None:
    parts = [Part("One", "a < b", {"x": b"\x89PNGx", "y": b"\x89PNGy"}, ["<table></table>"]), Part("Two", "", {})]
    files = write_page(tmp_path / "p.html", parts)
    text = (tmp_path / "p.html").read_text()
    assert text == page(parts) and sorted(files) == sorted(tmp_path / name for name in ("p-x.png", "p-y.png", "p.html"))
    assert text.index("<h2>One</h2>") < text.index("a &lt; b") < text.index("<table></table>") < text.index("<h2>Two")
    pictures = [base64.b64decode(found) for found in re.findall('src="data:image/png;base64,([^"]*)"', text)]
    assert pictures == [(tmp_path / f"p-{name}.png").read_bytes() for name in "xy"] == [b"\x89PNGx", b"\x89PNGy"]
    assert not re.search("https?:", text)


# Its parts


def test_win_rates_stand_beside_the_published_ones_and_under_the_ceiling() -> None:
    other = msgspec.structs.replace(MIND, setting="hard", settings=one_mind("hard"), published_percent=None)
    (part,) = win_rate_parts([ORACLE, MIND, other])
    assert cells(part) == [
        ["player", "normal", "hard"],
        ["published simulation", "62", ""],
        ["careful", "62.50 [61.00, 64.00] of 1,000", "62.50 [61.00, 64.00] of 1,000"],
        ["oracle", "90.00 [85.00, 93.00] of 1,000", ""],
    ]
    assert list(part.pictures) == ["wins"] and "nobody can win more" in part.text
    assert part.pictures != win_rate_parts([MIND, other])[0].pictures


def test_the_row_with_the_most_games_counts() -> None:
    more = msgspec.structs.replace(MIND, games=5000, win_rate=RATE)
    less = msgspec.structs.replace(MIND, games=10, win_rate=ZERO)
    for rows in ([MIND, more, less], [more, less, MIND]):
        assert cells(win_rate_parts(rows)[0])[2] == ["careful", "62.50 [50.00, 75.00] of 5,000"]


def test_rows_of_real_time_are_a_curve_from_the_quickest_tempo() -> None:
    mind, part = win_rate_parts([SLOW, MIND, BRISK])
    assert mind.title == "Games won"
    assert cells(part)[1:] == [
        ["normal", "careful", "1.2", "brisk", "75.00 [70.00, 80.00] of 1,000", "25.00 %"],
        ["normal", "careful", "5.6", "slow", "62.50 [61.00, 64.00] of 1,000", "25.00 %"],
    ]
    assert part.pictures["tempo"] != win_rate_parts([SLOW])[0].pictures["tempo"]


def test_the_ceiling_has_no_time() -> None:
    timed = msgspec.structs.replace(ORACLE, settings=real_time("normal"), published_percent=None)
    assert [part.title for part in win_rate_parts([BRISK, timed])] == ["Games won over seconds a play"]
    assert win_rate_parts([]) == []


def test_the_matrix_is_drawn_and_its_gap_told() -> None:
    part = cross_play_part(MATRIX)
    for word in ("Self-play 62.50 [50.00, 75.00]", "same deals +25.00 [-12.50, +50.00]", "deals 8 to 4007"):
        assert word in part.text
    assert cells(part)[1] == ["learned@runs/a/weights.safetensors", "+25.00 [-12.50, +50.00]"]
    rows = [MATRIX.rows[0], msgspec.structs.replace(MATRIX.rows[1], win_rates=MATRIX.rows[0].win_rates)]
    assert draw_matrix(MATRIX) == part.pictures["crossplay"] != draw_matrix(msgspec.structs.replace(MATRIX, rows=rows))


def test_a_matrix_in_which_all_win_alike_can_be_drawn() -> None:
    rows = [CrossPlayRow(name, {"a": RATE, "b": RATE}, ZERO) for name in "ab"]
    assert draw_matrix(msgspec.structs.replace(MATRIX, rows=rows)).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("learned@runs/1_ring/weights.safetensors", "1_ring"),
        ("learned@agents/networks/2_ring.safetensors", "2_ring"),
        ("learned@runs/v1.2", "v1.2"),
        ("learned-search@runs/1_ring@400", "learned-search@runs/1_ring@400"),
        ("search@400", "search@400"),
        ("careful", "careful"),
    ],
)
def test_short_names(agent: str, name: str) -> None:
    assert short_name(agent) == name


def test_partners_and_calls_are_tables() -> None:
    part = partners_part(PARTNERS)
    assert cells(part) == [
        ["partner", "learned", "careful", "of the best", "against careful"],
        ["random", "62.50", "0.00", "87.50 [50.00, 100.00]", "+25.00 [-12.50, +50.00]"],
        ["all", "62.50", "0.00", "62.50 [50.00, 75.00]", "+0.00 [+0.00, +0.00]"],
    ]
    assert "50.00 [25.00, 75.00] of the games won, 75.00 [50.00, 100.00] of the best" in part.text
    zero = "0.00 [0.00, 0.00]"
    line = ["itself", percent(RATE), zero, zero, percent(PLUS, "+"), percent(ZERO, "+")]
    assert cells(calls_part(CALLS)) == [["partner", "heeding", "deaf", "silent", "heeding wins", "silence costs"], line]


# The command


def test_the_page_has_a_part_for_each_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "GAMES", 10)
    monkeypatch.setattr(influence, "DEALS", 3)
    measured = {"evaluation": evaluation(MIND, SLOW, BRISK), "matrix": MATRIX, "partners": PARTNERS, "calls": CALLS}
    for name, one in measured.items():
        write_json(tmp_path / f"{name}.json", one)
    sources = [
        shipped_weights(TABLE),
        *(tmp_path / f"{name}.json" for name in reversed(measured)),
        a_run(tmp_path, "a"),
    ]
    report(tuple(sources), tmp_path / "page.html")
    titles = re.findall("<h2>(.*)</h2>", (tmp_path / "page.html").read_text())
    assert titles == [
        "Games won",
        "Games won over seconds a play",
        "Learning curves",
        "Cross-play",
        "Beside partners that are held out of training",
        "Calls",
        "Calibration of 2_ring",
        "What counts for 2_ring",
    ]
    pictures = sorted(path.name for path in tmp_path.glob("*.png"))
    numbered = [f"page-influence-2_ring-{i}.png" for i in (1, 2, 3)]
    named = ["page-crossplay.png", *numbered, "page-learning.png", "page-tempo.png", "page-wins.png"]
    assert pictures == ["page-calibration-2_ring.png", *named]
    assert capsys.readouterr().out == (
        f"{tmp_path / 'page.html'} tells of: {', '.join(titles)}; 8 pictures lie beside it\n"
    )


def full(*_: object) -> None:
    """What a full disk says."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_faults_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, odd = tmp_path / "page.html", tmp_path / "odd.json"
    odd.write_text('{"rows": []}')
    weights, empty = tmp_path / "w.safetensors", tmp_path / "empty.json"
    empty.write_text('{"report": "evaluation", "rows": [], "versions": {}, "games_a_batch": 1}')
    for sources, fault in (
        ((), "^report is on trainings and measurements: name a run's folder, a JSON file or a file of weights$"),
        ((tmp_path / "a",), "a holds no run: there is no evaluations.csv in it$"),
        ((tmp_path / "no.json",), "^cannot read .*no.json: No such file or directory$"),
        ((odd,), "odd.json is no report of evaluate, crossplay, partners or calls: .*`report`"),
        ((empty,), "^there is nothing to tell: the evaluations that are named have no rows$"),
        ((weights,), "^cannot read .*w.safetensors: No such file or directory$"),
    ):
        with pytest.raises(ValueError, match=fault):
            report(sources, out)
    with pytest.raises(ValueError, match="cannot write .*page.html: there is no folder"):
        report((a_run(tmp_path, "b"),), tmp_path / "nowhere" / "page.html")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ValueError, match="^cannot write .*: no space left on device; make room there"):
            report((a_run(tmp_path, "c"),), out)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ValueError, match="^reports are drawn by matplotlib: pip install"):
        blank_figure(1, 1)
    assert not out.exists()
