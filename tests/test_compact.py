"""The compact form of the untimed rules, in lock-step with the kernel."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.agents.compact import (
    ALL_PLACES,
    BIT_NUMBER,
    NO_RANK,
    PLACE,
    POSITION,
    TABLE,
    draw_on,
    free_bits,
    lay_deal,
    lay_known,
    place_on,
    read_position,
    turns_left_and_right,
)
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.cards import EMPTY
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games
from gipfelsturm.envs.rules.settings import Settings, one_mind
from gipfelsturm.envs.rules.table import COVERS
from random_play import begin

TABLES = [one_mind(ring=ring, piles=piles) for piles in (1, 2, 3) for ring in (False, True)]
EVERY_TABLE = pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))


@compiled
def read(games: Games, positions: NDArray[np.void], tables: NDArray[np.void]) -> None:
    read_position(games[0], positions[0])
    lay_deal(games[0], tables[0])


@compiled
def read_known(games: Games, tables: NDArray[np.void]) -> None:
    lay_known(games[0], tables[0])


@compiled
def play(positions: NDArray[np.void], tables: NDArray[np.void], action: int) -> None:
    p, t = positions[0], tables[0]
    if action < 28 * t["piles"]:
        place_on(p, t, BIT_NUMBER[action % 28], action // 28)
    else:
        draw_on(p, t, action - 28 * t["piles"])


def legal(position: np.void, table: np.void) -> set[int]:
    """The actions that the compact form allows, as one mind numbers them."""
    piles, free = int(table["piles"]), int(free_bits(int(position["board"])))
    fitting = [free & int(table["fit"][position["top"][pile]]) for pile in range(piles)]
    plays = {
        28 * pile + place for pile in range(piles) for place in range(28) if fitting[pile] >> BIT_NUMBER[place] & 1
    }
    return plays | {28 * piles + pile for pile in range(piles) if position["left"][pile]}


def random_actions(batch: GipfelsturmBatch, dice: np.random.Generator) -> NDArray[np.int64]:
    scores = np.where(batch.masks, dice.random(batch.masks.shape), -1)
    scores[..., : 28 * batch.settings.seats] *= 3
    actions: NDArray[np.int64] = scores.argmax(axis=-1)
    return actions


@EVERY_TABLE
def test_every_game_runs_as_in_the_kernel(table: Settings) -> None:
    dice = np.random.default_rng(3)
    for deal in range(12):
        batch = begin(table, 1, first_deal=deal)
        positions, tables = np.zeros(1, POSITION), np.zeros(1, TABLE)
        read(batch.games, positions, tables)
        while not batch.terminated[0]:
            assert legal(positions[0], tables[0]) == set(np.flatnonzero(batch.masks[0, 0]).tolist())
            actions = random_actions(batch, dice)
            play(positions, tables, int(actions[0, 0]))
            batch.step(actions)
            again = np.zeros(1, POSITION)
            read(batch.games, again, np.zeros(1, TABLE))
            np.testing.assert_array_equal(positions, again)


def test_the_board_has_the_rules_covers() -> None:
    assert [int(PLACE[number]) for number in BIT_NUMBER] == list(range(28))
    for place, covers in enumerate(COVERS):
        for gone in range(1 << len(covers)):
            board = ALL_PLACES
            for i, cover in enumerate(covers):
                if gone >> i & 1:
                    board &= ~(1 << int(BIT_NUMBER[cover]))
            free = bool(free_bits(board) >> int(BIT_NUMBER[place]) & 1)
            assert free == (gone == (1 << len(covers)) - 1)


def test_what_each_place_alone_covers() -> None:
    left, right = turns_left_and_right(ALL_PLACES & ~(1 << int(BIT_NUMBER[20])))
    alone = {int(PLACE[i]) for i in range(64) if (left | right) >> i & 1}
    assert {19, 21} <= alone and 18 not in alone
    assert left >> int(BIT_NUMBER[21]) & 1 and not left >> int(BIT_NUMBER[19]) & 1


def test_unknown_cards_are_hidden_and_fit_nothing() -> None:
    batch = begin(one_mind(ring=False), 1)
    batch.games["deck"][0, 5] = EMPTY
    tables = np.zeros(1, TABLE)
    read_known(batch.games, tables)
    assert int(tables[0]["hidden"]) == 1 << int(BIT_NUMBER[5])
    assert not any(int(fit) >> int(BIT_NUMBER[5]) & 1 for fit in tables[0]["fit"])
    assert tables[0]["fit"][NO_RANK] == 0
