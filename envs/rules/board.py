"""The table as text: face-up cards alone, face-down ones as `##` (rules.md section 1)."""

import numpy as np

from gipfelsturm.envs.rules.actions import CALLS
from gipfelsturm.envs.rules.cards import card_text
from gipfelsturm.envs.rules.checks import counted
from gipfelsturm.envs.rules.record import CARRYING, PHASES, REACHING, RETURNING, RUNNING, STATUSES
from gipfelsturm.envs.rules.table import ROWS, free_places

# Column of each row's first card, and the steps to the next ones, so that a card lies between the two that cover it.
_INDENT = (6, 4, 2, 0)
_COLUMNS = {
    place: indent + (12 * i if row == 0 else 12 * (i // 2) + 4 * (i % 2) if row == 1 else 4 * i)
    for row, (places, indent) in enumerate(zip(ROWS, _INDENT, strict=True))
    for i, place in enumerate(places)
}


def board_text(g: np.void) -> str:
    """The peaks, a line a row, then a line a pile with its hand, then how the game stands."""
    lines = _peaks(g)
    for pile in range(int(g["seats"])):
        lines.append(_pile_line(g, pile))
    lines.append(_standing(g))
    return "\n".join(lines)


def _peaks(g: np.void) -> list[str]:
    present = int(g["present"])
    free = int(free_places(present))
    lines = []
    for places in ROWS:
        line = ""
        for place in places:
            if free >> place & 1:
                face = card_text(int(g["deck"][place]))
            else:
                face = "##" if present >> place & 1 else ""
            line = line.ljust(_COLUMNS[place]) + face
        lines.append(line.rstrip())
    return lines


def _pile_line(g: np.void, pile: int) -> str:
    line = f"pile {pile}: {card_text(int(g['top'][pile]))}, stock {g['stock'][pile]}"
    if g["one_mind"]:
        return line
    phase = int(g["phase"][pile])
    line += f", hand {PHASES[phase]}"
    if phase in (REACHING, CARRYING, RETURNING):
        place = int(g["place"][pile])
        way = f"to {place}" if phase == RETURNING else f"from {place} to pile {g['pile'][pile]}"
        line += f" {card_text(int(g['deck'][place]))} {way}"
    if phase:
        line += f", {counted(int(g['left'][pile]), 'tick')} left"
    if g["call"][pile]:
        line += f', says "{CALLS[g["call"][pile] - 1]}"'
    return line


def _standing(g: np.void) -> str:
    cleared = 28 - int(g["present"]).bit_count()
    line = f"{cleared}/28 cleared, streak {g['streak']}, longest {g['longest']}, {STATUSES[g['status']]}"
    if g["one_mind"]:
        return line
    line += f", tick {g['tick']}"
    if not g["limit"]:
        return line
    line += f" of {g['limit']}"
    seconds = (int(g["limit"]) - int(g["tick"])) * int(g["tick_ms"]) / 1000
    return f"{line}, {seconds:.1f} s left" if g["status"] == RUNNING else line
