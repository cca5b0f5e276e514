"""The public batch: what it refuses, what a copy of it does, threads, and the same-step deal."""

import copy
import pickle
import warnings
from collections.abc import Callable

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import gipfelsturm.envs  # noqa: F401  # registers the ids
from gipfelsturm.envs.batch import NO_NUMBER, GipfelsturmBatch
from gipfelsturm.envs.rules.record import FREE
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.sampling import LegalSampler

FORMS = [one_mind(), one_mind("hard"), real_time("blitz"), real_time("normal", seats=3, clock=30)]
EVERY_FORM = pytest.mark.parametrize("settings", FORMS, ids=range(len(FORMS)))
EACH_ADVANCE = pytest.mark.parametrize("advance", ["tick", "decision"])
DECK = np.arange(52)


def dealt(
    settings: Settings, games: int = 8, autoreset: str = "next-step", threads: int = 1, advance: str = "tick"
) -> GipfelsturmBatch:
    batch = GipfelsturmBatch(settings, games, autoreset=autoreset, threads=threads, advance=advance)
    batch.seed(range(games))
    batch.deal_all()
    return batch


def played(batch: GipfelsturmBatch, steps: int) -> list[NDArray[np.generic]]:
    """What every step shows and gives."""
    sample = LegalSampler(3)
    shown: list[NDArray[np.generic]] = []
    for _ in range(steps):
        batch.step(sample(batch.masks))
        shown += [batch.observations.copy(), batch.masks.copy(), batch.rewards.copy(), batch.terminated.copy()]
    return shown


def assert_same(ours: list[NDArray[np.generic]], theirs: list[NDArray[np.generic]]) -> None:
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other)


@EVERY_FORM
@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copy_plays_on_as_the_original(settings: Settings, way: str) -> None:
    batch = dealt(settings, threads=2)
    played(batch, 20)
    twin = copy.deepcopy(batch) if way == "deepcopy" else pickle.loads(pickle.dumps(batch))
    assert_same(played(batch, 100), played(twin, 100))


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copied_environment_plays_on_to_its_end(way: str) -> None:
    env = gymnasium.make("gipfelsturm/TriPeaks-v0").unwrapped
    env.reset(seed=1)
    env.step(28)
    twin = copy.deepcopy(env) if way == "deepcopy" else pickle.loads(pickle.dumps(env))
    over = False
    while not over:
        step, other = env.step(28), twin.step(28)
        assert step[1:4] == other[1:4]
        assert step[4]["reason"] == other[4]["reason"]
        over = step[2] or step[3]


def test_a_copied_vector_environment_still_checks_its_actions() -> None:
    with warnings.catch_warnings():
        envs = copy.deepcopy(gymnasium.make_vec("gipfelsturm/TriPeaks-v0", num_envs=4))
    envs.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction):
        envs.step(np.full(4, 10**15))


@EVERY_FORM
@EACH_ADVANCE
def test_threads_and_batch_size_change_nothing(settings: Settings, advance: str) -> None:
    one, other = (dealt(settings, 7, threads=threads, advance=advance) for threads in (1, 3))
    assert_same(played(one, 150), played(other, 150))


@pytest.mark.parametrize("autoreset", ["next-step", "same-step"])
def test_each_table_runs_on_to_its_own_next_decision(autoreset: str) -> None:
    ours = GipfelsturmBatch(real_time("blitz"), 6, reward="shaped", autoreset=autoreset, advance="decision")
    ticking = [GipfelsturmBatch(real_time("blitz"), 1, reward="shaped", autoreset=autoreset) for _ in range(6)]
    for seed, table in enumerate(ticking):
        table.seed([seed])
        table.deal_all()
    ours.seed(range(6))
    ours.deal_all()
    sample = LegalSampler(4)
    for _ in range(250):
        actions = sample(ours.masks)
        ours.step(actions)
        rewards = [run_on(table, actions[i : i + 1]) for i, table in enumerate(ticking)]
        np.testing.assert_allclose(ours.rewards, rewards)
        for name in ("observations", "masks", "terminated", "numbers", "games"):
            np.testing.assert_array_equal(getattr(ours, name), np.concatenate([getattr(t, name) for t in ticking]))


def test_a_table_is_truncated_between_two_decisions() -> None:
    batch = GipfelsturmBatch(real_time(clock=None), 1, autoreset="disabled", advance="decision", most_steps=3)
    batch.set_deals([1])
    batch.step(np.array([[56, 56]]))  # a draw and its pause take six ticks
    assert (batch.games["tick"][0], bool(batch.truncated[0])) == (3, True)


