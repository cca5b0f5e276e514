"""What a page may choose from when it opens a table, and what it is given."""

from collections.abc import Container

import msgspec

from gipfelsturm.agents.catalogue import CATALOGUE
from gipfelsturm.envs.rules.settings import PRESETS
from gipfelsturm.play.realtime_table import RealTimeTable
from gipfelsturm.play.table_plan import MATCHING, MOST_GAMES, PACES

PARTNERS = tuple(CATALOGUE)
PARTNER = "learned"
"""Who is suggested, and plays for people who are gone."""
MEANWHILE = "lookahead"
"""Who is suggested while `PARTNER` is not prepared: compiling it takes a minute, once, and this one some seconds."""


class PresetOffer(msgspec.Struct, frozen=True):
    """A preset, as it is if nothing is changed."""

    name: str
    stocks: tuple[int, int]  # cards dealt to each stock with two and with three seats
    clock: float | None  # seconds
    ring: bool


class Offer(msgspec.Struct, frozen=True, tag_field="kind", tag="offer"):
    """The answer to `/api/partners`."""

    partners: tuple[str, ...]
    partner: str  # that is suggested
    paces: tuple[str, ...]
    pace: str  # that is suggested
    presets: tuple[PresetOffer, ...]
    most_games: int  # of a record hunt
    recording: bool  # whether records of finished games are kept
    address: str  # under which friends in the same network find the server; "" if it is closed to them


class OpenedSeat(msgspec.Struct, frozen=True):
    """A seat for a person."""

    seat: int
    token: str
    link: str  # to be opened by whoever is to sit there


class Opened(msgspec.Struct, frozen=True, tag_field="kind", tag="opened"):
    """The answer to `/api/tables`: a new table."""

    seats: tuple[OpenedSeat, ...]  # of people; the first is one's own


def offer(recording: bool, address: str, prepared: Container[str]) -> Offer:
    """All that can be chosen; who is suggested depends on which agents are prepared."""
    presets = tuple(
        PresetOffer(name, preset.stocks[1:], preset.clock_ms and preset.clock_ms / 1000, preset.ring)
        for name, preset in PRESETS.items()
        if preset.seats > 1
    )
    partner = PARTNER if PARTNER in prepared else MEANWHILE
    return Offer(PARTNERS, partner, PACES, MATCHING, presets, MOST_GAMES, recording, address)


def opened(table: RealTimeTable, address: str) -> Opened:
    """The seats of people at a table, with links to a server's address."""
    seats = ((number, seat.token) for number, seat in enumerate(table.seats) if seat.token)
    return Opened(tuple(OpenedSeat(number, token, seat_link(address, token)) for number, token in seats))


def seat_link(address: str, token: str) -> str:
    """The page of a seat."""
    return f"{address}/gipfelsturm/{token}"
