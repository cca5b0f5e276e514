"""Playouts by `uncover` are games by the rule `uncover` of rules.md section 5, move by move and choice by choice."""

from collections import Counter, defaultdict
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.agents.compact import POSITION, TABLE, lay_deal, read_position
from gipfelsturm.agents.network import NETWORK
from gipfelsturm.agents.playouts import TO_THE_END, UNCOVER, play_out
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import Settings, one_mind
from naive_players import COVERS, Table, best_actions
from solving import position

PLAYOUTS = 20_000
TABLES = [one_mind(piles=piles, ring=ring) for piles in (1, 2, 3) for ring in (True, False)]
EVERY_TABLE = pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))


@compiled
def play_on(games: Games, depth: int, seeds: NDArray[np.uint64], each: NDArray[np.float64]) -> None:
    """Write what a playout of the same game comes to with each seed (seeds,)."""
    positions, tables, networks = np.zeros(1, POSITION), np.zeros(1, TABLE), np.zeros(1, NETWORK)
    lay_deal(games[0], tables[0])
    for i in range(len(seeds)):
        read_position(games[0], positions[0])
        each[i] = play_out(UNCOVER, depth, positions[0], tables[0], networks[0], seeds[i])


def measured(games: Games, depth: int) -> dict[int, float]:
    """How often playouts end with so many cards gone, 0 for a lost game."""
    each = np.zeros(PLAYOUTS)
    play_on(games, depth, np.random.default_rng(1).integers(2**64, size=PLAYOUTS, dtype=np.uint64), each)
    np.testing.assert_allclose(28 * each, np.round(28 * each), atol=1e-9)
    return {gone: count / PLAYOUTS for gone, count in Counter(np.round(28 * each).astype(int).tolist()).items()}


def exact(g: np.void, depth: int) -> dict[int, float]:
    """The same by the slow policy, each of its choices as likely."""
    ranks = [int(card) // 4 + 1 for card in g["deck"]]
    piles, dealt, ring = int(g["seats"]), int(g["dealt"]), bool(g["ring"])

    @cache
    def go_on(present: frozenset[int], tops: tuple[int, ...], stocks: tuple[int, ...], moves: int) -> dict[int, float]:
        if not present or not moves:
            return {28 - len(present): 1.0}
        faces = {place: ranks[place] for place in present if not COVERS.get(place, set()) & present}
        choices = best_actions("uncover", Table(set(present), faces, list(tops), list(stocks), ring))
        found: defaultdict[int, float] = defaultdict(float)
        for action in choices:
            pile = action // 28 if action < 28 * piles else action - 28 * piles
            if action >= 28 * piles and not stocks[pile]:
                return {0: 1.0}
            drawn = 28 + (pile + 1) * dealt - stocks[pile]
            top = ranks[action % 28 if action < 28 * piles else drawn]
            left = present - {action % 28} if action < 28 * piles else present
            after = tuple(cards - (action == 28 * piles + i) for i, cards in enumerate(stocks))
            for gone, share in go_on(left, (*tops[:pile], top, *tops[pile + 1 :]), after, moves - 1).items():
                found[gone] += share / len(choices)
        return found

    tops = tuple(int(card) // 4 + 1 for card in g["top"][:piles])
    stocks = tuple(int(cards) for cards in g["stock"][:piles])
    return go_on(frozenset(p for p in range(28) if int(g["present"]) >> p & 1), tops, stocks, depth)


def agree(games: Games, depth: int) -> None:
    expected, found = exact(games[0], depth), measured(games, depth)
    assert set(found) <= set(expected)
    for gone, share in expected.items():
        doubt = 5 * np.sqrt(share * (1 - share) / PLAYOUTS) + 1e-9
        assert found.get(gone, 0) == pytest.approx(share, abs=doubt), (gone, depth)


@EVERY_TABLE
@pytest.mark.parametrize("depth", [0, 1, 2, 3, 6])
def test_the_first_moves_of_a_playout_are_the_rules(table: Settings, depth: int) -> None:
    for deal in range(4):
        agree(deal_games(table, [deal]), depth)


@EVERY_TABLE
@pytest.mark.parametrize("depth", [5, 8, 11, TO_THE_END])
def test_a_playout_ends_as_often_as_by_the_rule_with_each_number_of_cards_gone(table: Settings, depth: int) -> None:
    for deal in range(6):
        agree(position(table, deal, 12, deal), depth)