def run_on(table: GipfelsturmBatch, actions: NDArray[np.int64]) -> float:
    """Tick a table for two until a free hand can play or draw, or it ends; returns the rewards added up."""
    table.step(actions)
    reward = float(table.rewards[0])
    while not (table.terminated[0] or table.masks[0, table.games["phase"][0, :2] == FREE, :58].any()):
        table.step(np.full((1, 2), 58))
        reward += float(table.rewards[0])
    return reward


@EVERY_FORM
def test_the_rows_are_all_observations_and_then_all_masks(settings: Settings) -> None:
    batch = dealt(settings)
    for each in (batch, copy.deepcopy(batch), renewed(batch)):
        played(each, 3)
        both = np.concatenate([each.observations.ravel(), each.masks.ravel()])
        np.testing.assert_array_equal(each.rows, both)


def renewed(batch: GipfelsturmBatch) -> GipfelsturmBatch:
    batch.renew_buffers()
    batch.look()
    return batch


def test_a_mask_that_allows_nothing_is_refused() -> None:
    masks = np.ones((3, 2, 5), np.int8)
    masks[2, 0] = 0
    with pytest.raises(ValueError, match="^a mask must allow an action, and mask 4 allows none$"):
        LegalSampler(0)(masks)
    with pytest.raises(ValueError, match="^a mask must allow an action, and this one allows none$"):
        LegalSampler(0).one(masks[2, 0])


@EVERY_FORM
def test_a_single_mask_is_sampled_as_a_batch_of_one(settings: Settings) -> None:
    one, batches = LegalSampler(4), LegalSampler(4)
    batch = dealt(settings, 1)
    for _ in range(200):
        mask = batch.masks[0, -1]
        action = one.one(mask)
        assert type(action) is int
        assert action == batches(mask) and mask[action]
        batch.step(LegalSampler(action)(batch.masks))


@EVERY_FORM
@EACH_ADVANCE
def test_same_step_shows_the_end_and_the_next_deal(settings: Settings, advance: str) -> None:
    ours, plain = (dealt(settings, 20, autoreset, advance=advance) for autoreset in ("same-step", "disabled"))
    sample = LegalSampler(5)
    ends = 0
    for _ in range(400):
        actions = sample(plain.masks)
        ours.step(actions)
        plain.step(actions)
        for name in ("rewards", "parts", "reasons", "terminated"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(plain, name))
        over = plain.terminated.copy()
        np.testing.assert_array_equal(ours.last_observations[over], plain.observations[over])
        np.testing.assert_array_equal(ours.last_masks[over], plain.masks[over])
        plain.deal_where(over)
        np.testing.assert_array_equal(ours.observations, plain.observations)
        np.testing.assert_array_equal(ours.masks, plain.masks)
        np.testing.assert_array_equal(ours.numbers, plain.numbers)
        ends += int(over.sum())
    assert ends >= 20


Episode = tuple[int, float, int, bytes, bytes]  # deal, return, steps, last observations, last masks


def of_ones_own(batch: GipfelsturmBatch) -> NDArray[np.int64]:
    """A legal action for each viewer that depends on what it sees alone; plays before draws before waits and calls."""
    weights = np.random.default_rng(0).integers(1, 1000, batch.observations.shape[-1])
    turns = (batch.observations.astype(np.int64) @ weights)[..., np.newaxis] + np.arange(batch.actions)
    seats, actions = batch.settings.seats, np.arange(batch.actions)
    scores = turns * 7919 % 1000 + 700 * (actions < 28 * seats) + 700 * (actions < 29 * seats)
    return np.asarray(np.where(batch.masks, scores, -1).argmax(axis=-1), np.int64)


