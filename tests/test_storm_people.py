"""Several people at one table of Gipfelsturm, each with a Chromium of their own."""

import asyncio
import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from at_table import PERSON, on_server, partner, span
from browsing import board, text, visitor
from serving import Clock, Serving
from storm import CHOOSE, paths, say_go, sit, standing, touch

CLOCK = Clock()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with standing(tmp_path_factory.mktemp("storm"), clock=CLOCK) as started:
        yield started


@pytest.fixture
def two(browser: Browser, server: Serving) -> Iterator[tuple[Page, Page]]:
    """Two people in a game that runs; the second one speaks German."""
    anna, ben = paths(server, PERSON, PERSON)
    with visitor(browser) as first, visitor(browser, "de-DE") as second:
        sit(first, server, anna)
        sit(second, server, ben)
        say_go(server, first, second)
        yield first, second


def test_of_two_who_reach_for_one_card_the_first_has_it(two: tuple[Page, Page], server: Serving) -> None:
    first, second = two
    place = first.evaluate(CHOOSE)
    touch(first, place)
    expect(first.locator(".peak.held")).to_have_attribute("data-place", str(place))
    touch(second, place)
    span(server)
    expect(second.locator("#band-text")).to_have_text("Diese Karte hat schon jemand in der Hand.")
    expect(second.locator(".touched, .waiting")).to_have_count(0)
    span(server, 2)
    for page in two:
        expect(page.locator("#cleared")).to_have_text("1/28")
        assert board(page)[place] == "gone" and text(page, "#streak") == "1"


def test_of_two_who_touch_one_card_in_one_tick_the_other_hears_of_it(two: tuple[Page, Page], server: Serving) -> None:
    first, second = two
    first.keyboard.press("w")
    expect(second.locator(".left .bubble")).to_be_visible()  # this tick is spent: what comes now waits for the next
    place = first.evaluate(CHOOSE)
    for page in two:
        touch(page, place)
    seats = server.loop.tables._by_token[first.url.rsplit("/", 1)[1]].table.seats
    while not all(seat.hand for seat in seats):
        on_server(server, asyncio.sleep(0))
    span(server)
    for page in two:
        expect(page.locator(".peak.held")).to_have_attribute("data-place", str(place))
        expect(page.locator(".touched, .waiting")).to_have_count(0)
    told = [
        text(first, "#band-text") == "Somebody was faster.",
        text(second, "#band-text") == "Da war jemand schneller.",
    ]
    assert sorted(told) == [False, True]


def test_calls_are_seen_and_heard_in_everybodys_language(two: tuple[Page, Page], server: Serving) -> None:
    first, second = two
    first.keyboard.press("n")
    expect(first.locator("#band-text")).to_contain_text("Which rank?")
    first.keyboard.press("8")
    expect(first.locator(".own .bubble")).to_have_text("I need an 8!")
    expect(second.locator(".left .bubble")).to_have_text("Ich suche eine 8!")
    expect(second.locator("#speech")).to_have_text("Partner: Ich suche eine 8!.")
    second.get_by_role("button", name="Ich suche einen Buben!").click()
    span(server)
    expect(first.locator(".left .bubble")).to_have_text("I need a jack!")
    for key, call in (("w", "Don't draw yet!"), ("i", "I'll draw!")):
        second.keyboard.press(key)
        span(server)
        expect(first.locator(".left .bubble")).to_have_text(call)
    span(server, 31)
    expect(first.locator(".bubble:not([hidden])")).to_have_count(0)


def test_a_reload_leaves_the_game_as_it_is(two: tuple[Page, Page], server: Serving) -> None:
    first, second = two
    touch(first, -1)
    expect(first.locator(".carried:not([hidden])")).to_have_count(1)
    span(server, 3)
    before = board(second)
    second.reload()
    expect(second.locator(".own .left")).to_have_text("11")
    expect(second.locator("#end")).to_be_hidden()
    assert board(second) == before
    expect(first.locator(".left.away")).to_have_count(0)
    touch(second, -1)
    span(server, 3)
    expect(first.locator(".seat.left .left")).to_have_text("10")


def test_whoever_is_long_gone_can_be_replaced_and_comes_back(two: tuple[Page, Page], server: Serving) -> None:
    first, second = two
    address = second.url
    second.goto("about:blank")
    span(server)
    expect(first.locator(".seat.left .status")).to_have_text("gone")
    expect(first.locator(".replace:not([hidden])")).to_have_count(0)
    CLOCK.now += 60_000
    span(server)
    first.get_by_role("button", name="Let an agent play").click()
    span(server)
    expect(first.locator(".seat.left .name")).to_have_text("careful")
    second.goto(address)
    span(server)
    expect(first.locator(".seat.left .name")).to_have_text("Partner")


