"""Learning from rollouts: what choices are said to be worth, and what a network makes of it."""

import math
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from endgames import endgames
from gipfelsturm.agents.afterstate import FEATURES, MOST_ACTIVE
from gipfelsturm.agents.belief import rebuild_game
from gipfelsturm.agents.choices import find_choices
from gipfelsturm.agents.compact import POSITION, TABLE
from gipfelsturm.agents.halving import best_choice, blank_room
from gipfelsturm.agents.learned import shipped_weights
from gipfelsturm.agents.network import network_of
from gipfelsturm.agents.network_weights import in_whole_numbers, read_network
from gipfelsturm.agents.playouts import LEARNED
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.training import rollout
from gipfelsturm.training.config import Rollout, read_config
from gipfelsturm.training.rollout import RolloutTrainer
from gipfelsturm.training.rollout_games import compare_choices, most_rows
from gipfelsturm.training.self_play import LONGEST_GAME, play_games
from gipfelsturm.training.torch_state import seed_all
from gipfelsturm.training.value_network import ValueNetwork
from networks import Weights, at_random, blank, in_floats
from random_play import begin
from training_runs import Listener, goes_on, run

CONFIG = Path(__file__).parents[1] / "configs" / "rollout_smoke.yaml"
SOLO = one_mind()
Compared = tuple[NDArray[np.uint16], NDArray[np.float32], NDArray[np.int64], int]


def compared(games: Games, weights: Weights, playouts: int, depth: int = 52, explore: float = 0.0) -> Compared:
    """Rows, values, choices of each decision, and games won."""
    rows = np.zeros((most_rows(2) * len(games), MOST_ACTIVE), np.uint16)
    values, sizes = np.zeros(len(rows), np.float32), np.zeros(LONGEST_GAME * len(games), np.int64)
    room, network = (np.zeros(2, POSITION), np.zeros(2, TABLE)), network_of(in_whole_numbers(weights))
    decisions, won = compare_choices(games, explore, playouts, depth, *room, network, rows, values, sizes)
    written = sizes[:decisions].sum()
    return rows[:written], values[:written], sizes[:decisions], won


def small(*more: str) -> Rollout:
    torch.set_num_threads(1)
    seed_all(1)
    config = read_config(CONFIG, ("games=10", *more))
    assert isinstance(config, Rollout)
    return config


def test_choices_are_worth_what_they_win() -> None:
    """A five and a seven, a six on the pile, one card in the stock.

    Whichever is played first, seven of the 49 unseen cards let the other follow; after a draw only one of both can be
    played.
    """
    _, values, sizes, _ = compared(endgames([4, 6], top=5, stock=1, count=1), blank(), 20_000)
    np.testing.assert_array_equal(sizes[:1], 3)
    np.testing.assert_allclose(values[:3], [7 / 49, 7 / 49, 0], atol=0.01)


def test_all_choices_see_the_same_shuffles() -> None:
    """Two sevens of which either clears one of two alike cards are worth the same to the last playout."""
    _, values, sizes, _ = compared(endgames([4, 4], top=5, stock=1, count=20), blank(), 7)
    first = np.append(0, np.cumsum(sizes)[:-1])
    assert (sizes == 3).sum() >= 20
    np.testing.assert_array_equal(values[first], values[first + 1])
    assert 0 < values[first].mean() < 1


@pytest.mark.parametrize("preset", ["tripeaks", "normal"])
def test_it_plays_by_the_network_and_each_move_is_one_of_the_choices(preset: str) -> None:
    games, weights = deal_games(one_mind(preset), range(5)), at_random(4, 32)
    rows, _, sizes, won = compared(games, weights, 1, 0)
    room, network = (np.zeros(1, POSITION), np.zeros(1, TABLE)), network_of(in_whole_numbers(weights))
    moved = np.zeros((LONGEST_GAME * 5, MOST_ACTIVE), np.uint16)
    count, _, also_won = play_games(games, 0.0, 1.0, *room, network, moved, np.zeros(len(moved), np.float32))
    assert won == also_won and len(sizes) < count
    known = {row.tobytes() for row in moved[:count]}
    decisions = np.split(rows, np.cumsum(sizes)[:-1])
    assert all(any(row.tobytes() in known for row in decision) for decision in decisions)


