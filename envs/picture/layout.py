"""Where everything lies on the table: data in the units of the picture, for the drawing and for the page alike."""

import msgspec

from gipfelsturm.envs.rules.table import ROWS

CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS = 100, 140, 10
MARGIN = 14
PITCH = CARD_WIDTH + 4
"""From a card to the next one in its row; a row lies half of it further out than the row above."""
ROW_STEP = 66
"""From a row to the next one: under half a card, so that covered cards are seen to be covered."""
WIDTH = 2 * MARGIN + 9 * PITCH + CARD_WIDTH
PEAKS_HEIGHT = 3 * ROW_STEP + CARD_HEIGHT
PANEL_GAP = 34
"""Between the peaks and the seats."""


class Spot(msgspec.Struct, frozen=True):
    """A point; of a card its upper left corner."""

    x: int
    y: int


class SeatSpots(msgspec.Struct, frozen=True):
    """What lies before one seat."""

    stock: Spot
    pile: Spot
    rest: Spot  # the fingertip of the hand that does nothing
    bubble: Spot  # the upper left corner
    opposite: bool  # at the upper edge: the hand points down


class Layout(msgspec.Struct, frozen=True):
    """A whole table. Seats are listed from the own one to the left, as piles are in actions and observations."""

    width: int
    height: int
    places: tuple[Spot, ...]  # (28,)
    seats: tuple[SeatSpots, ...]
    clock: Spot  # the upper left corner
    counters: Spot  # the upper right corner
    middle: Spot  # of the peaks
    corner: Spot  # the middle of the free corner below the clock


def _places(top: int) -> tuple[Spot, ...]:
    """Each row's cards between the two that cover them; the three peaks stand three cards apart."""
    halves = (
        [3 + 6 * i for i in range(3)],
        [2 + 6 * (i // 2) + 2 * (i % 2) for i in range(6)],
        [1 + 2 * i for i in range(9)],
        [2 * i for i in range(10)],
    )
    return tuple(
        Spot(MARGIN + half * PITCH // 2, top + row * ROW_STEP)
        for row, places in enumerate(ROWS)
        for half, _ in zip(halves[row], places, strict=True)
    )


def _seat(left: int, top: int, opposite: bool) -> SeatSpots:
    """Stock, pile, hand and bubble side by side."""
    pile = left + CARD_WIDTH + 16
    hand = pile + CARD_WIDTH + (56 if opposite else 46)
    return SeatSpots(
        stock=Spot(left, top),
        pile=Spot(pile, top),
        rest=Spot(hand, top + (126 if opposite else 14)),
        bubble=Spot(hand + 66, top + 36),
        opposite=opposite,
    )


def _layout(own: tuple[int, ...], others: tuple[int, ...]) -> Layout:
    """A table from the left edges of what lies at the lower and at the upper edge."""
    strip = MARGIN + CARD_HEIGHT + PANEL_GAP
    peaks = strip if others else MARGIN
    below = peaks + PEAKS_HEIGHT + PANEL_GAP
    height = below + CARD_HEIGHT + MARGIN
    seats = [_seat(left, below, False) for left in own] + [_seat(left, MARGIN, True) for left in others]
    return Layout(
        width=WIDTH,
        height=height + -height % 4,  # so that pictures of half of it have even sides, as videos need
        places=_places(peaks),
        seats=tuple(seats),
        clock=Spot(MARGIN, below),
        counters=Spot(WIDTH - MARGIN, below),
        middle=Spot(WIDTH // 2, peaks + PEAKS_HEIGHT // 2),
        corner=Spot(MARGIN + 60, below + CARD_HEIGHT - 32),
    )


_ONE_MIND = {1: (424,), 2: (276, 572), 3: (144, 390, 636)}
_OPPOSITE = {1: (), 2: (380,), 3: (60, 572)}

LAYOUTS = {(True, piles): _layout(own, ()) for piles, own in _ONE_MIND.items()} | {
    (False, seats): _layout((380,), others) for seats, others in _OPPOSITE.items()
}
"""By (one mind, number of piles). One mind has all its piles before it, a seat has the others opposite."""
