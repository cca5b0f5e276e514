"""TriPeaks as one environment: spaces, infos, rewards, truncation, options and refusals."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from numpy.typing import NDArray

from gipfelsturm.envs import TriPeaksEnv
from gipfelsturm.envs.rules.deals import DEALS, EVALUATION_DEALS, deal_id, deal_number
from gipfelsturm.envs.rules.tempo import Tempo
from playing import LOST, ORDER, WON, play, play_out

FORMS: list[dict[str, Any]] = [
    {},
    {"piles": 2},
    {"piles": 3},
    {"preset": "expert"},
    {"tempo": "brisk"},
    {"clock": 20.0},
    {"tempo": "person", "clock": 60, "tick": 0.1},
]
REWARDS = {"win": {"win"}, "score": {"win", "stock"}, "shaped": {"win", "progress"}}
DRAW = 28


def begun(**settings: Any) -> TriPeaksEnv:  # noqa: ANN401
    env = TriPeaksEnv(**settings)
    env.reset(seed=1)
    return env


def given(deck: str, **settings: Any) -> TriPeaksEnv:  # noqa: ANN401
    env = TriPeaksEnv(**settings)
    env.reset(options={"deck": deck})
    return env


def arrays(observation: dict[str, NDArray[np.int8]], info: dict[str, Any]) -> list[NDArray[np.int8]]:
    return [*observation.values(), info["action_mask"]]


@pytest.mark.parametrize(
    ("form", "actions"),
    [({}, 29), ({"piles": 2}, 58), ({"piles": 3}, 87), ({"tempo": "brisk"}, 30), ({"clock": 9}, 30)],
)
def test_actions_are_plays_and_draws_and_with_time_a_wait(form: dict[str, Any], actions: int) -> None:
    assert TriPeaksEnv(**form).action_space == gymnasium.spaces.Discrete(actions)


@pytest.mark.parametrize("form", FORMS)
def test_the_spaces_contain_what_comes(form: dict[str, Any]) -> None:
    env = TriPeaksEnv(**form)
    for observation, reward, terminated, truncated, _ in play_out(env, 3):
        assert env.observation_space.contains(observation)
        assert type(reward) is float
        assert type(terminated) is bool and type(truncated) is bool


@pytest.mark.parametrize("form", FORMS)
def test_infos_hold_mask_reason_and_parts_and_at_the_end_the_result(form: dict[str, Any]) -> None:
    always = {"action_mask", "reason", "reward_parts"}
    steps = play_out(TriPeaksEnv(**form), 3)
    assert [set(step[4]) for step in steps[:-1]] == [always] * (len(steps) - 1)
    assert set(steps[-1][4]) == always | {"result", "score", "longest_streak", "deal"}


@pytest.mark.parametrize("form", FORMS)
def test_masks_are_int8_of_one_shape_and_fit_for_sampling(form: dict[str, Any]) -> None:
    env = TriPeaksEnv(**form)
    _, info = env.reset(seed=3)
    masks = [info["action_mask"], *(step[4]["action_mask"] for step in play_out(env, 3))]
    assert {(mask.dtype.name, mask.shape) for mask in masks} == {("int8", (env.action_space.n,))}  # type: ignore[attr-defined]
    assert all(mask[env.action_space.sample(mask)] for mask in masks)


@pytest.mark.parametrize("form", FORMS)
def test_legal_actions_are_taken_and_others_change_nothing(form: dict[str, Any]) -> None:
    env = TriPeaksEnv(**form)
    timed = "tempo" in form or "clock" in form
    env.action_space.seed(5)
    observation, info = env.reset(seed=5)
    for _ in range(500):
        action = env.action_space.sample()
        legal = bool(info["action_mask"][action])
        before = observation
        observation, _, terminated, truncated, info = env.step(action)
        assert (info["reason"] == "") == legal
        if not (legal or timed):
            assert all((before[name] == observation[name]).all() for name in before)
        if terminated or truncated:
            observation, info = env.reset()


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("form", FORMS)
def test_rewards_are_sums_of_their_parts_and_never_negative(form: dict[str, Any], reward: str) -> None:
    env = TriPeaksEnv(**form, reward=reward)
    for seed in range(10):
        for _, value, _, _, info in play_out(env, seed):
            assert set(info["reward_parts"]) == REWARDS[reward]
            assert all(part >= 0 for part in info["reward_parts"].values())
            assert value == pytest.approx(sum(info["reward_parts"].values()))


@pytest.mark.parametrize("form", FORMS)
def test_shaped_terms_add_up_to_one_however_the_game_went(form: dict[str, Any]) -> None:
    env = TriPeaksEnv(**form, reward="shaped")
    for seed in range(20):
        steps = play_out(env, seed)
        if steps[-1][2]:
            assert sum(step[4]["reward_parts"]["progress"] for step in steps) == pytest.approx(1)


@pytest.mark.parametrize(("reward", "total"), [("win", 1), ("score", 2), ("shaped", 2)])
def test_a_won_game_pays(reward: str, total: float) -> None:
    steps = play(given(WON, reward=reward), ORDER)
    assert sum(step[1] for step in steps) == pytest.approx(total)
    assert [step[2] for step in steps] == [False] * 27 + [True]
    ending = {key: steps[-1][4][key] for key in ("result", "score", "longest_streak", "deal")}
    assert ending == {"result": "won", "score": 23, "longest_streak": 28, "deal": ""}


def test_the_score_pays_what_is_left_of_the_stock() -> None:
    steps = play(given(WON, reward="score", piles=2), [57, *ORDER])
    assert steps[-1][4]["score"] == 21
    assert steps[-1][4]["reward_parts"] == {"win": 1.0, "stock": pytest.approx(21 / 22)}


@pytest.mark.parametrize(("reward", "total"), [("win", 0), ("score", 0), ("shaped", 1)])
def test_a_lost_game_pays_no_win(reward: str, total: float) -> None:
    steps = play(given(LOST, reward=reward), [DRAW] * 23)
    assert sum(step[1] for step in steps) == pytest.approx(total)
    assert steps[-1][4]["score"] == 0


@pytest.mark.parametrize("form", [{}, {"piles": 2}])
def test_untimed_games_are_truncated_after_200_steps(form: dict[str, Any]) -> None:
    steps = play(begun(**form), [0] * 200)
    assert [step[3] for step in steps] == [False] * 199 + [True]
    assert not any(step[2] for step in steps)
    info = steps[-1][4]
    assert info["result"] == "running"
    assert info["reason"] == "face down"
    assert 0 < info["action_mask"].sum() < 29


def test_timed_games_without_a_clock_are_truncated_after_3000_ticks() -> None:
    env = begun(tempo="brisk")
    steps = play(env, [29] * 3000)
    assert [step[3] for step in steps] == [False] * 2999 + [True]
    assert not any(step[2] for step in steps)


def test_the_clock_terminates() -> None:
    steps = play(begun(clock=700.0), [29] * 3500)
    assert [step[2] for step in steps] == [False] * 3499 + [True]
    assert not any(step[3] for step in steps)
    assert steps[-1][4]["result"] == "lost by the clock"
    assert steps[-1][4]["action_mask"].all()


def test_a_game_that_ends_in_its_200th_step_is_not_truncated() -> None:
    env = given(WON)
    steps = play(env, [0] * 172 + list(ORDER))
    assert len(steps) == 200
    assert steps[-1][2:4] == (True, False)


def test_a_seed_names_the_stream_of_deals() -> None:
    env, other = TriPeaksEnv(), TriPeaksEnv()
    first = [env.reset(seed=7)[0], env.reset()[0], env.reset()[0]]
    np.random.seed(0)
    second = [other.reset(seed=7)[0], other.reset()[0], other.reset()[0]]
    np.testing.assert_equal(first, second)
    assert not np.array_equal(first[0]["peaks"], first[1]["peaks"])
    np.testing.assert_equal(env.reset(seed=7)[0], first[0])


def test_unseeded_environments_play_different_deals() -> None:
    tables = {TriPeaksEnv().reset()[0]["peaks"].tobytes() for _ in range(8)}
    assert len(tables) == 8


def test_seeded_deals_are_training_deals() -> None:
    env = TriPeaksEnv()
    numbers = [deal_number(play_out(env, seed)[-1][4]["deal"]) for seed in range(20)]
    assert all(EVALUATION_DEALS <= number < DEALS for number in numbers)
    assert len(set(numbers)) == 20


def test_number_and_id_name_one_deal() -> None:
    env = TriPeaksEnv()
    by_number, _ = env.reset(options={"number": 1234})
    np.testing.assert_equal(env.reset(options={"id": deal_id(1234)})[0], by_number)
    infos = [env.step(0)[4] for _ in range(200)]
    assert infos[-1]["deal"] == deal_id(1234)


def test_the_deal_stays_hidden_while_the_game_runs() -> None:
    env = TriPeaksEnv()
    _, info = env.reset(options={"number": 1234})
    assert "deal" not in info
    assert all("deal" not in step[4] for step in play(env, [0] * 199))


def test_options_hold_for_one_episode_and_leave_the_stream_alone() -> None:
    env, plain = TriPeaksEnv(), TriPeaksEnv()
    options = {"number": 5}
    env.reset(seed=3, options=options)
    assert options == {"number": 5}
    np.testing.assert_equal(env.reset()[0], plain.reset(seed=3)[0])
    env.reset(options={"deck": WON})
    np.testing.assert_equal(env.reset()[0], plain.reset()[0])
    assert play_out(env, 1)[-1][4]["deal"] != ""


def test_settings_hold_over_resets() -> None:
    env = gymnasium.make("gipfelsturm/TriPeaks-v0", preset="hard", ring=False)
    timed = gymnasium.make("gipfelsturm/TriPeaks-v0", preset="hard", ring=False, piles=1, tempo="brisk")
    for seed in (3, None, 4):
        options = {"number": 8} if seed else None
        assert env.reset(seed=seed, options=options)[0]["rules"].tolist() == [2, 10, 0, 0]
        observation, _ = timed.reset(seed=seed, options=options)
        assert observation["rules"].tolist() == [1, 20, 0, 0]
        assert observation["clock"].tolist() == [0, 600 >> 7, 600 & 127]


def test_time_settings_are_public() -> None:
    observation, _ = TriPeaksEnv(clock=120, tempo=Tempo(200, 400, 600, 800), tick=0.1).reset(seed=0)
    assert observation["clock"].tolist() == [0, 1200 >> 7, 1200 & 127]
    assert observation["tick"].tolist() == [0, 100]
    assert observation["tempo"].tolist() == [2, 4, 6, 8]


@pytest.mark.parametrize(
    ("given", "clock_ms"),
    [
        ({"tempo": "brisk"}, 36_000),
        ({"tempo": "brisk", "clock": 60}, 60_000),
        ({"clock": 60}, 60_000),
        ({}, None),
        ({"preset": "tripeaks", "tempo": "brisk"}, None),
    ],
)
def test_a_tempo_brings_the_clock_of_the_preset(given: dict[str, Any], clock_ms: int | None) -> None:
    form: dict[str, Any] = {"preset": "blitz", "piles": 1} | given
    assert TriPeaksEnv(**form).settings.clock_ms == clock_ms


def test_everything_returned_is_a_copy() -> None:
    env = TriPeaksEnv()
    first = arrays(*env.reset(seed=2))
    observation, *_, info = env.step(28)
    second = arrays(observation, info)
    assert not any(np.shares_memory(a, b) for a in first for b in second)
    kept = [array.copy() for array in first]
    for array in second:
        array[:] = 9
    play(env, [0, 1, 2])
    np.testing.assert_equal(first, kept)
    np.testing.assert_equal(arrays(*env.reset(seed=2)), kept)


def test_rendering_shows_the_table() -> None:
    env = given(WON, render_mode="ansi")
    text = env.render()
    assert isinstance(text, str)
    assert text.splitlines()[3:] == [
        "2C  3C  4C  5C  6C  7C  8C  9C  TC  JC",
        "pile 0: AD, stock 23",
        "0/28 cleared, streak 0, longest 0, running",
    ]


def test_rendering_needs_its_mode() -> None:
    with pytest.warns(UserWarning, match="render needs render_mode='ansi'"):
        assert begun().render() is None


def test_rendering_before_the_first_deal_is_refused() -> None:
    with pytest.raises(ResetNeeded, match="call reset before render"):
        TriPeaksEnv(render_mode="ansi").render()


@pytest.mark.parametrize("action", [29, -1, 1.5, 3.0, "0", None, [1], np.array([1]), np.float32(1)])
def test_actions_outside_the_space_are_refused(action: Any) -> None:  # noqa: ANN401
    env = begun()
    with pytest.raises(InvalidAction, match="^actions are whole numbers from 0 to 28, not "):
        env.step(action)
    np.testing.assert_equal(env.step(0)[0], TriPeaksEnv().reset(seed=1)[0])


@pytest.mark.parametrize("action", [28, np.int64(28), np.int8(28), np.array(28)])
def test_every_kind_of_whole_number_is_an_action(action: Any) -> None:  # noqa: ANN401
    assert begun().step(action)[0]["stocks"].tolist() == [22]


def test_stepping_before_reset_and_after_the_end_is_refused() -> None:
    env = TriPeaksEnv()
    with pytest.raises(ResetNeeded, match="call reset before step"):
        env.step(0)
    play_out(env, 0)
    with pytest.raises(ResetNeeded, match="call reset before step"):
        env.step(0)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"preset": "tripeak"}, "unknown preset 'tripeak'"),
        ({"piles": 4}, "piles must be 1, 2 or 3, not 4"),
        ({"stock": 25}, "stock must be 2 to 24 cards"),
        ({"stock": 1}, "stock must be 2 to 24 cards"),
        ({"piles": 2, "stock": 13}, "stock must be 2 to 12 cards"),
        ({"clock": -1}, "clock must be positive"),
        ({"clock": 0}, "clock must be positive"),
        ({"clock": 1.00005}, "clock must be whole milliseconds"),
        ({"tick": 0.2}, "a tick needs a tempo or a clock"),
        ({"clock": 10, "tick": 0}, "tick must be 1 to 16383 ms"),
        ({"tempo": "quick"}, "unknown tempo 'quick'"),
        ({"tempo": Tempo(0, 0, 0, 26_000)}, "draw of seat 0 must be 0 to 127 ticks"),
        ({"piles": 2, "tempo": "brisk"}, "one mind with 2 piles plays without time"),
        ({"piles": 3, "clock": 60}, "one mind with 3 piles plays without time"),
        ({"preset": "normal", "clock": 60}, "one mind with 2 piles plays without time"),
        ({"reward": "points"}, "unknown reward 'points'"),
        ({"render_mode": "human"}, "unknown render_mode 'human'"),
    ],
)
def test_impossible_settings_are_refused_in_a_sentence(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        TriPeaksEnv(**settings)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"deal": 3}, r"unknown reset option 'deal': did you mean id \(text\) or number\?"),
        ({"seed": 3}, "unknown reset option 'seed': use one of number, id, deck"),
        ({"number": 3, "id": "x"}, "reset options name 2 deals"),
        ({"number": -1}, "deal numbers are 0 to"),
        ({"number": DEALS}, "deal numbers are 0 to"),
        ({"number": 1.0}, "number must be a whole number, not 1.0"),
        ({"number": True}, "number must be a whole number, not True"),
        ({"number": np.array(5)}, r"number must be a whole number, not array\(5\)"),
        ({"number": [1, 2]}, "reset option number must be one for the 1 game, not 2"),
        ({"id": "000-000"}, "deal id '000-000' has 6 letters and digits"),
        ({"id": 7}, "deal ids are text, not 7"),
        ({"deck": np.arange(52)}, "decks are text, as gipfelsturm.envs.rules.deals.write_deck writes codes, not int64"),
        ({"deck": [list(range(52))]}, "decks are text, as .*write_deck writes codes, not list"),
        ({"deck": "AC AC"}, "card 2 is AC for the second time"),
        ({"deck": WON[:-3]}, "card 52 is missing"),
    ],
)
def test_impossible_deals_are_refused_in_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        TriPeaksEnv().reset(options=options)