@compiled
def _search(beliefs: Games, rooms: NDArray[np.void], playouts: int, depth: int) -> int:
    """Judge the choices of a game as search does; returns how many there are."""
    found = find_choices(beliefs[0], 0, True, False, rooms[0]["choices"])
    best_choice(beliefs[0], rooms[0], found, playouts, LEARNED, depth, np.uint64(1))
    return int(found)


@pytest.mark.parametrize("preset", ["tripeaks", "normal"])
def test_choices_are_worth_what_search_thinks_of_them(preset: str) -> None:
    table = one_mind(preset)
    weights, room, batch = in_floats(read_network(shipped_weights(table))), blank_room(table), begin(table, 12)
    room["network"] = network_of(in_whole_numbers(weights))
    for deal in range(12):
        found = _search(rebuild_game(table, batch.observations[deal, 0]), room, 20_000, 8)
        if found < 2:
            continue
        values = compared(deal_games(table, [deal]), weights, 400, 8)[1][:found]
        choices = room["choices"][0, :found]
        margins = 5 * 0.3 * np.sqrt(1 / choices["playouts"] + 1 / 400)
        assert (np.abs(values - choices["wins"] / choices["playouts"]) < margins).all()


def test_unseen_cards_count_for_nothing() -> None:
    games = deal_games(SOLO, [7, 7])
    hidden = [*range(18), *range(29, 52)]
    games["deck"][1, hidden] = np.roll(games["deck"][1, hidden], 5)
    _, values, sizes, _ = compared(games, at_random(5, 32), 30)
    _, one, first, _ = compared(games[:1], at_random(5, 32), 30)
    np.testing.assert_array_equal(values[: first[0]], values[len(one) :][: first[0]])
    assert sizes[0] == sizes[len(first)] > 1


def test_a_playout_of_no_moves_is_what_the_network_thinks_of_what_is_best_then() -> None:
    _, values, _, _ = compared(deal_games(SOLO, range(3)), at_random(6, 32), 1, 0)
    assert ((values > 0) & (values < 1)).mean() > 0.9


def test_some_decisions_are_taken_at_random() -> None:
    weights = in_floats(read_network(shipped_weights(SOLO)))
    won = [compared(deal_games(SOLO, range(200)), weights, 1, 0, explore)[3] for explore in (0.0, 0.5)]
    assert won[0] > 1.5 * won[1] > 0


def test_weights_taken_over_think_the_same_in_a_wider_network() -> None:
    rows = torch.from_numpy(np.random.default_rng(2).integers(0, FEATURES + 1, (50, MOST_ACTIVE)).astype(np.uint16))
    same, wider = ValueNetwork(256), ValueNetwork(300)
    for network in (same, wider):
        network.take_over(in_whole_numbers(at_random(1, 256)))
    torch.testing.assert_close(wider(rows), same(rows))
    assert same(rows).std() > 0.1 and wider.first[:, 256:].abs().sum() > 0, "the new half can learn"


def test_a_wider_network_does_not_fit() -> None:
    with pytest.raises(ValueError, match="^a network 256 wide does not fit into one 255 wide$"):
        ValueNetwork(255).take_over(in_whole_numbers(at_random(1, 256)))


def test_it_begins_with_the_weights_that_it_is_told() -> None:
    shipped = read_network(shipped_weights(SOLO))
    trainer = RolloutTrainer(small(f"begin={shipped_weights(SOLO)}", "wide=512"))
    trainer.begin()
    for name, array in trainer.weights().items():
        np.testing.assert_array_equal(array, shipped[name])


@pytest.mark.parametrize(
    ("begin", "fault"),
    [
        (str(shipped_weights(one_mind("normal"))), "was trained for 2 piles with the ring"),
        ("no.safetensors", "cannot read"),
    ],
)
def test_weights_that_do_not_fit_are_refused_and_nothing_is_left_of_the_run(
    begin: str, fault: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=fault):
        run(small(f"begin={begin}", "wide=512"), tmp_path / "a")
    assert not list(tmp_path.iterdir())


def test_it_goes_on_without_the_weights_with_which_it_began(tmp_path: Path) -> None:
    for suffix in (".safetensors", ".json"):
        copyfile(shipped_weights(SOLO).with_suffix(suffix), tmp_path / f"b{suffix}")
    told = f"begin={tmp_path / 'b.safetensors'}", "wide=512", "evaluation.games=4"
    assert run(small(*told, "steps=1"), tmp_path / "a")
    (tmp_path / "b.safetensors").unlink()
    (tmp_path / "b.json").unlink()
    listener = Listener()
    assert run(small(*told, "steps=300"), tmp_path / "a", listener, resume=True)
    assert len(listener.steps) >= 1


