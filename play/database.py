"""The SQLite file in which everything is kept that outlives the server."""

import os
import sqlite3
from pathlib import Path

from gipfelsturm.agents.whole_file import reason

PATIENCE_SECONDS = 5.0
"""How long another program may be writing."""

SOUND = "ok"
CURE = "make it writable, or set XDG_DATA_HOME to a folder that is"
BROKEN_CURE = "move it away, or set XDG_DATA_HOME to another folder"


def usual_file() -> Path:
    """Where the results lie if nobody says otherwise."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "gipfelsturm" / "results.sqlite3"


def open_database(file: Path, schema: str) -> sqlite3.Connection:
    """The file with the tables of a schema in it; for one thread at a time, whichever.

    Raises:
        ValueError: if the file cannot be written, is no database, or is broken.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(file, PATIENCE_SECONDS, check_same_thread=False)
        # What is committed outlives the program; only a power cut could lose the last moments.
        database.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; {schema}")
        database.execute("PRAGMA user_version = 1")
        (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != SOUND:
            raise sqlite3.DatabaseError("the file is broken")
    except (OSError, sqlite3.Error) as fault:
        broken = type(fault) is sqlite3.DatabaseError  # not one of its kinds: the file itself is to blame
        cure = BROKEN_CURE if broken else CURE
        why = reason(fault) if isinstance(fault, OSError) else fault
        raise ValueError(f"cannot keep results in {file}: {why}; {cure}") from None
    return database
