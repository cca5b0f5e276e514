"""How a real-time game ends, and who comes first in a tick (rules.md section 3, motion and ends)."""

from collections import Counter

import numpy as np
import pytest

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.chance import turn
from gipfelsturm.envs.rules.realtime import tick
from gipfelsturm.envs.rules.record import deck_game
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from tables import ANNA, BEN, DECK, Table, for_two

NO_STOCK = [0, 0]


def last_card(tempo: str, clock_ticks: int, stocks: list[int]) -> Table:
    """5H alone is left, and fits both piles."""
    game = Table(real_time("normal", tempo=tempo, clock=clock_ticks * 0.2), DECK)
    return game.leave({0: "5H"}, ["4S", "6S"], stocks)


# Faults that others shipped, number 8: the last card wins


@pytest.mark.parametrize("stocks", [NO_STOCK, [5, 0], [5, 6]])
@pytest.mark.parametrize("pile", [0, 1])
@pytest.mark.parametrize("seat", [ANNA, BEN])
@pytest.mark.parametrize(("tempo", "ticks"), [("instant", 1), ("brisk", 4), ("person", 2)])
def test_the_last_card_in_the_last_tick_wins(tempo: str, ticks: int, seat: int, pile: int, stocks: list[int]) -> None:
    game = last_card(tempo, ticks, stocks)
    game.act({seat: f"play 0 {pile}"}, then_wait=ticks - 1)
    assert game.status() == "won"
    assert game.tops()[(seat + pile) % 2] == "5H"
    assert game.game["tick"] == ticks


@pytest.mark.parametrize("pile", range(3))
@pytest.mark.parametrize("seat", range(3))
def test_any_of_three_wins_with_the_last_card_in_the_last_tick(seat: int, pile: int) -> None:
    game = Table(real_time("normal", seats=3, clock=0.8), DECK).leave({0: "5H"}, ["4S", "6S", "6D"], [0, 0, 0])
    game.act({seat: f"play 0 {pile}"}, then_wait=3)
    assert game.status() == "won"
    assert game.tops()[(seat + pile) % 3] == "5H"
    assert game.game["tick"] == 4


@pytest.mark.parametrize("seat", [ANNA, BEN])
def test_a_tick_later_the_clock_has_won(seat: int) -> None:
    game = last_card("brisk", 3, NO_STOCK)
    game.act({seat: "play 0 0"}, then_wait=2)
    assert game.status() == "lost by the clock"
    assert (game.phase(seat), game.lying(0)) == ("carrying", True)


@pytest.mark.parametrize("pile", [0, 1])
def test_one_mind_wins_with_the_last_card_on_either_pile(pile: int) -> None:
    game = Table(one_mind("normal"), DECK).leave({0: "5H"}, ["4S", "6S"], NO_STOCK)
    game.act({0: f"play 0 {pile}"})
    assert game.status() == "won"


@pytest.mark.parametrize(("card", "top"), [("AS", "KH"), ("KS", "AH")])
@pytest.mark.parametrize(("ring", "end"), [(True, "won"), (False, "lost: nothing fits")])
def test_king_and_ace_fit_each_other_on_the_ring_alone(card: str, top: str, ring: bool, end: str) -> None:
    game = Table(real_time("normal", tempo="instant", ring=ring), DECK).leave({0: card}, [top, "7C"], NO_STOCK)
    refused = game.tick({ANNA: "play 0 0"})
    assert refused == ["" if ring else "not one rank away", ""]
    assert game.status() == end


def test_after_the_end_nothing_moves() -> None:
    game = last_card("instant", 10, [3, 4])
    game.act({ANNA: "play 0 0"})
    before = game.games.tobytes()
    for command in ("wait", "draw 0", "play 0 0", "hold"):
        assert game.tick({ANNA: command}) == ["game over"] * 2
    assert game.games.tobytes() == before


# Number 19: what an end pays is paid once