def episodes(settings: Settings, autoreset: str, seeds: range, steps: int) -> list[list[Episode]]:
    """The games that each slot plays to their ends."""
    batch = GipfelsturmBatch(settings, len(seeds), autoreset=autoreset, reward="shaped", most_steps=32)
    batch.seed(seeds)
    batch.deal_all()
    played: list[list[Episode]] = [[] for _ in seeds]
    paid, taken, numbers = np.zeros(len(seeds)), np.zeros(len(seeds), int), batch.numbers.copy()
    over = np.zeros(len(seeds), np.bool_)
    for _ in range(steps):
        dealt = over if autoreset == "next-step" else np.zeros_like(over)
        batch.step(of_ones_own(batch))
        paid += batch.rewards
        taken += ~dealt
        over = batch.terminated | batch.truncated
        last = batch.last_observations, batch.last_masks
        seen, masks = last if autoreset == "same-step" else (batch.observations, batch.masks)
        for slot in np.flatnonzero(over):
            end = (int(taken[slot]), seen[slot].tobytes(), masks[slot].tobytes())
            played[slot].append((int(numbers[slot]), float(paid[slot]), *end))
        if autoreset == "disabled" and over.any():
            batch.deal_where(over)
        paid[over], taken[over] = 0, 0
        numbers = batch.numbers.copy()
    return played


SHORT = [one_mind("normal", stock=6), one_mind("tripeaks", stock=12)]
SHORT += [real_time(seats=seats, stock=stock, tempo="instant", clock=6) for seats, stock in ((2, 8), (3, 4))]


@pytest.mark.parametrize("settings", SHORT, ids=range(len(SHORT)))
def test_every_slot_plays_the_games_of_a_batch_of_one(settings: Settings) -> None:
    alone = [episodes(settings, "disabled", range(seed, seed + 1), 250)[0] for seed in range(6)]
    assert len({episode[2] for slot in alone for episode in slot}) > 3, "they end at different times"
    for autoreset in ("disabled", "same-step", "next-step"):
        for slot, single in zip(episodes(settings, autoreset, range(6), 250), alone, strict=True):
            assert len(slot) >= 2
            assert slot == single[: len(slot)]


