"""Playouts by `uncover` are games by the rule `uncover` of rules.md section 5, move by move and choice by choice.

On determinizations in which one card is unknown and can be no other, or two are and can lie either way.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.agents.compact import POSITION, TABLE, lay_known, read_position
from gipfelsturm.agents.determinization import deal_pool, fill_pool, places_to_fill, shuffle
from gipfelsturm.agents.network import NETWORK
from gipfelsturm.agents.playouts import TO_THE_END, UNCOVER, play_out
from gipfelsturm.envs.rules.cards import EMPTY
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
    """Write what a playout of a determinization of the same game comes to with each seed (seeds,)."""
    positions, tables, networks = np.zeros(2, POSITION), np.zeros(1, TABLE), np.zeros(1, NETWORK)
    root, t, pool = positions[0], tables[0], np.zeros(52, np.int64)
    read_position(games[0], root)
    lay_known(games[0], t)
    cards, needed = fill_pool(root, t, pool), places_to_fill(root, t)
    for i in range(len(seeds)):
        shuffle(pool, cards, needed, seeds[i])
        deal_pool(root, t, pool)
        positions[1] = root
        each[i] = play_out(UNCOVER, depth, positions[1], t, networks[0], seeds[i])


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


def unseen_in(g: np.void) -> list[int]:
    """Where in the deck the cards lie that are covered, and then those of the stocks."""
    there = {place for place in range(28) if int(g["present"]) >> place & 1}
    spots = [place for place in sorted(there) if COVERS.get(place, set()) & there]
    for pile in range(int(g["seats"])):
        end = 28 + (pile + 1) * int(g["dealt"])
        spots += range(end - int(g["stock"][pile]), end)
    return spots


def known_but(games: Games, spots: Sequence[int]) -> Games:
    """The game as it is known to somebody who remembers all cards that still count but these."""
    believed, g = games.copy(), games[0]
    believed["unseen"][0] = np.bincount(g["deck"][unseen_in(g)] // 4, minlength=13)
    believed["deck"][0, spots] = EMPTY
    return believed


def agree(expected: dict[int, float], found: dict[int, float]) -> None:
    assert set(found) <= set(expected)
    for gone, share in expected.items():
        doubt = 5 * np.sqrt(share * (1 - share) / PLAYOUTS) + 1e-9
        assert found.get(gone, 0) == pytest.approx(share, abs=doubt), gone


def check(games: Games, depth: int, at: int) -> None:
    """One of the cards is unknown, and the counts tell which it must be."""
    spots = unseen_in(games[0])
    agree(exact(games[0], depth), measured(known_but(games, [spots[at % len(spots)]]), depth))


@EVERY_TABLE
@pytest.mark.parametrize("depth", [0, 1, 2, 3, 6])
def test_the_first_moves_of_a_playout_are_the_rules(table: Settings, depth: int) -> None:
    for deal in range(4):
        check(deal_games(table, [deal]), depth, deal)


@EVERY_TABLE
@pytest.mark.parametrize("depth", [5, 8, 11, TO_THE_END])
def test_a_playout_ends_as_often_as_by_the_rule_with_each_number_of_cards_gone(table: Settings, depth: int) -> None:
    for deal in range(6):
        check(position(table, deal, 12, deal), depth, deal)


@EVERY_TABLE
def test_two_unknown_cards_lie_either_way_as_often(table: Settings) -> None:
    for deal in range(6):
        games = position(table, deal, 12, deal)
        spots = unseen_in(games[0])[:2]
        swapped = games.copy()
        swapped["deck"][0, spots] = games["deck"][0, spots[::-1]]
        one, other = exact(games[0], TO_THE_END), exact(swapped[0], TO_THE_END)
        either = {gone: (one.get(gone, 0) + other.get(gone, 0)) / 2 for gone in one.keys() | other.keys()}
        agree(either, measured(known_but(games, spots), TO_THE_END))
