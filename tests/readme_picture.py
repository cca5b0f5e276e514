"""The picture in README: a moment of a golden game, as the package draws it.

After a change of the drawing that is meant, draw it anew, and look at it:

    PYTHONPATH=tests .venv/bin/python -m readme_picture
"""

from pathlib import Path

from gipfelsturm.envs.rendering import picture
from gipfelsturm.envs.rules.replay import replay
from golden_tools import GOLDEN, described

FILE = Path(__file__).parents[1] / "docs" / "table.svg"
TICK = 26


def readme_picture() -> str:
    """One hand carries a card, the other reaches for one, and both have said that they draw."""
    _, transcript = described((GOLDEN / "two_seats_brisk.txt").read_text(encoding="utf-8"))
    return picture(transcript.settings, list(replay(transcript))[TICK][0]) + "\n"


def main() -> None:
    """Write the file."""
    FILE.write_text(readme_picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
