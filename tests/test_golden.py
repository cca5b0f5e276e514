"""Golden games: every state follows from the text, and the text from the states."""

from pathlib import Path

import pytest

from gipfelsturm.envs.rules.record import STATUSES
from gipfelsturm.envs.rules.replay import replay
from golden_tools import GOLDEN, described, digest, main, rendered

FILES = sorted(GOLDEN.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_golden_game_replays_to_the_byte(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    description, transcript = described(text)
    assert rendered(description, transcript) == text
    *_, last = replay(transcript)
    assert text.endswith(f"# sha256 of the last record: {digest(last[0])}\n")


def test_between_them_they_show_every_end_and_every_mishap() -> None:
    ends, marks = set(), set()
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        *_, last = replay(described(text)[1])
        ends.add(STATUSES[last[0]["status"]])
        marks |= {mark for mark in ("sent to another pile", "comes back empty", "goes back", "refused") if mark in text}
    assert ends == set(STATUSES)
    assert len(marks) == 4


def test_drawing_them_anew_changes_nothing(tmp_path: Path) -> None:
    for file in FILES:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    main(str(tmp_path))
    assert all((tmp_path / file.name).read_bytes() == file.read_bytes() for file in FILES)
