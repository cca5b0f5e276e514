"""Human-like partners: without traits the scripted policy to the last tie, and each trait shows as it is named."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.human import HumanAgent
from gipfelsturm.agents.human_profiles import PREFIX, PROFILES, Profile, human_names
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.rules_of_thumb import CAREFUL, LOOKAHEAD, RANDOM, UNCOVER
from gipfelsturm.agents.scripted import POLICIES
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.actions import CALLS
from gipfelsturm.envs.rules.record import DRAWING, PAUSING
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training.evaluation import play_all
from random_play import begin, every_form
from true_calls import calls_made, is_true

TABLES = list(every_form(seed=9, tables=1)) + [real_time("normal"), real_time("blitz", seats=3, tempo="steady")]
ALONE = real_time("tripeaks", tempo="instant")
PAIR = real_time("normal")
HOLD, DRAWING_CALL = CALLS.index("hold") + 1, CALLS.index("drawing") + 1
DRAW, WAIT = 56, 58
TRIALS = 20_000
NEAR = 0.02


def sit_down(agent: Agent, batch: GipfelsturmBatch, seed: int = 1) -> Agent:
    agent.reset(len(batch.games), range(batch.viewers), seed, batch.settings)
    return agent


def play_out(agent: Agent, batch: GipfelsturmBatch) -> NDArray[np.int64]:
    """Every action (steps, games, seats) until all games are over."""
    taken = []
    while not batch.terminated.all():
        taken.append(agent.act(batch.observations, batch.masks))
        batch.step(taken[-1])
    return np.stack(taken)


def repeat(profile: Profile, batch: GipfelsturmBatch, seat: int = 0) -> NDArray[np.int64]:
    """What as many players of one profile do at the first game's table (trials,)."""
    agent = HumanAgent(profile)
    agent.reset(TRIALS, [seat], 1, batch.settings)
    rows = (np.repeat(part[:1, [seat]], TRIALS, axis=0) for part in (batch.observations, batch.masks))
    return agent.act(*rows)[:, 0]


def share(actions: NDArray[np.int64], action: int) -> float:
    return float((actions == action).mean())


def laid(base: list[int], tops: tuple[int, int], table: Settings = PAIR) -> GipfelsturmBatch:
    """A pair's table of these ranks 0..12 in the base row, aces for the rest, and on the piles."""
    batch = begin(table, 1)
    batch.games["deck"][0, 18:28] = [4 * rank for rank in base + [0] * (10 - len(base))]
    batch.games["top"][0, :2] = [4 * rank for rank in tops]
    batch.look()
    return batch


def heard(batch: GipfelsturmBatch, said: int, age: int = 0) -> GipfelsturmBatch:
    batch.games["call"][:, 1], batch.games["age"][:, 1] = said, age
    batch.look()
    return batch


# The profiles


def test_six_profiles_are_for_training_and_three_are_held_out() -> None:
    assert len(human_names(False)) >= 6 and len(human_names(True)) == 3
    assert {*human_names(False), *human_names(True)} == {PREFIX + name for name in PROFILES}
    for name in PROFILES:
        assert isinstance(make_agent(PREFIX + name), HumanAgent)


def test_a_profile_that_nobody_has_is_refused() -> None:
    with pytest.raises(ValueError) as refused:
        make_agent("human-fast")
    assert str(refused.value).startswith("unknown agent 'human-fast': use one of human-quick, human-careful, ")
    with pytest.raises(ValueError, match="^attention must be above 0"):
        Profile(policy=RANDOM, attention=0)


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_plays_to_the_end_and_wins_some(name: str) -> None:
    outcome = play_all(PAIR, make_agent(PREFIX + name), range(300), 0)
    assert 0.03 < outcome.won.mean() < 0.8
    assert (outcome.refused == 0).all()


