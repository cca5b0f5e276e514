"""Results as files: checked before the work begins, written whole or not at all."""

import os
from pathlib import Path

import msgspec


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
    """Write what msgspec can encode, as `write_whole` does."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file; links are followed, and what is no plain file is written straight."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    partial = target.with_name(target.name + ".partial")
    try:
        partial.write_bytes(content)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
