"""Learning by self-play, on problems with known answers: what a last card, or two, are worth."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from endgames import endgames
from gipfelsturm.agents.afterstate import AT_LEFT, AT_PLACE, AT_UNSEEN, FEATURES, MOST_ACTIVE
from gipfelsturm.agents.compact import POSITION, TABLE
from gipfelsturm.agents.network import network_of
from gipfelsturm.agents.network_weights import in_whole_numbers
from gipfelsturm.envs.rules.chance import GOLDEN, below, mix
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.training import value
from gipfelsturm.training.config import Value, read_config
from gipfelsturm.training.self_play import LATEST, LONGEST_GAME, play_games
from gipfelsturm.training.torch_state import seed_all
from gipfelsturm.training.value import ValueTrainer
from gipfelsturm.training.value_network import ValueNetwork, equal_forms
from networks import blank
from training_runs import goes_on

CONFIG = Path(__file__).parents[1] / "configs" / "value_smoke.yaml"
SOLO = one_mind()


def small(*more: str) -> Value:
    torch.set_num_threads(1)
    seed_all(1)
    config = read_config(CONFIG, ("games=40", *more))
    assert isinstance(config, Value)
    return config


def played(games: Games, explore: float, trace: float) -> tuple[NDArray[np.uint16], NDArray[np.float32], int, int]:
    """Rows, targets, games without a random action, and how many of them were won, by one who plays what fits."""
    weights = blank()
    weights["first"][AT_PLACE:AT_UNSEEN, 0] = weights["second"][0, 0] = 1
    weights["last"][0] = -0.1
    rows = np.zeros((LONGEST_GAME * len(games), MOST_ACTIVE), np.uint16)
    targets, network = np.zeros(len(rows), np.float32), network_of(in_whole_numbers(weights))
    room = np.zeros(1, POSITION), np.zeros(1, TABLE)
    written, plain, won = play_games(games, explore, trace, *room, network, rows, targets)
    return rows[:written], targets[:written], plain, won


def test_with_the_whole_trace_each_lesson_is_how_its_game_ended() -> None:
    rows, targets, plain, won = played(deal_games(SOLO, range(300)), explore=0.0, trace=1.0)
    left = np.array([row[(row >= AT_LEFT) & (row < AT_LEFT + 29)][0] - AT_LEFT for row in rows])
    assert plain == 300 and set(targets.tolist()) <= {0.0, 1.0}
    assert (targets[left == 0] == 1).all() and (left == 0).sum() == won > 90


def test_without_a_trace_each_lesson_is_what_was_thought_next() -> None:
    games = deal_games(SOLO, range(20))
    rows, whole, _, _ = played(games, 0.0, 1.0)
    same, none, _, _ = played(games, 0.0, 0.0)
    np.testing.assert_array_equal(same, rows)
    ends = np.flatnonzero(np.diff(np.append(whole, 2)) != 0)[-1]
    assert none[ends] == whole[ends] and ((none[:-20] > 0) & (none[:-20] < 1)).mean() > 0.9


def test_only_what_follows_a_random_action_is_kept() -> None:
    games = deal_games(SOLO, range(200))
    plain_rows, _, plain, _ = played(games, 0.0, 1.0)
    rows, _, without, _ = played(games, 1.0, 1.0)
    assert (plain, without) == (200, 0)
    assert len(rows) < 0.9 * len(plain_rows)


@pytest.mark.parametrize("odd", [0, 1])
def test_the_random_action_is_the_choice_that_was_drawn(odd: int) -> None:
    """What is kept begins after that many choices, few of them draws: not with the 27 or 28 cards of a new game."""
    games, late = deal_games(SOLO, range(400)), []
    for i in range(400):
        drawn = (int(mix(games["tie_seed"][i])) + int(GOLDEN)) % 2**64
        when = int(below(np.uint64(mix(np.uint64(drawn))), LATEST))
        if 8 <= when < 16 and when % 2 == odd:
            first = played(games[i : i + 1], 1.0, 1.0)[0][0]
            late.append(first[(first >= AT_LEFT) & (first < AT_LEFT + 29)][0] - AT_LEFT < 27)
    assert len(late) > 20 and np.mean(late) > 0.8


def learned(games: Games, passes: int) -> NDArray[np.float64]:
    """What a network that learned from such games alone thinks of the first afterstate of each."""
    torch.manual_seed(5)
    torch.set_num_threads(1)
    network, rows, targets, _ = ValueNetwork(256), *played(games, 0.0, 1.0)[:3]
    optimizer = torch.optim.Adam(network.parameters(), 0.003)
    inputs, wanted = torch.from_numpy(rows.astype(np.int64)), torch.from_numpy(targets)
    for _ in range(passes):
        optimizer.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(network(inputs), wanted)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    thoughts: NDArray[np.float64] = network(inputs).sigmoid().detach().numpy().astype(np.float64)
    return thoughts


def test_a_bandit_of_one_card() -> None:
    """One card is left and one in the stock: the draw wins if its rank is one of two, 8 of the 50 unseen cards."""
    games = endgames([4], top=9, stock=1, count=3000)
    assert learned(games, 80)[0] == pytest.approx(8 / 50, abs=0.02)


def test_two_cards_that_need_one_draw() -> None:
    """A five and a six, neither fits: a four to a seven clears both; of the fives and sixes three each are unseen."""
    games = endgames([4, 5], top=11, stock=1, count=3000)
    assert learned(games, 80)[0] == pytest.approx((4 + 3 + 3 + 4) / 49, abs=0.02)


def test_a_state_goes_on_as_if_nothing_had_happened() -> None:
    goes_on(lambda: ValueTrainer(small()))


def test_a_lesson_goes_with_its_own_afterstate() -> None:
    lessons = played(deal_games(SOLO, range(200)), 0.0, 1.0)[:2]
    trainer = ValueTrainer(small("learning_rate=0.003"))
    losses = [trainer._learn(*lessons) for _ in range(6)]
    spread = lessons[1].mean()
    assert losses[-1] < 0.7 * -(spread * np.log(spread) + (1 - spread) * np.log(1 - spread)), "of a constant"


def test_the_share_of_games_won_is_that_of_games_without_a_random_action(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value, "play_games", lambda *_: (100, 8, 2))  # rows, games, and how many of these were won
    assert ValueTrainer(small()).advance().losses["won"] == 0.25


def test_the_learning_rate_falls_in_a_straight_line_to_its_last_share() -> None:
    trainer = ValueTrainer(small("steps=1000", "learning_rate=0.01", "last_rate=0.2"))
    rates = []
    for learned_from in (0, 500, 750, 900, 2000):
        trainer._learned = learned_from
        trainer._set_rate()
        rates.append(trainer._optimizer.param_groups[0]["lr"])
    assert rates == pytest.approx([0.01, 0.005, 0.0025, 0.002, 0.002])


def test_each_chunk_is_learned_from_new_deals_at_a_lower_rate() -> None:
    trainer, dealt = ValueTrainer(small()), []
    for _ in range(3):
        steps = trainer.advance().steps
        dealt.append((trainer._dealt, trainer._learned, steps))
    assert [games for games, _, _ in dealt] == [40, 80, 120]
    assert [learned for _, learned, _ in dealt] == np.cumsum([steps for _, _, steps in dealt]).tolist()
    decks = np.concatenate([trainer._deal(SOLO)["deck"] for _ in range(3)])
    assert len(np.unique(decks, axis=0)) == 120


@pytest.mark.parametrize("ring", [True, False])
def test_equal_forms_are_the_mirrored_the_reversed_and_both_at_once(ring: bool) -> None:
    same, mirror, ranks, both = forms = equal_forms(ring)
    assert len(np.unique(forms, axis=0)) == 4
    np.testing.assert_array_equal(np.sort(forms), [np.arange(FEATURES + 1)] * 4)
    for order in (mirror[ranks], ranks[mirror]):
        np.testing.assert_array_equal(order, both)
    for form in (mirror, ranks, both):
        np.testing.assert_array_equal(form[form], same)


def test_tables_must_be_alike() -> None:
    with pytest.raises(ValueError, match="tables must be one or more of one mind, with the same piles and ring"):
        small("tables.other={preset: normal}")


def test_time_is_told_apart() -> None:
    seconds = ValueTrainer(small()).advance().seconds
    assert seconds.keys() == {"kernel", "network", "learner"} and min(seconds.values()) > 0
