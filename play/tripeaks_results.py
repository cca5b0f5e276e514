"""Results and tables on the player's own machine, in one SQLite file."""

from pathlib import Path

import msgspec

from gipfelsturm.play.database import open_database
from gipfelsturm.play.messages import Tally
from gipfelsturm.play.tripeaks_table import Result, Saved

MOST_RESULTS = 100_000
"""How many results are kept, and up to `TIDY_EVERY` more: those that were lost make room first, and of them those that
were played for the shortest time, so that whoever leaves deals without end pushes out their own."""
MOST_TABLES = 100_000
"""How many tables are kept, and up to `TIDY_EVERY` more: those at which least was done make room, the oldest first, so
that whoever opens tables without end pushes out their own."""
TIDY_EVERY = 1000  # tables that are written down, or results

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tripeaks_results (
    number INTEGER PRIMARY KEY, deal TEXT UNIQUE NOT NULL, won INTEGER NOT NULL, ms INTEGER NOT NULL,
    moves INTEGER NOT NULL, cleared INTEGER NOT NULL, longest INTEGER NOT NULL, tries INTEGER NOT NULL,
    hints INTEGER NOT NULL, undos INTEGER NOT NULL, day TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE IF NOT EXISTS tripeaks_tables (
    number INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT UNIQUE NOT NULL, saved BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS tripeaks_least_done ON tripeaks_tables (json_extract(CAST(saved AS TEXT), '$.turn'), number);
"""
_ADD = """
INSERT INTO tripeaks_results (deal, won, ms, moves, cleared, longest, tries, hints, undos)
VALUES (:deal, :won, :ms, :moves, :cleared, :longest, :tries, :hints, :undos)
ON CONFLICT (deal) DO UPDATE SET won = excluded.won, ms = excluded.ms, moves = excluded.moves,
    cleared = excluded.cleared, longest = excluded.longest, tries = excluded.tries, hints = excluded.hints,
    undos = excluded.undos
WHERE NOT tripeaks_results.won AND tripeaks_results.ms = :after_ms
"""
_TIDY_RESULTS = """
DELETE FROM tripeaks_results WHERE number IN (SELECT number FROM tripeaks_results
    ORDER BY won DESC, ms DESC, number LIMIT -1 OFFSET ?)
"""
_TIDY = """
DELETE FROM tripeaks_tables WHERE number IN (SELECT number FROM tripeaks_tables
    ORDER BY json_extract(CAST(saved AS TEXT), '$.turn') DESC, number DESC LIMIT -1 OFFSET ?)
"""
_TALLY = """
SELECT count(*), total(won), total(hints), total(undos), total(won AND tries = 1 AND hints = 0 AND undos = 0),
    min(CASE WHEN won THEN ms END), coalesce(max(longest), 0) FROM tripeaks_results
"""


class Results:
    """The file, open; for one thread at a time, whichever.

    Raises:
        ValueError: if the file cannot be written, or is no database.
    """

    def __init__(self, file: Path) -> None:
        self._database = open_database(file, _SCHEMA)
        self._untidied = TIDY_EVERY  # results since the bound was looked at last

    def add(self, results: list[Result]) -> None:
        """Keep results; a deal that is there already stays as it is, unless this result is to replace it."""
        with self._database:
            self._database.executemany(_ADD, [msgspec.structs.asdict(result) for result in results])
            self._untidied += len(results)
            if self._untidied >= TIDY_EVERY:
                self._database.execute(_TIDY_RESULTS, (MOST_RESULTS,))
                self._untidied = 0

    def tally(self) -> Tally:
        """All results together."""
        deals, won, hints, undos, pure, fastest, longest = self._database.execute(_TALLY).fetchone()
        return Tally(deals, int(won), int(hints), int(undos), int(pure), fastest, longest)

    def course(self) -> list[tuple[str, bool]]:
        """The day of each result, and whether it was won, in order of time."""
        rows = self._database.execute("SELECT date(day), won FROM tripeaks_results ORDER BY number")
        return [(day, bool(won)) for day, won in rows]

    def save(self, token: str, table: Saved) -> None:
        """Keep a table as it stands, as the newest one."""
        with self._database:
            saving = self._database.execute(
                "INSERT OR REPLACE INTO tripeaks_tables (token, saved) VALUES (?, ?)",
                (token, msgspec.json.encode(table)),
            )
            if (saving.lastrowid or 0) % TIDY_EVERY == 0:
                self._database.execute(_TIDY, (MOST_TABLES,))

    def load(self, token: str) -> Saved | None:
        """The table of that token as it was kept last."""
        row = self._database.execute("SELECT saved FROM tripeaks_tables WHERE token = ?", (token,)).fetchone()
        return msgspec.json.decode(row[0], type=Saved) if row else None

    def close(self) -> None:
        """Close the file; nothing can be kept afterwards."""
        self._database.close()
