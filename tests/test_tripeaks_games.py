"""Whole games of TriPeaks: what turns up when, what may be played, every end, and time."""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from numpy.typing import NDArray

from gipfelsturm.envs import GipfelsturmBatch, TriPeaksEnv
from gipfelsturm.envs.rules.actions import COVERED
from gipfelsturm.envs.rules.deals import write_deck
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.envs.rules.table import COVERS, FULL, LIES_ON
from gipfelsturm.envs.rules.tempo import Tempo
from playing import LOST, ORDER, WON, Step, deck_text, legal, play, zigzag
from random_play import unseen_cards

DRAW, WAIT = 28, 29
COVER_RELATIONS = [(place, cover) for place in range(18) for cover in COVERS[place]]
ACE, KING = 0, 12
EIGHT_TICKS = Tempo(1600, 1600, 1600, 1600)


def given(deck: str, **settings: Any) -> TriPeaksEnv:  # noqa: ANN401
    env = TriPeaksEnv(**settings)
    env.reset(options={"deck": deck})
    return env


def peaks_after(env: TriPeaksEnv, action: int) -> NDArray[np.int8]:
    return env.step(action)[0]["peaks"]


def above(place: int) -> set[int]:
    """A place and all that lies on it, directly or not."""
    return {place}.union(*(above(cover) for cover in COVERS[place]))


def test_the_layout_has_36_cover_relations() -> None:
    assert len(COVER_RELATIONS) == 36
    assert [len(LIES_ON[place]) for place in range(18, 28)] == [1, *[2] * 8, 1]


@pytest.mark.parametrize("last", [18, 19])
def test_a_card_turns_up_when_both_its_covers_are_gone(last: int) -> None:
    first = 37 - last
    deck = deck_text([1, 2, 3], [ACE]) if first == 18 else deck_text([2, 1, 3], [ACE])
    env = given(deck)
    peaks = peaks_after(env, first)
    assert (peaks[first], peaks[9]) == (-1, 0)
    peaks = peaks_after(env, last)
    assert peaks[9] > 0
    assert (peaks[[18, 19]] == -1).all()
    assert np.count_nonzero(peaks > 0) == 9
    assert np.count_nonzero(peaks == 0) == 17


@pytest.mark.parametrize(("place", "gone"), COVER_RELATIONS)
def test_a_card_with_one_cover_left_stays_unknown(place: int, gone: int) -> None:
    batch = GipfelsturmBatch(one_mind("tripeaks"), 1)
    batch.set_deals([77])
    game = batch.games[0]
    game["present"] = int(FULL) & ~sum(1 << p for p in above(gone))
    game["top"][0] = (game["deck"][place] + 4) % 52
    batch.look()
    assert batch.observations[0, 0, place] == 0
    assert batch.masks[0, 0, place] == 0
    before = batch.games.copy()
    batch.step(np.array([[place]]))
    assert batch.reasons[0, 0] == COVERED
    assert batch.games == before


@pytest.mark.parametrize("form", [{}, {"piles": 2}, {"piles": 3}, {"tempo": "brisk"}])
def test_28_cards_are_accounted_for_at_every_step(form: dict[str, Any]) -> None:
    env = TriPeaksEnv(**form)
    rng = np.random.default_rng(1)
    observation, info = env.reset(seed=1)
    done = False
    while not done:
        gone, face_up = observation["peaks"] == -1, observation["peaks"] > 0
        free = [not gone[p] and all(gone[c] for c in COVERS[p]) for p in range(28)]
        assert face_up.tolist() == free
        observation, _, terminated, truncated, info = env.step(legal(rng, info["action_mask"]))
        done = terminated or truncated


def test_a_game_is_lost_in_the_very_step_that_leaves_nothing() -> None:
    steps = play(given(LOST), [DRAW] * 23)
    assert [step[2] for step in steps] == [False] * 22 + [True]
    info = steps[-1][4]
    assert info["result"] == "lost: nothing fits"
    assert info["action_mask"].all()