# No traits


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_without_traits_it_is_its_policy(name: str, table: Settings) -> None:
    plain, scripted = begin(table, 20), begin(table, 20)
    actions = play_out(sit_down(HumanAgent(Profile(policy=POLICIES[name])), plain), plain)
    np.testing.assert_array_equal(actions, play_out(sit_down(make_agent(name), scripted), scripted))


# Time


def gaps(profile: Profile, table: Settings) -> NDArray[np.int64]:
    """Ticks from one command to the next, over all games of somebody alone; the first from the start."""
    batch = begin(table, 20)
    actions = play_out(sit_down(HumanAgent(profile), batch), batch)[:, :, 0]
    ticks = [np.flatnonzero(actions[: int(game["tick"]), i] != 29) for i, game in enumerate(batch.games)]
    return np.concatenate([np.diff(each, prepend=-1) for each in ticks])


@pytest.mark.parametrize(
    ("traits", "between"),
    [
        ({}, {1}),
        ({"reaction": (1000, 1000)}, {6}),  # five ticks after the tick that shows the change
        ({"reaction": (901, 901)}, {6}),
        ({"reaction": (400, 1000)}, {3, 4, 5, 6}),
        ({"reaction": (400, 401)}, {3, 4}),
        ({"pause": (600, 600)}, {1, 4}),  # none before the first command
        ({"reaction": (200, 200), "pause": (600, 600)}, {2, 4}),
    ],
)
def test_it_is_late_by_so_many_ticks(traits: dict[str, tuple[int, int]], between: set[int]) -> None:
    assert set(gaps(Profile(policy=UNCOVER, **traits), ALONE).tolist()) == between  # type: ignore[arg-type]


def test_reactions_of_a_span_are_all_as_likely() -> None:
    _, counts = np.unique(gaps(Profile(policy=UNCOVER, reaction=(401, 1000)), ALONE), return_counts=True)
    assert len(counts) == 3 and counts.min() > 0.8 * counts.max()


def test_a_reaction_runs_beside_the_hand_s_own_pause() -> None:
    paused = real_time("tripeaks", tempo="1000/0/0/0")
    assert set(gaps(Profile(policy=UNCOVER, reaction=(600, 600)), paused)[1:].tolist()) <= {4, 5, 6}


def test_a_look_that_is_due_is_not_put_off_by_what_changes_until_then() -> None:
    batch, agent, acted = begin(ALONE, 1), HumanAgent(Profile(policy=UNCOVER, reaction=(1000, 1000))), []
    agent.reset(1, [0], 1, ALONE)
    batch.games["deck"][0, 18:28] = 0
    for tick in range(7):
        batch.games["tick"], batch.games["top"][0, 0] = tick, {3: 24, 4: 24, 5: 28}.get(tick, 0)
        batch.look()
        acted.append(agent.act(batch.observations, batch.masks)[0, 0] != 29)
    assert acted.index(True) == 5


def test_a_look_in_vain_is_followed_by_one_after_another_reaction() -> None:
    batch = laid([], (5, 5))
    batch.games["stock"] = 0
    batch.games["deck"][0, 18], batch.games["top"][0] = 16, 20  # a single card fits, and is noticed one time in four
    agent = HumanAgent(Profile(policy=UNCOVER, reaction=(600, 600), attention=0.25))
    agent.reset(100, [0], 4, PAIR)
    looked = []
    for tick in range(20, 400, 2):  # the ticks in which seat 0 begins
        batch.games["tick"] = tick
        batch.look()
        rows = (np.repeat(part[:, :1], 100, axis=0) for part in (batch.observations, batch.masks))
        looked.append(agent.act(*rows) != WAIT)
    assert np.mean(looked) == pytest.approx(0.25 / (0.25 * 1 + 0.75 * 2), abs=0.01)  # three ticks end in the second


# What it sees


@pytest.mark.parametrize("attention", [1.0, 0.7, 0.2])
def test_a_card_is_noticed_as_often_as_it_says(attention: float) -> None:
    actions = repeat(Profile(policy=UNCOVER, attention=attention), laid([4], (5, 9)))
    assert share(actions, 18) == pytest.approx(attention, abs=NEAR)
    assert share(actions, DRAW) == pytest.approx(1 - attention, abs=NEAR)


