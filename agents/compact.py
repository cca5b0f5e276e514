"""One mind's game in the compact form that playouts run on: the untimed rules, in few enough operations.

The places are bits of one number whose rows lie `STRIDE` apart, so that a place's covers are always `STRIDE` and
`STRIDE - 1` bits below it, in every row and peak. Cards are ranks 0..12: suits never matter. A test plays these rules
beside the kernel's, in lock-step.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.jit import inlined, lowest_bit_number, signed
from gipfelsturm.envs.rules.record import MOST_SEATS
from gipfelsturm.envs.rules.table import COVERS, ROWS

STRIDE = 11  # one more than the base row is wide: the bit left of a row's first place belongs to no place
COUNT_BITS = 4
NO_RANK = 13
"""On top of a pile that is not there, and the neighbour of a King or an Ace without the ring: nothing fits it."""
SLOTS = 16
"""Length of a table by rank."""

POSITION = np.dtype(
    [
        ("board", np.int64),  # the places still there
        ("top", np.int64, (MOST_SEATS,)),  # rank, NO_RANK for a pile that is not there
        ("left", np.int64, (MOST_SEATS,)),  # cards in each stock
        ("unseen", np.int64),  # cards of each rank that nobody has seen, COUNT_BITS each
    ]
)
"""All that a player knows of a game, but for the ranks of the free cards."""

TABLE = np.dtype(
    [
        ("rank", np.int64, (64,)),  # of each place, by bit number
        ("known_fit", np.int64, (SLOTS,)),  # for each rank on a pile the places whose card is known and fits it
        ("fit", np.int64, (SLOTS,)),  # the same over all places, once the hidden cards are dealt too
        ("stock", np.int64, (MOST_SEATS, 24)),  # ranks in drawing order: the next is at `dealt - left`
        ("hidden", np.int64),  # the places whose card is not known
        ("known_stock", np.int64, (MOST_SEATS,)),  # the cards of each stock that are, a bit each in drawing order
        ("dealt", np.int64),
        ("piles", np.int64),
        ("ring", np.int64),
        ("weights", np.float64, (SLOTS,)),  # of `gipfelsturm.agents.counting`
    ]
)
"""What the positions of one game share: where the cards lie, or may lie."""


def _bit_numbers() -> NDArray[np.int64]:
    """(28,): by place. A place of a row lies over the leftmost of its covers."""
    columns = dict(zip(ROWS[3], range(10), strict=True))
    for row in reversed(ROWS[:3]):
        columns |= {place: columns[COVERS[place][0]] for place in row}
    rows = {place: 3 - row for row, places in enumerate(ROWS) for place in places}
    return np.array([STRIDE * rows[place] + columns[place] for place in range(28)], np.int64)


BIT_NUMBER = _bit_numbers()
PLACE = np.full(64, -1, np.int64)  # (64,) the place of each bit number
PLACE[BIT_NUMBER] = np.arange(28)
ALL_PLACES = int(np.bitwise_or.reduce(np.int64(1) << BIT_NUMBER))


def _neighbours() -> NDArray[np.int64]:
    """(2, 14, 2): without and with the ring, the ranks above and below a rank, NO_RANK where there is none."""
    table = np.full((2, NO_RANK + 1, 2), NO_RANK, np.int64)
    for rank in range(13):
        table[1, rank] = (rank + 1) % 13, (rank - 1) % 13
        table[0, rank] = rank + 1, rank - 1 if rank else NO_RANK
    return table


NEIGHBOURS = _neighbours()


@inlined
def free_bits(board: int) -> int:
    """The places whose covers are both gone."""
    return board & ~((board << STRIDE) | (board << (STRIDE - 1)))


@inlined
def turns_left_and_right(board: int) -> tuple[int, int]:
    """The places that alone cover the one to the upper left of them, and those that alone cover the upper right one."""
    left = (board >> (STRIDE - 1)) & ~(board << 1)
    right = (board >> STRIDE) & ~(board >> 1)
    return left, right


@inlined
def compact_board(present: int) -> int:
    """A record's mask of places as bits of a board."""
    board = 0
    for place in range(28):
        board |= (present >> place & 1) << BIT_NUMBER[place]
    return board


