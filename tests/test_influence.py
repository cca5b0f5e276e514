"""Which card counts: a network whose thoughts are known, and positions that it is shown."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from decks import code
from gipfelsturm.agents.afterstate import AT_REFERENCE, AT_RUNS, RUNS
from gipfelsturm.agents.belief import rebuild_game
from gipfelsturm.agents.learned import LearnedAgent, shipped_weights
from gipfelsturm.agents.network import network_of
from gipfelsturm.agents.network_weights import GREATEST, in_whole_numbers, read_network
from gipfelsturm.envs.rules.cards import EMPTY, PLACES
from gipfelsturm.envs.rules.observation import observation_size, write_observation
from gipfelsturm.envs.rules.settings import Settings, one_mind
from gipfelsturm.training.report_page import influence as module
from gipfelsturm.training.report_page.influence import STAGES, influence, instructive
from gipfelsturm.training.report_page.influence_part import draw_influence, influence_part
from networks import Weights, blank
from tables import DECK, Table

SOLO = one_mind("tripeaks")
STEP = 1 / (1 + math.exp(-1)) - 0.5
"""What one card more in a run adds to the chance."""


def run_counter() -> NDArray[np.void]:
    """Thinks of a play as many logits as free ranks follow its card, and nothing of a draw."""
    weights = blank()
    for up in range(RUNS):
        for down in range(RUNS):
            weights["first"][AT_RUNS + RUNS * up + down, 0] = up + down
    weights["first"][AT_REFERENCE] = GREATEST / 512  # not asked for with the ring: it leaves whole weights whole
    weights["second"][0, 0] = weights["last"][0] = 1
    return network_of(in_whole_numbers(weights))


def seen(settings: Settings, places: dict[int, str], tops: list[str], unseen: dict[str, int]) -> NDArray[np.int8]:
    """What the mind sees of a table with these cards alone, and two cards left in each stock."""
    table = Table(settings, DECK).leave(places, tops, [2] * len(tops))
    table.game["unseen"] = [unseen.get(rank, 0) for rank in "A23456789TJQK"]
    row = np.zeros(observation_size(settings), np.int8)
    write_observation(table.game, 0, row)
    return row


def test_only_what_would_go_on_counts() -> None:
    now, cards = influence(run_counter(), SOLO, seen(SOLO, {18: "6H", 27: "9H"}, ["5S"], {"7": 1, "K": 1}))
    assert now == 0.5
    most, *others = cards
    assert (most.spot, most.best[0], most.worst[0]) == (27, 6, 12)
    assert (most.influence, most.best[1], most.worst[1]) == pytest.approx((STEP / 2, STEP, 0))
    assert [(card.spot, card.influence) for card in others] == [(18, 0), (PLACES, 0)]


def test_a_rank_counts_as_often_as_it_is_unseen() -> None:
    _, cards = influence(run_counter(), SOLO, seen(SOLO, {18: "6H", 27: "9H"}, ["5S"], {"7": 3, "K": 1}))
    assert cards[0].influence == pytest.approx(3 * STEP / 4)


def test_what_is_lost_counts_as_what_is_won() -> None:
    now, cards = influence(run_counter(), SOLO, seen(SOLO, {18: "6H", 27: "7H"}, ["5S"], {"K": 2}))
    assert now == pytest.approx(0.5 + STEP)
    assert [card.spot for card in cards] == [18, 27, PLACES]  # without any of them there is no run
    assert all(card.influence == pytest.approx(STEP) and card.best == card.worst for card in cards)
    assert cards[0].worst[0] == 12 and cards[0].worst[1] == pytest.approx(-STEP)


def test_an_unseen_card_of_its_own_rank_changes_nothing() -> None:
    _, cards = influence(run_counter(), SOLO, seen(SOLO, {18: "6H", 27: "9H"}, ["5S"], {"9": 4}))
    assert [card.spot for card in cards] == [18, PLACES]


def test_covered_cards_do_not_count_and_each_top_does() -> None:
    table = one_mind("normal")
    observation = seen(table, {9: "7C", 18: "6H", 19: "9H"}, ["5S", "QS"], {"8": 1, "7": 1})
    _, cards = influence(run_counter(), table, observation)
    assert sorted(card.spot for card in cards) == [18, 19, PLACES, PLACES + 1]
    rank, change = next(card for card in cards if card.spot == 19).best
    assert rank == 6 and change == pytest.approx(STEP)


def test_the_exchanged_card_is_unseen_then() -> None:
    observation = seen(SOLO, {18: "6H", 27: "9H"}, ["5S"], {"7": 1, "K": 2})
    game = rebuild_game(SOLO, observation)
    one, other = module._exchanged(game, 27, np.array([6, 12]))
    assert int(one["deck"][27]) >> 2 == 6 and int(other["deck"][27]) >> 2 == 12
    assert [one["unseen"][rank] for rank in (6, 8, 12)] == [0, 1, 2]
    assert [other["unseen"][rank] for rank in (6, 8, 12)] == [1, 1, 1]
    assert int(module._exchanged(game, PLACES, np.array([6]))[0]["top"][0]) >> 2 == 6
    assert game["deck"][0, 27] == code("9H")


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Weights:
    monkeypatch.setattr(module, "DEALS", 4)
    return read_network(shipped_weights(SOLO))


def test_each_stage_has_the_position_in_which_one_card_counts_most(network: Weights) -> None:
    found = instructive(network_of(network), LearnedAgent(network), SOLO)
    assert [each.stage for each in found] == list(STAGES)
    for each, gone in zip(found, STAGES.values(), strict=True):
        assert PLACES - int(each.game["present"][0]).bit_count() == gone and 0 <= each.deal < 4
        assert [card.influence for card in each.cards] == sorted((card.influence for card in each.cards), reverse=True)
        assert 0 < each.cards[0].influence < 1 and 0 < each.chance < 1
    assert (found[0].game["deck"][0, :18] == EMPTY).all()
    seen_at_first = module._stages(LearnedAgent(network), SOLO)["the opening"]
    counts = {deal: influence(network_of(network), SOLO, row)[1][0].influence for deal, row in seen_at_first.items()}
    assert found[0].deal == max(counts, key=counts.__getitem__) and len(counts) == 4


def test_the_picture_marks_what_counts(network: Weights) -> None:
    found = instructive(network_of(network), LearnedAgent(network), SOLO)
    part = influence_part("net", SOLO, found)
    assert list(part.pictures) == ["influence-net-1", "influence-net-2", "influence-net-3"]
    assert all(picture.startswith(b"\x89PNG") for picture in part.pictures.values())
    most = found[0].cards[0]
    assert f"the opening of deal {found[0].deal}</td><td>{100 * found[0].chance:.1f} %</td>" in part.tables[0]
    assert f"<td>{100 * most.influence:.1f}</td>" in part.tables[0]
    other = found[0]._replace(cards=[most._replace(influence=most.influence / 2), *found[0].cards[1:]])
    assert draw_influence(SOLO, found[0]) == part.pictures["influence-net-1"] != draw_influence(SOLO, other)
