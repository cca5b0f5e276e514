"""The search behind hints: what slices add up to, when they end, and whose piles are meant."""

from collections.abc import Iterator

import numpy as np
import pytest

from decks import deck_with
from gipfelsturm.agents.hint import believe
from gipfelsturm.agents.hint_search import SLICE, Judge, Judged
from gipfelsturm.envs.rules.record import Games, deck_game
from gipfelsturm.envs.rules.settings import Settings, one_mind
from random_play import begin
from tables import ANNA, BEN, for_two

SOLO, PAIR = one_mind(), one_mind("normal")
SEED = 7


def belief_of(table: Settings, deal: int) -> Games:
    return believe(table, begin(table, 1, deal).observations[0, 0], None)


def judged(table: Settings, deal: int, slices: Iterator[int]) -> tuple[int, Judged]:
    """How many choices a deal has, and which is judged the best."""
    judge, belief = Judge(table), belief_of(table, deal)
    choices = judge.choices(belief, 0)
    return len(choices), judge.best(belief, choices, 0, SEED, slices)


def test_slices_add_up_and_each_deals_the_cards_anew() -> None:
    differ = 0
    for deal in range(30):
        found, once = judged(SOLO, deal, iter([60]))
        _, twice = judged(SOLO, deal, iter([60, 60]))
        if found == 2 and once.share not in (0, 1):
            assert (once.playouts, twice.playouts) == (30, 60)
            differ += twice.wins != 2 * once.wins
    assert differ > 5


def test_a_choice_that_was_hardly_played_out_is_not_the_best_whatever_its_luck() -> None:
    for deal in range(60):
        found, best = judged(PAIR, deal, iter([30]))
        if found > 4:
            rounds = (found - 1).bit_length()
            assert best.playouts > 30 // (rounds * found), "it came through the first round"


def asked_for(slices: int, asked: list[int]) -> Iterator[int]:
    for number in range(slices):
        asked.append(number)
        yield SLICE


def test_slices_end_once_chance_explains_the_difference_no_more() -> None:
    ended, went_on = 0, 0
    for deal in range(60):
        asked: list[int] = []
        found, best = judged(SOLO, deal, asked_for(4, asked))
        if found != 2:
            continue
        judge, belief = Judge(SOLO), belief_of(SOLO, deal)
        other = next(action for action in judge.choices(belief, 0) if action != best.action)
        shares = judge.compare(belief, [best.action, other], 0, 20_000)
        if len(asked) == 1:
            ended += 1
            assert shares[0] - shares[1] > 0.04
        elif len(asked) == 4:
            went_on += 1
            assert abs(shares[0] - shares[1]) < 0.09
    assert ended and went_on


@pytest.mark.parametrize("unseen", ["3", "7"])
def test_among_equals_the_playout_policy_decides(unseen: str) -> None:
    """From 5, both 4, 5, 6 and 6, 5, 4 win; the policy keeps what fewer unseen cards could take."""
    game = deck_game(SOLO, np.array(deck_with({18: "4H", 20: "6D", 22: "5C"}, [["5S"]], 24), np.uint8))
    game["present"], game["stock"] = 1 << 18 | 1 << 20 | 1 << 22, 0
    game["unseen"] = [3 * (rank == unseen) for rank in "A23456789TJQK"]
    judge = Judge(SOLO)
    best, policys = (judge.best(game, [18, 20], 0, SEED, slices) for slices in (iter([200]), iter(())))
    assert best.share == 1 and policys.share is None
    assert best.action == policys.action == {"3": 20, "7": 18}[unseen]


@pytest.mark.parametrize("pile", [0, 1])
@pytest.mark.parametrize("seat", [ANNA, BEN])
def test_piles_are_counted_from_the_seat(seat: int, pile: int) -> None:
    """From the 5 the 4 leads on to 7, and after the 6 one card is left over; with both on the king all can go."""
    tops = ["KS", "KS"]
    tops[(seat + pile) % 2] = "5S"
    table = for_two().leave({0: "4H", 1: "5D", 2: "6C", 20: "7H"}, tops, [0, 0])
    table.game["unseen"] = 0
    assert Judge(table.settings).compare(table.games, [28 * pile, 28 * pile + 2], seat, 40) == [1.0, 0.0]