@pytest.mark.parametrize(("top", "last"), [(KING, ACE), (ACE, KING)])
@pytest.mark.parametrize("ring", [True, False])
def test_the_last_card_fits_round_the_ring_alone(top: int, last: int, ring: bool) -> None:
    env = given(deck_text([*zigzag(28)[1:], last], [ACE, top]), stock=2, ring=ring)
    steps = play(env, [*ORDER[:-1], DRAW])
    assert steps[-1][2] is not ring
    if ring:
        steps = play(env, [ORDER[-1]])
    assert steps[-1][4]["result"] == ("won" if ring else "lost: nothing fits")


@pytest.mark.parametrize(("place", "reason"), [(20, "not one rank away"), (9, "face down"), (0, "face down")])
def test_refusals_name_the_reason(place: int, reason: str) -> None:
    assert given(WON).step(place)[4]["reason"] == reason


def test_refusals_follow_the_table() -> None:
    env = given(WON)
    steps = play(env, [18, 18, 9, 19, *[DRAW] * 23, DRAW])
    reasons = [step[4]["reason"] for step in steps]
    assert reasons == ["", "place empty", "still covered", "", *[""] * 23, "stock empty"]


def test_one_empty_stock_is_no_end() -> None:
    env = given(WON, piles=2)
    steps = play(env, [56] * 12)
    assert [step[4]["reason"] for step in steps] == [""] * 11 + ["stock empty"]
    assert steps[-1][0]["stocks"].tolist() == [0, 11]
    assert steps[-1][4]["action_mask"][[56, 57]].tolist() == [0, 1]
    assert not steps[-1][2]


def test_a_pile_without_a_stock_goes_on() -> None:
    env = given(deck_text([8, 9], [0, *[3] * 4, *[4] * 4, 2, 2, 7]), piles=2)
    play(env, [56] * 11)
    peaks, tops = (env.step(18)[0][name] for name in ("peaks", "tops"))
    assert peaks[18] == -1
    assert (tops[0] - 1) // 4 == 8


