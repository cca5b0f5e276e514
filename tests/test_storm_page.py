"""Gipfelsturm's page in a real Chromium: languages, keys, records, figures."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from at_table import PERSON, partner, span
from browsing import printed_ranks, text, visitor
from serving import Serving
from storm import CHOOSE, paths, play_out, say_go, sit, standing


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with standing(tmp_path_factory.mktemp("storm")) as started:
        yield started


def test_german_words_and_faces_and_back(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner())
    with visitor(browser, "de-DE") as page:
        sit(page, server, path)
        expect(page.locator("#end-title")).to_have_text("Bereit?")
        german = printed_ranks(page, ".card.face, #needs")
        page.get_by_role("button", name="English").click()
        expect(page.locator("#end-title")).to_have_text("Ready?")
        english = printed_ranks(page, ".card.face, #needs")
        assert {"B", "D", "10"} <= set(german)
        assert [{"B": "J", "D": "Q"}.get(rank, rank) for rank in german] == english
        expect(page.locator("#hold")).to_have_text("Wait!")


def test_a_named_pile_stays_named_in_another_language(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner())
    with visitor(browser, "de-DE") as page:
        sit(page, server, path)
        say_go(server, page)
        page.keyboard.press("2")
        page.get_by_role("button", name="English").click()
        expect(page.locator("#band-text")).to_have_text("The next card goes on pile 2.")
        expect(page.locator(".pile.named")).to_have_count(1)


def test_after_the_end_no_pile_can_be_named(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner("careful"))
    with visitor(browser) as page:
        sit(page, server, path)
        page.keyboard.press("2")
        expect(page.locator(".pile.named")).to_have_count(0)
        say_go(server, page)
        page.keyboard.press("2")
        expect(page.locator(".pile.named")).to_have_count(1)
        page.keyboard.press("2")
        play_out(page, server)
        page.get_by_role("button", name="Look at the table").click()
        ended = text(page, "#band-text")
        page.keyboard.press("2")
        page.locator(".own .pile").click()
        expect(page.locator(".pile.named")).to_have_count(0)
        assert text(page, "#band-text") == ended


def test_the_keyboard_alone_is_enough(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner(pace="slow"))
    with visitor(browser) as page:
        sit(page, server, path)
        page.keyboard.press("Enter")
        expect(page.locator("#end")).to_be_hidden()
        span(server, 2)
        place = page.evaluate(CHOOSE)
        for _ in range(12):
            if page.evaluate("document.activeElement.dataset.place") == str(place):
                break
            page.keyboard.press("ArrowRight")
        card = page.locator(f".peak[data-place='{place}']").get_attribute("aria-label")
        (rank,) = printed_ranks(page, f".peak[data-place='{place}']")
        page.keyboard.press("Space")
        expect(page.locator(".peak.held")).to_have_attribute("data-place", str(place))
        span(server, 3)
        expect(page.locator("#cleared")).to_have_text("1/28")
        expect(page.locator("#speech")).to_contain_text(f"{card} on pile")
        assert printed_ranks(page, f".pile[aria-label$=': {card}']") == [rank]
        page.keyboard.press("d")
        span(server, 3)
        expect(page.locator(".own .left")).to_have_text("10")
        expect(page.locator("#speech")).to_contain_text("You: drew")


def test_a_table_that_is_recorded_says_so(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner())
    with visitor(browser) as page:

        def recording(route: Route) -> None:
            offer = route.fetch().json()
            route.fulfill(json=offer | {"recording": True})

        page.route("**/api/partners", recording)
        sit(page, server, path)
        expect(page.locator("#end-text")).to_contain_text("These games are recorded.")
        page.get_by_role("button", name="Menu").click()
        expect(page.locator(".recording")).to_be_visible()


def test_the_statistics_tell_of_the_games(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner(pace="instant"), games=2)
    with visitor(browser, width=360, height=740) as page:
        sit(page, server, path)
        for _ in range(2):
            say_go(server, page)
            play_out(page, server)
            page.keyboard.press("g")
            span(server)
        page.goto(server.address + "/statistics")
        row = page.locator("tbody tr", has_text="Normal with lookahead").first
        expect(row).to_contain_text("Normal with lookahead")
        assert row.locator("td").nth(1).inner_text() == "2"
        assert "" not in page.locator("th").all_inner_texts()
        expect(page.get_by_role("img", name="Win rate over time")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.get_by_role("button", name="Deutsch").click()
        assert text(page, "h1") == "Statistik"
