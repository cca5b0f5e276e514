"""What tests of several files ask for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from serving import Serving


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """A Chromium. Of one module at a time: while it is there, no other event loop can run in the tests' thread."""
    from browsing import chromium  # which most runs of tests need not import

    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Serving]":
    """A server of TriPeaks as `solitaire.advising` starts it; modules about another one have their own."""
    from solitaire import advising

    with advising(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture
def page(browser: "Browser", server: "Serving") -> "Iterator[Page]":
    """A visitor at a new table of TriPeaks."""
    from browsing import visitor
    from solitaire import open_table

    with visitor(browser) as opened:
        yield open_table(opened, server)
