"""Pictures of what cards count, drawn over the table that the environments draw."""

import io
from collections.abc import Sequence

from gipfelsturm.envs.picture.cards import rank_text
from gipfelsturm.envs.picture.drawing import layout_of_scene, table_svg
from gipfelsturm.envs.picture.glyphs import GLYPH_HEIGHT, GLYPHS
from gipfelsturm.envs.picture.layout import CARD_HEIGHT, CARD_RADIUS, CARD_WIDTH, Spot
from gipfelsturm.envs.picture.raster import pixels, require_pictures
from gipfelsturm.envs.picture.scene import Scene, scene_of_game
from gipfelsturm.envs.picture.svg import glyphs_width
from gipfelsturm.envs.rules.cards import PLACES, card_text
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.report_page.influence import DEALS, Card, Influence
from gipfelsturm.training.report_page.page import Part, table

_MARK = "#b3261e"


def influence_part(name: str, settings: Settings, found: Sequence[Influence]) -> Part:
    """A position of each stage with what every visible card counts in it, and a table of those that count most.

    Raises:
        ValueError: if the packages that make pixels are not there.
    """
    require_pictures()
    head = ("position", "chance", "counts most", "change, points", "best instead", "worst instead")
    return Part(
        title=f"What counts for {name}",
        text="The number on a card is by how many percentage points the predicted chance of winning changes, up or "
        "down and on average, if the card changes places with an unseen one of another rank; the darker, the more. Of "
        f"the deals 0 to {DEALS - 1} these are those in which one card counts most when a game begins, and when 12 and "
        "20 cards of the peaks are gone.",
        pictures={f"influence-{name}-{i}": draw_influence(settings, each) for i, each in enumerate(found, 1)},
        tables=[table(head, [_told(each, i) for i, each in enumerate(found, 1)])],
    )


def _told(found: Influence, number: int) -> tuple[str, ...]:
    most = found.cards[0]
    at = f"place {most.spot}" if most.spot < PLACES else f"pile {most.spot - PLACES + 1}"
    code = found.game["deck"][0, most.spot] if most.spot < PLACES else found.game["top"][0, most.spot - PLACES]
    return (
        f"{number}: {found.stage} of deal {found.deal}",
        f"{100 * found.chance:.1f} %",
        f"{card_text(int(code))}, {at}",
        f"{100 * most.influence:.1f}",
        *(f"{rank_text(rank, 'en')}: {100 * change:+.1f}" for rank, change in (most.best, most.worst)),
    )


def draw_influence(settings: Settings, found: Influence) -> bytes:
    """A PNG of a position, with a number on each visible card that counts at least half a point."""
    from PIL import Image

    scene = scene_of_game(settings, found.game[0])
    most = max(card.influence for card in found.cards)
    marks = "".join(_mark(scene, card, most) for card in found.cards if card.influence >= 0.005)
    svg = table_svg(scene).removesuffix("</svg>") + marks + "</svg>"
    file = io.BytesIO()
    Image.fromarray(pixels(svg)).save(file, "PNG")
    return file.getvalue()


def _mark(scene: Scene, card: Card, most: float) -> str:
    spot, share = _spot(scene, card.spot), card.influence / most
    size = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="{CARD_RADIUS}"'
    look = f'fill="{_MARK}" fill-opacity="{0.5 * share:.2f}" stroke="{_MARK}" stroke-width="{6 if share == 1 else 0}"'
    return f'<rect x="{spot.x}" y="{spot.y}" {size} {look}/>' + _number(f"{100 * card.influence:.0f}", spot)


def _spot(scene: Scene, spot: int) -> Spot:
    layout = layout_of_scene(scene)
    return layout.places[spot] if spot < PLACES else layout.seats[spot - PLACES].pile


def _number(text: str, spot: Spot) -> str:
    """A number in a bubble on the lower half of a card; pictures have no fonts, so it is of paths."""
    height = 34
    width, left, top = glyphs_width(text, height), spot.x + CARD_WIDTH / 2, spot.y + CARD_HEIGHT - 54
    corner = f'x="{left - width / 2 - 12:g}" y="{top - 8}"'
    box = f'<rect class="paper" {corner} width="{width + 24:g}" height="50" rx="12"/>'
    drawn, at = "", left - width / 2
    for character in text:
        drawn += _digit(character, at, top, height)
        at += glyphs_width(f"{character}0", height) - glyphs_width("0", height)
    return box + drawn


def _digit(character: str, x: float, y: float, height: float) -> str:
    scale = round(height / GLYPH_HEIGHT, 3)
    path = GLYPHS[character][1]
    return f'<g class="black" transform="translate({x:g} {y:g}) scale({scale:g})"><path class="pen" d="{path}"/></g>'
