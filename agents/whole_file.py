"""Files that are there whole or not at all, also after a power cut."""

import errno
import os
from pathlib import Path

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_asked(path: Path, content: bytes) -> None:
    """Write a file that somebody has named, as `write_whole` does.

    Raises:
        ValueError: if it cannot be written; what was there before is there still.
    """
    try:
        write_whole(path, content)
    except OSError as fault:
        raise cannot_write(path, fault) from None


def cannot_write(path: Path, fault: OSError) -> ValueError:
    """What to tell whoever has named a file that the system refused to write."""
    cure = "make room there, or name a file elsewhere" if fault.errno in NO_ROOM else "name a file that you may write"
    return ValueError(f"cannot write {path}: {reason(fault)}; {cure}")


def reason(fault: OSError) -> str:
    """Why the system refused something, in its own words: without a number, and without the path."""
    return str(fault.strerror or fault).lower()


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
