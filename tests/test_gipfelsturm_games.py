"""Whole games under PettingZoo: its own checks, agreement of all forms, decisions, and what stays hidden."""

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from gipfelsturm.envs import GipfelsturmBatch, GipfelsturmEnv
from gipfelsturm.envs.options import most_steps
from gipfelsturm.envs.rules.actions import REASONS
from gipfelsturm.envs.rules.record import FREE
from random_play import unseen_cards
from seated import FORMS, aec, chosen, parallel, play_out

EVERY_FORM = pytest.mark.parametrize("form", FORMS)


# PettingZoo's own checks


@EVERY_FORM
def test_the_parallel_form_passes_pettingzoos_test(form: dict[str, Any]) -> None:
    parallel_api_test(parallel(**form), num_cycles=500)


# Masks lie beside the observations, as PettingZoo wants them, and its test asks for arrays all the same.
@pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
)
@EVERY_FORM
def test_the_aec_form_passes_pettingzoos_test(form: dict[str, Any]) -> None:
    api_test(aec(**form), num_cycles=500)


@EVERY_FORM
def test_both_forms_pass_pettingzoos_seed_tests(form: dict[str, Any]) -> None:
    parallel_seed_test(lambda: parallel(**form))
    seed_test(lambda: aec(**form))


@EVERY_FORM
def test_the_spaces_are_the_same_objects_and_contain_what_comes(form: dict[str, Any]) -> None:
    env = parallel(**form)
    space = {agent: env.observation_space(agent) for agent in env.possible_agents}
    for views in [env.reset(seed=3)[0], *(step[0] for step in play_out(env, 3))]:
        for agent, view in views.items():
            assert env.observation_space(agent) is space[agent]
            assert space[agent].contains(view)
            assert view["action_mask"].dtype == np.int8
            assert view["action_mask"][env.action_space(agent).sample(view["action_mask"])]
        assert env.state_space.contains(env.state())


@EVERY_FORM
def test_unmasked_actions_do_no_harm_and_are_told(form: dict[str, Any]) -> None:
    """Beside a table at which every seat waits instead of what its mask forbids."""
    env, plain = parallel(**form), parallel(**form)
    views, infos = env.reset(seed=4)
    plain.reset(seed=4)
    for agent in env.agents:
        env.action_space(agent).seed(4)
    refused = 0
    for _ in range(500):
        actions = {agent: env.action_space(agent).sample() for agent in env.agents}
        allowed = {agent: action for agent, action in actions.items() if views[agent]["action_mask"][action]}
        views, *given, infos = env.step(actions)
        assert data_equivalence([views, *given], list(plain.step(allowed)[:4]))
        assert {agent for agent, info in infos.items() if info["reason"] == ""} == set(allowed)
        refused += len(actions) - len(allowed)
        if not env.agents:
            views, _ = env.reset()
            plain.reset()
    assert refused > 100


# Agreement


@EVERY_FORM
def test_one_seed_gives_one_whole_game(form: dict[str, Any]) -> None:
    first = play_out(parallel(**form), 7)
    np.random.seed(0)
    parallel(**form).reset(seed=8)
    assert data_equivalence(first, play_out(parallel(**form), 7))


@EVERY_FORM
def test_step_by_step_the_batch_agrees(form: dict[str, Any]) -> None:
    form = {**form, "advance": "tick"}
    env = parallel(**form)
    batch = GipfelsturmBatch(
        env.settings, 1, reward=form.get("reward", "win"), autoreset="disabled", most_steps=most_steps(env.settings)
    )
    batch.seed([5])
    batch.deal_all()
    views, _ = env.reset(seed=5)
    rng = np.random.default_rng(5)
    while env.agents:
        actions = chosen(rng, views)
        views, rewards, terminated, truncated, infos = env.step(actions)
        batch.step(np.array([[actions[agent] for agent in env.possible_agents]]))
        for seat, agent in enumerate(env.possible_agents):
            assert (np.concatenate(list(views[agent]["observation"].values())) == batch.observations[0, seat]).all()
            assert (views[agent]["action_mask"] == batch.masks[0, seat]).all()
            assert infos[agent]["reason"] == REASONS[batch.reasons[0, seat]]
            assert rewards[agent] == batch.rewards[0]
            assert (terminated[agent], truncated[agent]) == (batch.terminated[0], batch.truncated[0])
        assert env.state().tobytes() == batch.games.tobytes()


