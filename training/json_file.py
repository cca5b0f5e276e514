"""Results as files: checked before the work begins, written whole or not at all."""

import os
from pathlib import Path

import msgspec

from gipfelsturm.agents.whole_file import write_whole


def check_writable(path: Path) -> None:
    """Raise ValueError if a file cannot be written there, before hours of work find out."""
    folder = path.resolve().parent
    if path.is_dir():
        raise ValueError(f"cannot write {path}: it is a folder")
    if not folder.is_dir():
        raise ValueError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"cannot write {path}: the folder {folder} is not yours to write")


def write_json(path: Path, value: object) -> None:
    """Write what msgspec can encode, as `write_whole` does; raises ValueError if it cannot be written after all."""
    try:
        write_whole(path, msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
    except OSError as fault:
        raise ValueError(f"cannot write {path}: {str(fault.strerror).lower()}") from None
