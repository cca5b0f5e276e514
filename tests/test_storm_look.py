"""Gipfelsturm's page in a real Chromium: it fits windows of all sizes, and nothing shifts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FloatRect, Page, Route, expect

from at_table import PERSON, partner, span
from browsing import visitor
from serving import Serving
from storm import CHOOSE, act, paths, say_go, sit, standing, touch


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with standing(tmp_path_factory.mktemp("storm")) as started:
        yield started


SIZES = [(320, 568), (360, 640), (360, 740), (640, 360), (768, 1024), (1280, 800), (2560, 1440)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_everything_fits_without_scrolling(browser: Browser, server: Serving, width: int, height: int) -> None:
    path, _ = paths(server, PERSON, partner(), PERSON)
    with visitor(browser, "de-DE", width, height) as page:
        sit(page, server, path)
        sizes = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert sizes[0] <= width and sizes[1] <= height
        for word in page.locator("header > *, .says button").all():
            assert word.evaluate("word => word.scrollWidth <= word.clientWidth || word.clientWidth === 0")
        for selector in (
            "#menu",
            "#needs button >> nth=0",
            "#needs button >> nth=12",
            "#drawing",
            ".own .stock",
            ".right .pile",
        ):
            box = page.locator(selector).bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
            assert box["y"] >= 0 and box["y"] + box["height"] <= height
            assert box["width"] >= (24 if width >= 360 else 21) and box["height"] >= 24


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_one_calls_hides_neither_cards_nor_words(
    browser: Browser, server: Serving, width: int, height: int
) -> None:
    (path,) = paths(server, PERSON, partner(pace="slow"))
    with visitor(browser, "de-DE", width, height) as page:
        sit(page, server, path)
        say_go(server, page)
        page.locator("#drawing").click()
        span(server)
        bubble = page.locator(".own .bubble").bounding_box()
        assert bubble
        page.locator(".own .pile").click()  # says in the band how it goes on
        expect(page.locator("#band-text")).not_to_be_empty()
        for other in ("#band", ".own .stock", ".own .pile", ".peak[data-place='22']", "#cleared"):
            box = page.locator(other).bounding_box()
            assert box
            assert not overlap(bubble, box), other


def overlap(one: FloatRect, other: FloatRect) -> bool:
    """Whether two boxes have more than their edges in common."""
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return across > 1 and down > 1


@pytest.mark.parametrize(("width", "letters"), [(320, 16), (360, 16), (360, 20)])
def test_the_facts_of_a_game_are_whole_on_a_telephone(
    browser: Browser, server: Serving, width: int, letters: int
) -> None:
    (path,) = paths(server, PERSON, partner(pace="slow"), clock=1)
    with visitor(browser, "de-DE", width, 640) as page:
        sit(page, server, path)
        say_go(server, page)
        span(server, 10)
        expect(page.locator("#end-facts dd")).to_have_count(5)
        page.evaluate("letters => document.documentElement.style.fontSize = `${letters}px`", letters)
        page.locator("#end-facts dd").evaluate_all(
            "facts => ['12:34', '22', '28', '28/28'].forEach((fact, i) => facts[i].textContent = fact)"
        )
        sheet = page.locator("#end").bounding_box()
        drawn = page.locator("#end-facts dd").evaluate_all(
            "facts => facts.map(fact => { const all = document.createRange(); all.selectNodeContents(fact);"
            "const { right, height } = all.getBoundingClientRect(); return [right, height]; })"
        )
        assert sheet
        for right, high in drawn:
            assert right <= sheet["x"] + sheet["width"] - letters and high < 2.5 * letters


def test_all_ways_out_of_the_menu_look_alike(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner())
    with visitor(browser, width=360, height=740) as page:
        sit(page, server, path)
        page.get_by_role("button", name="Menu").click()
        looks = page.locator("#menu-dialog .list > *").evaluate_all(
            "ways => ways.map(way => [way, getComputedStyle(way)])"
            ".map(([way, { color, textDecoration }]) => [way.offsetHeight, color, textDecoration])"
        )
        assert len(looks) == 4
        assert all(look == looks[0] for look in looks)


def test_what_the_ranks_are_for_is_said_on_a_telephone(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner())
    with visitor(browser, width=360, height=640) as page:
        sit(page, server, path)
        expect(page.get_by_text("Need", exact=True)).to_be_visible()


def boxes(page: Page) -> list[object]:
    return [page.locator(selector).bounding_box() for selector in (".seat.own", "#peaks", "#needs", "#streak-count")]


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 800)])
def test_nothing_shifts_while_the_game_goes_on(browser: Browser, server: Serving, width: int, height: int) -> None:
    (path,) = paths(server, PERSON, partner(pace="brisk"))
    with visitor(browser, "de-DE", width, height, still=False) as page:
        sit(page, server, path)
        expect(page.locator(".dealt")).to_have_count(0)
        before = boxes(page)
        say_go(server, page)
        touch(page, 9)
        expect(page.locator("#band-text")).to_contain_text("verdeckt")
        for key in ("n", "8", "w", "2", "Escape"):
            page.keyboard.press(key)
            span(server, 2)
            assert boxes(page) == before
        for _ in range(4):
            act(page, server)
            assert boxes(page) == before


@pytest.mark.parametrize(("width", "height"), [(360, 740), (640, 360), (1280, 800)])
def test_a_table_that_is_laid_slowly_stays_where_it_is(
    browser: Browser, server: Serving, width: int, height: int
) -> None:
    with visitor(browser, width=width, height=height) as page:
        held: list[Route] = []
        page.route("**/api/tables", lambda route: held.append(route))
        page.goto(server.address + "/gipfelsturm")
        expect(page.locator("#band-text")).to_contain_text("The table is being laid.")
        expect(page.locator(".peak, .count, #calls button").locator("visible=true")).to_have_count(0)
        before = page.locator("#peaks").bounding_box()
        while not held:
            page.wait_for_timeout(10)
        held[0].continue_()
        expect(page.locator("#end")).to_be_visible()
        assert page.locator("#peaks").bounding_box() == before


def test_a_carried_card_flies_by_transform(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner(pace="slow"))
    with visitor(browser, still=False) as page:
        sit(page, server, path)
        say_go(server, page)
        place = page.evaluate(CHOOSE)
        touch(page, place)
        expect(page.locator(".peak.held")).to_have_attribute("data-place", str(place))
        moved = page.locator(".carried:not([hidden])")
        assert moved.evaluate("card => getComputedStyle(card).transitionProperty") == "transform"
        assert moved.evaluate("card => card.style.transitionDuration") == "200ms"
        span(server, 3)
        expect(moved).to_have_count(0)
