"""Finished games in the file, what the statistics say of them, and the records beside it."""

import asyncio
import errno
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest

from gipfelsturm.envs.rules.settings import real_time
from gipfelsturm.envs.rules.transcript import Command, Transcript
from gipfelsturm.envs.rules.transcript_text import read_transcript
from gipfelsturm.play import database, realtime_results
from gipfelsturm.play import keeper as keeper_module
from gipfelsturm.play.asking import GameKey
from gipfelsturm.play.keeper import Keeper
from gipfelsturm.play.messages import Tally
from gipfelsturm.play.realtime_results import GameResults, is_custom, partners_of
from gipfelsturm.play.records import prepare_folder, write_record
from gipfelsturm.play.results import Result
from gipfelsturm.play.statistics import MOST_POINTS, Point, course_of, rate_of

SETTINGS = real_time("normal", tick=0.1)
WON = Result(
    key=GameKey(0, 1),
    preset="normal",
    settings=SETTINGS,
    players=(("person",), ("lookahead",)),
    paces=("", "matching"),
    won=True,
    status="won",
    score=5,
    longest=9,
    ticks=40,
    deal="000-0YG-J00",
    game=1,
    games=1,
    total=5,
    transcript=Transcript(SETTINGS, 17, 3, (Command(2, 0, 56),), 40),
)


def but(**changes: object) -> Result:
    return msgspec.structs.replace(WON, **changes)


LOST = but(won=False, status="lost by the clock", score=0, longest=12)


@pytest.fixture
def results(tmp_path: Path) -> Iterator[GameResults]:
    opened = GameResults(tmp_path / "results.sqlite3")
    yield opened
    opened.close()


def test_games_are_counted_by_preset_and_partners(results: GameResults) -> None:
    assert (results.rows(), results.hunts(), results.course()) == ((), (), [])
    alone = but(preset="hard", settings=real_time("hard", tick=0.1), won=False, score=0)
    for result in (alone, WON, LOST, but(score=8), but(players=(("person",), ("careful",)))):
        results.add(result)
    first, *others = results.rows()
    assert (first.preset, first.custom, first.partners) == ("normal", False, ("lookahead",))
    assert (first.games, first.won, first.score, first.best, first.longest) == (3, 2, 6.5, 8, 12)
    assert first.rate == rate_of(2, 3)
    assert [(row.preset, row.partners, row.score, row.best) for row in others] == [
        ("hard", ("lookahead",), None, 0),
        ("normal", ("careful",), 5, 5),
    ]
    assert [won for _, won in results.course()] == [False, True, False, True, True]
    assert all(len(day) == len("2026-01-31") for day, _ in results.course())


