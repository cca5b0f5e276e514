"""The network over afterstates imitates an exact solver: endgames with every card known, as wins and losses."""

import numpy as np
import torch
from numpy.typing import NDArray

from gipfelsturm.agents.afterstate import FEATURES, MOST_ACTIVE, NO_PLACE, play_features
from gipfelsturm.agents.compact import POSITION, TABLE, lay_deal, read_position
from gipfelsturm.agents.solver import solve_all
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.training.value_network import ValueNetwork

SOLO = one_mind()
TIPS = [0, 1, 2]
ENDGAMES, LEARNED = 10_000, 8_000


def endgames() -> Games:
    """The three tips and a card to draw, all within two ranks of the pile's top: many are won and many lost."""
    dice = np.random.default_rng(1)
    games = deal_games(SOLO, range(ENDGAMES))
    games["present"], games["stock"][:, 0] = sum(1 << place for place in TIPS), 1
    for game in games:
        middle = dice.integers(13)
        near = [4 * ((middle + far) % 13) + suit for far in range(-2, 3) for suit in range(4)]
        drawn, *tips = dice.permutation([card for card in near if card != 4 * middle])[:4]
        game["top"][0], game["deck"][51], game["deck"][TIPS] = 4 * middle, drawn, tips
        game["unseen"] = np.arange(13) == drawn >> 2
    return games


@compiled
def write_features(
    games: Games, positions: NDArray[np.void], tables: NDArray[np.void], rows: NDArray[np.uint16]
) -> None:
    p, t = positions[0], tables[0]
    for i in range(len(games)):
        read_position(games[i], p)
        lay_deal(games[i], t)
        found = play_features(p, t, NO_PLACE, 0, 0, rows[i])
        rows[i, found:] = FEATURES


def right(network: ValueNetwork, rows: torch.Tensor, winnable: torch.Tensor) -> float:
    """The share of the endgames that a network judges as the solver does."""
    return float(((network(rows) > 0) == (winnable > 0)).float().mean())


def test_it_judges_endgames_that_it_has_not_seen_as_the_solver_does() -> None:
    games, rows = endgames(), np.zeros((ENDGAMES, MOST_ACTIVE), np.uint16)
    write_features(games, np.zeros(1, POSITION), np.zeros(1, TABLE), rows)
    winnable = torch.tensor([float(found.winnable) for found in solve_all(games, threads=1)])
    inputs = torch.from_numpy(rows)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    network = ValueNetwork(256)
    optimizer = torch.optim.Adam(network.parameters(), 0.002)
    usual = max(float(winnable[LEARNED:].mean()), 1 - float(winnable[LEARNED:].mean()))
    assert usual < 0.75 and right(network, inputs[LEARNED:], winnable[LEARNED:]) < 0.76
    for _ in range(12):
        for chosen in torch.randperm(LEARNED).reshape(-1, 200):
            optimizer.zero_grad()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(network(inputs[chosen]), winnable[chosen])
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    assert right(network, inputs[LEARNED:], winnable[LEARNED:]) > 0.95
