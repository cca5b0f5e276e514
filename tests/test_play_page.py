"""The page's words: both languages say the same things, and every reason of the server has its words."""

import re

import pytest

from gipfelsturm.agents.hint_reasons import Reason
from gipfelsturm.envs.rules.actions import REASONS
from gipfelsturm.envs.rules.settings import PRESETS
from gipfelsturm.envs.session import NOTHING_TO_UNDO
from gipfelsturm.play.messages import NO_SUCH_DEAL, TOO_BUSY, TOO_LONG
from gipfelsturm.play.page_files import GLYPHS_FILE, TYPES, read_page
from gipfelsturm.play.realtime_table import MISSED, NOT_HERE, NOT_STARTED, NOW_PAUSED, TOO_MANY
from gipfelsturm.play.seats import STILL_HERE
from gipfelsturm.play.table_plan import PACES

PAGE = {name: file.body.decode() for name, file in read_page().items()}
GERMAN, ENGLISH = PAGE["words_de.js"], PAGE["words_en.js"]
STORM_GERMAN, STORM_ENGLISH = PAGE["words_gipfelsturm_de.js"], PAGE["words_gipfelsturm_en.js"]
BOTH = ((GERMAN, ENGLISH), (STORM_GERMAN, STORM_ENGLISH))
# What needs two hands or somebody else's stock cannot happen at TriPeaks.
ELSEWHERE = {"", "no talk here", "hand busy", "not your stock", "in a hand"}


def keys(words: str) -> list[str]:
    return re.findall(r"^  (\w+):", words, re.MULTILINE)


@pytest.mark.parametrize(("german", "english"), BOTH, ids=["all", "gipfelsturm"])
def test_both_languages_have_the_same_words(german: str, english: str) -> None:
    assert keys(german) == keys(english)
    assert len(set(keys(german))) == len(keys(german)) > 50


def test_no_word_is_told_twice() -> None:
    assert not set(keys(GERMAN)) & set(keys(STORM_GERMAN))


def test_every_word_is_said_somewhere() -> None:
    others = "".join(text for name, text in PAGE.items() if not name.startswith("words_"))
    silent = [key for key in keys(GERMAN + STORM_GERMAN) if not re.search(rf'(\.|"){key}\b', others)]
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


@pytest.mark.parametrize("words", [STORM_GERMAN, STORM_ENGLISH], ids=["de", "en"])
def test_every_reason_in_real_time_has_its_words(words: str) -> None:
    reasons = {*REASONS, MISSED, NOT_HERE, NOT_STARTED, NOW_PAUSED, STILL_HERE, TOO_MANY} - {""}
    assert set(re.findall(r'^    "([a-z ]+)":', words, re.MULTILINE)) == reasons
    for names in ({*PRESETS} - {"tripeaks"}, PACES):
        assert all(re.search(rf"\b{name}: \"", words) for name in names)


def test_every_word_of_the_page_exists() -> None:
    used = {word for text in PAGE.values() for word in re.findall(r'data-(?:word|label)="(\w+)"', text)}
    assert used <= set(keys(GERMAN + STORM_GERMAN))


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2)."""
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.03928 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_every_file_that_is_asked_for_is_there() -> None:
    asked = {name for text in PAGE.values() for name in re.findall(r'(?:"/page/|from "\./|import "\./)([\w.]+)"', text)}
    assert asked <= PAGE.keys() and GLYPHS_FILE in asked
    assert {name.rpartition(".")[2] for name in PAGE} == TYPES.keys()


def test_the_page_is_small_and_asks_nobody_else() -> None:
    assert sum(len(text.encode()) for text in PAGE.values()) < 300_000
    addresses = {found for text in PAGE.values() for found in re.findall(r"https?://[^\s\"']+", text)}
    assert addresses <= {"http://www.w3.org/2000/svg"}


def themes() -> dict[str, dict[str, str]]:
    light, dark = (dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in root_blocks())
    return {"light": light, "dark": light | dark}


def root_blocks() -> list[str]:
    """The colours of the light and of the dark theme, of both sheets."""
    blocks = [re.findall(r":root \{(.*?)\}", PAGE[sheet], re.DOTALL) for sheet in ("style.css", "gipfelsturm.css")]
    return ["".join(parts) for parts in zip(*blocks, strict=True)]


TEXTS = (
    "ink/ground",
    "soft/ground",
    "ink/sheet",
    "soft/sheet",
    "accent/ground",
    "on-accent/accent",
    "fault/ground",
    "fault/sheet",
)
CARDS = ("black/paper", "red/paper", "on-seat/seat-1", "on-seat/seat-2", "on-seat/seat-3")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrasts_are_those_of_level_aa(theme: str) -> None:
    colours = themes()[theme]
    for pair in TEXTS + CARDS:
        one, other = pair.split("/")
        assert contrast(colours[one], colours[other]) >= 4.5, pair
    for sign in ("line", "mark", "accent"):
        assert contrast(colours[sign], colours["ground"]) >= 3, sign