def test_whoever_plays_games_of_no_time_pushes_out_their_own(
    results: GameResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(realtime_results, "MOST_RESULTS", 4)
    monkeypatch.setattr(realtime_results, "TIDY_EVERY", 3)
    hunt = but(won=False, score=0, games=3, game=3, total=7, ticks=1)
    for result in (WON, hunt, but(won=False, score=0, total=0, ticks=900), *[but(won=False, score=0, total=0)] * 50):
        results.add(result)
    assert 4 <= sum(row.games for row in results.rows()) <= 4 + 2
    assert [won for _, won in results.course()][:3] == [True, False, False]
    assert len(results.hunts()) == 1


def test_only_complete_hunts_count(results: GameResults) -> None:
    for game, total in [(1, 5), (2, 5), (3, 12), (1, 0), (2, 9), (3, 9), (1, 100)]:
        results.add(but(games=3, game=game, total=total))
    (hunts,) = results.hunts()
    assert (hunts.games, hunts.hunts, hunts.best, hunts.mean) == (3, 2, 12, 10.5)


@pytest.mark.parametrize(
    ("players", "partners"),
    [
        ((("person",), ("lookahead",)), ("lookahead",)),
        ((("random",), ("person",)), ("random",)),
        ((("person",), ("person",)), ("person",)),
        ((("uncover",), ("person",), ("careful",)), ("careful", "uncover")),
        ((("person", "careful"), ("person",)), ("person+careful",)),
        ((("person", "careful", "person"), ("random",)), ("random",)),
    ],
)
def test_partners_are_whoever_sat_in_the_other_seats(
    players: tuple[tuple[str, ...], ...], partners: tuple[str, ...]
) -> None:
    assert partners_of(but(players=players)) == partners


@pytest.mark.parametrize("change", [{"ring": False}, {"stock": 11}, {"clock": 179}, {"clock": None}])
def test_what_is_not_the_presets_is_told_apart(change: dict[str, object]) -> None:
    assert not is_custom(WON)
    assert not is_custom(but(settings=real_time("normal", tick=0.1, calls=False, tempo="slow")))
    assert is_custom(but(settings=real_time("normal", tick=0.1, **change)))  # type: ignore[arg-type]


def test_a_result_can_be_read_in_full(results: GameResults, tmp_path: Path) -> None:
    results.add(WON)
    with sqlite3.connect(tmp_path / "results.sqlite3") as file:
        row = file.execute("SELECT settings, players, paces, deal, ticks FROM gipfelsturm_results").fetchone()
    file.close()
    assert row[1:] == ('[["person"],["lookahead"]]', '["","matching"]', "000-0YG-J00", 40)
    assert '"clock_ms":180000' in row[0]


# Statistics


@pytest.mark.parametrize("games", [0, 1, 2, 99, 100, 101, 250, 1999])
def test_a_course_has_a_bounded_number_of_even_points(games: int) -> None:
    played = [(f"day {number}", number % 3 == 0) for number in range(games)]
    course = course_of(played)
    counts = [point.games for point in course]
    assert len(course) == min(games, MOST_POINTS)
    assert counts == sorted(set(counts))
    assert len(set(np.diff(counts))) <= 2
    for point in course:
        assert point.day == f"day {point.games - 1}"
        assert point.rate == rate_of(sum(won for _, won in played[: point.games]), point.games)
    assert games == 0 or counts[-1] == games


# Records and the thread


def test_a_record_is_what_every_reader_reads(tmp_path: Path) -> None:
    file = write_record(tmp_path, but(players=(("person", "careful"), ("person",)), paces=("matching", "")))
    assert file.name.startswith("000-0YG-J00-")
    text = file.read_text()
    assert text.startswith("# preset normal\n# players person+careful (matching), person\n# won, score 5\n")
    assert read_transcript(text) == WON.transcript
    assert write_record(tmp_path, WON) != file
    assert write_record(tmp_path, but(deal="")).name.startswith("deck-")
    assert [path.suffix for path in tmp_path.iterdir()] == [".txt"] * 3


def test_a_folder_for_records_is_made_or_refused(tmp_path: Path) -> None:
    prepare_folder(tmp_path / "new" / "records")
    assert list((tmp_path / "new" / "records").iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match=r"^cannot keep records in .*; name another folder with --record$"):
        prepare_folder(tmp_path / "file")


def keep(keeper: Keeper, result: Result) -> None:
    """Keep a result, and wait until that is told."""

    async def until_kept() -> None:
        kept = asyncio.Event()
        keeper.keep(result, kept.set)
        await asyncio.wait_for(kept.wait(), 20)

    asyncio.run(until_kept())


def kept_deals(folder: Path) -> list[str]:
    other = sqlite3.connect(folder / "results.sqlite3")
    deals = [deal for (deal,) in other.execute("SELECT deal FROM gipfelsturm_results ORDER BY number")]
    other.close()
    return deals


def test_what_is_kept_is_in_the_file_by_the_time_that_it_is_told(results: GameResults, tmp_path: Path) -> None:
    keeper = Keeper(results, tmp_path)
    keep(keeper, WON)
    assert kept_deals(tmp_path) == [WON.deal]
    keeper.close()
    assert len(list(tmp_path.glob("*.txt"))) == 1


@pytest.mark.parametrize("games", [1, 2], ids=["tried again at the end", "tried again with the next game"])
def test_what_cannot_be_kept_is_told_in_sentences_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], games: int
) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.05)
    results = GameResults(tmp_path / "results.sqlite3")
    other = sqlite3.connect(tmp_path / "results.sqlite3", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    keeper = Keeper(results, tmp_path / "no folder")
    keep(keeper, WON)
    other.close()
    record, result = capsys.readouterr().err.splitlines()
    folder = tmp_path / "no folder"
    assert record == f"gipfelsturm: the record of a game could not be kept in {folder} yet: no such file or directory"
    assert result == "gipfelsturm: the result of a game could not be kept yet: database is locked"
    folder.mkdir()
    if games == 2:
        keep(keeper, WON)
    keeper.close()
    assert kept_deals(tmp_path) == [WON.deal] * games
    assert [read_transcript(file.read_text()) for file in folder.iterdir()] == [WON.transcript] * games
    results.close()


def test_what_cannot_be_kept_is_bounded_and_leaves_nothing_half_done(
    results: GameResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(anything: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def locked(result: Result) -> None:
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(keeper_module, "MOST_WAITING", 3)
    keeper = Keeper(results, folder := tmp_path / "records")
    prepare_folder(folder)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        patch.setattr(results, "add", locked)
        for number in range(5):
            keep(keeper, but(score=number, deal=f"deal {number}"))
        assert list(folder.iterdir()) == []
    keeper.close()
    kept = ["deal 2", "deal 3", "deal 4"]
    assert kept_deals(tmp_path) == kept
    assert sorted(file.name[:6] for file in folder.iterdir()) == kept


def test_statistics_hold_both_games_and_no_tick_waits_for_them(
    results: GameResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    results.add(WON)
    threads: list[str] = []

    def added_up(games: Sequence[tuple[str, bool]]) -> tuple[Point, ...]:
        threads.append(threading.current_thread().name)
        return course_of(games)

    monkeypatch.setattr(keeper_module, "course_of", added_up)
    keeper = Keeper(results)
    told = asyncio.run(keeper.statistics(Tally(2, 1, 0, 0, 1, 9000, 7), [("2026-01-31", True), ("2026-01-31", False)]))
    keeper.close()
    assert [name.startswith("keeper") for name in threads] == [True, True]
    assert (told.tripeaks.deals, [point.games for point in told.tripeaks_course]) == (2, [1, 2])
    assert ([row.games for row in told.rows], [point.games for point in told.course]) == ([1], [1])
