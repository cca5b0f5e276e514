"""The batch under Stable-Baselines3: the same games as single environments, and masks that MaskablePPO obeys."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecCheckNan, VecEnv, VecMonitor

from gipfelsturm.envs import GipfelsturmEnv, TriPeaksEnv
from gipfelsturm.envs.encoder import Encoder
from gipfelsturm.envs.rules.deals import EVALUATION_DEALS, deal_id, deal_number
from gipfelsturm.envs.rules.observation import layout_of
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training.vec_env import GipfelsturmVecEnv
from playing import WON, legal_each
from single_games import Single, SingleMind, SingleTable, Told

MIND, TABLE = one_mind(), real_time("blitz", clock=12)
EACH_FORM = pytest.mark.parametrize("settings", [MIND, TABLE], ids=["mind", "table"])


def mind(**settings: Any) -> Callable[[], Single]:  # noqa: ANN401
    return lambda: SingleMind(TriPeaksEnv(**settings, reward="shaped"))


def table(**settings: Any) -> Callable[[], Single]:  # noqa: ANN401
    return lambda: SingleTable(GipfelsturmEnv(**settings, reward="shaped"))


# Settings, the same game in a single environment, and how time advances in both.
GAMES = [
    (MIND, mind(), "decision"),
    (one_mind("hard"), mind(preset="hard"), "decision"),
    (TABLE, table(preset="blitz", clock=12, advance="decision"), "decision"),
    (TABLE, table(preset="blitz", clock=12), "tick"),
    (real_time(seats=3, calls=False), table(seats=3, calls=False, advance="decision"), "decision"),
    (real_time(seats=1, calls=False), mind(preset="normal", piles=1, stock=24, tempo="brisk"), "tick"),
]


def rows_env(settings: Settings, tables: int = 4, **others: Any) -> GipfelsturmVecEnv:  # noqa: ANN401
    return GipfelsturmVecEnv(settings, tables, encoded=False, **others)


def ended(env: GipfelsturmVecEnv) -> list[dict[str, Any]]:
    """The infos of each environment's next end; time passes by refused actions of one mind, or by waiting."""
    infos: list[dict[str, Any]] = [{}] * env.num_envs
    idle = np.full(env.num_envs, 0 if env.settings.one_mind else 29 * env.settings.seats)
    for _ in range(3000):
        _, _, dones, new = env.step(idle)
        infos = [one if done and not old else old for old, done, one in zip(infos, dones, new, strict=True)]
        if all(infos):
            return infos
    raise AssertionError("some environment never ended")


# The games (pitfall 22)


@pytest.mark.parametrize(("settings", "single", "advance"), GAMES, ids=range(len(GAMES)))
def test_every_table_plays_what_a_single_environment_plays(
    settings: Settings, single: Callable[[], Single], advance: str
) -> None:
    env = VecMonitor(rows_env(settings, 3, reward="shaped", advance=advance))
    singles = [single() for _ in range(3)]
    env.seed(5)
    rows: Any = env.reset()
    told = [one.reset(seed=5 + table) for table, one in enumerate(singles)]
    rewards: list[list[float]] = [[], [], []]
    rng = np.random.default_rng(1)
    games = 0
    while games < 6:
        masks = get_action_masks(env)
        np.testing.assert_array_equal(rows, np.concatenate([one.rows for one in told]))
        np.testing.assert_array_equal(masks, np.concatenate([one.masks for one in told]))
        allowed = np.where(rng.random((len(masks), 1)) < 0.2, np.int8(1), masks)  # now and then any at all
        actions = legal_each(rng, allowed).reshape(3, -1)
        told = [one.step(chosen) for one, chosen in zip(singles, actions.tolist(), strict=True)]
        rows, *given, infos = env.step(actions.ravel())
        seats = len(infos) // 3
        assert given[0].dtype == np.float32
        np.testing.assert_allclose(given[0], np.repeat([one.reward for one in told], seats), rtol=1e-6)
        np.testing.assert_array_equal(given[1], np.repeat([one.over for one in told], seats))
        for table, one in enumerate(told):
            rewards[table].append(one.reward)
            assert_told(infos[table * seats : (table + 1) * seats], one, rewards[table])
            if one.over:
                told[table] = singles[table].reset()
                rewards[table] = []
                games += 1


def assert_told(infos: list[dict[str, Any]], single: Told, rewards: list[float]) -> None:
    """Each seat of a table is told what the single environment tells it, and at an end its last observation."""
    assert [info["reason"] for info in infos] == [info["reason"] for info in single.infos]
    if not single.over:
        assert all(info.keys() == {"reason"} for info in infos)
        return
    np.testing.assert_array_equal([info["terminal_observation"] for info in infos], single.rows)
    for ours, theirs in zip(infos, single.infos, strict=True):
        assert ours["TimeLimit.truncated"] is single.truncated
        for name in ("result", "score", "longest_streak", "deal"):
            assert ours[name] == theirs[name]
        assert ours["episode"]["r"] == pytest.approx(sum(rewards))
        assert ours["episode"]["l"] == len(rewards)


