"""What is kept in the file: deals once, tables up to a bound, and one sentence where nothing can be kept."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from gipfelsturm.play import database, tripeaks_results
from gipfelsturm.play.database import usual_file
from gipfelsturm.play.tripeaks_results import Results
from gipfelsturm.play.tripeaks_table import Result, TriPeaksTable

WON = Result(deal="000-0YG-J00", won=True, ms=61_000, moves=40, cleared=28, longest=9, tries=1, hints=0, undos=0)


def but(**changes: object) -> Result:
    return msgspec.structs.replace(WON, **changes)


def test_the_tally_adds_up_and_a_deal_counts_once(tmp_path: Path) -> None:
    results = Results(tmp_path / "new" / "results.sqlite3")
    empty = results.tally()
    assert (empty.deals, empty.won, empty.pure, empty.fastest, empty.longest) == (0, 0, 0, None, 0)
    results.add([WON, but(deal="B", won=False, ms=5, longest=3, cleared=4, hints=2, undos=7)])
    results.add([but(ms=1, hints=50), but(deal="C", tries=2, ms=30_000, longest=12, hints=1)])
    tally = results.tally()
    assert (tally.deals, tally.won, tally.pure, tally.fastest, tally.longest) == (3, 2, 1, 30_000, 12)
    assert (tally.hints, tally.undos) == (3, 7)
    results.close()


def test_a_result_takes_the_place_of_the_one_that_the_same_try_left_behind(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.sqlite3")
    results.add([but(won=False, ms=5000, hints=1), but(ms=7000, hints=2, after_ms=5000)])
    results.add([but(won=False, ms=9000, hints=4, after_ms=7000), but(deal="B", won=False, ms=300)])
    results.add([but(deal="B", ms=10, after_ms=200)])
    tally = results.tally()
    assert (tally.deals, tally.won, tally.fastest, tally.hints) == (2, 1, 7000, 2)
    results.close()


def test_tables_at_which_much_was_done_are_kept_and_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tripeaks_results, "MOST_TABLES", 5)
    monkeypatch.setattr(tripeaks_results, "TIDY_EVERY", 3)
    results = Results(tmp_path / "results.sqlite3")
    saved = [TriPeaksTable(number).saved(0) for number in range(11)]
    mine = msgspec.structs.replace(saved[0], turn=2)
    results.save("mine", mine)
    for number, table in enumerate(saved):
        results.save(f"table {number}", table)
    kept = [results.load(f"table {number}") for number in range(11)]
    assert kept == [None] * 7 + saved[7:]
    assert results.load("mine") == mine
    results.close()


@pytest.mark.parametrize("kind", ["folder", "no database", "below a file"])
def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "results.sqlite3"
    if kind == "folder":
        file.mkdir()
    else:
        file.write_text("This is no database, however long one looks at it." * 50)
    if kind == "below a file":
        file = file / "results.sqlite3"
    cure = "move it away" if kind == "no database" else "make it writable"
    with pytest.raises(ValueError, match=rf"^cannot keep results in .*; {cure}, or set XDG_DATA_HOME to"):
        Results(file)


def test_a_file_that_is_broken_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "results.sqlite3"
    results = Results(file)
    results.add([but(deal=f"{number}") for number in range(2000)])
    results.close()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] + b"x" * 8192 + whole[len(whole) // 2 + 8192 :])
    with pytest.raises(ValueError, match=r"^cannot keep results in [^;]*: the file is broken; move it away, or set"):
        Results(file)


def test_a_file_that_somebody_else_locks_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.05)
    other = sqlite3.connect(tmp_path / "results.sqlite3", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ValueError, match=r"^cannot keep results in .*: database is locked; "):
        Results(tmp_path / "results.sqlite3")
    other.close()


def test_the_usual_file_follows_the_custom_of_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert usual_file() == Path("/somewhere/gipfelsturm/results.sqlite3")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/anna")
    assert usual_file() == Path("/home/anna/.local/share/gipfelsturm/results.sqlite3")


def test_whoever_leaves_deals_without_end_pushes_out_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tripeaks_results, "MOST_RESULTS", 4)
    monkeypatch.setattr(tripeaks_results, "TIDY_EVERY", 3)
    results = Results(tmp_path / "results.sqlite3")
    results.add([but(ms=10), but(deal="long", won=False, ms=90_000), but(deal="short", won=False, ms=7)])
    for number in range(50):
        results.add([but(deal=f"flood {number}", won=False, ms=5)])
    tally = results.tally()
    assert (tally.won, tally.fastest) == (1, 10)
    assert 4 <= tally.deals <= 4 + 2
    results.add([but(deal="long", won=True, ms=95_000, after_ms=90_000), but(deal="short", ms=8, after_ms=7)])
    assert results.tally().won == 3, "they were there to be replaced"
    results.close()
