"""What pictures are put together from: where things lie, the cards, the colours."""

import itertools
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest

from gipfelsturm.envs.picture.cards import definitions, rank_text, sprite
from gipfelsturm.envs.picture.glyphs import GLYPHS, SUITS
from gipfelsturm.envs.picture.icons import ICONS
from gipfelsturm.envs.picture.layout import CARD_HEIGHT, CARD_WIDTH, LAYOUTS, ROW_STEP, Layout, Spot
from gipfelsturm.envs.picture.raster import pixels
from gipfelsturm.envs.picture.theme import DARK, LIGHT, THEMES, stylesheet
from gipfelsturm.envs.rules.cards import PLACES, card_text
from gipfelsturm.envs.rules.table import COVERS

EVERY_LAYOUT = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=map(str, LAYOUTS))
PHONE = 360 / 1064
"""The scale at which a picture is as wide as a small phone."""


# Where things lie


def overlap(one: Spot, other: Spot) -> tuple[int, int]:
    """The width and height that two cards share, not above 0 if they share nothing."""
    return CARD_WIDTH - abs(one.x - other.x), CARD_HEIGHT - abs(one.y - other.y)


@EVERY_LAYOUT
def test_cards_lie_on_those_that_they_cover_and_on_no_other(layout: Layout) -> None:
    places = layout.places
    assert len(places) == PLACES
    for below, above in itertools.combinations(range(PLACES), 2):
        width, height = overlap(places[below], places[above])
        if above in COVERS[below]:
            assert places[above].y - places[below].y == ROW_STEP < CARD_HEIGHT / 2
            assert width == overlap(places[below], places[COVERS[below][0]])[0] > CARD_WIDTH / 3
        elif width > 0 and height > 0:  # two rows apart, with a card between them
            assert {above} & {cover for between in COVERS[below] for cover in COVERS[between]}


@EVERY_LAYOUT
def test_piles_and_stocks_lie_apart_in_the_picture(layout: Layout) -> None:
    cards = [*layout.places, *(spot for seat in layout.seats for spot in (seat.stock, seat.pile))]
    for card in cards:
        assert 0 < card.x < layout.width - CARD_WIDTH and 0 < card.y < layout.height - CARD_HEIGHT
    for one, other in itertools.combinations(cards, 2):
        if not (one in layout.places and other in layout.places):
            assert min(overlap(one, other)) <= 0
    assert layout.width % 4 == layout.height % 4 == 0  # half of it has even sides, as videos need


@EVERY_LAYOUT
def test_what_is_said_of_a_lost_game_hides_no_card(layout: Layout) -> None:
    left, top, right, bottom = layout.corner.x - 60, layout.corner.y - 32, layout.corner.x + 60, layout.corner.y + 32
    assert 0 < left and bottom < layout.height and layout.clock.y + 70 < top  # below the clock's bar
    for card in [*layout.places, *(spot for seat in layout.seats for spot in (seat.stock, seat.pile))]:
        assert card.x - 9 > right or card.y + CARD_HEIGHT < top  # a stock is up to nine wider


@EVERY_LAYOUT
def test_the_own_seat_lies_below_the_peaks(layout: Layout) -> None:
    lowest = max(place.y for place in layout.places) + CARD_HEIGHT
    assert layout.seats[0].pile.y > lowest and not layout.seats[0].opposite
    for seat in layout.seats:
        assert (seat.pile.y > lowest) != seat.opposite


def test_a_page_can_have_the_layout_as_data() -> None:
    data = msgspec.json.decode(msgspec.json.encode(LAYOUTS[False, 2]))
    assert data["places"][0] == {"x": LAYOUTS[False, 2].places[0].x, "y": LAYOUTS[False, 2].places[0].y}
    assert len(data["places"]) == PLACES and len(data["seats"]) == 2


# The cards


@pytest.mark.parametrize(("language", "ranks"), [("en", "A23456789*JQK"), ("de", "A23456789*BDK")])
def test_every_face_has_its_rank_and_suit(language: str, ranks: str) -> None:
    for code in range(52):
        rank = ranks[code >> 2].replace("*", "10")
        face = ElementTree.fromstring(f"<g>{definitions(language)[f'card-{card_text(code)}']}</g>")
        uses = [use.attrib["href"] for use in face.iter("use")]
        assert uses == ["#paper", *(f"#glyph-{glyph}" for glyph in rank), f"#suit-{card_text(code)[1]}"]
        colour = "red" if card_text(code)[1] in "DH" else "black"
        assert [part.get("class") for part in face if part.tag == "g"] == [colour, colour]
        assert rank_text(code >> 2, language) == rank


def test_no_two_signs_look_alike() -> None:
    for shapes in ([path for _, path in GLYPHS.values()], list(SUITS.values()), list(ICONS.values())):
        assert len(set(shapes)) == len(shapes)


@pytest.mark.parametrize("language", ["en", "de"])
def test_faces_differ_without_their_colours_on_a_small_phone(language: str) -> None:
    faces = [f'<use href="#card-{card_text(code)}" x="{110 * code + 5}" y="5"/>' for code in range(52)]
    colours = LIGHT | {"red": LIGHT["black"]}
    size = f'viewBox="0 0 {110 * 52} 150" width="{110 * 52 * 2 * PHONE:g}" height="{150 * 2 * PHONE:g}"'
    style = f"<style>{stylesheet(colours)}</style>"
    row = pixels(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{style}{sprite(language)}{"".join(faces)}</svg>')
    width = 110 * PHONE
    cards = [row[:, round(width * code) : round(width * code) + 36, 0].astype(int) for code in range(52)]
    for one, other in itertools.combinations(cards, 2):
        # Cards may lie half a pixel apart; two that differ do so in more places than the edges of one.
        shifted = [np.roll(other, shift, axis=1) for shift in (-1, 0, 1)]
        assert min((abs(one - moved) > 100).sum() for moved in shifted) > 10


# The colours


def contrast(one: str, other: str) -> float:
    """As WCAG 2.2 defines it, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", THEMES)
def test_contrasts_are_enough_to_read(theme: str) -> None:
    colours = THEMES[theme]
    for text, ground in [("ink", "felt"), ("quiet", "felt"), ("black", "paper"), ("red", "paper"), ("bad", "paper")]:
        assert contrast(colours[text], colours[ground]) >= 4.5
    assert contrast(colours["good"], colours["paper"]) >= 4.5
    for sign, ground in [("seat0", "felt"), ("seat1", "felt"), ("seat2", "felt"), ("back", "paper")]:
        assert contrast(colours[sign], colours[ground]) >= 3


def test_the_style_sheet_takes_all_its_colours_from_the_theme() -> None:
    assert LIGHT.keys() == DARK.keys()
    names = {name: f"var(--{name})" for name in LIGHT}
    sheet = stylesheet(names)
    assert "#" not in sheet and "$" not in sheet
    assert all(variable in sheet for variable in names.values())