@pytest.mark.parametrize(
    ("actions", "fault"),
    [
        (np.full((8, 1), 10**15), "actions are 0 to 28, not 1000000000000000 to 1000000000000000"),
        (np.full((8, 1), -1), "actions are 0 to 28, not -1 to -1"),
        (np.full((8, 1), 29), "actions are 0 to 28, not 29 to 29"),
        (np.zeros(8, int), r"actions are whole numbers of shape \(8, 1\), not int64 of shape \(8,\)"),
        (np.zeros((8, 1)), r"actions are whole numbers of shape \(8, 1\), not float64 of shape \(8, 1\)"),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(actions: NDArray[np.int64], fault: str) -> None:
    batch = dealt(one_mind())
    before = batch.games.tobytes()
    with pytest.raises(ValueError, match=f"^{fault}$"):
        batch.step(actions)
    assert batch.games.tobytes() == before


def test_other_whole_numbers_are_taken() -> None:
    first, second = dealt(one_mind()), dealt(one_mind())
    first.step(np.full((8, 1), 28, np.int8))
    second.step(np.full((1, 8), 28).T)
    assert first.games.tobytes() == second.games.tobytes()


def test_nothing_can_be_played_before_it_is_dealt() -> None:
    with pytest.raises(ValueError, match="^nothing has been dealt"):
        GipfelsturmBatch(one_mind(), 3).step(np.zeros((3, 1), np.int64))


def test_seeds_and_deals_are_one_for_each_game() -> None:
    batch = GipfelsturmBatch(one_mind(), 3)
    with pytest.raises(ValueError, match="^seeds must be one for each of the 3 games, not 2$"):
        batch.seed([1, 2])
    with pytest.raises(ValueError, match="^deals must be one for each of the 3 games, not 1$"):
        batch.set_deals([5])


@pytest.mark.parametrize("chosen", [np.ones(2, np.bool_), np.ones((3, 1), np.bool_), np.array([0, 1, 1]), [2]])
def test_games_are_chosen_by_flags_alone(chosen: NDArray[np.bool_]) -> None:
    batch = dealt(one_mind(), 3)
    before = batch.games.tobytes()
    ways: list[Callable[[], None]] = [
        lambda: batch.deal_where(chosen),
        lambda: batch.set_deals([1, 2, 3], chosen),
        lambda: batch.set_decks(DECK, chosen=chosen),
    ]
    for begin in ways:
        with pytest.raises(ValueError, match="^chosen games must be a bool for each of the 3 games, not "):
            begin()
    assert batch.games.tobytes() == before


@pytest.mark.parametrize(
    ("decks", "fault"),
    [
        (DECK[:51], r"decks are whole numbers of shape \(52,\) or \(3, 52\), not int64 of shape \(51,\)"),
        (np.tile(DECK, (2, 1)), r"decks are whole numbers of shape \(52,\) or \(3, 52\), not int64 of shape \(2, 52\)"),
        (DECK + 0.5, r"decks are whole numbers of shape \(52,\) or \(3, 52\), not float64 of shape \(52,\)"),
        (DECK + 1, "a deck must be each of the codes 0 to 51 once"),
        (DECK - 256, "a deck must be each of the codes 0 to 51 once"),
        (np.stack([DECK, DECK, DECK // 2]), "a deck must be each of the codes 0 to 51 once"),
    ],
)
def test_what_is_no_deck_is_refused_and_changes_nothing(decks: NDArray[np.int64], fault: str) -> None:
    batch = dealt(one_mind(), 3)
    before = batch.games.tobytes()
    with pytest.raises(ValueError, match=f"^{fault}$"):
        batch.set_decks(decks)
    assert batch.games.tobytes() == before


def test_a_deck_has_no_number_and_a_later_deal_has_its_own() -> None:
    batch = dealt(one_mind(), 3, "disabled")
    batch.set_deals([7, 8, 9])
    batch.set_decks(DECK, chosen=np.array([False, True, False]))
    assert batch.numbers.tolist() == [7, NO_NUMBER, 9]
    while not batch.terminated.all():
        batch.step(batch.masks.argmax(axis=-1))
    assert batch.outcome().deal.tolist() == [7, -1, 9]
    batch.set_deals([1, 2, 3])
    assert batch.numbers.tolist() == [1, 2, 3]


def test_decks_are_dealt_where_they_are_wanted() -> None:
    batch, decks = dealt(one_mind(), 3), np.stack([DECK, DECK[::-1], np.roll(DECK, 1)])
    kept = batch.games["deck"][1].tolist()
    batch.set_decks(decks, tie_seed=2**64 - 1, chosen=np.array([True, False, True]))
    assert batch.games["deck"].tolist() == [decks[0].tolist(), kept, decks[2].tolist()]
    assert batch.games["tie_seed"][[0, 2]].tolist() == [2**64 - 1] * 2


@pytest.mark.parametrize("tie_seed", [-1, 2**64, 1.5])
def test_what_is_no_tie_seed_is_refused(tie_seed: int) -> None:
    with pytest.raises(ValueError, match=f"must be .* not {tie_seed}$"):
        dealt(one_mind(), 3).set_decks(DECK, tie_seed)


@pytest.mark.parametrize("number", [1.5, True, "1"])
def test_deals_and_seeds_are_whole_numbers(number: int) -> None:
    batch = dealt(one_mind(), 1)
    with pytest.raises(ValueError, match=f"^deal must be a whole number, not {number!r}$"):
        batch.set_deals([number])
    with pytest.raises(ValueError, match=f"^seed must be a whole number, not {number!r}$"):
        batch.seed([number])


@EVERY_FORM
def test_without_a_seed_every_game_has_its_own_deals(settings: Settings) -> None:
    plain, seeded = GipfelsturmBatch(settings, 5), dealt(settings, 5)
    plain.deal_all()
    assert len(set(plain.numbers.tolist())) == 5
    np.testing.assert_array_equal(plain.numbers, seeded.numbers)


def test_numpy_seeds_are_seeds() -> None:
    ours, theirs = GipfelsturmBatch(one_mind(), 3), GipfelsturmBatch(one_mind(), 3)
    ours.seed(np.arange(3))
    theirs.seed([0, 1, 2])
    for batch in (ours, theirs):
        batch.deal_all()
    np.testing.assert_array_equal(ours.numbers, theirs.numbers)


def test_the_wrong_way_to_make_one() -> None:
    with pytest.raises(ValueError, match="^games must be 1 or more, not 0$"):
        GipfelsturmBatch(one_mind(), 0)
    with pytest.raises(ValueError, match="^games must be a whole number, not 2.5$"):
        GipfelsturmBatch(one_mind(), 2.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="^threads must be 1 or more, not 0$"):
        GipfelsturmBatch(one_mind(), 1, threads=0)
    with pytest.raises(ValueError, match="^most_steps must be 0 or more, not -1$"):
        GipfelsturmBatch(one_mind(), 1, most_steps=-1)
    with pytest.raises(ValueError, match="unknown autoreset 'never'"):
        GipfelsturmBatch(one_mind(), 1, autoreset="never")
    with pytest.raises(ValueError, match="^unknown advance 'turn': use one of tick, decision$"):
        GipfelsturmBatch(one_mind(), 1, advance="turn")
