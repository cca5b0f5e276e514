"""A game of TriPeaks in a real Chromium: taps, keys, its end, and its replay."""

import re
import threading

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import board, printed_ranks, table, tap, tap_all, text, visitor
from gipfelsturm.agents.solver import solve_all
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.record import deal_games
from gipfelsturm.envs.rules.settings import one_mind
from serving import Serving
from solitaire import ADVISER, DEAL, open_table, shows


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
