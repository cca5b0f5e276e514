"""The page's words: both languages say the same things, and every reason of the server has its words."""

import re

import pytest

from gipfelsturm.agents.hint_reasons import Reason
from gipfelsturm.envs.rules.actions import REASONS
from gipfelsturm.envs.session import NOTHING_TO_UNDO
from gipfelsturm.play.messages import NO_SUCH_DEAL, TOO_BUSY, TOO_LONG
from gipfelsturm.play.page_files import read_page

PAGE = {name: file.body.decode() for name, file in read_page().items()}
GERMAN, ENGLISH = PAGE["words_de.js"], PAGE["words_en.js"]
# What needs two hands or somebody else's stock cannot happen at TriPeaks.
ELSEWHERE = {"", "no talk here", "hand busy", "not your stock", "in a hand"}


def keys(words: str) -> list[str]:
    return re.findall(r"^  (\w+):", words, re.MULTILINE)


def test_both_languages_have_the_same_words() -> None:
    assert keys(GERMAN) == keys(ENGLISH)
    assert len(set(keys(GERMAN))) == len(keys(GERMAN)) > 50


def test_every_word_is_said_somewhere() -> None:
    others = "".join(text for name, text in PAGE.items() if not name.startswith("words_"))
    silent = [key for key in keys(GERMAN) if not re.search(rf'(\.|"){key}\b', others)]
    assert silent == []


@pytest.mark.parametrize("words", [GERMAN, ENGLISH], ids=["de", "en"])
def test_every_reason_has_its_words(words: str) -> None:
    reasons = {*REASONS, NOTHING_TO_UNDO, TOO_LONG, NO_SUCH_DEAL, TOO_BUSY} - ELSEWHERE
    assert block(words, "refused") == reasons
    assert block(words, "reasons") == {*Reason} - {Reason.WAIT, Reason.HAND_BUSY, Reason.CANNOT_BE_WON}


def block(words: str, name: str) -> set[str]:
    """The keys of a list of words."""
    (inside,) = re.findall(rf"^  {name}: \{{\n(.*?)^  \}}", words, re.MULTILINE | re.DOTALL)
    return set(re.findall(r'^    "?([a-z ]+)"?:', inside, re.MULTILINE))


def test_every_word_of_the_page_exists() -> None:
    used = {word for text in PAGE.values() for word in re.findall(r'data-(?:word|label)="(\w+)"', text)}
    assert used <= set(keys(GERMAN))


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2)."""
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.03928 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def themes() -> dict[str, dict[str, str]]:
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w{6})", block))
        for block in re.findall(r":root \{(.*?)\}", PAGE["style.css"], re.DOTALL)
    )
    return {"light": light, "dark": light | dark}


TEXTS = ("ink/ground", "soft/ground", "ink/sheet", "soft/sheet", "accent/ground", "on-accent/accent", "fault/ground")
CARDS = ("black/paper", "red/paper")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrasts_are_those_of_level_aa(theme: str) -> None:
    colours = themes()[theme]
    for pair in TEXTS + CARDS:
        one, other = pair.split("/")
        assert contrast(colours[one], colours[other]) >= 4.5, pair
    for sign in ("line", "mark", "accent"):
        assert contrast(colours[sign], colours["ground"]) >= 3, sign
