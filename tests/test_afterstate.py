"""What a network is shown of an action: said again in plain Python, and the same for tables that are alike."""

from collections.abc import Set
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.agents.afterstate import (
    AT_CHANCE,
    AT_FIT,
    AT_GROUPS,
    AT_LEFT,
    AT_OTHER,
    AT_OTHER_FIT,
    AT_PLACE,
    AT_PLACE_FIT,
    AT_REFERENCE,
    AT_RUNS,
    AT_STOCK,
    AT_UNSEEN,
    AT_UNSEEN_FIT,
    FACES,
    FEATURES,
    HIDDEN,
    MOST_ACTIVE,
    NO_PLACE,
    STOCKS,
    TURNING,
    mirrored,
    reversed_ranks,
)
from gipfelsturm.agents.compact import BIT_NUMBER, POSITION, TABLE, lay_known, read_position
from gipfelsturm.agents.network import DRAWS, PILE_STEP, STANDING, move_features
from gipfelsturm.envs.rules.cards import EMPTY
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import Settings, one_mind
from gipfelsturm.envs.rules.table import COVERS, ROWS

TABLES = [one_mind("tripeaks"), one_mind("hard"), one_mind("expert"), one_mind("normal", piles=3, ring=False)]
NONE: Set[int] = frozenset()
EVERYWHERE = pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))


@compiled
def _features(games: Games, move: int, unknown: int, active: NDArray[np.uint16], room: NDArray[np.void]) -> int:
    tables = np.zeros(1, TABLE)
    read_position(games[0], room[0])
    lay_known(games[0], tables[0])
    return int(move_features(room[0], tables[0], move, unknown, active))


def features(game: Games, move: int, unknown: Set[int] = NONE) -> list[int]:
    active, bits = np.zeros(MOST_ACTIVE, np.uint16), sum(1 << int(BIT_NUMBER[place]) for place in unknown)
    found = _features(game, move, bits, active, np.zeros(1, POSITION))
    return sorted(active[:found].tolist())


def free(present: set[int]) -> set[int]:
    return {place for place in present if not set(COVERS[place]) & present}


def fits(ring: bool, a: int, b: int) -> bool:
    return abs(a - b) == 1 or (ring and abs(a - b) == 12)


class Seen(NamedTuple):
    """What is known once an action is done."""

    ring: bool
    ranks: list[int]
    free: set[int]
    unseen: list[int]
    reference: int

    def far(self, rank: int) -> int:
        return (rank - self.reference) % 13 if self.ring else rank - self.reference + 12

    def unseen_fit(self, rank: int) -> int:
        return sum(self.unseen[other] for other in range(13) if fits(self.ring, other, rank))

    def free_fit(self, rank: int, most: int) -> int:
        return min(most, sum(fits(self.ring, self.ranks[other], rank) for other in self.free))

    def chance(self) -> int:
        able = {rank for rank in range(13) if any(fits(self.ring, self.ranks[other], rank) for other in self.free)}
        return 10 * sum(self.unseen[rank] for rank in able) // sum(self.unseen)

    def groups(self) -> int:
        """How many ranks of free cards have no such rank just below."""
        free = {self.ranks[other] for other in self.free}
        return len(free - {(rank + 1) % 13 if self.ring else rank + 1 for rank in free})

    def run(self, step: int) -> int:
        length, rank = 0, self.reference
        while length < 6:
            rank = (rank + step) % 13 if self.ring else rank + step
            if rank not in {self.ranks[other] for other in self.free}:
                break
            length += 1
        return length


def told(table: Settings, game: Games, pile: int, place: int | None, unknown: Set[int] = NONE) -> list[int]:
    """The features of a play (of NO_PLACE: of nothing), or of a draw, from the record in plain words."""
    g = game[0]
    ranks, tops = [int(card) >> 2 for card in g["deck"]], [int(top) >> 2 for top in g["top"]]
    before = {at for at in range(28) if int(g["present"]) >> at & 1}
    present, known = before - {place}, free(before) - {place} - unknown
    reference, left = tops[pile] if place in (None, NO_PLACE) else ranks[place], int(g["stock"][pile])
    seen = Seen(table.ring, ranks, known, [int(count) for count in g["unseen"]], reference)
    turning = free(present) - seen.free
    active = [AT_LEFT + len(present)]
    for at in present:
        face = seen.far(ranks[at]) if at in seen.free else (TURNING if at in turning else HIDDEN)
        active.append(AT_PLACE + FACES * at + face)
    for at in seen.free:
        active.append(AT_PLACE_FIT + 27 * at + 9 * seen.free_fit(ranks[at], 2) + seen.unseen_fit(ranks[at]))
    active.append(AT_GROUPS + 11 * seen.groups() + len({ranks[at] for at in seen.free}))
    active += [AT_UNSEEN + 4 * seen.far(rank) + count - 1 for rank, count in enumerate(seen.unseen) if count]
    for other in set(range(table.seats)) - {pile}:
        active.append(AT_OTHER + STOCKS * seen.far(tops[other]) + int(g["stock"][other]))
        active.append(AT_OTHER_FIT + 9 * seen.free_fit(tops[other], 2) + seen.unseen_fit(tops[other]))
    active += [] if table.ring else [AT_REFERENCE + reference]
    if place is None:
        active += [AT_STOCK + STOCKS + left - 1, AT_FIT + 4 + seen.free_fit(reference, 3), AT_CHANCE + seen.chance()]
    else:
        active += [AT_STOCK + left, AT_FIT + seen.free_fit(reference, 3), AT_RUNS + 7 * seen.run(1) + seen.run(-1)]
        active.append(AT_UNSEEN_FIT + 9 * min(len(turning), 2) + seen.unseen_fit(reference))
    return sorted(active)


