"""TriPeaks in a real Chromium, as a person plays it."""

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import board, printed_ranks, table, tap, tap_all, text, visitor
from gipfelsturm.agents.hint_reasons import Reason
from gipfelsturm.agents.solver import solve_all
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.record import deal_games
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.play.advice import Advice
from serving import Serving
from solitaire import ADVISER, DEAL, advising, open_table, shows


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with advising(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture
def page(browser: Browser, server: Serving) -> Iterator[Page]:
    with visitor(browser) as page:
        yield open_table(page, server)


# From the first page to the last card


def test_one_click_deals(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page:
        page.goto(server.address)
        page.get_by_role("link", name="TriPeaks").click()
        expect(page.locator(".peak.face")).to_have_count(10)
        assert (text(page, "#cleared"), text(page, "#left"), text(page, "#streak")) == ("0/28", "23", "0")
        assert deal_id(DEAL) not in page.content()


def test_a_whole_game_is_won_by_the_solvers_line(page: Page) -> None:
    (solution,) = solve_all(deal_games(one_mind(), [DEAL]))
    assert solution.winnable
    tap_all(page, [int(move) for move in solution.moves])
    shows(page, "#end-title", "All three peaks cleared")
    assert board(page) == ["gone"] * 28
    facts = text(page, "#end-facts")
    assert "28/28" in facts and deal_id(DEAL) in facts and str(len(solution.moves)) in facts
    page.get_by_role("button", name="Copy").click()
    shows(page, ".copyable button", "Copied")
    assert page.evaluate("navigator.clipboard.readText()") == deal_id(DEAL)
    look_and_replay(page, len(solution.moves))
    page.keyboard.press("n")
    expect(page.locator("#end")).to_be_hidden()
    shows(page, "#cleared", "0/28")


def look_and_replay(page: Page, moves: int) -> None:
    page.get_by_role("button", name="Look at the table").click()
    expect(page.locator("#end")).to_be_hidden()
    page.get_by_role("button", name="Result").click()
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("#band-text")).to_have_text(re.compile("^The deal. The next move"))
    for move in range(1, moves + 1):
        page.keyboard.press("ArrowRight")
        shows_move(page, move, moves)
    page.keyboard.press("ArrowLeft")
    shows_move(page, moves - 1, moves)
    page.get_by_role("button", name="To the end").click()
    shows(page, "#cleared", "28/28")
    page.keyboard.press("Escape")
    expect(page.locator("#end")).to_be_visible()


def shows_move(page: Page, move: int, moves: int) -> None:
    """Each move but the one after the last is told what it was worth."""
    good = r" The next move was good: [1-9]\d* % chance\."
    bad = r" The next move: \d+ instead of \d+ % chance\. Better: (draw|\d+[♣♦♥♠]|[AJQK][♣♦♥♠])\."
    worth = "" if move == moves else f"({good}|{bad})"
    expect(page.locator("#band-text")).to_have_text(re.compile(f"^Move {move} of {moves}\\.{worth}$"))


# Shows a film of one move; the seven of hearts lies on the first place.
SHOW_WORTH = """async (worth) => {
  const { startReplay } = await import("/page/replay.js");
  const view = { peaks: ["7H", ...Array(27).fill("??")], top: "AS", stock: 1, cleared: 0, streak: 0 };
  startReplay({ views: [view, view], actions: [28], worth: [worth] }, () => {});
}"""


@pytest.mark.parametrize(
    ("share", "gave_up", "exact", "shown", "spoken"),
    [
        (0.47, 0.0, False, "The next move was good: 47 % chance.", "The next move was good: 47 % chance."),
        (0.003, 0.0, False, "There was next to no chance left.", "There was next to no chance left."),
        (0.0, 0.0, True, "Nothing wins any more.", "Nothing wins any more."),
        (
            0.2,
            0.3,
            False,
            "The next move: 20 instead of 50 % chance. Better: 7♥.",
            "The next move: 20 instead of 50 % chance. Better: 7 of hearts.",
        ),
    ],
)
def test_the_replay_tells_and_says_what_a_move_was_worth(
    page: Page, share: float, gave_up: float, exact: bool, shown: str, spoken: str
) -> None:
    page.evaluate(SHOW_WORTH, {"share": share, "gave_up": gave_up, "exact": exact, "best": 0})
    shows(page, "#band-text", f"The deal. {shown}")
    shows(page, "#speech", f"The deal. {spoken}")


def test_a_dead_end_says_so_and_offers_three_ways(page: Page) -> None:
    tap_all(page, [28] * 22)
    assert text(page, "#left") == "1"
    page.locator("#stock").click()
    expect(page.locator("#stock")).to_have_class("card stock empty")
    while not page.locator("#end").is_visible():
        left = 28 - int(text(page, "#cleared").removesuffix("/28"))
        shows(page, "#band-text", f"No cards left to draw. {left} cards are still on the peaks.")
        page.keyboard.press("h")
        tap_all(page, [int(page.locator(".peak.marked").get_attribute("data-place") or "28")])
    shows(page, "#end-title", "No move is left")
    before = board(page)
    for name in ("Take back", "Same deal again", "New deal", "Look at the table"):
        expect(page.locator("#end").get_by_role("button", name=name)).to_be_visible()
    page.locator("#end").get_by_role("button", name="Look at the table").click()
    shows(page, "#band-text", "No move is left.")
    page.locator("#band").get_by_role("button", name="Take back").click()
    expect(page.locator("#band-text")).not_to_have_text("No move is left.")
    assert board(page) != before


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


def test_a_replay_that_is_sought_too_long_can_be_left_for_another_deal(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    while not page.locator("#end").is_visible():
        page.keyboard.press("h")
        tap_all(page, [int(page.locator(".marked").get_attribute("data-place") or "28")])
    allowed = threading.Event()
    monkeypatch.setattr(ADVISER, "wait", lambda: allowed.wait(10))
    page.locator("#end").get_by_role("button", name="Replay").click()
    shows(page, "#band-text", "Searching …")
    page.keyboard.press("Escape")
    expect(page.locator("#band-text")).not_to_have_text("Searching …")
    page.locator("#band").get_by_role("button", name="Same deal again").click()
    shows(page, "#cleared", "0/28")
    with page.expect_response("**/api/tripeaks"):
        allowed.set()
    page.wait_for_timeout(50)
    shows(page, "#cleared", "0/28")
    expect(page.locator("#band")).to_be_hidden()


# Taps, keys, hints


def test_a_refused_tap_says_why_and_changes_nothing(page: Page) -> None:
    before = table(page)
    reasons = ("That card is face down: both cards on it have to go first.", "Not one rank away from the pile.")
    for place, reason in zip((9, not_fitting(page)), reasons, strict=True):
        tap(page, place)
        shows(page, "#band-text", reason)
        shows(page, "#speech", reason)
        assert table(page) == before
    expect(page.locator("#undo")).to_be_disabled()


def not_fitting(page: Page) -> int:
    """The first free place whose card is no neighbour of the pile's top."""
    ranks = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
    (top,) = printed_ranks(page, "#pile")
    free = [ranks.index(rank) for rank in printed_ranks(page, ".peak.face")]
    return 18 + next(i for i, rank in enumerate(free) if (rank - ranks.index(top)) % 13 not in (1, 12))


def test_undo_takes_back_plays_and_draws(page: Page) -> None:
    start = table(page)
    page.keyboard.press("d")
    shows(page, "#left", "22")
    middle = table(page)
    page.keyboard.press("h")
    tap_all(page, [int(page.locator(".marked").get_attribute("data-place") or "28")])
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("pile => document.getElementById('pile').ariaLabel === pile", arg=middle[1])
    assert table(page) == middle
    page.keyboard.press("u")
    shows(page, "#left", "23")
    assert table(page) == start
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_the_first_notice_goes_with_the_first_action_and_never_comes_back(page: Page) -> None:
    shows(page, "#band-text", "Tap a card one rank above or below the pile. Nothing fits? Tap the stock.")
    page.keyboard.press("d")
    expect(page.locator("#band")).to_be_hidden()
    page.reload()
    shows(page, "#band-text", "Your game goes on.")
    page.keyboard.press("n")
    expect(page.locator("#band")).to_be_hidden()


def test_a_hint_is_an_action_too(page: Page) -> None:
    page.keyboard.press("h")
    expect(page.locator("#band-text")).to_contain_text("Hint:")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#band")).to_be_hidden()


def test_the_first_notice_goes_where_nothing_can_be_stored(browser: Browser, server: Serving) -> None:
    with visitor(browser) as page:
        page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
        open_table(page, server)
        expect(page.locator("#band-text")).to_contain_text("Tap a card")
        tap_all(page, [28])
        expect(page.locator("#band")).to_be_hidden()


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.place") == "18"
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.place") == "27"
    page.keyboard.press("h")
    marked = int(page.locator(".marked").get_attribute("data-place") or "28")
    while marked != 28 and page.evaluate("document.activeElement.dataset.place") != str(marked):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("d" if marked == 28 else "Enter")
    expect(page.locator("#undo")).to_be_enabled()
    page.keyboard.press("u")
    page.keyboard.press("Tab")
    page.locator("#rules").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rules-dialog")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    expect(page.locator("#rules-dialog")).to_be_hidden()
    assert page.evaluate("document.activeElement.id") == "rules"


def test_a_hint_marks_its_card_and_escape_closes_it(page: Page) -> None:
    page.keyboard.press("h")
    expect(page.locator(".marked")).to_have_count(1)
    expect(page.locator("#band-text")).to_contain_text("Hint:")
    page.keyboard.press("Escape")
    expect(page.locator(".marked")).to_have_count(0)
    expect(page.locator("#band")).to_be_hidden()


def test_the_game_goes_on_while_a_hint_is_sought(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = threading.Event()
    monkeypatch.setattr(ADVISER, "wait", lambda: allowed.wait(10))
    page.keyboard.press("h")
    shows(page, "#band-text", "Searching …")
    page.keyboard.press("Escape")
    expect(page.locator("#band-text")).not_to_have_text("Searching …")
    with page.expect_response("**/api/tripeaks"):
        allowed.set()
    page.wait_for_timeout(50)
    expect(page.locator(".marked")).to_have_count(0)
    allowed.clear()
    page.keyboard.press("d")
    shows(page, "#left", "22")
    page.keyboard.press("h")
    shows(page, "#band-text", "Searching …")
    with page.expect_response("**/api/tripeaks"):
        allowed.set()
    expect(page.locator("#band-text")).to_contain_text("Hint:")
    expect(page.locator(".marked")).to_have_count(1)


def test_a_hopeless_game_is_said_to_be_so_and_goes_on(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ADVISER, "said", Advice(28, Reason.CANNOT_BE_WON, hopeless=True))
    page.keyboard.press("h")
    expect(page.locator("#band-text")).to_contain_text("cannot be won from here")
    names = page.locator("#band-buttons button").all_inner_texts()
    assert names == ["Undo", "Hint", "Same deal again", "Other deal", "✕"]
    page.locator("#band").get_by_role("button", name="Hint").click()
    shows(page, "#band-text", "Hint: draw.")
    page.keyboard.press("d")
    shows(page, "#left", "22")


REASONS = [
    (Advice(28, Reason.NOTHING_FITS), "Hint: draw. Nothing fits.", "Tipp: abheben. Es passt nichts."),
    (
        Advice(28, Reason.LAST_CHANCE, ("TH",)),
        "Hint: draw. Nothing but 10♥ is left that could go on it.",
        "Tipp: abheben. Auf diese Karte kann außer 10♥ nichts mehr folgen.",
    ),
    (
        Advice(28, Reason.GOES_ON, ("JC", "QD", "KS", "AC", "2C")),
        "Hint: draw. The streak goes on: J♣, Q♦, K♠ ….",
        "Tipp: abheben. Die Serie geht weiter: B♣, D♦, K♠ ….",
    ),
]


@pytest.mark.parametrize(("said", "english", "german"), REASONS)
def test_a_hint_says_why_in_both_languages(
    page: Page, monkeypatch: pytest.MonkeyPatch, said: Advice, english: str, german: str
) -> None:
    monkeypatch.setattr(ADVISER, "said", said)
    page.keyboard.press("h")
    shows(page, "#band-text", english)
    page.get_by_role("button", name="Deutsch").click()
    shows(page, "#band-text", german)


def test_those_who_listen_hear_the_cards_in_words(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ADVISER, "said", Advice(28, Reason.JOINS, ("JC", "TH")))
    page.keyboard.press("h")
    shows(page, "#speech", "Hint: draw. It joins two streaks: jack of clubs, 10 of hearts are free.")


# The game stays


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


def test_a_hint_at_a_table_that_another_window_has_changed_shows_how_it_stands(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    shows(other, "#left", "23")
    other.keyboard.press("d")
    shows(other, "#left", "22")
    other.close()
    page.keyboard.press("h")
    shows(page, "#left", "22")
    page.keyboard.press("h")
    expect(page.locator("#band-text")).to_contain_text("Hint: ")


def test_a_hint_at_a_table_that_is_gone_leads_to_another_one(page: Page) -> None:
    fault = {"kind": "fault", "fault": "no such table"}
    page.keyboard.press("d")
    shows(page, "#left", "22")
    page.route("**/api/tripeaks", lambda route: route.fulfill(status=404, json=fault), times=1)
    page.keyboard.press("h")
    expect(page.locator("#band-text")).to_contain_text("Your game goes on.")


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
