"""Gipfelsturm's page in a real Chromium: setting up, sizes, languages, keys, figures."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Page, Route, expect

from at_table import PERSON, partner, span
from browsing import printed_ranks, text, visitor
from serving import Serving
from storm import CHOOSE, act, paths, play_out, say_go, sit, standing, touch


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with standing(tmp_path_factory.mktemp("storm")) as started:
        yield started


# The first page


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


# Languages, sizes, eyes, keys


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


# Figures


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
