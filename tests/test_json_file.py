"""Results on disk: refused early, written whole, links followed, devices left alone."""

import errno
import os
from pathlib import Path

import pytest

from gipfelsturm.agents.whole_file import write_asked
from gipfelsturm.training.json_file import check_writable, write_json


def test_it_is_written_whole(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"rows": [1]})
    assert (tmp_path / "a.json").read_text() == '{\n "rows": [\n  1\n ]\n}\n'
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text("old")
    (tmp_path / "link.json").symlink_to("there.json")
    write_json(tmp_path / "link.json", 7)
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "there.json").read_text() == "7\n"


def test_what_is_no_plain_file_stays_what_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_json(pipe, 7)
    assert os.read(reader, 10) == b"7\n"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "a.json").write_text("old")
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(
        ValueError,
        match=f"^cannot write {tmp_path}/a.json: no space left on device; make room there, or name a file elsewhere$",
    ):
        write_json(tmp_path / "a.json", 7)
    assert (tmp_path / "a.json").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize(
    ("number", "cure"),
    [
        (errno.EDQUOT, "disk quota exceeded; make room there, or name a file elsewhere"),
        (errno.EROFS, "read-only file system; name a file that you may write"),
        (errno.EACCES, "permission denied; name a file that you may write"),
    ],
)
def test_a_refusal_of_the_system_is_a_sentence_with_a_cure(
    number: int, cure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(number, os.strerror(number), "game.gif.partial")

    monkeypatch.setattr(os, "fsync", refused)
    with pytest.raises(ValueError, match=f"^cannot write {tmp_path}/game.gif: {cure}$"):
        write_asked(tmp_path / "game.gif", b"GIF")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("", "it is a folder"),
        ("nowhere/a.json", "there is no folder"),
        ("../x/y/a.json", "there is no folder"),
        ("a" * 300, "name a file that"),
    ],
)
def test_faults_are_found_early(path: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=fault):
        check_writable(tmp_path / path)


def test_a_path_that_can_be_written_is_fine(tmp_path: Path) -> None:
    check_writable(tmp_path / "a.json")
    assert list(tmp_path.iterdir()) == []
