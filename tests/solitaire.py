"""A table of TriPeaks in a real Chromium, and an adviser who says what a test wants to be said."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from playwright.sync_api import Page, expect

from gipfelsturm.play.advice import Advice, Adviser, Move, Question, warm_up
from gipfelsturm.play.messages import Worth
from serving import Serving, serving

DEAL = 5_000_000


class TestAdviser(Adviser):
    """Also whatever a test wants to be said."""

    __test__ = False
    said: Advice | None = None

    def wait(self) -> object:
        """Think for a while."""

    def hint(self, question: Question, stop: Callable[[], bool] = lambda: False) -> Advice:
        self.wait()
        return self.said or super().hint(question, stop)

    def weigh(self, moves: Iterable[Move], stop: Callable[[], bool] = lambda: False) -> tuple[Worth, ...]:
        self.wait()
        return super().weigh(moves, stop)


ADVISER = TestAdviser(400, 200)


@contextlib.contextmanager
def advising(folder: Path) -> Iterator[Serving]:
    """A server where nothing has to be compiled any more, every new deal is `DEAL`, and `ADVISER` advises."""
    warm_up()
    with serving(folder / "results.sqlite3", ADVISER, lambda: DEAL) as started:
        started.sit()  # compiled by now
        yield started


def open_table(page: Page, server: Serving, path: str = "/tripeaks") -> Page:
    page.goto(server.address + path)
    expect(page.locator(".peak.face")).to_have_count(10)
    return page


def shows(page: Page, selector: str, words: str) -> None:
    expect(page.locator(selector)).to_have_text(words)


def boxes(page: Page) -> list[str]:
    """Where the pile, the peaks and a button stand."""
    script = "ids => ids.map(id => JSON.stringify(document.getElementById(id).getBoundingClientRect()))"
    found: list[str] = page.evaluate(script, ["pile", "peaks", "undo"])
    return found
