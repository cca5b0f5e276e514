"""Results as files: checked before the work begins, written whole or not at all."""

import os
from pathlib import Path

import msgspec

from gipfelsturm.agents.whole_file import cannot_write, write_asked


def check_writable(path: Path) -> None:
    """Raise ValueError if a file cannot be written there, before hours of work find out."""
    folder = path.resolve().parent
    try:
        is_folder = path.is_dir()
    except OSError as fault:  # a name that can be none
        raise cannot_write(path, fault) from None
    if is_folder:
        raise ValueError(f"cannot write {path}: it is a folder")
    if not folder.is_dir():
        raise ValueError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"cannot write {path}: the folder {folder} is not yours to write")


def write_json(path: Path, value: object) -> None:
    """Write what msgspec can encode, as `write_asked` does, with its ValueError if it cannot be written after all."""
    write_asked(path, msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