@EVERY_FORM
def test_step_by_step_the_aec_form_agrees(form: dict[str, Any]) -> None:
    env, turns = parallel(**form), aec(**form)
    views, _ = env.reset(seed=6)
    turns.reset(seed=6)
    rng = np.random.default_rng(6)
    while env.agents:
        actions = chosen(rng, views)
        for agent in env.possible_agents:
            assert turns.agent_selection == agent
            turns.step(actions[agent])
        views, *flags, infos = env.step(actions)
        assert data_equivalence(views, {agent: turns.observe(agent) for agent in env.possible_agents})
        assert flags == [turns.rewards, turns.terminations, turns.truncations]
        assert infos == turns.infos
        assert (turns.state() == env.state()).all()


@pytest.mark.parametrize("form", [{**form, "reward": "shaped"} for form in FORMS])
def test_a_decision_is_a_tick_and_then_waits(form: dict[str, Any]) -> None:
    decisions, ticks = parallel(**{**form, "advance": "decision"}), parallel(**{**form, "advance": "tick"})
    views, _ = decisions.reset(seed=9)
    ticks.reset(seed=9)
    rng = np.random.default_rng(9)
    while decisions.agents:
        actions = chosen(rng, views)
        views, rewards, *flags, infos = decisions.step(actions)
        run = [ticks.step(actions)]
        while not (ticks.agents == [] or free_hand(ticks)):
            run.append(ticks.step({}))
        assert data_equivalence(views, run[-1][0])
        assert flags == list(run[-1][2:4])
        assert {info["ticks"] for info in infos.values()} == {len(run)}
        assert rewards == pytest.approx({agent: sum(step[1][agent] for step in run) for agent in rewards})
        for agent, info in infos.items():
            assert info["reason"] == run[0][4][agent]["reason"]
            for part, value in info["reward_parts"].items():
                assert value == pytest.approx(sum(step[4][agent]["reward_parts"][part] for step in run))


def free_hand(env: GipfelsturmEnv) -> bool:
    """Whether some free hand can play or draw."""
    seats = env.settings.seats
    masks = env._batch.masks[0]
    return any(env._batch.games[0]["phase"][s] == FREE and masks[s, : 29 * seats].any() for s in range(seats))


def test_decisions_come_less_often_than_ticks() -> None:
    env = parallel(seats=1, advance="decision")
    env.reset(seed=1)
    infos = env.step({"seat_0": 28})[4]
    assert infos["seat_0"]["ticks"] == 6  # a brisk draw takes 0.8 s and its pause 0.4 s


# What is given away (pitfall 10)


@EVERY_FORM
def test_unseen_cards_change_nothing_that_anybody_is_given(form: dict[str, Any]) -> None:
    rng = np.random.default_rng(2)
    env = parallel(**form, render_mode="ansi")
    views, _ = env.reset(seed=2)
    while env.agents:
        actions = chosen(rng, views)
        mixed = copy.deepcopy(env)
        shuffle_unseen(mixed, rng)
        assert data_equivalence(mixed._views(), views)
        assert mixed.render() == env.render()
        unseen = unseen_count(env)
        one, other = env.step(actions), mixed.step(actions)
        views = one[0]
        if unseen_count(env) == unseen_count(mixed) == unseen:
            assert data_equivalence(one[:4], other[:4])
            assert told(one[4]) == told(other[4])
            assert mixed.render() == env.render()


def unseen_count(env: GipfelsturmEnv) -> int:
    return int(env._batch.games[0]["unseen"].sum())


def shuffle_unseen(env: GipfelsturmEnv, rng: np.random.Generator) -> None:
    game = env._batch.games[0]
    unseen = unseen_cards(game)
    game["deck"][unseen] = rng.permutation(game["deck"][unseen])
    env._batch.look()


def told(infos: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The infos without the deal's id, from which all cards follow, and which the end alone tells."""
    return [{name: value for name, value in info.items() if name != "deal"} for info in infos.values()]