@pytest.mark.parametrize("settings", [MIND, real_time(clock=None)], ids=["mind", "table"])
def test_a_truncated_game_says_so_and_shows_its_last_observation(settings: Settings) -> None:
    env = rows_env(settings, 2)
    first = env.reset()
    infos = ended(env)
    assert all(info["TimeLimit.truncated"] is True and info["result"] == "running" for info in infos)
    last = np.stack([info["terminal_observation"] for info in infos])
    np.testing.assert_array_equal(last[:, :28], first[:, :28])
    assert len(np.unique(last[:, :28], axis=0)) == 2


def test_a_refused_action_changes_nothing_and_is_reported() -> None:
    env = rows_env(MIND, 3)
    before = env.reset()
    after, rewards, dones, infos = env.step(np.zeros(3, np.int64))
    np.testing.assert_array_equal(after, before)
    assert not rewards.any() and not dones.any()
    assert infos == [{"reason": "face down"}] * 3


def test_time_advances_to_the_next_decision_unless_told_otherwise() -> None:
    elapsed = layout_of(TABLE)["elapsed"].span
    for others, ticks in (({}, 6), ({"advance": "tick"}, 1)):
        env = rows_env(TABLE, 1, **others)
        env.reset()
        rows: Any = env.step(np.full(2, 56))[0]  # a draw and its pause
        assert rows[:, elapsed].tolist() == [[0, 0, ticks]] * 2


@EACH_FORM
def test_inputs_are_the_encoded_rows(settings: Settings) -> None:
    plain, encoded = rows_env(settings, 6), GipfelsturmVecEnv(settings, 6)
    encode = Encoder(settings)
    rng = np.random.default_rng(2)
    ends = 0
    for env in (plain, encoded):
        env.seed(3)
    rows: Any = plain.reset()
    inputs: Any = encoded.reset()
    while ends < 12:
        assert inputs.dtype == np.float32
        np.testing.assert_array_equal(inputs, encode(rows))
        assert all(plain.observation_space.contains(row) for row in rows)
        assert all(encoded.observation_space.contains(one) for one in inputs)
        actions = legal_each(rng, get_action_masks(plain))
        rows, _, dones, told = plain.step(actions)
        inputs, *_, infos = encoded.step(actions)
        for end in np.flatnonzero(dones):
            last = infos[end]["terminal_observation"]
            np.testing.assert_array_equal(last, encode(told[end]["terminal_observation"]))
            ends += 1


# What is handed out


@EACH_FORM
@pytest.mark.parametrize("encoded", [True, False])
def test_everything_handed_out_is_a_copy(settings: Settings, encoded: bool) -> None:
    env = GipfelsturmVecEnv(settings, 8, encoded=encoded)
    rng = np.random.default_rng(4)
    given: list[Any] = [env.reset(), env.env_method("action_masks")]
    kept = copy.deepcopy(given)
    for _ in range(80):
        step = env.step(legal_each(rng, get_action_masks(env)))
        given += [step, env.action_masks(), env.env_method("action_masks")]
        kept += copy.deepcopy(given[-3:])
    assert any("terminal_observation" in info for step in given[2::3] for info in step[3])
    np.testing.assert_equal(given, kept)
    for mask in env.env_method("action_masks"):
        mask[:] = 0
    assert env.action_masks().any(axis=1).all()
    actions = legal_each(rng, env.action_masks())
    env.step_async(actions)
    actions[:] = 0
    masks = env.action_masks()
    assert masks[np.arange(env.num_envs), env._actions.ravel()].all()


@EACH_FORM
def test_masks_are_found_under_wrappers(settings: Settings) -> None:
    inner = rows_env(settings, 2)
    env: VecEnv = VecMonitor(VecCheckNan(inner))
    env.reset()
    assert is_masking_supported(env)
    np.testing.assert_array_equal(get_action_masks(env), inner.action_masks())
    np.testing.assert_array_equal(env.env_method("action_masks", indices=[1]), inner.action_masks()[[1]])
    np.testing.assert_array_equal(env.env_method("action_masks", indices=0), inner.action_masks()[[0]])
    assert inner.action_masks().dtype == np.int8
    assert inner.num_envs == 2 * (1 if settings.one_mind else 2)


def test_attributes_are_those_of_all_environments() -> None:
    env = rows_env(TABLE, 2)
    assert env.get_attr("settings") == [TABLE] * 4
    assert env.get_attr("render_mode", indices=[0, 3]) == [None] * 2
    assert not env.has_attr("nothing")
    assert env.env_is_wrapped(Monitor) == [False] * 4
    assert env.env_is_wrapped(Monitor, indices=1) == [False]
    env.set_attr("note", 7)
    assert env.get_attr("note", indices=2) == [7]
    with pytest.raises(ValueError, match="^the environments share their attributes: set note for all of them"):
        env.set_attr("note", 8, indices=[0])
    with pytest.raises(AttributeError, match="^environments have the method action_masks and no other, not shuffle$"):
        env.env_method("shuffle")
    env.close()


