"""From the command line to a call of one of our commands, and its faults in one line."""

import contextlib
import functools
import inspect
import io
import itertools
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import NoneType
from typing import Annotated, get_args, get_type_hints

import tyro

Command = Callable[..., None]

# What Python and tyro say of a word that is no whole number, where an option wants one or none.
NO_NUMBER = re.compile(
    r"Error parsing (\S+): (?:invalid literal for int\(\) with base 10: "
    r"|no type matching \{None\}\|INT could be instantiated from \[)('.*?')\]?"
)
TRAIN_OPTIONS = ("--out", "--resume", "--help", "-h")
"""What `train` takes beside the fields of its config."""


def parse(commands: Mapping[str, Command]) -> Callable[[], None]:
    """The command that the arguments name, ready to be called.

    Raises:
        ValueError: for arguments that cannot be understood, with what is wrong in one line.
    """
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            call: Callable[[], None] = tyro.extras.subcommand_cli_from_dict(
                {name: _deferred(command) for name, command in commands.items()},
                prog="gipfelsturm",
                description="TriPeaks and Gipfelsturm: play, measure, compare, train.",
                args=gather_overrides(sys.argv[1:]),
            )
            return call
    except SystemExit:
        if not said.getvalue():
            raise
        raise ValueError(_one_line(said.getvalue())) from None


def gather_overrides(arguments: Sequence[str]) -> list[str]:
    """The arguments with those of `train` that are fields of a config, `--key value`, as one word each, `key=value`.

    Raises:
        ValueError: for a key without a value.
    """
    if list(arguments[:1]) != ["train"]:
        return list(arguments)
    words, overrides, options = [], [], []
    left = iter(arguments[1:])
    for argument in left:
        key, given, value = argument.partition("=")
        if key in TRAIN_OPTIONS:
            options.append(argument)
            options += itertools.islice(left, 1) if argument == "--out" else []
        elif key.startswith("--"):
            overrides.append(f"{key.removeprefix('--')}={value if given else _value(key, left)}")
        else:
            words.append(argument)
    return ["train", *words, *overrides, *options]


def _value(key: str, left: Iterator[str]) -> str:
    value = next(left, "--")
    if value.startswith("--"):
        raise ValueError(f"{key} has no value: write {key} VALUE")
    return value


def _deferred(command: Command) -> Callable[..., Callable[[], None]]:
    """A function with the command's own signature that returns its call instead of making it."""

    @functools.wraps(command)
    def call(*args: object, **kwargs: object) -> Callable[[], None]:
        return functools.partial(command, *args, **kwargs)

    kinds = get_type_hints(command, include_extras=True)
    signature = inspect.signature(command)
    parameters = [
        parameter.replace(annotation=_told(kinds[name], parameter.default))
        for name, parameter in signature.parameters.items()
    ]
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    del call.__wrapped__  # where tyro would look for the command's own
    return call


def _told(kind: object, default: object) -> object:
    """The kind of an argument with what its help says: one value's name, and no default that is nothing."""
    kinds = get_args(kind)
    metavar = next(one.__name__.upper() for one in kinds if one is not NoneType) if NoneType in kinds else None
    hint = "" if default is None or default is False or default == () else None
    base, *more = kinds if hasattr(kind, "__metadata__") else (kind,)
    return Annotated[(base, tyro.conf.arg(metavar=metavar, help_behavior_hint=hint), *more)]


def _one_line(box: str) -> str:
    """The first paragraph under the title of a box, which has colours and a frame where the terminal shows them."""
    plain = re.sub(r"\x1b\[[\d;]*m", "", box)
    lines = [line.strip(" │") for line in plain.splitlines()[1:]]
    below_title = itertools.dropwhile(lambda line: not re.search(r"\w", line), lines)
    paragraph = itertools.takewhile(lambda line: re.search(r"\w", line), below_title)
    sentence = NO_NUMBER.sub(r"\1 must be a whole number, not \2", " ".join(paragraph).rstrip("."))
    return f"{sentence}; see gipfelsturm --help"