@inlined
def unseen_of(unseen: int, rank: int) -> int:
    """How many cards of a rank are unseen; none of NO_RANK."""
    return unseen >> (COUNT_BITS * rank) & 15


@inlined
def seen(unseen: int, rank: int) -> int:
    """The counts once a card of a rank has been seen."""
    return unseen - (1 << (COUNT_BITS * rank))


@inlined
def read_position(g: np.void, p: np.void) -> None:
    """Write the position of a record."""
    p["board"] = compact_board(signed(g["present"]))
    for pile in range(MOST_SEATS):
        there = pile < signed(g["seats"])
        p["top"][pile] = signed(g["top"][pile]) >> 2 if there else NO_RANK
        p["left"][pile] = signed(g["stock"][pile]) if there else 0
    p["unseen"] = 0
    for rank in range(13):
        p["unseen"] |= signed(g["unseen"][rank]) << (COUNT_BITS * rank)


@inlined
def lay_known(g: np.void, t: np.void) -> None:
    """Lay out the cards of a record that are known, in stocks too; the others (EMPTY) are hidden."""
    t["dealt"] = g["dealt"]
    t["piles"] = g["seats"]
    t["ring"] = g["ring"]
    t["hidden"] = 0
    t["fit"][:] = 0
    for place in range(28):
        if signed(g["present"]) >> place & 1:
            rank = signed(g["deck"][place]) >> 2
            if rank < NO_RANK:
                lay(t, BIT_NUMBER[place], rank)
            else:
                t["hidden"] |= 1 << BIT_NUMBER[place]
    t["fit"][NO_RANK] = 0
    t["known_fit"][:] = t["fit"]
    t["known_stock"][:] = 0
    for pile in range(signed(g["seats"])):
        for card in range(signed(g["dealt"]) - signed(g["stock"][pile]), signed(g["dealt"])):
            rank = signed(g["deck"][28 + pile * signed(g["dealt"]) + card]) >> 2
            if rank < NO_RANK:
                t["stock"][pile, card] = rank
                t["known_stock"][pile] |= 1 << card


@inlined
def lay_deal(g: np.void, t: np.void) -> None:
    """Lay out all cards of a record, those of the stocks too."""
    lay_known(g, t)
    for pile in range(signed(g["seats"])):
        for card in range(signed(g["dealt"])):
            t["stock"][pile, card] = signed(g["deck"][28 + pile * signed(g["dealt"]) + card]) >> 2


@inlined
def lay(t: np.void, number: int, rank: int) -> None:
    """Lay a card of a rank on a place, given by its bit number; whoever has laid all clears what fits NO_RANK."""
    t["rank"][number] = rank
    bit = 1 << number
    t["fit"][NEIGHBOURS[t["ring"], rank, 0]] |= bit
    t["fit"][NEIGHBOURS[t["ring"], rank, 1]] |= bit


@inlined
def place_on(p: np.void, t: np.void, number: int, pile: int) -> None:
    """Play the card of a place on a pile; what turns up has been seen."""
    board = p["board"]
    left = board ^ (1 << number)
    p["board"] = left
    p["top"][pile] = t["rank"][number]
    new = free_bits(left) & ~free_bits(board)
    while new:
        p["unseen"] = seen(p["unseen"], t["rank"][lowest_bit_number(new)])
        new &= new - 1


@inlined
def draw_on(p: np.void, t: np.void, pile: int) -> None:
    """Draw the next card of a stock."""
    rank = t["stock"][pile, t["dealt"] - p["left"][pile]]
    p["left"][pile] -= 1
    p["top"][pile] = rank
    p["unseen"] = seen(p["unseen"], rank)