# Deals


def peaks(env: GipfelsturmVecEnv) -> list[list[int]]:
    """What a reset shows of each environment's deal."""
    return [row[:28].tolist() for row in env.reset()]


def test_tables_are_seeded_one_by_one_and_seats_share_the_deal() -> None:
    env = rows_env(TABLE, 3)
    assert env.seed(20) == [20, 20, 21, 21, 22, 22]
    first, second = peaks(env), peaks(env)
    assert first[::2] == first[1::2]
    assert len({str(one) for one in first + second}) == 6
    assert env.seed(21) == [21, 21, 22, 22, 23, 23]
    assert [peaks(env)[:4], peaks(env)[:4]] == [first[2:], second[2:]]


def test_unseeded_environments_play_different_deals() -> None:
    assert len({str(peaks(rows_env(MIND, 1))) for _ in range(8)}) == 8


def test_the_seed_of_a_learner_is_that_of_its_environment() -> None:
    ours, theirs = rows_env(MIND, 2), rows_env(MIND, 2)
    MaskablePPO("MlpPolicy", ours, seed=9, n_steps=8, batch_size=16, device="cpu").learn(1)
    theirs.seed(9)
    theirs.reset()
    np.testing.assert_array_equal(ours._batch.numbers, theirs._batch.numbers)


@EACH_FORM
def test_training_deals_are_none_of_those_for_evaluation(settings: Settings) -> None:
    env = rows_env(settings, 200, advance="tick")
    env.reset()
    assert all(deal_number(info["deal"]) >= EVALUATION_DEALS for info in ended(env))


def test_options_name_the_deals_of_one_episode() -> None:
    env, seats = rows_env(real_time(clock=1), 2), 2
    env.set_options([{"number": number} for number in (17, 18) for _ in range(seats)])
    env.reset()
    assert [info["deal"] for info in ended(env)] == [deal_id(17)] * 2 + [deal_id(18)] * 2
    assert all(deal_number(info["deal"]) >= EVALUATION_DEALS for info in ended(env))
    env.set_options({"deck": WON})
    env.reset()
    assert [info["deal"] for info in ended(env)] == [""] * 4
    assert all(deal_number(info["deal"]) >= EVALUATION_DEALS for info in ended(env))
    env.set_options({"deck": WON})
    env.reset()
    env.reset()
    assert all(deal_number(info["deal"]) >= EVALUATION_DEALS for info in ended(env))


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ([{"number": 1}, {"number": 2}, {"number": 3}, {"number": 3}], "the same for all seats of a table"),
        ([{"number": 1}] * 2, "one dict for each seat"),
        ([{"number": 1}] * 2 + [{"deck": WON}] * 2, "the deals of all tables in the same way"),
        ([{"number": 1}] * 2 + [{}] * 2, "the deals of all tables in the same way"),
        ({"deal": 1}, "unknown reset option 'deal'"),
    ],
)
def test_impossible_options_are_refused(options: list[dict[str, Any]] | dict[str, Any], fault: str) -> None:
    env = rows_env(TABLE, 2)
    env.set_options(options)
    with pytest.raises(ValueError, match=fault):
        env.reset()


# Refusals


@pytest.mark.parametrize(
    ("actions", "fault"),
    [
        (np.zeros(3, int), r"^actions must be one for each of the 4 environments, not of shape \(3,\)$"),
        (np.zeros((4, 1), int), r"^actions must be one for each of the 4 environments, not of shape \(4, 1\)$"),
        (np.zeros(4), "^actions are whole numbers"),
        (np.full(4, 74), "^actions are 0 to 73, not 74 to 74$"),
        (np.full(4, -1), "^actions are 0 to 73, not -1 to -1$"),
    ],
)
def test_impossible_actions_are_refused(actions: NDArray[Any], fault: str) -> None:
    env = rows_env(TABLE, 2)
    env.reset()
    with pytest.raises(ValueError, match=fault):
        env.step(actions)


def test_nothing_works_before_a_reset() -> None:
    with pytest.raises(ValueError, match="^nothing has been dealt: call reset before step$"):
        rows_env(MIND, 2).step(np.full(2, 28))


@pytest.mark.parametrize(
    "settings", [{"reward": "gold"}, {"advance": "turn"}, {"tables": 0}], ids=["reward", "advance", "tables"]
)
def test_impossible_environments_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="^(unknown|games must be 1 or more)"):
        GipfelsturmVecEnv(**{"settings": TABLE, "tables": 2, **settings})
