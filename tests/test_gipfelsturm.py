"""The real-time table under PettingZoo: ends, masks, refusals, options and deals."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence

from decks import code
from gipfelsturm.envs import GipfelsturmEnv, TriPeaksEnv
from gipfelsturm.envs.gipfelsturm import Infos, Step, View
from gipfelsturm.envs.rules.deals import EVALUATION_DEALS, deal_id
from gipfelsturm.envs.rules.record import CARRYING, FREE, GAME, PAUSING, REACHING
from playing import LOST, ORDER, WON
from seated import given, parallel, play_out, put_down, wait_out

EACH_ADVANCE = pytest.mark.parametrize("advance", ["tick", "decision"])
DRAW, WAIT = 56, 58  # of two seats


# Ends (pitfalls 8, 12, 21, 23)


@EACH_ADVANCE
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("pile", [0, 1])
def test_the_last_card_wins_for_either_seat_on_either_pile_on_the_last_tick(seat: int, pile: int, advance: str) -> None:
    env = given(WON, advance=advance, tempo="instant", clock=0.2)
    place = ORDER[-1]
    env._batch.games[0]["top"][(seat + pile) % 2] = (int(env._batch.games[0]["deck"][place]) + 4) % 52
    put_down(env, gone=27)
    step = env.step({f"seat_{seat}": 28 * pile + place})
    assert step[1] == {"seat_0": 1.0, "seat_1": 1.0}
    assert_ended(env, step, "won", terminated=True)


def assert_ended(env: GipfelsturmEnv, step: Step, result: str, terminated: bool) -> None:
    views, rewards, *flags, infos = step
    assert env.agents == []
    assert flags == [dict.fromkeys(views, terminated), dict.fromkeys(views, not terminated)]
    assert {type(reward) for reward in rewards.values()} == {float}
    assert {type(flag) for each in flags for flag in each.values()} == {bool}
    assert list(views) == list(rewards) == list(infos) == env.possible_agents
    assert {info["result"] for info in infos.values()} == {result}
    for view in views.values():
        assert view["action_mask"].all() if terminated else view["action_mask"].any()
    assert env.step({}) == ({}, {}, {}, {}, {})
    views, infos = env.reset()
    assert env.agents == list(views) == list(infos) == env.possible_agents


@EACH_ADVANCE
def test_the_clock_ends_a_game(advance: str) -> None:
    env = parallel(advance=advance, clock=4)
    env.reset(seed=1)
    steps = wait_out(env)
    assert sum(step[4]["seat_0"]["ticks"] for step in steps) == 20
    assert_ended(env, steps[-1], "lost by the clock", terminated=True)


@EACH_ADVANCE
def test_nothing_left_to_do_ends_a_game(advance: str) -> None:
    env = given(LOST, seats=1, stock=24, advance=advance, tempo="instant")
    steps = [env.step({"seat_0": 28}) for _ in range(23)]
    assert [step[2]["seat_0"] for step in steps] == [False] * 22 + [True]
    assert_ended(env, steps[-1], "lost: nothing fits", terminated=True)


@EACH_ADVANCE
def test_without_a_clock_3000_ticks_are_all(advance: str) -> None:
    env = parallel(advance=advance, clock=None)
    env.reset(seed=1)
    steps = [env.step({"seat_0": DRAW, "seat_1": DRAW})]
    steps += wait_out(env)
    assert sum(step[4]["seat_0"]["ticks"] for step in steps) == 3000
    assert len(steps) == (3000 if advance == "tick" else 2995)
    assert_ended(env, steps[-1], "running", terminated=False)


def test_a_decision_is_cut_short_after_3000_ticks() -> None:
    env = parallel(seats=1, advance="decision", clock=None)
    env.reset(seed=1)
    assert [env.step({})[4]["seat_0"]["ticks"] for _ in range(2997)] == [1] * 2997
    step = env.step({"seat_0": 28})
    assert step[4]["seat_0"]["ticks"] == 3
    assert_ended(env, step, "running", terminated=False)


def test_with_a_clock_nothing_is_truncated() -> None:
    env = parallel(clock=700)
    env.reset(seed=1)
    steps = wait_out(env)
    assert len(steps) == 3500
    assert not any(step[3]["seat_0"] for step in steps)


def test_one_empty_stock_is_no_end() -> None:
    env = given(WON, tempo="instant", clock=None)
    for _ in range(11):
        views, *_, infos = env.step({"seat_1": DRAW})
    assert views["seat_1"]["observation"]["stocks"].tolist() == [0, 11]
    assert (views["seat_1"]["action_mask"][DRAW], views["seat_0"]["action_mask"][DRAW]) == (0, 1)
    assert env.agents and infos["seat_1"]["reason"] == ""
    assert env.step({"seat_1": DRAW})[4]["seat_1"]["reason"] == "stock empty"
    env._batch.games[0]["top"][1] = env._batch.games[0]["deck"][18] + 4
    views, *_, infos = env.step({"seat_1": 18})
    assert infos["seat_1"]["reason"] == ""
    assert views["seat_1"]["observation"]["peaks"][18] == -1


def test_a_card_in_a_hand_is_nothing_to_decide() -> None:
    env = given(WON, advance="decision")
    place = ORDER[-1]
    fitting = (int(env._batch.games[0]["deck"][place]) + 4) % 52
    put_down(env, gone=27, phase=[FREE, CARRYING], place=[0, place], left=[0, 5], stock=[0, 0], top=[fitting] * 2)
    step = env.step({})
    assert step[4]["seat_0"]["ticks"] == 5
    assert_ended(env, step, "won", terminated=True)


# Masks and actions (pitfalls 13, 20)


@pytest.mark.parametrize("calls", [True, False])
@pytest.mark.parametrize("phase", range(REACHING + 1, PAUSING + 1))
def test_a_busy_hand_can_wait_and_call_alone(phase: int, calls: bool) -> None:
    env = given(WON, calls=calls)
    put_down(env, gone=0, phase=[phase], place=[18], left=[9])
    for _ in range(8):
        views = env.step({})[0]
        assert views["seat_0"]["observation"]["phase"][0] == phase
        mask = views["seat_0"]["action_mask"]
        assert np.flatnonzero(mask).tolist() == list(range(WAIT, WAIT + (16 if calls else 1)))
        weights = np.exp(np.where(mask, 0.0, -np.inf))
        assert np.isfinite(weights / weights.sum()).all()


def test_a_reaching_hand_can_play_and_draw() -> None:
    env = given(WON)
    put_down(env, gone=0, phase=[REACHING], place=[18], left=[9], top=[code("3C")])
    mask = env.step({})[0]["seat_0"]["action_mask"]
    assert mask[:28].any() and mask[DRAW]


@EACH_ADVANCE
def test_the_order_of_the_actions_is_irrelevant(advance: str) -> None:
    for number in range(100):
        env = parallel(advance=advance)
        env.reset(options={"number": number})
        game = env._batch.games[0]
        game["top"][:2] = (game["deck"][20] + 4) % 52
        other = copy.deepcopy(env)
        one = env.step({"seat_0": 20, "seat_1": 20})
        assert data_equivalence(one, other.step({"seat_1": 20, "seat_0": 20}))
        for _ in range(8):
            one = env.step({})
            assert data_equivalence(one, other.step({}))
            assert (env._batch.games[0]["phase"][:2] == CARRYING).sum() <= 1
        peaks = one[0]["seat_0"]["observation"]["peaks"]
        assert (peaks == -1).sum() == 1 and peaks[20] == -1


def test_whoever_is_left_out_waits() -> None:
    env, other = given(WON), given(WON)
    one = env.step({"seat_1": DRAW})
    assert data_equivalence(one, other.step({"seat_1": np.int64(DRAW), "seat_0": WAIT}))


@pytest.mark.parametrize("actions", [[DRAW, WAIT], np.array([DRAW, WAIT]), 3, None, "seat_0"])
def test_actions_are_a_dict(actions: Any) -> None:  # noqa: ANN401
    env = given(WON)
    before = env.state()
    with pytest.raises(ValueError, match=r"^actions must be a dict such as \{'seat_0': 58, 'seat_1': 58\}, not "):
        env.step(actions)
    assert (env.state() == before).all()
    env.agents = []
    with pytest.raises(ValueError, match="^actions must be a dict"):
        env.step(actions)


@pytest.mark.parametrize("actions", [{"seat_0": 74}, {"seat_1": -1}, {"seat_0": None}, {"seat_1": 1.0}, {"seat_2": 0}])
def test_impossible_actions_are_refused_before_anything_happens(actions: dict[str, int]) -> None:
    env = given(WON)
    before = env.state()
    with pytest.raises(ValueError, match=r"^(actions of seat_[01] are whole numbers from 0 to 73, not|unknown agent)"):
        env.step({"seat_0": DRAW, **actions})
    assert (env.state() == before).all()
    assert env.agents == ["seat_0", "seat_1"]
    env.step({})
    assert not env._batch.games["phase"].any()


def test_nothing_works_before_a_deal_and_no_action_after_the_end() -> None:
    env = parallel(render_mode="ansi")
    for use in (env.render, env.state, lambda: env.step({})):
        with pytest.raises(ResetNeeded, match="nothing has been dealt"):
            use()
    play_out(env, 1)
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step({"seat_0": WAIT})


@pytest.mark.parametrize("settings", [{"advance": "turn"}, {"render_mode": "human"}, {"preset": "nightmare"}])
def test_unknown_names_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="^unknown"):
        GipfelsturmEnv(**settings)  # type: ignore[arg-type]


# Deals (pitfalls 17, 18)


def test_a_seed_names_the_stream_of_deals_as_in_tripeaks() -> None:
    env, solo = parallel(seats=1, stock=24, clock=None), tripeaks_deals(7)
    shown = [env.reset(seed=7)[0], env.reset()[0], env.reset()[0]]
    np.random.seed(1)
    assert [view["seat_0"]["observation"]["peaks"].tolist() for view in shown] == solo
    assert data_equivalence(env.reset(seed=7)[0], shown[0])
    assert not data_equivalence(shown[0], shown[1])


def tripeaks_deals(seed: int) -> list[list[int]]:
    """The peaks of the first three deals of `TriPeaksEnv`."""
    env = TriPeaksEnv()
    return [env.reset(seed=first)[0]["peaks"].tolist() for first in (seed, None, None)]


def test_unseeded_tables_play_different_deals() -> None:
    assert len({parallel().reset()[0]["seat_0"]["observation"]["peaks"].tobytes() for _ in range(8)}) == 8


def test_settings_hold_over_resets() -> None:
    env = parallel(preset="hard", ring=False)
    for seed in (3, None, 4):
        views, _ = env.reset(seed=seed, options={"number": 8} if seed else None)
        assert views["seat_0"]["observation"]["rules"].tolist() == [2, 10, 0, 1]
        assert views["seat_1"]["observation"]["clock"].tolist() == [0, 600 >> 7, 600 & 127]


def test_options_hold_for_one_episode_and_leave_the_stream_alone() -> None:
    env, plain = parallel(), parallel()
    options = {"id": deal_id(EVALUATION_DEALS + 5)}
    first = env.reset(seed=3, options=options)[0]
    assert options == {"id": deal_id(EVALUATION_DEALS + 5)}
    assert data_equivalence(first, plain.reset(options={"number": EVALUATION_DEALS + 5})[0])
    assert data_equivalence(env.reset()[0], plain.reset(seed=3)[0])
    env.reset(options={"deck": WON})
    assert data_equivalence(env.reset()[0], plain.reset()[0])
    with pytest.raises(ValueError, match="unknown reset option 'deal'"):
        env.reset(options={"deal": 5})


def test_the_deal_is_told_at_the_end_alone() -> None:
    env = parallel(clock=2)
    env.reset(options={"number": 1234})
    steps = wait_out(env)
    assert all("deal" not in info for step in steps[:-1] for info in step[4].values())
    assert {info["deal"] for info in steps[-1][4].values()} == {deal_id(1234)}
    env.reset(options={"deck": WON})
    assert wait_out(env)[-1][4]["seat_0"]["deal"] == ""


# What is returned


def test_everything_returned_is_a_copy() -> None:
    env = given(WON)
    first, _ = env.reset(seed=1)
    kept = copy.deepcopy(first)
    state = env.state()
    state[:] = 0
    env.step({"seat_0": DRAW, "seat_1": DRAW})
    assert data_equivalence(first, kept)
    first["seat_0"]["action_mask"][:] = 0
    assert env.step({})[0]["seat_0"]["action_mask"].any()
    assert env.state().any()


@EACH_ADVANCE
def test_nothing_is_shared_between_agents_or_steps(advance: str) -> None:
    env = parallel(advance=advance, reward="shaped", seats=3)
    dealt = env.reset(seed=1)
    steps = [env.step({"seat_0": 84}), env.step({}), env.step({"seat_1": 84})]
    given = [*pieces(*dealt), *(piece for step in steps for piece in (*step[1:4], *pieces(step[0], step[4])))]
    for i, piece in enumerate(given):
        assert not any(piece is other for other in given[:i])
        if isinstance(piece, np.ndarray):
            assert piece.flags.writeable and piece.flags.c_contiguous
            assert not any(isinstance(other, np.ndarray) and np.shares_memory(piece, other) for other in given[:i])


def pieces(views: Mapping[str, View], infos: Infos) -> Iterator[object]:
    """Every dict and every array that all agents are given."""
    yield from (views, infos, *views.values(), *infos.values())
    for view in views.values():
        yield from (view["observation"], *view["observation"].values(), view["action_mask"])
    for info in infos.values():
        yield info["reward_parts"]


def test_the_state_is_the_whole_record() -> None:
    env = given(WON)
    game = np.frombuffer(env.state().tobytes(), GAME)
    assert game == env._batch.games
    assert sorted(game["deck"][0]) == list(range(52))


def test_it_is_drawn_as_text_and_only_when_asked_for() -> None:
    text = given(WON, render_mode="ansi").render()
    assert text is not None and "hand free" in text and "tick 0 of 900" in text
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert given(WON).render() is None
