"""A stopwatch without a clock of its own: who uses it says what time it is."""


class Stopwatch:
    """Time that has gone by while it ran; every `now` is in whole milliseconds of one clock that never goes back.

    Attributes:
        gone: milliseconds that it had run when it was last told to run or to stand still.
    """

    def __init__(self, gone: int = 0) -> None:
        self.gone = gone
        self._since: int | None = None

    def run(self, running: bool, now: int) -> None:
        """Run or stand still from now on, whatever it did before."""
        self.gone = self.read(now)
        self._since = now if running else None

    def read(self, now: int) -> int:
        """Milliseconds that it has run."""
        return self.gone if self._since is None else self.gone + now - self._since
