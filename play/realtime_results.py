"""Finished games of Gipfelsturm on the player's own machine, in the file of `gipfelsturm.play.database`."""

from pathlib import Path

import msgspec

from gipfelsturm.envs.rules.settings import real_time
from gipfelsturm.play.database import open_database
from gipfelsturm.play.results import Result
from gipfelsturm.play.seats import PERSON
from gipfelsturm.play.statistics import Hunts, Row, rate_of

MOST_RESULTS = 100_000
"""How many results are kept, and up to `TIDY_EVERY` more: those in which nothing was won make room first, and of them
the shortest games, so that whoever plays games of no time without end pushes out their own."""
TIDY_EVERY = 1000  # results that are written down

_SCHEMA = """
CREATE TABLE IF NOT EXISTS gipfelsturm_results (
    number INTEGER PRIMARY KEY, preset TEXT NOT NULL, custom INTEGER NOT NULL, partners TEXT NOT NULL,
    won INTEGER NOT NULL, status TEXT NOT NULL, score INTEGER NOT NULL, longest INTEGER NOT NULL,
    ticks INTEGER NOT NULL, deal TEXT NOT NULL, game INTEGER NOT NULL, games INTEGER NOT NULL, total INTEGER NOT NULL,
    settings TEXT NOT NULL, players TEXT NOT NULL, paces TEXT NOT NULL, day TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
"""
_ADD = """
INSERT INTO gipfelsturm_results
    (preset, custom, partners, won, status, score, longest, ticks, deal, game, games, total, settings, players, paces)
VALUES (:preset, :custom, :partners, :won, :status, :score, :longest, :ticks, :deal, :game, :games, :total, :settings,
    :players, :paces)
"""
_TIDY = """
DELETE FROM gipfelsturm_results WHERE number IN (SELECT number FROM gipfelsturm_results
    ORDER BY won OR total > 0 DESC, ticks DESC, number LIMIT -1 OFFSET ?)
"""
_ROWS = """
SELECT preset, custom, partners, count(*), sum(won), avg(CASE WHEN won THEN score END), max(score), max(longest)
FROM gipfelsturm_results GROUP BY preset, custom, partners ORDER BY count(*) DESC, preset, custom, partners
"""
_HUNTS = """
SELECT preset, custom, partners, games, count(*), max(total), avg(total) FROM gipfelsturm_results
WHERE game = games AND games > 1
GROUP BY preset, custom, partners, games ORDER BY count(*) DESC, preset, custom, partners, games
"""


class GameResults:
    """The file, open; for one thread at a time, whichever.

    Raises:
        ValueError: if the file cannot be written, or is no database.
    """

    def __init__(self, file: Path) -> None:
        self._database = open_database(file, _SCHEMA)
        self._untidied = TIDY_EVERY  # results since the bound was looked at last

    def add(self, result: Result) -> None:
        """Keep a result."""
        row = {name: getattr(result, name) for name in result.__struct_fields__}
        for name in ("settings", "players", "paces"):
            row[name] = msgspec.json.encode(row[name]).decode()
        row["partners"] = msgspec.json.encode(partners_of(result)).decode()
        row["custom"] = is_custom(result)
        del row["key"], row["transcript"]
        with self._database:
            self._database.execute(_ADD, row)
            self._untidied += 1
            if self._untidied >= TIDY_EVERY:
                self._database.execute(_TIDY, (MOST_RESULTS,))
                self._untidied = 0

    def rows(self) -> tuple[Row, ...]:
        """Win rates by preset and partners."""
        return tuple(
            Row(preset, bool(custom), _names(partners), games, won, rate_of(won, games), score, best, longest)
            for preset, custom, partners, games, won, score, best, longest in self._database.execute(_ROWS)
        )

    def hunts(self) -> tuple[Hunts, ...]:
        """Record hunts by preset, partners and length."""
        return tuple(
            Hunts(preset, bool(custom), _names(partners), *figures)
            for preset, custom, partners, *figures in self._database.execute(_HUNTS)
        )

    def course(self) -> list[tuple[str, bool]]:
        """The day of each game, and whether it was won, in order of time."""
        rows = self._database.execute("SELECT date(day), won FROM gipfelsturm_results ORDER BY number")
        return [(day, bool(won)) for day, won in rows]

    def close(self) -> None:
        """Close the file; nothing can be kept afterwards."""
        self._database.close()


def partners_of(result: Result) -> tuple[str, ...]:
    """Who sat in the other seats: agents' names and `PERSON`, sorted; `person+careful` where one followed the other.

    One's own is the first seat that was a person's throughout, else the first in which one sat at all.
    """
    seats = ["+".join(players) for players in result.players]
    own = PERSON if PERSON in seats else next(seat for seat in seats if PERSON in seat)
    seats.remove(own)
    return tuple(sorted(seats))


def is_custom(result: Result) -> bool:
    """Whether stock, ring or clock were not the preset's."""
    settings = result.settings
    usual = real_time(result.preset, seats=settings.seats)
    return (settings.stock, settings.ring, settings.clock_ms) != (usual.stock, usual.ring, usual.clock_ms)


def _names(partners: str) -> tuple[str, ...]:
    return msgspec.json.decode(partners, type=tuple[str, ...])