def test_a_game_pauses_while_nobody_is_there(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner(pace="slow"))
    with visitor(browser) as page:
        sit(page, server, path)
        say_go(server, page)
        span(server, 20)
        page.reload()
        expect(page.locator("#end-title")).to_have_text("Paused")
        span(server, 20)
        left = text(page, "#clock")
        page.keyboard.press("Enter")
        expect(page.locator("#end")).to_be_hidden()
        assert left == "2:58"


def test_a_tap_waits_while_the_hand_is_busy(two: tuple[Page, Page], server: Serving) -> None:
    first, _ = two
    touch(first, -1)
    expect(first.locator(".carried:not([hidden])")).to_have_count(1)
    assert first.locator(".touched").count() == 0
    place = first.evaluate(CHOOSE)
    touch(first, place)
    expect(first.locator(".waiting")).to_have_attribute("data-place", str(place))
    span(server, 5)
    expect(first.locator(".touched, .waiting")).to_have_count(0)


def test_a_refused_tap_says_why(two: tuple[Page, Page]) -> None:
    first, _ = two
    touch(first, 0)
    reason = "That card is face down: both cards on it have to go first."
    expect(first.locator("#band-text")).to_have_text(reason)
    expect(first.locator("#speech")).to_have_text(reason)
    expect(first.locator(".touched")).to_have_count(0)


def test_why_a_tap_was_refused_is_said_until_the_table_changes(two: tuple[Page, Page], server: Serving) -> None:
    first, second = two
    touch(first, 0)
    expect(first.locator("#band-text")).to_contain_text("That card is face down")
    second.keyboard.press("w")
    span(server, 2)
    expect(first.locator(".bubble:not([hidden])")).to_have_count(1)
    expect(first.locator("#band-text")).to_contain_text("That card is face down")
    touch(second, -1)
    span(server, 5)
    expect(second.locator(".own .left")).to_have_text("10")
    expect(first.locator("#band-text")).to_have_text("")


def test_three_seats_and_every_way_to_name_a_pile(browser: Browser, server: Serving) -> None:
    anna, ben = paths(server, PERSON, partner("careful", "slow"), PERSON)
    sent: list[str] = []
    with visitor(browser) as first, visitor(browser) as second:
        second.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
        sit(first, server, anna)
        sit(second, server, ben)
        assert first.locator(".seat .name").all_inner_texts() == ["You", "careful", "Partner"]
        assert second.locator(".seat .name").all_inner_texts() == ["You", "Partner", "careful"]
        say_go(server, first, second)
        second.locator(".peak[data-place='20']").focus()
        second.keyboard.press("Enter")
        second.keyboard.press("Shift+Enter")
        for number in ("1", "2", "3"):
            second.keyboard.press(number)
            expect(second.locator(".pile.named")).to_have_count(1)
            second.keyboard.press("Enter")
        second.locator(".seat.left .pile").click()
        second.locator(".peak[data-place='21']").click()
        second.locator(".peak[data-place='22']").click(modifiers=["Shift"])
        second.keyboard.press("3")
        second.keyboard.press("Escape")
        expect(second.locator(".pile.named")).to_have_count(0)
    taps = [(frame["place"], frame["pile"]) for frame in map(json.loads, sent) if frame["type"] == "tap"]
    assert taps == [(20, None), (20, 0), (20, 2), (20, 0), (20, 1), (21, 0), (22, 0)]


def test_a_seat_is_open_in_one_window_alone(browser: Browser, server: Serving) -> None:
    (path,) = paths(server, PERSON, partner())
    with visitor(browser) as page:
        sit(page, server, path)
        other = page.context.new_page()
        sit(other, server, path)
        expect(page.locator("#band-text")).to_have_text("This seat is open in another window.")
        page.get_by_role("button", name="Play here").click()
        expect(other.locator("#band-text")).to_have_text("This seat is open in another window.")
        expect(page.locator("#band-text")).to_have_text("")


def test_a_link_to_no_seat_says_so(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page:
        page.goto(f"{server.address}/gipfelsturm/nobody")
        expect(page.locator("#band-text")).to_contain_text("This table is gone, or the link is wrong.")