def test_each_card_is_noticed_by_itself() -> None:
    actions = repeat(Profile(policy=CAREFUL, attention=0.5), laid([4, 0, 4], (5, 9)))
    assert share(actions, 20) == pytest.approx(0.5, abs=NEAR)  # it lies on more cards than the one on the edge
    assert share(actions, 18) == pytest.approx(0.25, abs=NEAR)
    assert share(actions, DRAW) == pytest.approx(0.25, abs=NEAR)


@pytest.mark.parametrize("habit", [0.0, 0.3, 1.0])
def test_its_own_pile_alone_as_often_as_it_says(habit: float) -> None:
    batch = laid([4], (9, 5))
    actions = repeat(Profile(policy=UNCOVER, own_pile=habit), batch)
    assert share(actions, 28 + 18) == pytest.approx(1 - habit, abs=NEAR)
    assert share(actions, DRAW) == pytest.approx(habit, abs=NEAR)
    batch.games["stock"][0, 0] = 0
    batch.look()
    assert share(repeat(Profile(policy=UNCOVER, own_pile=habit), batch), 28 + 18) == 1


def busy(batch: GipfelsturmBatch, seat: int, phase: int = DRAWING) -> GipfelsturmBatch:
    batch.games["phase"][0, seat], batch.games["left"][0, seat] = phase, 3
    batch.look()
    return batch


def without_stock(batch: GipfelsturmBatch) -> GipfelsturmBatch:
    batch.games["stock"][0, 0] = 0
    batch.look()
    return batch


def test_it_plays_where_it_would_draw_for_nothing_and_may_not() -> None:
    for batch in (without_stock(laid([4], (5, 9))), busy(laid([4], (5, 9)), 1)):
        assert share(repeat(Profile(policy=UNCOVER, stray_draw=1.0), batch), 18) == 1


def test_who_overlooks_the_others_draws_while_they_do() -> None:
    for oversight, action in ((0.0, WAIT), (1.0, DRAW)):
        batch = busy(laid([], (5, 9)), 1)
        assert share(repeat(Profile(policy=UNCOVER, oversight=oversight), batch), action) == 1


def test_how_late_it_is_says_nothing_of_how_it_chooses() -> None:
    batch = laid([4, 0, 0, 4], (5, 9), real_time("normal", calls=False))
    actions = repeat(Profile(policy=RANDOM, reaction=(0, 1)), batch)  # half of them look a tick later
    assert [share(actions, action) for action in (18, 21, WAIT)] == pytest.approx([0.25, 0.25, 0.5], abs=NEAR)


@pytest.mark.parametrize("strays", [0.0, 0.1, 1.0])
def test_it_draws_for_nothing_as_often_as_it_says(strays: float) -> None:
    actions = repeat(Profile(policy=UNCOVER, stray_draw=strays), laid([4], (5, 9)))
    assert share(actions, DRAW) == pytest.approx(strays, abs=NEAR)
    assert share(actions, 18) == pytest.approx(1 - strays, abs=NEAR)


def test_as_one_mind_it_overlooks_and_strays_too() -> None:
    batch = begin(one_mind(), 1)
    batch.games["deck"][0, 18:28], batch.games["top"] = 0, 20
    batch.games["deck"][0, 18] = 16
    batch.look()
    actions = repeat(Profile(policy=UNCOVER, attention=0.5, stray_draw=0.2), batch)
    assert share(actions, 18) == pytest.approx(0.4, abs=NEAR)
    batch.games["stock"] = 0
    batch.look()
    assert share(repeat(Profile(policy=UNCOVER, attention=0.5, stray_draw=0.2), batch), 18) == 1