@pytest.mark.parametrize("settings", [one_mind("normal"), real_time("normal", tempo="instant")])
@pytest.mark.parametrize(("others", "parts"), [({}, [1, 0, 1 / 28]), ({1: "9H"}, [0, 0, 2 / 28])])
def test_an_end_is_paid_once(settings: Settings, others: dict[int, str], parts: list[float]) -> None:
    """5H is the last card, or leaves one that fits nowhere."""
    batch = GipfelsturmBatch(settings, 1, reward="shaped", autoreset="disabled")
    batch.set_decks(np.array(DECK, np.uint8))
    Table(settings, DECK, games=batch.games).leave({0: "5H"} | others, ["4S", "2S"], NO_STOCK)
    paid = []
    for _ in range(4):
        batch.step(np.zeros((1, batch.viewers), np.int64))
        paid.append(batch.parts[0].tolist())
        assert batch.rewards[0] == batch.parts[0, 0] + batch.parts[0, 2]
    assert paid == [parts, [0, 0, 0], [0, 0, 0], [0, 0, 0]]


# The clock


def test_the_clock_has_run_out_after_its_last_tick() -> None:
    game = Table(real_time("normal", clock=1), DECK)
    for left in (5, 4, 3, 2, 1):
        assert game.status() == "running"
        assert game.seen(ANNA, "clock") == [0, 0, left]
        game.tick()
    assert game.status() == "lost by the clock"
    assert game.seen(ANNA, "clock") == [0, 0, 0]


