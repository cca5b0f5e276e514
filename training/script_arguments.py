"""What scripts beside the commands are asked on the command line; a fault is one sentence and exit status 2."""

import argparse
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Says what is wrong, and no more."""

    def error(self, message: str) -> NoReturn:
        """End with a sentence."""
        self.exit(2, f"{self.prog}: {message}\n")


def count(text: str) -> int:
    """A number of things, of which there has to be one."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number, 1 or more, not {text!r}")
    return int(text)
