"""What a call claims, checked against a table in plain Python, from rules.md section 3 and agents/calls.py alone."""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.actions import CALLS, wait_action
from gipfelsturm.envs.rules.record import CARRYING, DRAWING, FREE, REACHING, RETURNING
from random_play import covered


def near(rank: int, other: int, ring: bool) -> bool:
    return abs(rank - other) == 1 or (ring and abs(rank - other) == 12)


def is_true(game: np.void, seat: int, said: str) -> bool:
    """Whether a call is true of the caller's hand and pile; `drawing` may also be the word for the next tick."""
    seats, present, ring = int(game["seats"]), int(game["present"]), bool(game["ring"])
    held = {int(game["place"][s]) for s in range(seats) if game["phase"][s] in (CARRYING, RETURNING)}
    top, own = int(game["top"][seat]), -1
    if game["phase"][seat] in (REACHING, CARRYING):
        own = int(game["place"][seat])
        top = int(game["deck"][own]) if game["pile"][seat] == seat else top
    free = [p for p in range(28) if present >> p & 1 and not covered(present, p) and p not in held and p != own]
    fitting = any(near(int(game["deck"][p]) >> 2, top >> 2, ring) for p in free)
    if said == "drawing":
        return bool(game["phase"][seat] == DRAWING or (game["phase"][seat] == FREE and game["stock"][seat]))
    if said == "hold":
        return fitting and bool(game["phase"][seat] != FREE)
    rank = CALLS.index(said)
    unseen = [int(game["unseen"][r]) for r in range(13) if near(r, top >> 2, ring)]
    return not fitting and near(rank, top >> 2, ring) and int(game["unseen"][rank]) == max(unseen) > 0


def calls_made(batch: GipfelsturmBatch, actions: NDArray[np.int64]) -> list[tuple[int, int, str]]:
    """Game, seat and words of each call among the actions (games, seats) at running games."""
    wait = wait_action(batch.settings.seats)
    running = ~batch.terminated[:, np.newaxis]
    return [(int(g), int(s), CALLS[actions[g, s] - wait - 1]) for g, s in np.argwhere((actions > wait) & running)]
