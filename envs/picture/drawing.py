"""The table as one SVG picture.

Elements have ids: `place-17`, and for each seat, counted to the left from the own one, `pile-0`, `stock-0`, `hand-0`,
`carry-0` (the card in it) and `call-0`; then `clock`, `counter-peaks`, `counter-streak`, `counter-longest`, `verdict`.
Cards that lie face up name themselves in `data-card`, as in `5H`. A place is of the class `free`, `down` or `lifted`
(its card is in a hand), and not there once its card is gone; the class of a hand is its phase.
"""

from gipfelsturm.envs.picture.cards import defs_for
from gipfelsturm.envs.picture.hands import draw_call, draw_hand, held_places
from gipfelsturm.envs.picture.layout import LAYOUTS, Layout, Spot
from gipfelsturm.envs.picture.scene import DOWN, GONE, Scene
from gipfelsturm.envs.picture.svg import glyphs, glyphs_width, group, moved, use
from gipfelsturm.envs.picture.theme import stylesheet, theme_named
from gipfelsturm.envs.rules.cards import PLACES, card_text
from gipfelsturm.envs.rules.record import RUNNING, TIME_OUT, WON

_CLOCK_BAR = 180


def table_svg(scene: Scene, *, language: str = "en", theme: str = "light") -> str:
    """The picture as a document of its own.

    Args:
        scene: what is seen, and by whom.
        language: of the letters on the cards, "en" or "de".
        theme: "light" or "dark".

    Raises:
        ValueError: for an unknown language or theme.
    """
    layout = layout_of_scene(scene)
    size = f'viewBox="0 0 {layout.width} {layout.height}" width="{layout.width}" height="{layout.height}"'
    title = "TriPeaks" if scene.seats[0].hand is None else "Gipfelsturm"
    style = f"<title>{title}</title><style>{stylesheet(theme_named(theme))}</style>"
    felt = f'<rect class="felt" width="{layout.width}" height="{layout.height}"/>'
    table = draw_table(scene, language)
    defs = defs_for(table, language)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">{style}{defs}{felt}{table}</svg>'


def layout_of_scene(scene: Scene) -> Layout:
    """Where everything in a scene lies."""
    return LAYOUTS[scene.seats[0].hand is None, len(scene.seats)]


def draw_table(scene: Scene, language: str) -> str:
    """All that lies on the table, made of the definitions of `gipfelsturm.envs.picture.cards`."""
    layout = layout_of_scene(scene)
    seats = range(len(scene.seats))
    parts = [
        _peaks(scene, layout),
        *(_stock(scene.seats[k].stock, layout.seats[k].stock, k) for k in seats),
        *(_pile(scene.seats[k].top, layout.seats[k].pile, k) for k in seats),
        _clock(scene, layout.clock),
        _counters(scene, layout.counters),
        *(draw_hand(scene, layout, k) for k in reversed(seats)),  # the own one above the others
        *(draw_call(scene, layout, k, language) for k in seats),
        _verdict(scene, layout),
    ]
    return "".join(parts)


def _peaks(scene: Scene, layout: Layout) -> str:
    held = held_places(scene)
    drawn = ""
    for place, (card, spot) in enumerate(zip(scene.peaks, layout.places, strict=True)):
        name = f"place-{place}"
        if place in held:
            drawn += use("gap", spot.x, spot.y, id=name, class_="place lifted")
        elif card == DOWN:
            drawn += use("back", spot.x, spot.y, id=name, class_="place down")
        elif card != GONE:
            text = card_text(card - 1)
            drawn += use(f"card-{text}", spot.x, spot.y, id=name, class_="place free", data_card=text)
    return drawn


def _pile(top: int, spot: Spot, k: int) -> str:
    text = card_text(top)
    drawn = use("paper", spot.x - 3, spot.y - 3) + use(f"card-{text}", spot.x, spot.y)
    return group(drawn, id=f"pile-{k}", class_="pile", data_card=text)


def _stock(cards: int, spot: Spot, k: int) -> str:
    """The cards left, in number and up to four of them to be seen; an outline where none is."""
    if cards:
        depths = reversed(range(min(cards, 4)))
        drawn = "".join(use("back", spot.x - 3 * depth, spot.y - 3 * depth) for depth in depths)
        drawn += f'<rect class="paper" x="{spot.x + 16}" y="{spot.y + 45}" width="68" height="50" rx="25"/>'
    else:
        drawn = use("gap", spot.x, spot.y)
    count = str(cards)
    left = spot.x + 50 - glyphs_width(count, 32) / 2
    drawn += glyphs(count, round(left), spot.y + 54, 32, "black" if cards else "quiet")
    return group(drawn, id=f"stock-{k}", class_="stock", data_cards=count)


def _clock(scene: Scene, spot: Spot) -> str:
    """Minutes and seconds, with a bar of what is left where a clock runs down; nothing for one mind."""
    if scene.seconds is None:
        return ""
    text = f"{scene.seconds // 60}:{scene.seconds % 60:02d}"
    drawn = use("icon-clock", spot.x, spot.y + 2, class_="quiet") + glyphs(text, spot.x + 52, spot.y, 44, "ink")
    if scene.clock_seconds:
        left = round(_CLOCK_BAR * scene.seconds / scene.clock_seconds)
        where = f'x="{spot.x}" y="{spot.y + 60}" height="10" rx="5"'
        drawn += f'<rect class="track" width="{_CLOCK_BAR}" {where}/><rect class="ink solid" width="{left}" {where}/>'
    return group(drawn, id="clock")


def _counters(scene: Scene, corner: Spot) -> str:
    cleared = scene.peaks.count(GONE)
    counts = {"peaks": f"{cleared}/{PLACES}", "streak": str(scene.streak), "longest": str(scene.longest)}
    drawn = ""
    for line, (name, text) in enumerate(counts.items()):
        left, top = corner.x - 190, corner.y + 50 * line
        sign = use(f"icon-{name}", left, top, class_="quiet")
        drawn += group(sign + glyphs(text, left + 56, top + 2, 36, "ink"), id=f"counter-{name}")
    return drawn


def _verdict(scene: Scene, layout: Layout) -> str:
    """How the game ended: won, with the cards that were left, or lost, and by what."""
    if scene.status == RUNNING:
        return ""
    won = scene.status == WON
    sign, beside = ("won", "stock") if won else ("lost", "clock" if scene.status == TIME_OUT else "stuck")
    drawn = use(f"icon-{sign}", 14, 12, class_="good" if won else "bad") + use(f"icon-{beside}", 66, 12, class_="black")
    width = 120
    if won:
        score = str(sum(seat.stock for seat in scene.seats))
        drawn += glyphs(score, 112, 16, 32, "black")
        width += round(glyphs_width(score, 32)) + 8
    spot, scale = (layout.middle, 2.0) if won else (layout.corner, 1.0)
    box = f'<rect class="bubble" width="{width}" height="64" rx="16"/>'
    corner = moved(spot.x - scale * width / 2, spot.y - scale * 32, scale)
    return group(box + drawn, id="verdict", transform=corner)
