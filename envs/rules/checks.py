"""What may stand for a whole number or a yes or no, and how refusals count things."""

from numbers import Integral

import numpy as np


def whole(name: str, value: object) -> int:
    """A whole number of any type, NumPy's too, as int; raises ValueError for anything else, True and False included."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    return int(value)


def flag(name: str, value: object) -> bool:
    """True or False, NumPy's too, as bool; raises ValueError for anything else, numbers included."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def counted(count: int, thing: str) -> str:
    """As in `1 seat` and `2 seats`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def each_of(count: int, thing: str) -> str:
    """As in `the 1 seat` and `each of 2 seats`."""
    return f"{'the' if count == 1 else 'each of'} {counted(count, thing)}"
