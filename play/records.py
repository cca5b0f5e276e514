"""Finished games as files, for research: one a game, as `gipfelsturm hint --game` and `read_transcript` read them."""

import secrets
import tempfile
from pathlib import Path

from gipfelsturm.agents.whole_file import reason, write_whole
from gipfelsturm.envs.rules.transcript_text import write_transcript
from gipfelsturm.play.results import Result


def prepare_folder(folder: Path) -> None:
    """Make a folder for records; raises ValueError if none can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as fault:
        raise ValueError(
            f"cannot keep records in {folder}: {reason(fault)}; name another folder with --record"
        ) from None


def write_record(folder: Path, result: Result) -> Path:
    """Write the record of a game, whole or not at all; who played stands in lines that readers skip."""
    seats = zip(result.players, result.paces, strict=True)
    players = ", ".join("+".join(names) + (f" ({pace})" if pace else "") for names, pace in seats)
    text = f"# preset {result.preset}\n# players {players}\n# {result.status}, score {result.score}\n"
    file = folder / f"{result.deal or 'deck'}-{secrets.token_hex(4)}.txt"
    write_whole(file, (text + write_transcript(result.transcript)).encode())
    return file
