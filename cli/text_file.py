"""Text files that a user names."""

from pathlib import Path

from gipfelsturm.agents.whole_file import reason


def read_text(file: Path) -> str:
    """What a file in UTF-8 says.

    Raises:
        ValueError: for a file that is no such text, or that cannot be read.
    """
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as fault:
        raise ValueError(f"cannot read {file}: {reason(fault)}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file} is no text in UTF-8") from None
