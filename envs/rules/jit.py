"""The one decorator for compiled functions.

Numba checks only the file of the *calling* function for changes, so a cache beside the sources would go stale when a
callee in another file is edited. Here the cache folder's name holds a digest of all our sources.
"""

import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, SupportsInt, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.cpython.unsafe.numbers import trailing_zeros
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., object])
KEPT_DAYS = 30
"""How long machine code of other sources is kept after its last use."""


def _source_digest() -> str:
    package = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _cache_dir() -> Path:
    root = os.environ.get("NUMBA_CACHE_DIR")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(root or os.path.join(home, "gipfelsturm", "numba")) / _source_digest()


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _prune(used: Path) -> None:
    """Note that a folder is in use, and remove its neighbours that have not been for long.

    Several processes may do so at once, and to a folder that is being read: Numba takes what is gone for not cached.
    """
    os.utime(used)
    oldest = time.time() - KEPT_DAYS * 86_400
    for folder in used.parent.iterdir():
        try:
            old = re.fullmatch("[0-9a-f]{16}", folder.name) and folder.stat().st_mtime < oldest
        except OSError:  # another process was quicker
            continue
        if old:
            shutil.rmtree(folder, ignore_errors=True)


CACHE_DIR = _cache_dir()
# Without a folder of our own Numba would fall back to one beside the sources, and to its stale results.
CACHED = _writable(CACHE_DIR)
if CACHED:
    _prune(CACHE_DIR)


def compiled(function: F) -> F:
    """Compile, release the GIL, and keep the machine code in `CACHE_DIR` (in memory alone if it cannot be written)."""
    return _compile(function, inline=False)


def inlined(function: F) -> F:
    """`compiled`, and copied into each caller: for the parts of one game, which batch loops run millions of times.

    A call would cost more than the part itself: the caller's loop could not keep the record and the rows in registers.
    """
    return _compile(function, inline=True)


def _compile(function: F, inline: bool) -> F:
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_DIR)
    try:
        return cast(F, numba.njit(cache=CACHED, nogil=True, error_model="numpy", forceinline=inline)(function))
    finally:
        numba.config.CACHE_DIR = before


@inlined
def signed(value: SupportsInt) -> int:
    """An unsigned field as a signed number: arithmetic that mixes the two would give floats, and ranks would wrap."""
    return np.int64(value)  # type: ignore[return-value]  # compiled code has one kind of int


@inlined
def lowest_bit_number(bits: int) -> int:
    """The number of the lowest bit that is set in a signed 64-bit number that is not 0, in one machine instruction."""
    return signed(trailing_zeros(bits))


class Builder(Protocol):
    """Writes machine instructions: llvmlite's, which has no types."""

    def ctpop(self, value: object) -> object:
        """Count the bits that are set."""


def _population(_: object, bits: types.Integer) -> tuple[object, Callable[..., object]]:
    """The machine's own instruction, which Numba has no name for."""

    def build(_: object, builder: Builder, __: object, arguments: Sequence[object]) -> object:
        return builder.ctpop(arguments[0])

    return bits(bits), build


_count_bits = cast(Callable[[int], int], intrinsic(_population))


@inlined
def count_bits(bits: int) -> int:
    """How many bits are set in a signed 64-bit number that is not negative."""
    return _count_bits(signed(bits))
