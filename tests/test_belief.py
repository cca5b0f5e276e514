"""A game rebuilt from one observation shows what the real one shows, until an unseen card turns up (section 3)."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.agents.belief import blank_belief, rebuild_game
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.cards import EMPTY
from gipfelsturm.envs.rules.record import DRAWING, PHASES, RUNNING, STUCK, TIME_OUT, WON
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from random_play import begin, commands, every_form, unseen_cards

GAMES = 12
MOMENTS = 6
SETTINGS = list(every_form(seed=2, tables=6))


def rebuilt(real: GipfelsturmBatch, viewer: int) -> GipfelsturmBatch:
    """Every game of a batch, as one viewer can know it, with the real ties, which are chance that nobody sees."""
    belief = GipfelsturmBatch(real.settings, len(real), autoreset="disabled")
    for i in range(len(real)):
        belief.games[i : i + 1] = rebuild_game(real.settings, real.observations[i, viewer])
    belief.games["tie_seed"] = real.games["tie_seed"]
    belief.look()
    return belief


def assert_same(real: GipfelsturmBatch, belief: GipfelsturmBatch, where: NDArray[np.bool_]) -> None:
    np.testing.assert_array_equal(belief.observations[where], real.observations[where])
    np.testing.assert_array_equal(belief.masks[where], real.masks[where])
    np.testing.assert_array_equal(belief.games["status"][where], real.games["status"][where])


def assert_same_until_a_card_turns_up(real: GipfelsturmBatch, dice: np.random.Generator) -> int:
    """Rebuild every viewer's games, and step them beside the real ones; returns the game steps that agreed."""
    running = real.games["status"] == RUNNING
    beliefs = [rebuilt(real, viewer) for viewer in range(real.viewers)]
    for belief in beliefs:
        assert_same(real, belief, running)
    steps = 0
    for _ in range(12):
        unseen = real.games["unseen"].sum(axis=1)
        actions = commands(real, dice)
        for batch in (real, *beliefs):
            batch.step(actions)
        running &= real.games["unseen"].sum(axis=1) == unseen
        for belief in beliefs:
            assert_same(real, belief, running)
            np.testing.assert_array_equal(belief.reasons[running], real.reasons[running])
        steps += int(running.sum())
    return steps


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_a_rebuilt_game_goes_on_like_the_real_one(settings: Settings) -> None:
    dice = np.random.default_rng(settings.stock)
    real = begin(settings, GAMES)
    steps = 0
    for _ in range(MOMENTS):
        for _ in range(int(dice.integers(12))):
            real.step(commands(real, dice))
        steps += assert_same_until_a_card_turns_up(real, dice)
    assert steps > 0


def test_the_moments_above_are_of_every_kind() -> None:
    seen: Counter[str] = Counter()
    for settings in SETTINGS:
        dice = np.random.default_rng(1)
        real = begin(settings, GAMES)
        for _ in range(60):
            real.step(commands(real, dice))
            running = real.games[real.games["status"] == RUNNING]
            seen.update(PHASES[phase] for phase in running["phase"].flatten())
            seen["call"] += int(running["call"].any(axis=1).sum())
            seen["clock"] += int((running["limit"] > 0).sum())
    assert min(seen[kind] for kind in (*PHASES, "call", "clock")) > 20, seen


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_unknown_cards_are_empty_and_counted(settings: Settings) -> None:
    dice = np.random.default_rng(3)
    real = begin(settings, GAMES)
    for _ in range(8):
        for game, views in zip(real.games, real.observations, strict=True):
            for view in views:
                assert_knows_what_is_seen(game, rebuild_game(settings, view)[0])
        for _ in range(int(dice.integers(1, 12))):
            real.step(commands(real, dice))


def assert_knows_what_is_seen(game: np.void, belief: np.void) -> None:
    unseen = unseen_cards(game)
    ranks = Counter(int(card) // 4 for card in game["deck"][unseen])
    assert [int(count) for count in belief["unseen"]] == [ranks[rank] for rank in range(13)]
    for slot, card in enumerate(belief["deck"]):
        lies_open = slot < 28 and int(game["present"]) >> slot & 1 and slot not in unseen
        assert card == (game["deck"][slot] if lies_open else EMPTY)


@pytest.mark.parametrize("ring", [True, False])
def test_an_unseen_card_that_turns_up_stays_unknown(ring: bool) -> None:
    settings = one_mind(ring=ring)
    real = begin(settings, 50)
    belief = rebuilt(real, 0)
    belief.step(np.full((50, 1), 28))
    assert (belief.games["top"][:, 0] == EMPTY).all()
    assert (belief.games["stock"][:, 0] == settings.stock - 2).all()
    np.testing.assert_array_equal(belief.games["unseen"], real.games["unseen"])
    assert (belief.masks[:, 0].sum(axis=1) == 1).all(), "an unknown card fits nothing: only the draw is left"


def test_a_draw_under_way_is_rebuilt_before_its_card_is_seen() -> None:
    settings = real_time(tempo="slow")
    real = begin(settings, 1)
    real.step(np.array([[56, 58]]))
    for viewer in range(2):
        belief = rebuild_game(settings, real.observations[0, viewer])[0]
        assert belief["phase"].tolist() == [DRAWING, 0, 0]
        assert belief["left"].tolist() == [5, 0, 0]
        assert belief["stock"].tolist() == [11, 11, 0]
        assert belief["tie_seed"] == 0


def test_a_blank_belief_holds_the_settings_and_no_card() -> None:
    settings = real_time("hard", seats=3, ring=False, tempo=["brisk", "slow", "instant"])
    blank = blank_belief(settings)
    assert blank.shape == (1,)
    assert (blank["deck"] == EMPTY).all()
    fields = ("seats", "dealt", "ring", "talk", "one_mind", "limit", "tick_ms", "call_ticks", "tempo")
    dealt = begin(settings, 1).games
    assert all((blank[name] == dealt[name]).all() for name in fields)


ENDINGS = [
    (one_mind(), {WON, STUCK}),
    (one_mind("expert"), {STUCK}),
    (real_time("normal", clock=40, tempo="instant"), {STUCK, TIME_OUT}),
    (real_time(seats=1, clock=None, tempo="instant"), {STUCK}),
]


@pytest.mark.parametrize(("settings", "endings"), ENDINGS)
def test_a_game_that_is_over_is_rebuilt_as_over(settings: Settings, endings: set[int]) -> None:
    dice = np.random.default_rng(5)
    real = begin(settings, 200)
    for _ in range(300):
        real.step(commands(real, dice))
    assert endings <= set(real.games["status"].tolist())
    for viewer in range(real.viewers):
        assert_same(real, rebuilt(real, viewer), np.ones(200, np.bool_))


@pytest.mark.parametrize("gone", [127, 128, 16_384, 70_000, 2_000_000])
@pytest.mark.parametrize("clock", [2_097.0, None])
def test_long_times_are_rebuilt(gone: int, clock: float | None) -> None:
    real = begin(real_time(seats=3, clock=clock, tick=0.001, tempo="0/100/100/100"), 1)
    real.games["tick"] = gone
    real.games["call"] = 14
    real.games["age"] = [[127, 128, 2_000]]
    real.look()
    for viewer in range(3):
        belief = rebuilt(real, viewer)
        for name in ("tick", "limit", "call", "age"):
            assert (belief.games[name] == real.games[name]).all()
        assert_same(real, belief, np.ones(1, np.bool_))
