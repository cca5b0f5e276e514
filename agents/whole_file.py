"""Files that are there whole or not at all, also after a power cut."""

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file; links are followed, and what is no plain file is written straight.

    Raises:
        OSError: if it cannot be written; what was there before is there still.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    partial = target.with_name(target.name + ".partial")
    try:
        _write_to_disk(partial, content)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    _settle(target.parent)


def _write_to_disk(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _settle(folder: Path) -> None:
    """Have the names in a folder on disk, where folders can be opened as files."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
