"""Playouts, determinizations, and what a search makes of them."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.compact import BIT_NUMBER, POSITION, TABLE, lay_deal, lay_known, read_position
from gipfelsturm.agents.counting import FEATURES, weights_for
from gipfelsturm.agents.determinization import deal_pool, fill_pool, places_to_fill, shuffle
from gipfelsturm.agents.intervals import paired_difference
from gipfelsturm.agents.network import NETWORK
from gipfelsturm.agents.playouts import COUNTING, TO_THE_END, UNCOVER, play_out
from gipfelsturm.envs.rules.cards import EMPTY
from gipfelsturm.envs.rules.chance import mix
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training.evaluation import evaluate
from random_play import begin


@compiled
def worth(policy: int, depth: int, games: Games, tables: NDArray[np.void], each: NDArray[np.float64]) -> None:
    """Write what a playout of each dealt game comes to (games,)."""
    positions, networks = np.zeros(1, POSITION), np.zeros(1, NETWORK)
    for i in range(len(games)):
        read_position(games[i], positions[0])
        lay_deal(games[i], tables[0])
        each[i] = play_out(policy, depth, positions[0], tables[0], networks[0], mix(games[i]["tie_seed"]))


def play_outs(policy: int, depth: int, table: Settings, deals: int) -> NDArray[np.float64]:
    tables, each = np.zeros(1, TABLE), np.zeros(deals)
    weights = weights_for(table.seats, table.ring)
    tables["weights"][0, : len(weights)] = weights
    worth(policy, depth, deal_games(table, range(deals)), tables, each)
    return each


@compiled
def determinize(games: Games, seeds: NDArray[np.uint64], dealt: NDArray[np.int64]) -> None:
    """Write the rank of every hidden place and then of every stock card (seeds, places to fill)."""
    positions, tables, pool = np.zeros(1, POSITION), np.zeros(1, TABLE), np.zeros(52, np.int64)
    p, t = positions[0], tables[0]
    read_position(games[0], p)
    lay_known(games[0], t)
    needed = places_to_fill(p, t)
    for i in range(len(seeds)):
        cards = fill_pool(p, t, pool)  # in rank order anew: what the last shuffle left hides that one is too weak
        shuffle(pool, cards, needed, seeds[i])
        deal_pool(p, t, pool)
        slot = 0
        for place in range(28):
            if t["hidden"] >> BIT_NUMBER[place] & 1:
                dealt[i, slot] = t["rank"][BIT_NUMBER[place]]
                slot += 1
        for pile in range(t["piles"]):
            for card in range(t["dealt"] - p["left"][pile], t["dealt"]):
                dealt[i, slot] = t["stock"][pile, card]
                slot += 1


@pytest.mark.parametrize(
    ("policy", "name"), [(UNCOVER, "uncover"), (COUNTING, "counting")], ids=["uncover", "counting"]
)
@pytest.mark.parametrize("table", [one_mind(), one_mind("hard"), one_mind(piles=3, ring=False)], ids=range(3))
def test_playouts_win_as_often_as_their_policy(policy: int, name: str, table: Settings) -> None:
    share = play_outs(policy, TO_THE_END, table, 6000).mean()
    assert share == pytest.approx(evaluate(table, name, 6000).won.mean(), abs=0.015)


@pytest.mark.parametrize("policy", [UNCOVER, COUNTING], ids=["uncover", "counting"])
def test_a_playout_that_is_broken_off_is_worth_the_share_of_the_peaks_that_is_gone(policy: int) -> None:
    table, moves = one_mind(), 9
    early, full = play_outs(policy, moves, table, 300), play_outs(policy, TO_THE_END, table, 300)
    gone = 28 * early
    np.testing.assert_allclose(gone, np.round(gone), atol=1e-9)
    assert set(np.round(gone)) <= set(range(1, moves + 1)) and gone.mean() < moves - 2, "some moves are draws"
    assert set(full) == {0.0, 1.0}
    assert np.corrcoef(early, full)[0, 1] > 0.1


def hidden_game() -> Games:
    """A dealt game of which nothing but the base row and the pile is known."""
    game = deal_games(one_mind("hard"), [7])
    game["deck"][0, :18] = EMPTY
    game["deck"][0, 28:] = EMPTY
    return game


def test_determinizations_deal_every_unseen_card_anywhere_alike() -> None:
    game, draws = hidden_game(), 20_000
    dealt = np.full((draws, 18 + 18), -1, np.int64)
    determinize(game, np.random.default_rng(2).integers(2**64, size=draws, dtype=np.uint64), dealt)
    unseen = game["unseen"][0].astype(np.int64)
    for row in dealt[:200]:
        assert all(count <= unseen[rank] for rank, count in Counter(row.tolist()).items())
    expected = draws * unseen[unseen > 0] / unseen.sum()
    for place in (0, 5, 17, 18, 35):
        counts = np.bincount(dealt[:, place], minlength=13)
        assert (counts[unseen == 0] == 0).all()
        assert chisquare(counts[unseen > 0], expected).pvalue > 1e-4
    both = unseen[:, np.newaxis] * (unseen - np.eye(13))  # ordered pairs of different cards
    for one, other in ((3, 30), (0, 1), (17, 18)):
        pairs = np.bincount(dealt[:, one] * 13 + dealt[:, other], minlength=169).reshape(13, 13)
        assert chisquare(pairs[both > 0], draws * both[both > 0] / both.sum()).pvalue > 1e-4


def test_a_search_finds_the_one_order_that_wins() -> None:
    batch = begin(one_mind(), 1)
    for place, rank in ((18, 4), (20, 5), (22, 6), (24, 7)):
        batch.games["deck"][0, place] = 4 * (rank - 1)
    batch.games["present"] = sum(1 << place for place in (18, 20, 22, 24))
    batch.games["top"][0, 0], batch.games["stock"][0, 0], batch.games["unseen"] = 4 * 4, 0, 0
    batch.look()
    for name in ("search@40", "search@40@uncover", "search@40@uncover@4"):
        agent = make_agent(name)
        agent.reset(1, range(1), 1, batch.settings)
        assert agent.act(batch.observations, batch.masks).tolist() == [[18]], "the 6 first would strand the 4 or the 7"


def test_a_clear_choice_spares_the_rest_of_the_budget() -> None:
    batch = begin(one_mind(), 1)
    batch.set_deals([8])
    found = []
    for name in ("search@20000", f"search@{10**12}", f"search@{10**30}@counting@{10**30}"):
        agent = make_agent(name)
        agent.reset(1, range(1), 1, batch.settings)
        found.append(agent.act(batch.observations, batch.masks).tolist())
    assert found[0] == found[1] == found[2]


def test_a_search_beats_its_own_policy() -> None:
    deals = 400
    search, counting = (evaluate(one_mind("normal"), name, deals).won for name in ("search@400", "counting"))
    assert paired_difference(search, counting).low > 0


def test_hands_that_search_do_not_get_in_each_others_way() -> None:
    outcome = evaluate(real_time(calls=False), "search@30", 100)
    assert outcome.won.mean() > 0.7
    assert outcome.missed.mean() < 0.1 and outcome.returned.mean() < 0.1


def test_every_table_has_its_weights() -> None:
    columns = [weights_for(piles, ring).tolist() for piles in (1, 2) for ring in (False, True)]
    assert columns == [[feature[1 + column] for feature in FEATURES] for column in range(4)]
    assert weights_for(3, True).tolist() == columns[3]