@pytest.mark.parametrize("oversight", [0.0, 0.25, 1.0])
def test_it_overlooks_the_others_as_often_as_it_says(oversight: float) -> None:
    actions = repeat(Profile(policy=UNCOVER, oversight=oversight), laid([4], (9, 5)), seat=1)
    assert share(actions, 18) == pytest.approx(oversight, abs=NEAR)  # seat 0 begins
    assert share(actions, WAIT) == pytest.approx(1 - oversight, abs=NEAR)


def test_who_overlooks_hands_gets_in_their_way() -> None:
    outcome = play_all(PAIR, HumanAgent(Profile(policy=UNCOVER, oversight=1.0)), range(100), 0)
    assert outcome.missed.mean() > 1.5


# Calls


def test_it_draws_when_nobody_asks_it_to_wait() -> None:
    strayer = {"policy": UNCOVER, "stray_draw": 1.0}
    for heeds, said, age, draws in [(True, HOLD, 0, 0), (True, HOLD, 14, 0), (False, HOLD, 0, 1), (True, 0, 0, 1)]:
        batch = heard(laid([4], (5, 9)), said, age)
        actions = repeat(Profile(**strayer, heeds=heeds), batch)  # type: ignore[arg-type]
        assert (share(actions, DRAW), share(actions, 18)) == (draws, 1 - draws)


@pytest.mark.parametrize(("heeds", "age", "draws"), [(True, 0, 0), (True, 4, 0), (True, 5, 1), (False, 0, 1)])
def test_it_draws_at_another_time_than_announced(heeds: bool, age: int, draws: int) -> None:
    batch = heard(laid([], (5, 9)), DRAWING_CALL, age)
    assert share(repeat(Profile(policy=UNCOVER, heeds=heeds), batch), DRAW) == draws


def test_a_card_that_is_called_for_is_left_to_the_caller() -> None:
    for tops, heeds, said, action in [
        ((5, 5), True, 0, 18),
        ((5, 5), True, 5, 28 + 18),  # need 5, onto the caller's six
        ((5, 5), False, 5, 18),
        ((5, 9), True, 5, 18),  # too late: it fits the caller's pile no more
        ((5, 5), True, 7, 18),
    ]:
        batch = heard(laid([4], tops), said)
        assert share(repeat(Profile(policy=UNCOVER, heeds=heeds), batch), action) == 1, (tops, heeds, said)


def test_a_card_that_is_called_for_is_kept_while_the_caller_s_pile_is_busy() -> None:
    batch = heard(laid([4], (5, 5)), 5)
    batch.games["phase"][0, 1], batch.games["left"][0, 1] = DRAWING, 3
    batch.look()
    for heeds, action in ((True, WAIT), (False, 18)):
        assert share(repeat(Profile(policy=UNCOVER, heeds=heeds), batch), action) == 1


@pytest.mark.parametrize("talks", [0.0, 0.4, 1.0])
def test_it_announces_draws_as_often_as_it_talks(talks: float) -> None:
    actions = repeat(Profile(policy=UNCOVER, talks=talks), laid([], (5, 9)))
    assert share(actions, WAIT + DRAWING_CALL) == pytest.approx(talks, abs=NEAR)
    assert share(actions, DRAW) == pytest.approx(1 - talks, abs=NEAR)


def test_an_announced_draw_is_off_when_the_table_changes() -> None:
    batch = laid([], (5, 9))
    agent = HumanAgent(Profile(policy=UNCOVER, talks=1.0))
    agent.reset(1, [0], 1, PAIR)
    assert agent.act(batch.observations[:, :1], batch.masks[:, :1]).tolist() == [[WAIT + DRAWING_CALL]]
    batch.games["top"][0, 0] = 4  # a two, on which the aces fit
    batch.look()
    assert agent.act(batch.observations[:, :1], batch.masks[:, :1]).max() < 28