@pytest.mark.parametrize("pile", [0, 1])
def test_a_place_can_be_played_on_either_pile(pile: int) -> None:
    env = given(deck_text([1], [0, *[9] * 4, *[10] * 4, 11, 11, 11, 2]), piles=2)
    observation = env.step(28 * pile + 18)[0]
    assert [(top - 1) // 4 for top in observation["tops"]] == [1 if pile == 0 else 0, 1 if pile == 1 else 2]


@pytest.mark.parametrize("ending", [{}, {"clock": 5.0}, {"piles": 3}])
def test_terminal_masks_are_all_true(ending: dict[str, Any]) -> None:
    env = TriPeaksEnv(**ending)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        _, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            assert info["action_mask"].any()
            *_, terminated, _, info = env.step(legal(rng, info["action_mask"]))
        assert info["action_mask"].all()


def test_a_busy_hand_may_wait_and_nothing_else() -> None:
    env = given(WON, tempo=EIGHT_TICKS)
    wait_only = [0] * 29 + [1]
    phases: list[int] = []
    masks: list[list[int]] = []
    for _ in range(25):
        observation, *_, info = env.step(18 if not phases else WAIT)
        phases.append(int(observation["phase"][0]))
        masks.append(info["action_mask"].tolist())
    assert phases == [1] * 7 + [2] * 8 + [5] * 8 + [0] * 2
    assert all((mask == wait_only) == (phase > 1) for mask, phase in zip(masks, phases, strict=True))


def test_a_drawing_hand_may_wait_and_nothing_else() -> None:
    env = given(WON, tempo=EIGHT_TICKS)
    steps = play(env, [DRAW] * 17)
    assert [step[4]["reason"] for step in steps] == [""] + ["hand busy"] * 15 + [""]
    assert [step[4]["action_mask"].sum() for step in steps[:15]] == [1] * 15
    assert [step[0]["stocks"][0] for step in steps] == [23] * 7 + [22] * 10


def test_waiting_only_lets_time_pass() -> None:
    env = given(WON, clock=10.0)
    before, _ = env.reset(options={"deck": WON})
    after, reward, *_, info = env.step(WAIT)
    assert (reward, info["reason"]) == (0, "")
    changed = {name for name in before if not np.array_equal(before[name], after[name])}
    assert changed == {"clock", "elapsed"}
    assert after["clock"].tolist() == [0, 0, 49]


def test_an_instant_hand_plays_once_a_tick() -> None:
    steps = play(given(WON, tempo="instant", clock=28 * 0.2), ORDER)
    assert steps[-1][4]["result"] == "won"


def test_a_win_in_the_last_tick_counts_and_one_tick_later_does_not() -> None:
    steps = play(given(WON, tempo="instant", clock=27 * 0.2), ORDER[:-1])
    assert steps[-1][4]["result"] == "lost by the clock"


# Every kind of end, and what is given away (faults number 12 and 10)


@pytest.mark.parametrize(
    ("result", "form", "deck", "actions"),
    [
        ("won", {}, WON, ORDER),
        ("won", {"tempo": "instant", "clock": 28 * 0.2}, WON, ORDER),
        ("lost: nothing fits", {}, LOST, [DRAW] * 23),
        ("lost: nothing fits", {"tempo": "instant"}, LOST, [DRAW] * 23),
        ("lost by the clock", {"clock": 1.0}, WON, [WAIT] * 5),
        ("running", {}, WON, [20] * 200),
        ("running", {"tempo": "brisk"}, WON, [WAIT] * 3000),
    ],
)
def test_every_kind_of_end_sets_its_flag_and_leaves_a_mask(
    result: str, form: dict[str, Any], deck: str, actions: Sequence[int]
) -> None:
    steps = play(given(deck, **form), actions)
    truncated = result == "running"
    assert [step[2:4] for step in steps] == [(False, False)] * (len(steps) - 1) + [(not truncated, truncated)]
    info = steps[-1][4]
    assert info["result"] == result
    assert info["action_mask"].all() != truncated and info["action_mask"].any()


FORMS: list[dict[str, Any]] = [{}, {"piles": 2}, {"piles": 3, "preset": "expert"}, {"tempo": "brisk", "clock": 12.0}]


@pytest.mark.parametrize("form", FORMS)
def test_unseen_cards_change_nothing_that_is_given(form: dict[str, Any]) -> None:
    env = TriPeaksEnv(**form, render_mode="ansi")
    for seed in range(4):
        rng = np.random.default_rng(seed)
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            mixed = copy.deepcopy(env)
            exchange_unseen(mixed, rng)
            action = legal(rng, info["action_mask"] if rng.random() < 0.8 else np.ones_like(info["action_mask"]))
            unseen = unseen_count(env)
            assert mixed.render() == env.render()
            one, other = env.step(action), mixed.step(action)
            if unseen_count(env) == unseen:
                assert data_equivalence(told(one), told(other))
                assert mixed.render() == env.render()
            *_, terminated, truncated, info = one
            over = terminated or truncated


@pytest.mark.parametrize("form", FORMS)
def test_decks_that_differ_in_unseen_cards_begin_alike(form: dict[str, Any]) -> None:
    for number in range(20):
        env, other = TriPeaksEnv(**form, render_mode="ansi"), TriPeaksEnv(**form, render_mode="ansi")
        first = env.reset(options={"number": number})
        deck = env._batch.games["deck"][0].copy()
        unseen = unseen_cards(env._batch.games[0])
        deck[unseen] = np.random.default_rng(number).permutation(deck[unseen])
        assert data_equivalence(first, other.reset(options={"deck": write_deck(deck)}))
        assert env.render() == other.render()


def unseen_count(env: TriPeaksEnv) -> int:
    return int(env._batch.games["unseen"].sum())


def exchange_unseen(env: TriPeaksEnv, rng: np.random.Generator) -> None:
    game = env._batch.games[0]
    unseen = unseen_cards(game)
    game["deck"][unseen] = rng.permutation(game["deck"][unseen])


def told(step: Step) -> list[Any]:
    """A step without the deal's id, from which all cards follow, and which the end alone tells."""
    return [*step[:4], {name: value for name, value in step[4].items() if name != "deal"}]