def position(table: Settings, deal: int) -> Games:
    """A game some way on, of which nothing is known that nobody has seen."""
    game = deal_games(table, [deal])
    dice = np.random.default_rng(deal)
    present = set(range(28))
    for _ in range(int(dice.integers(0, 24))):
        present -= {sorted(free(present))[int(dice.integers(len(free(present))))]}
    game["present"] = sum(1 << place for place in present)
    game["stock"][0, : table.seats] = dice.integers(1, table.stock, table.seats)
    hidden = sorted(present - free(present))
    game["unseen"] = 0
    unseen = dice.choice(52, 30, replace=False)
    for card in unseen.tolist():
        game["unseen"][0, card >> 2] += 1
    game["deck"][0, hidden] = EMPTY
    return game


@EVERYWHERE
def test_features_are_what_they_are_said_to_be(table: Settings) -> None:
    for deal in range(40):
        game = position(table, deal)
        present = {place for place in range(28) if int(game["present"][0]) >> place & 1}
        for pile in range(table.seats):
            assert features(game, DRAWS + pile) == told(table, game, pile, None)
            for place in free(present):
                active = features(game, PILE_STEP * pile + int(BIT_NUMBER[place]))
                assert active == told(table, game, pile, place)
                assert active[-1] < FEATURES


@EVERYWHERE
def test_cards_that_are_about_to_turn_up_are_as_unknown_as_those_that_an_action_turns_up(table: Settings) -> None:
    for deal in range(40):
        game = position(table, deal)
        known = free({place for place in range(28) if int(game["present"][0]) >> place & 1})
        unknown = {place for place in known if place % 3 == 0}
        assert features(game, STANDING, unknown) == told(table, game, 0, NO_PLACE, unknown)
        for pile in range(table.seats):
            assert features(game, DRAWS + pile, unknown) == told(table, game, pile, None, unknown)
            for place in known - unknown:
                active = features(game, PILE_STEP * pile + int(BIT_NUMBER[place]), unknown)
                assert active == told(table, game, pile, place, unknown)


def test_there_is_room_for_the_most_groups_and_the_most_free_ranks() -> None:
    for ranks, groups in (([0, 2, 4, 6, 8, 10, 12, 0, 2, 4], 7), (list(range(10)), 1)):
        game = deal_games(one_mind("expert"), [0])
        game["deck"][0, ROWS[3]] = [4 * rank for rank in ranks]
        assert features(game, DRAWS)[-1] == AT_GROUPS + 11 * groups + len(set(ranks)) < FEATURES


def turned(game: Games, ring: bool, shift: int) -> Games:
    """The same game with all ranks shifted, by a ring's rotation."""
    other = game.copy()
    for name in ("deck", "top"):
        cards = game[name]
        other[name] = np.where(cards == EMPTY, EMPTY, 4 * ((cards // 4 + shift) % 13) + cards % 4)
    other["unseen"][0, :13] = np.roll(game["unseen"][0, :13], shift)
    return other


@pytest.mark.parametrize("table", [table for table in TABLES if table.ring], ids=["one pile", "two piles"])
def test_with_the_ring_all_ranks_are_alike(table: Settings) -> None:
    for deal in range(20):
        game = position(table, deal)
        places = free({place for place in range(28) if int(game["present"][0]) >> place & 1})
        for move in (DRAWS, *(int(BIT_NUMBER[place]) for place in places)):
            assert features(turned(game, table.ring, 5), move) == features(game, move)


@EVERYWHERE
def test_the_other_order_of_ranks_and_the_mirror(table: Settings) -> None:
    mirror = {place: other for row in ROWS for place, other in zip(row, reversed(row), strict=True)}
    for deal in range(20):
        game = position(table, deal)
        other = game.copy()
        for name in ("deck", "top"):
            other[name] = np.where(game[name] == EMPTY, EMPTY, 4 * (12 - game[name] // 4) + game[name] % 4)
        other["unseen"][0, :13] = game["unseen"][0, 12::-1]
        other["deck"][0, :28] = other["deck"][0, [mirror[place] for place in range(28)]]
        present = [place for place in range(28) if int(game["present"][0]) >> place & 1]
        other["present"] = sum(1 << mirror[place] for place in present)
        becomes = mirrored()[reversed_ranks(table.ring)]
        for place in free(set(present)):
            move, twin = (int(BIT_NUMBER[at]) for at in (place, mirror[place]))
            assert sorted(becomes[features(game, move)].tolist()) == features(other, twin)
        assert sorted(becomes[features(game, DRAWS)].tolist()) == features(other, DRAWS)


@pytest.mark.parametrize("ring", [True, False])
def test_symmetries_undo_themselves(ring: bool) -> None:
    for becomes in (mirrored(), reversed_ranks(ring)):
        np.testing.assert_array_equal(becomes[becomes], np.arange(FEATURES))
        assert (becomes != np.arange(FEATURES)).any()
