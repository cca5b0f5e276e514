"""How good each choice at a table is, by playouts in slices, so that the thinking can be broken off between them."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.choices import MOST_CHOICES, find_choices, write_choice
from gipfelsturm.agents.halving import DEVIATIONS, MOST_PLAYOUTS, best_choice, blank_room
from gipfelsturm.agents.playouts import COUNTING, TO_THE_END
from gipfelsturm.agents.search import as_seen_from
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.chance import nth_seed
from gipfelsturm.envs.rules.jit import compiled, inlined, signed
from gipfelsturm.envs.rules.record import Games
from gipfelsturm.envs.rules.settings import Settings

SLICE = 2000
"""Playouts between two looks at whether to stop: a few milliseconds."""


class Judged(NamedTuple):
    """A choice, and how many of the playouts after it were won."""

    action: int  # flat, as the seat numbers it
    wins: float
    playouts: int

    @property
    def share(self) -> float | None:
        """Of the playouts that were won; None without any."""
        return self.wins / self.playouts if self.playouts else None


class Judge:
    """Weighs the choices at tables of one kind."""

    def __init__(self, settings: Settings) -> None:
        """Make room to work in."""
        self._room = blank_room(settings)
        self._choices = self._room["choices"][0]
        self._actions = np.zeros(MOST_CHOICES, np.int64)

    def choices(self, belief: Games, seat: int) -> list[int]:
        """What a seat may choose from, as flat actions of its own; the game becomes the table that it foresees."""
        found = _find(belief, seat, self._choices, self._actions)
        return [int(action) for action in self._actions[:found]]

    def best(self, belief: Games, choices: list[int], seat: int, seed: int, slices: Iterator[int]) -> Judged:
        """The best of some choices of a foreseen game, after slices of so many playouts each: until it is clear.

        Without a slice the playout policy alone decides.
        """
        found = len(choices)
        totals = np.zeros((2, found))
        best = self._slice(belief, choices, seat, 0, seed)
        priors = self._choices["prior"][:found].copy()
        for number, playouts in enumerate(slices):
            self._slice(belief, choices, seat, playouts, nth_seed(seed, number))
            totals += self._choices["wins"][:found], self._choices["playouts"][:found]
            best = _most_won(totals, priors)
            if _is_decided(totals, best):
                break
        return Judged(choices[best], float(totals[0, best]), int(totals[1, best]))

    def compare(self, belief: Games, actions: list[int], seat: int, playouts: int) -> list[float]:
        """The shares of wins of two actions, on the same determinizations, after half of the playouts each."""
        self._slice(belief, actions, seat, min(playouts, MOST_PLAYOUTS), 0)
        return [float(row["wins"] / row["playouts"]) for row in self._choices[:2]]

    def _slice(self, belief: Games, choices: list[int], seat: int, playouts: int, seed: int) -> int:
        self._actions[: len(choices)] = choices
        return _judge(
            belief,
            seat,
            self._actions[: len(choices)],
            playouts,
            np.uint64(seed),
            self._room,
        )


def _most_won(totals: NDArray[np.float64], priors: NDArray[np.float64]) -> int:
    """The choice of the highest share of wins, the prior's among them, of those that were played out the most.

    Sequential halving gives the choices that it drops first less than half the playouts of the last two.
    """
    wins, playouts = totals
    shares = (wins + priors) / np.maximum(playouts, 1)
    return int(np.where(2 * playouts >= playouts.max(), shares, -np.inf).argmax())


def _is_decided(totals: NDArray[np.float64], best: int) -> bool:
    """Whether chance does not explain how far all others lie behind."""
    wins, playouts = totals
    shares = (wins + 1) / (playouts + 2)
    variances = shares * (1 - shares) / np.maximum(playouts, 1)
    behind, doubt = shares[best] - shares, np.sqrt(variances + variances[best])
    return bool((np.delete(behind, best) > DEVIATIONS * np.delete(doubt, best)).all())


@compiled
def _find(games: Games, seat: int, choices: NDArray[np.void], actions: NDArray[np.int64]) -> int:
    """Write the choices of a seat as its own flat actions (MOST_CHOICES,) and return how many there are.

    Whose turn it is to begin, and patience, bind players who cannot speak: a person may act at once, beside others.
    """
    g = games[0]
    if not g["one_mind"]:
        g["tick"] = seat
    found = find_choices(g, seat, False, True, choices)
    for i in range(found):
        actions[i] = as_seen_from(g, seat, choices[i]["action"])
    return int(found)


@compiled
def _judge(
    games: Games,
    seat: int,
    actions: NDArray[np.int64],
    playouts: int,
    seed: np.uint64,
    rooms: NDArray[np.void],
) -> int:
    """`best_choice` of a seat's flat actions."""
    g, choices = games[0], rooms[0]["choices"]
    for i in range(len(actions)):
        write_choice(choices[i], _as_one_mind(g, seat, actions[i]))
    return int(best_choice(g, rooms[0], len(actions), playouts, COUNTING, TO_THE_END, seed))


@inlined
def _as_one_mind(g: np.void, seat: int, action: int) -> int:
    """A seat's action in the numbering of one mind: the other way round of `as_seen_from`."""
    piles = signed(g["seats"])
    if action == wait_action(piles):
        return action
    kind, number = (PLACES, action) if action < PLACES * piles else (1, action - PLACES * piles)
    pile = (number // kind + seat) % piles
    return PLACES * pile + action % PLACES if kind == PLACES else PLACES * piles + pile
