"""A table of Gipfelsturm in a real Chromium: its time goes on when a test says so."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from at_table import open_table, span
from serving import Serving, serving

# The card that comes first and fits some pile; the own stock where none does.
CHOOSE = """() => {
  const ranks = 'A 2 3 4 5 6 7 8 9 10 J Q K'.split(' ');
  const tops = [...document.querySelectorAll('.pile .rank')].map(rank => ranks.indexOf(rank.dataset.rank));
  const fits = card => tops.some(top => {
    const away = (top - ranks.indexOf(card.querySelector('.rank').dataset.rank) + 13) % 13;
    return away === 1 || away === 12;
  });
  const card = [...document.querySelectorAll('.peak.face:not(.gone, .held)')].find(fits);
  return card ? Number(card.dataset.place) : -1;
}"""


@contextlib.contextmanager
def standing(folder: Path, **how: Any) -> Iterator[Serving]:  # noqa: ANN401
    """A server whose time stands still, and where nothing has to be compiled any more."""
    with serving(folder / "results.sqlite3", by_hand=True, **how) as started:
        started.loop.ready.result()
        yield started


def paths(server: Serving, *seats: dict[str, str], **plan: object) -> list[str]:
    """Where the people of a new table find their seats."""
    return [f"/gipfelsturm/{token}" for token in open_table(server, *seats, **plan)]


def sit(page: Page, server: Serving, path: str) -> None:
    """Come to a table; what it tells has come to the page."""
    page.goto(server.address + path)
    expect(page.locator("#end")).to_be_visible()
    span(server)
    expect(page.locator(".peak.face")).not_to_have_count(0)


def say_go(server: Serving, *pages: Page) -> None:
    """Everybody says Los!, and the game runs."""
    for page in pages:
        page.locator("#end-buttons button").first.click()
    span(server)
    for page in pages:
        expect(page.locator("#end")).to_be_hidden()
    span(server, 2)  # From here on the next message is acted on at once.


def touch(page: Page, place: int) -> None:
    """Tap a card of the peaks, or the own stock for -1."""
    page.locator(".own .stock" if place < 0 else f".peak[data-place='{place}']").click(force=True)


def act(page: Page, server: Serving) -> None:
    """Do something sensible, and let the hand come to rest."""
    touch(page, page.evaluate(CHOOSE))
    expect(page.locator(".touched")).to_have_count(0)
    span(server, 5)  # there and back again


def play_out(page: Page, server: Serving, most: int = 60) -> None:
    """Play until the sheet tells of the end."""
    for _ in range(most):
        if page.locator("#end").is_visible():
            return
        act(page, server)
    expect(page.locator("#end")).to_be_visible()


def heard(page: Page) -> None:
    """Keep all that is read out from now on in `said`."""
    page.evaluate(
        """() => { window.said = []; const speech = document.getElementById('speech');
        new MutationObserver(() => said.push(speech.textContent)).observe(speech, { childList: true }); }"""
    )


def said(page: Page) -> str:
    """All that was read out since `heard`."""
    return str(page.evaluate("said.join(' ')"))
