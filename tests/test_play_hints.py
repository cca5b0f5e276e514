"""Hints at TriPeaks in a real Chromium."""

import threading

import pytest
from playwright.sync_api import Page, expect

from gipfelsturm.agents.hint_reasons import Reason
from gipfelsturm.play.advice import Advice
from solitaire import ADVISER, shows


def test_a_hint_is_an_action_too(page: Page) -> None:
    page.keyboard.press("h")
    expect(page.locator("#band-text")).to_contain_text("Hint:")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#band")).to_be_hidden()


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
