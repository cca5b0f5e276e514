"""Whole games of Gipfelsturm in a real Chromium, as people play them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from at_table import PERSON, partner, span
from browsing import text, visitor
from gipfelsturm.envs.rules.deals import deal_id
from serving import Serving
from storm import act, heard, paths, play_out, said, say_go, sit, standing

EASY_DEAL = 5_000_029  # Won by 20 of 20 pairs that play at random.


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with standing(tmp_path_factory.mktemp("storm"), new_deal=lambda: EASY_DEAL) as started:
        yield started


def test_a_whole_game_with_an_instant_partner_is_won(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner(pace="instant"))
    with visitor(browser) as page:
        sit(page, server, path)
        heard(page)
        assert deal_id(EASY_DEAL) not in page.content()
        say_go(server, page)
        play_out(page, server)
        expect(page.locator("#end-title")).to_have_text("All peaks stormed!")
        assert "28/28" in text(page, "#end-facts") and deal_id(EASY_DEAL) in text(page, "#end-facts")
        page.get_by_role("button", name="Copy").click()
        assert page.evaluate("navigator.clipboard.readText()") == deal_id(EASY_DEAL)
        spoken = said(page)
        assert re.search(r"You: [a-z0-9]+ of \w+ on pile \d", spoken)
        assert re.search(r"lookahead: [a-z0-9]+ of \w+ on pile \d", spoken)  # though nobody sees that hand move
        assert "turned up" in spoken and "All peaks stormed!" in spoken
        assert "!." not in spoken


def test_a_game_with_a_brisk_partner_is_lost_by_the_clock(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner(pace="brisk"), preset="blitz", clock=12)
    with visitor(browser) as page:
        sit(page, server, path)
        assert text(page, "#clock") == "0:12"
        heard(page)
        say_go(server, page)
        for _ in range(6):
            act(page, server)
        span(server, 120)
        expect(page.locator("#end-title")).to_have_text("Time is up, hands off")
        expect(page.locator(".carried:not([hidden])")).to_have_count(0)
        assert "10 seconds left" in said(page)


def test_a_record_hunt_counts_its_games(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner(), games=2, preset="easy")
    with visitor(browser) as page:
        sit(page, server, path)
        say_go(server, page)
        expect(page.locator(".own .status")).to_have_text("game 1/2 · total 0")
        play_out(page, server)
        score = text(page, "#end-text").split(": ")[1].split(".")[0]
        page.get_by_role("button", name="Next game").click()
        span(server)
        expect(page.locator(".own .status")).to_have_text(f"game 2/2 · total {score}")
        expect(page.locator("#cleared")).to_have_text("0/28")
        say_go(server, page)
        play_out(page, server)
        page.get_by_role("button", name="Look at the table").click()
        expect(page.locator("#end")).to_be_hidden()
        page.keyboard.press("g")
        span(server)
        expect(page.locator(".own .status")).to_have_text("game 1/2 · total 0")
