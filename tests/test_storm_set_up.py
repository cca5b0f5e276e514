"""Gipfelsturm's tables are set up in a real Chromium, and friends come by link."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from at_table import PERSON, partner, span
from browsing import visitor
from serving import Serving
from storm import paths, say_go, sit, standing


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with standing(tmp_path_factory.mktemp("storm")) as started:
        yield started


def test_one_click_sits_a_person_down_with_a_partner(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page:
        page.goto(server.address)
        page.get_by_role("link", name="Gipfelsturm").click()
        expect(page.locator("#end-title")).to_have_text("Ready?")
        assert page.locator(".seat .name").all_inner_texts() == ["You", "learned"]
        assert page.url.count("/") == 4
        page.locator("#end").get_by_role("button", name="Rules").click()
        expect(page.locator("#rules-dialog")).to_contain_text("Calls")
        page.keyboard.press("Escape")
        address = page.url
        span(server, 2)
        page.reload()
        expect(page.locator("#end-title")).to_have_text("Ready?")
        assert page.url == address


def test_a_partner_who_is_not_prepared_says_so_and_the_game_waits_for_them(browser: Browser, server: Serving) -> None:
    server.loop.tables.prepared.discard("counting")
    (path,) = paths(server, PERSON, partner("counting"))
    with visitor(browser) as page:
        sit(page, server, path)
        expect(page.locator("#end-roster")).to_contain_text("getting ready: about a minute, once")
        page.keyboard.press("g")
        span(server, 3)
        expect(page.locator("#end-buttons button").first).to_have_text("Ready. Others are still missing …")
        server.loop.tables.prepared.add("counting")
        span(server)
        expect(page.locator("#end")).to_be_hidden()
        expect(page.locator("#speech")).to_contain_text("Los!")


def planned(page: Page) -> dict[str, Any]:
    """The plan that goes out when the form is sent."""
    with page.expect_request("**/api/tables") as sent:
        page.get_by_role("button", name="Sit down").click()
    plan: dict[str, Any] = json.loads(sent.value.post_data or "")
    return plan


def test_a_table_is_set_up_and_a_friend_comes_by_link(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page, visitor(browser) as friend:
        page.goto(server.address)
        page.get_by_text("Set up another table").click()
        page.get_by_label("Level").select_option("Expert")
        expect(page.locator("#preset-facts")).to_have_text("10 stock cards each · no ring · 2:00")
        page.get_by_label("Seats").select_option("3")
        page.get_by_label("Seat 2", exact=True).select_option("friend with a link")
        page.get_by_label("Seat 3: pace").select_option("slow")
        page.get_by_label("Games").fill("5")
        page.get_by_label("Silent").check()
        page.get_by_label("Clock in seconds").fill("90")
        page.get_by_label("Stock").fill("4")
        plan = planned(page)
        assert plan["seats"] == [{"agent": ""}, {"agent": ""}, {"agent": "learned", "pace": "slow"}]
        assert (plan["preset"], plan["games"], plan["calls"], plan["ring"]) == ("expert", 5, False, False)
        assert (plan["clock"], plan["stock"]) == (90, 4)
        expect(page.locator("#end-text")).to_contain_text("Expert · 4 stock cards each · no ring · 1:30 · silent")
        expect(page.locator("#calls")).to_be_hidden()
        page.get_by_role("button", name="Copy").click()
        link = page.evaluate("navigator.clipboard.readText()")
        page.get_by_text("QR code").click()
        page.wait_for_function("() => document.querySelector('.invitation img').naturalWidth > 0")
        span(server, 2)
        page.keyboard.press("g")
        span(server)
        expect(page.locator("#end-roster")).to_contain_text("ready")
        expect(page.locator(".invitation details[open] img")).to_be_visible()
        expect(page.locator(".seat.left .status")).to_have_text("awaited")
        friend.goto(link)
        expect(friend.locator("#end-title")).to_have_text("Ready?")
        expect(page.locator(".invitation")).to_have_count(0)
        say_go(server, friend)
        expect(page.locator("#end")).to_be_hidden()


def test_friends_links_are_found_where_nothing_can_be_stored(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page:
        page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
        page.goto(server.address)
        page.get_by_text("Set up another table").click()
        page.get_by_label("Seats").select_option("3")
        page.get_by_label("Seat 2", exact=True).select_option("friend with a link")
        page.get_by_label("Seat 3", exact=True).select_option("friend with a link")
        page.get_by_role("button", name="Sit down").click()
        links = invited(page, server)
        page.reload()
        assert invited(page, server) == links
        assert len(set(links)) == 2
        for link in links:
            assert link.startswith(f"{server.address}/gipfelsturm/")
            assert link.split("/")[-1] in server.loop.tables


def test_who_asks_a_friend_learns_that_the_link_works_on_this_machine_alone(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page:
        page.goto(server.address)
        page.get_by_text("Set up another table").click()
        note, third = page.get_by_text("on this machine alone"), page.get_by_label("Seat 3", exact=True)
        page.get_by_label("Seats").select_option("3")
        expect(note).to_be_hidden()
        third.select_option("friend with a link")
        expect(note).to_be_visible()
        page.get_by_label("Seats").select_option("2")
        expect(note).to_be_hidden()


def invited(page: Page, server: Serving) -> list[str]:
    """The links for friends that stand at a table."""
    expect(page.locator("#end")).to_be_visible()
    span(server, 2)
    expect(page.locator(".invitation")).to_have_count(2)
    return page.locator(".invitation code").all_inner_texts()


def test_nothing_can_be_chosen_before_the_choices_are_there(browser: Browser, server: Serving) -> None:
    held: list[Route] = []
    with visitor(browser) as page:
        page.route("**/api/partners", lambda route: held.append(route))
        page.goto(server.address)
        with page.expect_request("**/api/partners"):
            page.get_by_text("Set up another table").click()
        for field in (page.get_by_label("Stock"), page.get_by_role("button", name="Sit down")):
            expect(field).to_be_disabled()
        held[0].continue_()
        page.get_by_label("Stock").fill("11")
        assert planned(page)["stock"] == 11


def test_what_there_is_to_choose_is_asked_for_again_when_it_did_not_come(browser: Browser, server: Serving) -> None:
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        route.abort() if len(asked) == 1 else route.continue_()

    with visitor(browser) as page:
        page.route("**/api/partners", answer)
        page.goto(server.address)
        opener = page.get_by_text("Set up another table")
        opener.click()
        expect(page.locator("#plan-fault")).to_contain_text("Close this and open it again to try again.")
        opener.click()
        expect(page.locator("#setup")).not_to_have_attribute("open", "")
        opener.click()
        expect(page.get_by_label("Level")).to_be_enabled()
        expect(page.locator("#plan-fault")).to_be_empty()
        for _ in range(2):
            opener.click()
        expect(page.get_by_label("Level")).to_be_visible()
        assert (len(asked), page.locator("#others select").count()) == (2, 4)


def test_a_table_that_cannot_be_says_why(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page:
        page.goto(server.address)
        page.get_by_text("Set up another table").click()
        page.get_by_label("Stock").fill("13")
        page.get_by_role("button", name="Sit down").click()
        expect(page.locator("#plan-fault")).to_contain_text("Stock: ")
        page.get_by_label("Stock").fill("")
        for label in ("Games", "Clock in seconds"):
            number = page.get_by_label(label)
            usual = number.input_value()
            number.fill("")
            page.get_by_role("button", name="Sit down").click()
            expect(page.locator("#plan-fault")).to_contain_text(label)
            number.fill(usual)
        page.get_by_label("no clock").check()
        assert planned(page)["clock"] is None
