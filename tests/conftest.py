"""What tests of several files ask for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """A Chromium. Of one module at a time: while it is there, no other event loop can run in the tests' thread."""
    from browsing import chromium  # which most runs of tests need not import

    with chromium() as started:
        yield started
