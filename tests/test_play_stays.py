"""TriPeaks in a real Chromium: what windows, links, time and a lost server do to a game."""

from playwright.sync_api import Browser, Page, expect

from browsing import board, table, tap_all, visitor
from gipfelsturm.envs.rules.deals import deal_id
from serving import Serving
from solitaire import open_table, shows


def test_a_lost_game_counts_when_its_page_is_closed(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page:
        open_table(page, server, f"/tripeaks/{deal_id(9)}")
        before = server.post({"kind": "statistics", "table": ""})[1]["deals"]
        tap_all(page, [28] * 23)
        while not page.locator("#end").is_visible():
            page.keyboard.press("h")
            tap_all(page, [int(page.locator(".peak.marked").get_attribute("data-place") or "28")])
        assert server.post({"kind": "statistics", "table": ""})[1]["deals"] == before
        other = page.context.new_page()
        page.close(run_before_unload=True)
        for _ in range(100):
            if server.post({"kind": "statistics", "table": ""})[1]["deals"] > before:
                break
            other.wait_for_timeout(50)
        assert server.post({"kind": "statistics", "table": ""})[1]["deals"] == before + 1


def test_turning_resizing_and_reloading_leave_the_game_as_it_is(page: Page) -> None:
    tap_all(page, [28, 28])
    before = table(page)
    for width, height in ((360, 740), (740, 360), (1920, 1080), (320, 480)):
        page.set_viewport_size({"width": width, "height": height})
        assert table(page) == before
    page.reload()
    expect(page.locator("#left")).to_have_text("21")
    assert table(page) == before


def test_the_clock_stands_still_while_the_page_is_hidden(page: Page, server: Serving) -> None:
    tap_all(page, [28])
    messages: list[str] = []
    page.on("request", lambda request: messages.append(request.post_data or ""))
    for hidden in (True, False):
        with page.expect_response("**/api/tripeaks"):
            page.evaluate(
                "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
                " document.dispatchEvent(new Event('visibilitychange')); }",
                hidden,
            )
    assert ['"shown":false' in message for message in messages] == [True, False]
    assert ['"kind":"show"' in message for message in messages] == [True, True]


def test_the_clock_goes_on_at_a_table_that_comes_from_the_file(page: Page, server: Serving) -> None:
    tap_all(page, [28])
    server.tables._tables.clear()
    with page.expect_response("**/api/tripeaks") as answer:
        tap_all(page, [28])
    assert answer.value.json()["ticking"]
    shows(page, "#clock", "0:01")


def test_a_linked_deal_is_dealt_and_goes_on_after_a_reload(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page:
        open_table(page, server, f"/tripeaks/{deal_id(7)}")
        linked = board(page)
        tap_all(page, [28])
        page.reload()
        shows(page, "#left", "22")
        page.keyboard.press("n")
        shows(page, "#left", "23")
        assert board(page) != linked
        page.get_by_role("button", name="Menu").click()
        page.get_by_label("Deal a game by its id").fill("<img src=x onerror=alert(1)>")
        page.keyboard.press("Enter")
        expect(page.locator("#id-fault")).to_contain_text("There is no deal with this id.")
        page.get_by_label("Deal a game by its id").fill(deal_id(7).lower())
        page.keyboard.press("Enter")
        expect(page.locator("#menu-dialog")).to_be_hidden()
        assert board(page) == linked
        assert page.url.endswith(f"/tripeaks/{deal_id(7).lower()}")


def test_a_link_to_no_deal_says_so(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page:
        open_table(page, server, "/tripeaks/%3Cimg src=x onerror=alert(1)%3E")
        expect(page.locator("#band-text")).to_contain_text("There is no deal with this id.")


def test_two_windows_at_one_table_agree(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".peak.face")).to_have_count(10)
    other.keyboard.press("d")
    shows(other, "#left", "22")
    page.keyboard.press("d")
    shows(page, "#left", "22")
    page.keyboard.press("d")
    shows(page, "#left", "21")


def test_statistics_count_what_was_left(page: Page) -> None:
    page.keyboard.press("d")
    shows(page, "#left", "22")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Statistics").click()
    expect(page.locator("#statistics-facts")).to_contain_text("Deals")
    page.keyboard.press("Escape")


def test_statistics_that_nobody_has_time_for_are_one_sentence(page: Page) -> None:
    busy = {"kind": "fault", "fault": "too busy"}
    page.route("**/api/tripeaks", lambda route: route.fulfill(status=404, json=busy), times=1)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Statistics").click()
    expect(page.locator("#band-text")).to_contain_text("Too much is asked for at once")
    page.route("**/api/statistics", lambda route: route.fulfill(status=503, json=busy))
    page.goto(page.url.split("/tripeaks")[0] + "/statistics")
    expect(page.locator("#figures")).to_contain_text("The server does not answer.")


def test_a_server_that_is_gone_costs_a_sentence(page: Page) -> None:
    page.route("**/api/tripeaks", lambda route: route.abort())
    page.locator("#stock").click()
    expect(page.locator("#band-text")).to_contain_text("The server does not answer.")
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Deal a game by its id").fill(deal_id(7))
    page.keyboard.press("Enter")
    expect(page.locator("#id-fault")).to_contain_text("The server does not answer.")
    page.keyboard.press("Escape")
    page.unroute("**/api/tripeaks")
    page.locator("#stock").click()
    shows(page, "#left", "22")
