"""A real Chromium, and what a test reads off the page."""

import contextlib
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# As root, without a network, and without a word to anybody.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 15_000
expect.set_options(timeout=PATIENCE_MS)


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """The browser that is installed here."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.fail(f"there is no {NAMES[0]} here: install it (Debian: apt-get install {NAMES[0]})", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield browser
        browser.close()


@contextlib.contextmanager
def visitor(
    browser: Browser, language: str = "en-US", width: int = 1280, height: int = 720, still: bool = True
) -> Iterator[Page]:
    """Somebody with a browser of their own; anything that the page complains of fails the test."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=language,
        reduced_motion="reduce" if still else "no-preference",
        has_touch=width < 500,
    )
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if is_fault(message) else None)
    yield page
    context.close()
    assert complaints == []


def is_fault(message: ConsoleMessage) -> bool:
    """Whether the page has gone wrong: an answer that did not come is not the page's fault."""
    return message.type == "error" and not message.text.startswith("Failed to load resource")


def text(page: Page, selector: str) -> str:
    return page.locator(selector).inner_text()


def board(page: Page) -> list[str]:
    """What lies where: rank and colour of a face, `down`, or `gone`."""
    script = """cards => cards.map(card => card.classList.contains('gone') ? 'gone'
        : card.classList.contains('down') ? 'down' : card.getAttribute('aria-label'))"""
    cards: list[str] = page.locator(".peak").evaluate_all(script)
    return cards


def printed_ranks(page: Page, selector: str) -> list[str]:
    """What is drawn on the cards that a selector finds."""
    ranks: list[str] = page.locator(f"{selector} .rank").evaluate_all("ranks => ranks.map(rank => rank.dataset.rank)")
    return ranks


def table(page: Page) -> tuple[list[str], str | None, str, str]:
    """All that can be seen of a game."""
    pile = page.locator("#pile").get_attribute("aria-label")
    return board(page), pile, text(page, "#cleared"), text(page, "#streak")


def tap(page: Page, place: int) -> None:
    """Tap a place, or the stock for 28, though it may be one that refuses."""
    page.locator("#stock" if place == 28 else f".peak[data-place='{place}']").click(force=True)


def tap_all(page: Page, places: list[int]) -> None:
    """Tap one after another, each when the last one has come to the table."""
    for place in places:
        before = [text(page, "#cleared"), text(page, "#left")]
        tap(page, place)
        page.wait_for_function(
            "([cleared, stock]) => cleared !== document.getElementById('cleared').textContent"
            " || stock !== document.getElementById('left').textContent",
            arg=before,
        )
