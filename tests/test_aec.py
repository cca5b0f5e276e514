"""The real-time table under PettingZoo's AEC form: every kind of end, rewards, masks, refusals and deals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo import AECEnv

from decks import code
from gipfelsturm.envs.rules.deals import deal_id
from playing import LOST, ORDER, WON, legal
from seated import FORMS, aec, parallel, put_down

EVERY_FORM = pytest.mark.parametrize("form", FORMS)
DRAW_ALONE, WAIT = 28, 58
LAST = ORDER[-1]
# How a game ends, at which table, with which cards gone, and what each seat does until then.
ENDS: list[tuple[str, dict[str, Any], str, int, tuple[int, ...]]] = [
    ("won", {"tempo": "instant", "clock": 0.2}, WON, 27, (LAST, WAIT)),
    ("won", {"tempo": "instant", "clock": 0.2}, WON, 27, (WAIT, 28 + LAST)),
    ("lost by the clock", {"clock": 1}, WON, 0, (WAIT, WAIT)),
    ("lost: nothing fits", {"seats": 1, "stock": 24, "tempo": "instant"}, LOST, 0, (DRAW_ALONE,)),
    ("running", {"clock": None, "calls": False}, WON, 0, (WAIT, WAIT)),
]


EVERY_END = pytest.mark.parametrize(("result", "form", "deck", "gone", "actions"), ENDS)


def begun(form: dict[str, Any], deck: str, gone: int) -> AECEnv:
    """A table at which so many cards are gone; with one left, 5H, it fits both piles."""
    env = aec(**form)
    env.reset(options={"deck": deck})
    if gone:
        put_down(env.unwrapped, gone, top=[code("6S"), code("6S")])
    return env


@EVERY_END
def test_every_kind_of_end(result: str, form: dict[str, Any], deck: str, gone: int, actions: Sequence[int]) -> None:
    env = begun(form, deck, gone)
    seats, truncated = env.possible_agents, result == "running"
    while not (any(env.terminations.values()) or any(env.truncations.values())):
        env.step(actions[seats.index(env.agent_selection)])
    assert sorted(env.agents) == seats
    assert env.terminations == dict.fromkeys(seats, not truncated)
    assert env.truncations == dict.fromkeys(seats, truncated)
    for agent in seats:
        assert env.infos[agent]["result"] == result
        mask = env.observe(agent)["action_mask"]
        assert mask.any() if truncated else mask.all()
    for _ in seats:
        env.step(None)
    assert env.agents == []
    env.reset(seed=1)
    assert env.agents == seats and not any(env.terminations.values())


@EVERY_END
def test_each_seat_is_paid_once(
    result: str, form: dict[str, Any], deck: str, gone: int, actions: Sequence[int]
) -> None:
    env = begun(form, deck, gone)
    paid: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        paid[agent].append(reward)
        env.step(None if terminated or truncated else actions[env.possible_agents.index(agent)])
    assert {tuple(filter(None, rewards)) for rewards in paid.values()} == {(1.0,) if result == "won" else ()}


@EVERY_FORM
def test_masks_are_those_of_the_parallel_form_from_the_reset_on(form: dict[str, Any]) -> None:
    env, turns = parallel(**form), aec(**form)
    views, infos = env.reset(seed=4)
    turns.reset(seed=4)
    assert data_equivalence(views, {agent: turns.observe(agent) for agent in env.agents})
    assert turns.infos == infos
    for agent, view in views.items():
        mask = turns.observe(agent)["action_mask"]
        assert (mask.dtype, mask.shape) == (np.int8, (turns.action_space(agent).n,))
        assert view["action_mask"][turns.action_space(agent).sample(mask)]


@EVERY_FORM
def test_unmasked_actions_do_no_harm_and_are_told(form: dict[str, Any]) -> None:
    env = aec(**form)
    env.reset(seed=5)
    for agent in env.possible_agents:
        env.action_space(agent).seed(5)
    refused = 0
    for _ in range(500):
        allowed = {}
        for agent in env.agents[:]:
            action = env.action_space(agent).sample()
            allowed[agent] = bool(env.observe(agent)["action_mask"][action])
            env.step(action)
        assert {agent: env.infos[agent]["reason"] == "" for agent in allowed} == allowed
        refused += len(allowed) - sum(allowed.values())
        if any(env.terminations.values()) or any(env.truncations.values()):
            env.reset()
    assert refused > 100


@pytest.mark.parametrize("action", [74, -1, None, 1.5])
@pytest.mark.parametrize("turn", [0, 1])
def test_an_impossible_action_is_refused_in_its_own_turn(turn: int, action: object) -> None:
    env = aec()
    env.reset(seed=1)
    for _ in range(turn):
        env.step(WAIT)
    before = env.state()
    with pytest.raises(ValueError, match=f"^actions of seat_{turn} are whole numbers from 0 to 73, not {action}$"):
        env.step(action)
    assert env.agent_selection == f"seat_{turn}" and (env.state() == before).all()
    for _ in range(2 - turn):
        env.step(WAIT)
    assert env.observe("seat_0")["observation"]["elapsed"].tolist() == [0, 0, 1]


def test_settings_hold_and_options_are_for_one_episode() -> None:
    env, plain = aec(preset="hard", ring=False), parallel(preset="hard", ring=False)
    views = plain.reset(seed=3)[0]
    env.reset(seed=3, options={"number": 8})
    assert not data_equivalence(env.observe("seat_0"), views["seat_0"])
    for seed in (3, None, 4):
        env.reset(seed=seed)
        assert env.observe("seat_1")["observation"]["rules"].tolist() == [2, 10, 0, 1]
        assert env.observe("seat_1")["observation"]["clock"].tolist() == [0, 600 >> 7, 600 & 127]
        assert data_equivalence(env.observe("seat_0"), views["seat_0"]) is (seed == 3)


def test_the_deal_is_told_at_the_end_alone() -> None:
    env, rng = aec(clock=2, seats=3), np.random.default_rng(1)
    env.reset(options={"number": 1234})
    for _agent in env.agent_iter():
        view, _, terminated, _, info = env.last()
        assert info.get("deal") == (deal_id(1234) if terminated else None)
        env.step(None if terminated else legal(rng, view["action_mask"]))
    assert env.agents == []
