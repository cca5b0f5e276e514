"""Hands on their way, the cards in them, and calls as bubbles."""

from gipfelsturm.envs.picture.cards import rank_text
from gipfelsturm.envs.picture.layout import CARD_HEIGHT, CARD_RADIUS, CARD_WIDTH, Layout, SeatSpots, Spot
from gipfelsturm.envs.picture.scene import Hand, Scene
from gipfelsturm.envs.picture.svg import glyphs, glyphs_width, group, moved, use
from gipfelsturm.envs.rules.actions import CALLS
from gipfelsturm.envs.rules.cards import card_text
from gipfelsturm.envs.rules.record import CARRYING, DRAWING, PAUSING, PHASES, REACHING, RETURNING

_SCALE = 0.8
# Where on a card the fingertip lies, by whether the hand is opposite: rank and suit can be read. What is drawn shows
# neither, and the hand lies where it stays in the picture.
_GRIPS = {False: Spot(24, 118), True: Spot(82, 24)}
_DRAWING_GRIPS = {False: Spot(50, 30), True: Spot(50, 112)}
_HALF_CARD = Spot(CARD_WIDTH // 2, CARD_HEIGHT // 2)
_CAKE = 44
"""The circumference of the piece of cake that a pause is."""


def held_places(scene: Scene) -> set[int]:
    """The places whose card is in a hand."""
    hands = [seat.hand for seat in scene.seats if seat.hand is not None]
    return {hand.place for hand in hands if hand.phase in (CARRYING, RETURNING)}


def draw_hand(scene: Scene, layout: Layout, k: int) -> str:
    """The hand `k` to the left where it is now, with its way and what it carries; nothing for one mind."""
    seat, spots = scene.seats[k], layout.seats[k]
    hand = seat.hand
    if hand is None:
        return ""
    way = _way(hand, layout, spots)
    tip, card, route = spots.rest, "", ""
    if hand.phase == REACHING:
        tip = _between(spots.rest, _on(way[0], _GRIPS[spots.opposite]), hand.done)
        route = _route(tip, way)
    elif way:
        at = _between(way[0], way[1], hand.done)
        grips = _DRAWING_GRIPS if hand.phase == DRAWING else _GRIPS
        tip = _on(at, grips[spots.opposite])
        card = _carried(scene, hand, k, at)
        route = "" if hand.phase == DRAWING else _route(tip, way[1:])
    drawn = route + card + _hand(seat.number, hand, tip, spots.opposite)
    return group(drawn, id=f"hand-{k}", class_=f"hand {PHASES[hand.phase]} seat{seat.number}")


def _way(hand: Hand, layout: Layout, spots: SeatSpots) -> list[Spot]:
    """From which card to which a hand moves what it carries, or will; none if it does neither."""
    if hand.phase == DRAWING:
        return [spots.stock, spots.pile]
    if hand.phase not in (REACHING, CARRYING, RETURNING):
        return []
    way = [layout.places[hand.place], layout.seats[hand.pile].pile]
    return way[::-1] if hand.phase == RETURNING else way


def _between(start: Spot, end: Spot, done: float) -> Spot:
    return Spot(round(start.x + (end.x - start.x) * done), round(start.y + (end.y - start.y) * done))


def _on(card: Spot, spot: Spot) -> Spot:
    return Spot(card.x + spot.x, card.y + spot.y)


def _carried(scene: Scene, hand: Hand, k: int, at: Spot) -> str:
    if hand.phase == DRAWING:
        return use("back", at.x, at.y, id=f"carry-{k}")
    text = card_text(scene.peaks[hand.place] - 1)
    return use(f"card-{text}", at.x, at.y, id=f"carry-{k}", data_card=text)


def _route(tip: Spot, cards: list[Spot]) -> str:
    """A dotted line to the cards that a hand goes to, and a frame round the first of them."""
    points = " ".join(f"{spot.x},{spot.y}" for spot in [tip, *(_on(card, _HALF_CARD) for card in cards)])
    size = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="{CARD_RADIUS}"'
    frame = f'<rect class="aim" x="{cards[0].x}" y="{cards[0].y}" {size}/>'
    return f'<polyline class="halo" points="{points}"/><polyline class="route" points="{points}"/>{frame}'


def _hand(seat: int, hand: Hand, tip: Spot, opposite: bool) -> str:
    """The hand with the number of its seat, from 1, on the cuff."""
    number = glyphs(str(seat + 1), 14, 97, 24, "number")
    if opposite:
        number = group(number, transform="rotate(180 22 109)")
    drawn = use("hand", 0, 0) + number + (_pause(hand.done) if hand.phase == PAUSING else "")
    turn = " rotate(180)" if opposite else ""
    return group(drawn, transform=moved(tip.x, tip.y, _SCALE) + turn)


def _pause(done: float) -> str:
    """A disc beside the finger that dwindles like a cake, down to the end of the pause."""
    left = round(_CAKE * (1 - done))
    return f'<circle class="rest" cx="34" cy="8" r="7" stroke-dasharray="{left} {_CAKE}" transform="rotate(-90 34 8)"/>'


def draw_call(scene: Scene, layout: Layout, k: int, language: str) -> str:
    """What the seat `k` to the left says, as a bubble beside its hand; nothing if it is silent."""
    hand = scene.seats[k].hand
    if hand is None or not hand.call:
        return ""
    call = CALLS[hand.call - 1]
    sign = call.split()[0]
    rank = rank_text(hand.call - 1, language) if sign == "need" else ""
    inside = use(f"icon-{sign}", 14, 14, class_="black")
    width = 68
    if rank:
        inside += glyphs(rank, 66, 12, 44, "black")
        width += round(glyphs_width(rank, 44)) + 14
    where = moved(layout.seats[k].bubble.x, layout.seats[k].bubble.y)
    return group(_bubble(width) + inside, id=f"call-{k}", class_="call", data_call=call, transform=where)


def _bubble(width: int) -> str:
    """A rounded box, its tail to the left."""
    path = f"M16 0H{width - 16}q16 0 16 16v36q0 16 -16 16H16q-16 0 -16 -16v-6L-16 34L0 28V16Q0 0 16 0Z"
    return f'<path class="bubble" d="{path}"/>'
