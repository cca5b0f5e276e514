"""Whether games are won as often as a network says: it plays fixed deals as one mind, and every move is judged."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.afterstate import FEATURES, MOST_ACTIVE
from gipfelsturm.agents.compact import POSITION, TABLE
from gipfelsturm.agents.intervals import Z95, Interval
from gipfelsturm.agents.network import chance, think
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import deal_games
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.report_page.drawing import blank_figure, draw_rates, png
from gipfelsturm.training.report_page.page import Part, table
from gipfelsturm.training.self_play import LONGEST_GAME, play_games

BINS = 10
GAMES = 4000
"""From deal 0 on."""
Floats = NDArray[np.float64]


class Bin(NamedTuple):
    """The moves whose predicted chance lies in one tenth of the way from 0 to 1. Shares of 1."""

    moves: int
    predicted: float  # mean
    won: Interval  # by which share of them a game was won; games are what varies


class Calibration(NamedTuple):
    """How predicted chances and ends of games agree."""

    brier: float  # mean squared difference of chance and end, over all moves: 0 is clairvoyant
    constant: float  # the same of somebody who always says how many moves belong to won games
    bins: list[Bin]  # those that have moves, from the least chance


def judge_moves(network: NDArray[np.void], settings: Settings, games: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Let a network play the first deals as one mind, by what it thinks best.

    Returns:
        Of each move (moves,): the chance that the network sees once it is done, 1 if its game is won, and the game.
    """
    rows = np.zeros((LONGEST_GAME * games, MOST_ACTIVE), np.uint16)
    won = np.zeros(len(rows), np.float32)
    numbers = np.zeros(len(rows), np.int64)
    position, tables, written = np.zeros(1, POSITION), np.zeros(1, TABLE), 0
    dealt = deal_games(settings, range(games))
    for number in range(games):
        game = dealt[number : number + 1]
        count, _, _ = play_games(game, 0.0, 1.0, position, tables, network, rows[written:], won[written:])
        numbers[written : written + count] = number
        written += count
    chances = np.zeros(written)
    _think_all(network, rows[:written], chances)
    return chances, won[:written].astype(np.float64), numbers[:written]


@compiled
def _think_all(networks: NDArray[np.void], rows: NDArray[np.uint16], chances: NDArray[np.float64]) -> None:
    """Write the chance of each afterstate (moves, MOST_ACTIVE), of which FEATURES stands for no more features."""
    n = networks[0]
    for i in range(len(rows)):
        found = 0
        while found < MOST_ACTIVE and rows[i, found] != FEATURES:
            n["active"][found] = rows[i, found]
            found += 1
        chances[i] = chance(think(n, found))


def calibration(chances: Floats, won: Floats, games: NDArray[np.int64]) -> Calibration:
    """Compare predicted chances with ends, all (moves,) as `judge_moves` returns them."""
    places = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    bins = [_bin(chances[here], won[here], games[here]) for here in (places == i for i in range(BINS)) if here.any()]
    return Calibration(float(np.mean((chances - won) ** 2)), float(won.mean() * (1 - won.mean())), bins)


def _bin(chances: Floats, won: Floats, games: NDArray[np.int64]) -> Bin:
    """Moves of one game end alike: the interval is that of a ratio of sums over games."""
    share = float(won.mean())
    sums = np.bincount(games, weights=won - share)
    margin = Z95 * float(np.sqrt((sums**2).sum())) / len(won)
    return Bin(len(won), float(chances.mean()), Interval(share, max(share - margin, 0.0), min(share + margin, 1.0)))


def calibration_part(name: str, told: Sequence[tuple[str, Calibration]], games: int) -> Part:
    """Reliability diagrams of a network, one for each table that it plays so many games of."""
    figure, plots = blank_figure(4.5 * len(told), 4.5, columns=len(told))
    for (setting, judged), axes in zip(told, plots, strict=True):
        axes.plot((0, 100), (0, 100), color="gray", linewidth=1, linestyle="dashed")
        predicted = [100 * each.predicted for each in judged.bins]
        draw_rates(axes, predicted, [each.won for each in judged.bins])
        axes.set(title=f"{setting}: Brier score {judged.brier:.4f}", xlabel="predicted, %", ylabel="won, %", aspect=1)
    lines = [_told(setting, judged) for setting, judged in told]
    return Part(
        title=f"Calibration of {name}",
        text=f"It plays the deals 0 to {games - 1} as one mind. Of its moves, by the chance of winning that it sees "
        "after each: how often the game was won, with 95 % intervals over games. The Brier score is the mean squared "
        "difference of chance and end.",
        pictures={f"calibration-{name}": png(figure)},
        tables=[table(("table", "moves", "Brier score", "of a constant chance"), lines)],
    )


def _told(setting: str, judged: Calibration) -> tuple[str, str, str, str]:
    moves = sum(each.moves for each in judged.bins)
    return setting, f"{moves:,}", f"{judged.brier:.4f}", f"{judged.constant:.4f}"