def test_the_contrast_is_how_errors_of_one_decision_differ() -> None:
    errors, decision = torch.tensor([0.1, 0.3, 0.5, 0.5, 0.2]), torch.tensor([0, 0, 1, 1, 2])
    assert rollout._spread(errors, decision) == pytest.approx((0.1**2 + 0.1**2) / 5)


SCORES = torch.tensor([0, math.log(3), 5, 2, 2, 2])
VALUES, DECISION = torch.tensor([0.8, 0.4, 0.6, 0.1, 0.4, 0.7]), torch.tensor([0, 0, 1, 2, 2, 2])


def test_what_is_given_up_is_the_best_value_less_the_mean_by_the_softmax() -> None:
    """A quarter of 0.8 and three of 0.4, then the one choice that there is, then three alike."""
    assert rollout._regret(SCORES, VALUES, DECISION) == pytest.approx((0.3 + 0 + 0.3) / 3)


def test_at_a_small_temperature_what_is_given_up_is_that_of_the_greatest_score() -> None:
    dice, given_up = np.random.default_rng(3), []
    scores, values = (torch.from_numpy(dice.random(60, np.float32)) for _ in range(2))
    decision = torch.from_numpy(np.repeat(np.arange(20), 3))
    for first in range(0, 60, 3):
        each = values[first : first + 3]
        given_up.append(float(each.max() - each[scores[first : first + 3].argmax()]))
    assert rollout._regret(scores / 1e-5, values, decision) == pytest.approx(np.mean(given_up), abs=1e-6)
    assert np.mean(given_up) > 0.1


@pytest.mark.parametrize("shift", [-1e4, 1e4])
def test_scores_that_are_all_greater_give_up_as_much(shift: float) -> None:
    """Each decision's by an amount of its own, beyond what an exponential can hold."""
    shifted = SCORES + shift * torch.tensor([1, 1, 2, 3, 3, 3])
    assert rollout._regret(shifted, VALUES, DECISION) == pytest.approx(0.2, abs=1e-3)


def test_what_is_given_up_pushes_toward_the_better_choices() -> None:
    """By a choice's share times how far its value lies below the mean; one without another is not pushed."""
    scores = SCORES.clone().requires_grad_()
    rollout._regret(scores, VALUES, DECISION).backward()  # type: ignore[no-untyped-call]
    assert scores.grad is not None
    below_mean = torch.tensor([-0.3 / 4, 0.3 / 4, 0, 0.3 / 3, 0, -0.3 / 3])
    torch.testing.assert_close(scores.grad, below_mean / 3)


def given_up(trainer: RolloutTrainer, lessons: tuple[NDArray[Any], ...]) -> float:
    """By taking what the network thinks best, a decision."""
    rows, values, sizes = lessons
    with torch.no_grad():
        logits = trainer._network(torch.from_numpy(rows)).numpy()
    decisions = zip(*(np.split(each, np.cumsum(sizes)[:-1]) for each in (logits, values)), strict=True)
    return float(np.mean([worth.max() - worth[thought.argmax()] for thought, worth in decisions]))


def test_choices_give_up_less_and_less_the_sooner_if_that_is_weighed() -> None:
    lessons = compared(deal_games(SOLO, range(40)), blank(), 40)[:3]
    ends = []
    for weight in (0.0, 30.0):
        trainer = RolloutTrainer(small("wide=64", "contrast=0", f"regret={weight}", "learning_rate=0.001"))
        steps = [given_up(trainer, lessons)]
        for passes in (1, 2, 6):
            told = [trainer._learn(*lessons)["regret"] for _ in range(passes)][-1]
            steps.append(given_up(trainer, lessons))
        assert steps == sorted(steps, reverse=True)
        ends.append((steps[-1], told))
    assert all(weighed < 0.6 * unweighed for unweighed, weighed in zip(*ends, strict=True))