def acting(profile: Profile, *batches: GipfelsturmBatch) -> list[int]:
    """What seat 0 does at one table after the other."""
    agent = HumanAgent(profile)
    agent.reset(1, [0], 1, PAIR)
    return [int(agent.act(batch.observations[:, :1], batch.masks[:, :1])[0, 0]) for batch in batches]


def test_an_announced_draw_follows_though_a_card_fits() -> None:
    profile, batch = Profile(policy=UNCOVER, stray_draw=1.0, talks=1.0), laid([4], (5, 9))
    assert acting(profile, batch, batch) == [WAIT + DRAWING_CALL, DRAW]


def test_an_announced_draw_is_thought_of_anew_when_the_other_pile_changes() -> None:
    before, after = laid([], (5, 9)), laid([], (5, 9))
    before.games["top"][0, :2], after.games["top"][0, :2] = (21, 9), (21, 41)
    before.look()
    after.look()
    assert acting(Profile(policy=UNCOVER, talks=1.0), before, after) == [WAIT + DRAWING_CALL] * 2


def test_an_announced_draw_that_somebody_else_forestalls_is_off() -> None:
    later = laid([], (5, 9))
    later.games["tick"] = 2
    later.look()
    told = acting(Profile(policy=UNCOVER, talks=1.0), laid([], (5, 9)), busy(laid([], (5, 9)), 1), later)
    assert told == [WAIT + DRAWING_CALL, WAIT, WAIT + DRAWING_CALL]


def test_it_says_one_thing_of_a_table_and_none_while_it_draws() -> None:
    waiting = busy(laid([4], (5, 9)), 0, PAUSING)
    assert acting(Profile(policy=UNCOVER, talks=1.0), waiting, waiting) == [WAIT + HOLD, WAIT]
    drawing = busy(laid([4], (5, 9)), 0)
    assert acting(Profile(policy=UNCOVER, talks=1.0), drawing, waiting) == [WAIT, WAIT + HOLD]


def test_it_says_nothing_while_its_last_call_is_heard() -> None:
    batch = laid([4], (5, 9))
    batch.games["phase"][0, 0], batch.games["left"][0, 0] = PAUSING, 2
    for said, action in ((0, WAIT + HOLD), (HOLD, WAIT)):
        batch.games["call"][0, 0] = said
        batch.look()
        assert share(repeat(Profile(policy=UNCOVER, talks=1.0), batch), action) == 1


def test_every_call_is_true_and_an_announced_draw_follows() -> None:
    batch, said, drawn = begin(PAIR, 60), Counter[str](), 0
    agent = sit_down(HumanAgent(Profile(policy=LOOKAHEAD, talks=1.0, heeds=True)), batch)
    while not batch.terminated.all():
        actions = agent.act(batch.observations, batch.masks)
        calls = calls_made(batch, actions)
        assert all(is_true(batch.games[game], seat, words) for game, seat, words in calls)
        said.update(words.split()[0] for _, _, words in calls)
        draws = (actions == DRAW) & ~batch.terminated[:, np.newaxis]
        drawn += draws.sum()
        assert (batch.games["call"][:, :2][draws] == DRAWING_CALL).all()
        assert (batch.games["age"][:, :2][draws] < 5).all()
        batch.step(actions)
    assert set(said) == {"need", "hold", "drawing"} and min(said.values()) > 60
    assert said["drawing"] >= drawn > 60


def test_at_a_silent_table_it_says_nothing() -> None:
    batch = begin(real_time("normal", calls=False), 30)
    assert play_out(sit_down(make_agent("human-talkative"), batch), batch).max() == WAIT


@pytest.mark.parametrize("name", ["human-quick", "human-clumsy"])
def test_another_seed_is_another_game(name: str) -> None:
    games = []
    for seed in (1, 2, 1, -1, 2**64 - 1):
        batch = begin(PAIR, 20)
        play_out(sit_down(make_agent(name), batch, seed), batch)
        games.append(batch.games.tobytes())
    assert games[0] == games[2] != games[1]
    assert games[3] == games[4] != games[0], "modulo 2^64"
