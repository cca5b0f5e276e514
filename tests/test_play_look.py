"""TriPeaks in a real Chromium: languages and sizes, and that nothing moves but the cards."""

import pytest
from playwright.sync_api import Browser, Route, expect

from browsing import printed_ranks, tap_all, text, visitor
from gipfelsturm.agents.hint_reasons import Reason
from gipfelsturm.agents.solver import solve_all
from gipfelsturm.envs.rules.record import deal_games
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.play.advice import Advice
from serving import Serving
from solitaire import ADVISER, DEAL, boxes, open_table


def test_german_words_and_faces_and_back(browser: Browser, server: Serving) -> None:
    with visitor(browser, "de-DE") as page:
        open_table(page, server)
        names = [page.locator(f"#{name}").inner_text() for name in ("undo", "hint", "deal", "rules")]
        assert names == ["Rückgängig", "Tipp", "Neu geben", "Regeln"]
        german = printed_ranks(page, ".peak.face")
        page.get_by_role("button", name="English").click()
        english = printed_ranks(page, ".peak.face")
        assert [{"B": "J", "D": "Q"}.get(rank, rank) for rank in german] == english
        page.reload()
        expect(page.locator("#undo")).to_have_text("Undo")
        assert page.evaluate("document.documentElement.lang") == "en"


SIZES = [(360, 640), (360, 740), (640, 360), (768, 1024), (1280, 720), (2560, 1440)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_everything_fits_without_scrolling(browser: Browser, server: Serving, width: int, height: int) -> None:
    with visitor(browser, "de-DE", width, height) as page:
        open_table(page, server)
        sizes = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert sizes[0] <= width and sizes[1] <= height
        for selector in ("#undo", "#hint", "#deal", "#rules", "#stock", "#pile", ".peak[data-place='27']"):
            box = page.locator(selector).bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
            assert box["y"] >= 0 and box["y"] + box["height"] <= height


def test_the_way_out_of_the_rules_is_in_sight(browser: Browser, server: Serving) -> None:
    with visitor(browser, width=360, height=640) as page:
        open_table(page, server)
        page.get_by_role("button", name="Rules").click()
        box = page.locator("#rules-dialog").get_by_role("button", name="Close").bounding_box()
        assert box and box["y"] + box["height"] <= 640
        assert page.locator("#rules-dialog").evaluate("dialog => dialog.scrollHeight > dialog.clientHeight")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 720)])
def test_nothing_shifts_while_the_game_goes_on(browser: Browser, server: Serving, width: int, height: int) -> None:
    with visitor(browser, width=width, height=height, still=False) as page:
        open_table(page, server)
        before = boxes(page)
        for key in ("h", "Escape", "d", "h", "u", "h"):
            page.keyboard.press(key)
            page.wait_for_timeout(60)
            assert boxes(page) == before


@pytest.mark.parametrize(("width", "height"), [(360, 640), (640, 360), (1280, 720)])
def test_reasons_have_room(
    browser: Browser, server: Serving, monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    with visitor(browser, "de-DE", width, height) as page:
        open_table(page, server)
        page.keyboard.press("Escape")
        before = boxes(page)
        for reason in Reason:
            monkeypatch.setattr(ADVISER, "said", Advice(28, reason, ("TC", "QD", "TS", "AC")))
            page.keyboard.press("h")
            expect(page.locator("#band-text")).to_contain_text("Tipp:")
            assert boxes(page) == before, reason
            page.keyboard.press("Escape")


WATCH = """window.moved = []; new PerformanceObserver(list => moved.push(...list.getEntries().flatMap(
    entry => entry.sources.map(({ node }) => node?.id || node?.className || node?.nodeName))))
    .observe({ type: "layout-shift", buffered: true })"""


@pytest.mark.parametrize("path", ["/", "/tripeaks", "/gipfelsturm/none", "/statistics"])
def test_nothing_shifts_when_words_and_figures_come(browser: Browser, server: Serving, path: str) -> None:
    with visitor(browser, "de-DE", width=360, height=640) as page:
        page.add_init_script(WATCH)
        page.goto(server.address)
        late: list[Route] = []
        page.route("**/words_*.js", lambda route: late.append(route))
        page.route("**/api/*", lambda route: late.append(route))
        page.goto(server.address + path, wait_until="commit")
        page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
        while page.locator("html[data-said]").count() == 0 or late:
            while late:
                late.pop().continue_()
            page.wait_for_timeout(50)
        expect(page.locator("h1")).to_have_count(1)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("moved") == []


def test_nothing_shifts_while_a_game_is_replayed(browser: Browser, server: Serving) -> None:
    (solution,) = solve_all(deal_games(one_mind(), [DEAL]))
    with visitor(browser, "de-DE") as page:
        open_table(page, server)
        tap_all(page, list(solution.moves))
        for width, height in ((360, 640), (640, 360), (1280, 720)):
            page.set_viewport_size({"width": width, "height": height})
            page.get_by_role("button", name="Nachspielen").click()
            expect(page.locator("#band-text")).to_contain_text("Die Gabe. Der nächste")
            before = boxes(page)
            told = set()
            for _ in solution.moves:
                page.keyboard.press("ArrowRight")
                told.add(len(text(page, "#band-text").split("statt")))
                assert boxes(page) == before
            assert told == {1, 2}, "good moves and others"
            page.keyboard.press("Escape")