def test_the_hotter_the_softmax_the_more_is_given_up_to_that_of_any_choice_alike() -> None:
    lessons = compared(deal_games(SOLO, range(20)), blank(), 40)[:3]
    told = []
    for temperature in (0.001, 1, 1000):
        more = f"temperature={temperature}", "batch=1000"
        trainer = RolloutTrainer(small(f"begin={shipped_weights(SOLO)}", "wide=512", *more))
        trainer.begin()
        told.append(trainer._learn(*lessons)["regret"])
    each = np.split(lessons[1], np.cumsum(lessons[2])[:-1])
    assert told[2] == pytest.approx(np.mean([worth.max() - worth.mean() for worth in each]), rel=0.01)
    assert told[0] < 0.8 * told[1] < 0.64 * told[2]


def test_differences_are_learned_beside_what_each_is_worth() -> None:
    lessons = compared(deal_games(SOLO, range(40)), blank(), 40)[:3]
    ends = []
    for weight in (0.0, 30.0):
        trainer = RolloutTrainer(small("wide=64", f"contrast={weight}", "regret=0", "learning_rate=0.003"))
        passes = [trainer._learn(*lessons) for _ in range(15)]
        assert all(passes[-1][name] < 0.9 * passes[0][name] for name in ("loss", "contrast"))
        ends.append(passes[-1]["contrast"])
    assert ends[1] < 0.9 * ends[0]


def test_it_learns_from_what_the_choices_in_its_games_came_to(monkeypatch: pytest.MonkeyPatch) -> None:
    taught: list[NDArray[Any]] = []

    def learn(*lessons: NDArray[Any]) -> dict[str, float]:
        taught.extend(lessons)
        return {}

    trainer = RolloutTrainer(small())
    monkeypatch.setattr(trainer, "_learn", learn)
    trainer.advance()
    games = RolloutTrainer(small())._deal(SOLO)
    told = compared(games, in_floats(trainer.weights()), trainer._config.playouts, explore=trainer._config.explore)
    for array, wanted in zip(taught, told[:3], strict=True):
        np.testing.assert_array_equal(array, wanted)


def test_each_decision_is_shown_once_in_one_equal_form_of_all_its_choices_and_in_any_order() -> None:
    rows, values, sizes, _ = compared(deal_games(SOLO, range(10)), at_random(4, 32), 1, 0)
    trainer, shown = RolloutTrainer(small("batch=1")), list[bytes]()
    trainer._network.register_forward_pre_hook(lambda _, given: shown.append(given[0].numpy().tobytes()))
    trainer._learn(rows, values, sizes)
    forms = {
        trainer._forms[form, choices].tobytes(): (number, form)
        for number, choices in enumerate(np.split(rows, np.cumsum(sizes)[:-1]))
        for form in range(4)
    }
    order, taken = zip(*(forms[each] for each in shown), strict=True)
    assert sorted(order) == list(range(len(sizes))) != list(order)
    assert np.bincount(taken, minlength=4).min() > len(sizes) / 6


def test_losses_are_those_of_all_steps_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, values, sizes, _ = compared(deal_games(SOLO, range(3)), blank(), 1, 0)
    steps = iter(range(1000))
    monkeypatch.setattr(rollout, "_regret", lambda *_: torch.tensor(float(next(steps))))
    told = RolloutTrainer(small("batch=1"))._learn(rows, values, sizes)
    assert told["regret"] == pytest.approx((len(sizes) - 1) / 2)


def test_steps_are_decisions_and_games_are_won_by_the_share_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []

    def compare(*arguments: Any) -> tuple[int, int]:  # noqa: ANN401  # what the compiled function takes
        told.append(compare_choices(*arguments))
        return told[-1]

    monkeypatch.setattr(rollout, "compare_choices", compare)
    trainer = RolloutTrainer(small(f"begin={shipped_weights(SOLO)}", "wide=512", "playouts=1", "depth=0"))
    trainer.begin()
    chunks = [trainer.advance() for _ in range(2)]
    assert [chunk.steps for chunk in chunks] == [decisions for decisions, _ in told]
    assert [chunk.losses["won"] for chunk in chunks] == [won / 10 for _, won in told] and told[0][1] > 0
    assert trainer._learned == sum(decisions for decisions, _ in told)
    assert trainer._optimizer.param_groups[0]["lr"] == pytest.approx(0.006 * (1 - told[0][0] / 40_000))


def test_a_state_goes_on_as_if_nothing_had_happened() -> None:
    goes_on(lambda: RolloutTrainer(small()))