def test_without_a_clock_time_is_no_end() -> None:
    game = for_two()
    game.act({}, then_wait=2000)
    assert game.status() == "running"
    assert (game.seen(ANNA, "clock"), game.seen(ANNA, "elapsed")) == ([0, 0, 0], [0, 2001 // 128, 2001 % 128])


def test_the_clock_comes_before_being_stuck() -> None:
    game = Table(real_time("normal", clock=0.2), DECK).leave({0: "5H"}, ["TS", "JS"], NO_STOCK)
    game.tick()
    assert game.status() == "lost by the clock"


# Stuck


def test_stuck_on_the_very_tick() -> None:
    game = for_two("instant").leave({0: "5H", 1: "9H"}, ["4S", "2S"], NO_STOCK)
    game.act({ANNA: "play 0 0"})
    assert game.status() == "lost: nothing fits"


def test_not_stuck_while_a_draw_is_under_way() -> None:
    """Ben draws the last card of all stocks, a king; 5H fits neither that nor Anna's pile."""
    game = for_two().leave({24: "5H"}, ["TS", "2S"], [0, 1])
    game.act({BEN: "draw 0"})
    for _ in range(3):
        assert game.status() == "running"
        game.tick()
    assert game.status() == "lost: nothing fits"


@pytest.mark.parametrize("tempo", ["brisk", "steady"])
def test_a_card_in_a_hand_keeps_the_game_going_until_it_is_back(tempo: str) -> None:
    game = for_two(tempo).leave({24: "5H"}, ["4S", "2S"], NO_STOCK)
    game.act({ANNA: "play 24 0"})
    while game.phase(ANNA) == "reaching":
        game.tick()
    game.game["top"][:2] = [44, 45]  # two queens
    while game.phase(ANNA) in ("carrying", "returning"):
        assert game.status() == "running"
        game.tick()
    assert (game.status(), game.game["returned"], game.lying(24)) == ("lost: nothing fits", 1, True)


# Number 23


def test_a_seat_without_stock_plays_on() -> None:
    game = for_two("instant")
    game.game["stock"][ANNA] = 0
    assert game.tick({ANNA: "draw 0"}) == ["stock empty", ""]
    game.act({ANNA: "play 18 0"})
    assert (game.status(), game.tops()) == ("running", ["6H", "9S"])
    game.act({}, then_wait=50)
    assert game.status() == "running"


def test_nothing_fits_but_one_stock_is_left() -> None:
    game = for_two("instant").leave({24: "5H"}, ["TS", "2S"], [0, 2])
    game.act({}, then_wait=50)
    assert game.status() == "running"
    game.act({BEN: "draw 0"})
    assert game.status() == "running"
    game.act({BEN: "draw 0"})
    assert game.status() == "lost: nothing fits"


# Number 20: two hands reach for one card


def race(seats: int, tempo: str, tie_seed: int) -> np.void:
    """A game in which every seat has played place 20 on its own pile in the first tick, all of which it fits."""
    games = deck_game(real_time("normal", seats=seats, tempo=tempo), np.array(DECK, np.uint8), tie_seed)
    game: np.void = games[0]
    game["top"][:seats] = DECK[20] + 4
    actions, reasons = np.full(seats, 20), np.ones(3, np.int8)
    tick(game, actions, reasons)
    assert not reasons[:seats].any()
    for _ in range(3 if tempo == "brisk" else 0):
        tick(game, np.full(seats, wait_action(seats)), reasons)
    return game


@pytest.mark.parametrize("tempo", ["instant", "brisk"])
@pytest.mark.parametrize("seats", [2, 3])
def test_each_hand_is_as_often_the_first(seats: int, tempo: str) -> None:
    winners: Counter[int] = Counter()
    for tie_seed in range(10_000):
        game = race(seats, tempo, tie_seed)
        assert int(game["present"]) == (1 << 28) - 1 - (1 << 20), "exactly one card moves"
        assert (game["streak"], game["missed"]) == (1, seats - 1)
        (winner,) = np.flatnonzero(game["top"][:seats] == DECK[20])
        winners[int(winner)] += 1
    assert all(abs(winners[seat] / 10_000 - 1 / seats) < 0.02 for seat in range(seats))


@pytest.mark.parametrize("tempo", ["instant", "brisk"])
def test_the_ties_of_numbered_deals_are_as_even(tempo: str) -> None:
    batch = GipfelsturmBatch(real_time("normal", tempo=tempo), 10_000, autoreset="disabled")
    batch.set_deals(range(10_000))
    wanted = batch.games["deck"][:, 20].copy()
    batch.games["top"][:, :2] = (wanted[:, np.newaxis] + 4) % 52
    batch.step(np.full((10_000, 2), 20))
    for _ in range(3 if tempo == "brisk" else 0):
        batch.step(np.full((10_000, 2), wait_action(2)))
    assert (batch.games["present"] == (1 << 28) - 1 - (1 << 20)).all()
    winners = batch.games["top"][:, :2] == wanted[:, np.newaxis]
    assert (winners.sum(axis=1) == 1).all()
    assert abs(winners[:, ANNA].mean() - 0.5) < 0.02


def test_the_first_in_order_gets_the_card() -> None:
    for tie_seed in range(200):
        game = Table(real_time("normal"), DECK, tie_seed)
        game.act({ANNA: "play 18 0", BEN: "play 18 1"}, then_wait=1)
        first = turn(game.game["tie_seed"], 2, 2, 0)
        assert [game.phase(first), game.phase(1 - first)] == ["carrying", "pausing"]


def test_the_order_of_a_tick_is_a_function_of_tie_seed_and_tick() -> None:
    """By hand from splitmix64: h = mix(seed + tick * stride), its lowest bit for two seats, h mod 6 for three."""
    word = 2**64 - 1
    permutations = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    for seed, number in [(0, 1), (1, 1), (7, 900), (2**64 - 1, 2), (2**63, 128**3 - 1)]:
        z = (seed + number * 0xD1342543DE82EF95 + 0x9E3779B97F4A7C15) & word
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & word
        z = (z ^ z >> 27) * 0x94D049BB133111EB & word
        z ^= z >> 31
        orders = [tuple(turn(np.uint64(seed), number, seats, i) for i in range(seats)) for seats in (1, 2, 3)]
        assert orders == [(0,), (z & 1, 1 - (z & 1)), permutations[z % 6]]
