"""Scripted episodes with one of each event: what every form of the games pays, step by step (fault number 19)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

from decks import deck_with
from gipfelsturm.envs import GipfelsturmBatch, TriPeaksEnv
from gipfelsturm.envs.rewards import PARTS, parts_of
from gipfelsturm.envs.rules.actions import action_number
from gipfelsturm.envs.rules.cards import card_text
from gipfelsturm.envs.rules.deals import read_deck
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.envs.tripeaks_vector import TriPeaksVectorEnv
from playing import LOST, ORDER, deck_text, zigzag
from seated import aec, parallel

DRAW = 28


class Paid(NamedTuple):
    """What a step paid: the reward, and its parts by name."""

    reward: float
    parts: Mapping[str, float]


# The same commands in every form; all of them number one pile alike.


def single(deck: str, reward: str, actions: Sequence[int]) -> list[Paid]:
    env = TriPeaksEnv(reward=reward)
    env.reset(options={"deck": deck})
    steps = [env.step(action) for action in actions]
    return [Paid(step[1], step[4]["reward_parts"]) for step in steps]


def vector(deck: str, reward: str, actions: Sequence[int]) -> list[Paid]:
    env = TriPeaksVectorEnv(2, reward=reward)
    env.reset(options={"deck": deck})
    steps = [env.step(np.array([20, action])) for action in actions]
    parts = [{name: float(step[4]["reward_parts"][name][1]) for name in parts_of(reward)} for step in steps]
    return [Paid(float(step[1][1]), each) for step, each in zip(steps, parts, strict=True)]


def batch(deck: str, reward: str, actions: Sequence[int]) -> list[Paid]:
    games = GipfelsturmBatch(one_mind(), 1, reward=reward)
    games.set_decks(read_deck(deck))
    paid = []
    for action in actions:
        games.step(np.array([[action]]))
        parts = {name: float(games.parts[0, column]) for name, column in parts_of(reward).items()}
        paid.append(Paid(float(games.rewards[0]), parts))
    return paid


def table(deck: str, reward: str, actions: Sequence[int], advance: str = "tick") -> list[Paid]:
    env = parallel(seats=1, stock=24, clock=None, tempo="instant", reward=reward, advance=advance)
    env.reset(options={"deck": deck})
    steps = [env.step({"seat_0": action}) for action in actions]
    return [Paid(step[1]["seat_0"], step[4]["seat_0"]["reward_parts"]) for step in steps]


def decisions(deck: str, reward: str, actions: Sequence[int]) -> list[Paid]:
    return table(deck, reward, actions, "decision")


def turns(deck: str, reward: str, actions: Sequence[int]) -> list[Paid]:
    env = aec(seats=1, stock=24, clock=None, tempo="instant", reward=reward)
    env.reset(options={"deck": deck})
    paid = []
    for action in actions:
        env.step(action)
        _, value, *_, info = env.last()
        paid.append(Paid(value, info["reward_parts"]))
    return paid


FORMS = [single, vector, batch, table, decisions, turns]
EVERY_FORM = pytest.mark.parametrize("form", FORMS, ids=[form.__name__ for form in FORMS])
EVERY_REWARD = pytest.mark.parametrize("reward", ["win", "score", "shaped"])
Form = Callable[[str, str, Sequence[int]], list[Paid]]


def assert_pays(paid: list[Paid], expected: Mapping[str, list[float]], reward: str) -> None:
    assert set(paid[0].parts) == set(parts_of(reward))
    for part in parts_of(reward):
        assert [step.parts[part] for step in paid] == pytest.approx(expected[part]), part
    assert [step.reward for step in paid] == pytest.approx([sum(step.parts.values()) for step in paid])


@EVERY_REWARD
@EVERY_FORM
def test_a_refusal_a_draw_and_a_game_that_is_won(form: Form, reward: str) -> None:
    """A refusal and a draw first, then 28 cards; the pile begins with a six."""
    deck = deck_text(zigzag(29)[1:], [5, 0])
    paid = form(deck, reward, [9, DRAW, *ORDER])
    nothing = [0.0] * 29
    expected = {"win": [*nothing, 1], "stock": [*nothing, 22 / 23], "progress": [0, 0, *[1 / 28] * 28]}
    assert list(expected) == list(PARTS)
    assert_pays(paid, expected, reward)


@EVERY_REWARD
@EVERY_FORM
def test_a_game_that_is_lost(form: Form, reward: str) -> None:
    paid = form(LOST, reward, [9, *[DRAW] * 23])
    nothing = [0.0] * 24
    assert_pays(paid, {"win": nothing, "stock": nothing, "progress": [*nothing[:-1], 1]}, reward)


@pytest.mark.parametrize("turn_by_turn", [False, True])
def test_hands_in_each_others_way(turn_by_turn: bool) -> None:
    """Cards placed are paid to both seats; a call, a refusal, draws, a lost touch and a return are not."""
    base = dict(enumerate("6H 4H 7D 3D 4D 9C TC JC 9D TD".split(), start=18))
    deck = " ".join(card_text(card) for card in deck_with(base, [["5S"], ["7S", "2S", "KS"]], 12))
    script = {
        **{1: {1: "play 19 1"}, 2: {0: "play 18 0"}, 8: {1: "draw 0", 0: "need 8"}, 9: {0: "play 20 1", 1: "hold"}},
        **{14: {1: "draw 0"}, 17: {0: "play 21 1"}, 23: {0: "play 22 0", 1: "play 22 1"}, 24: {0: "draw 0"}},
    }
    env: Any = (aec if turn_by_turn else parallel)(reward="shaped")
    env.reset(options={"deck": deck})
    placed, paid = [], 0.0
    for tick in range(1, 29):
        commands = [action_number(script.get(tick, {}).get(seat, "wait"), 2) for seat in (0, 1)]
        rewards, infos = both(env, commands) if turn_by_turn else at_once(env, commands)
        assert rewards["seat_0"] == rewards["seat_1"] == pytest.approx(sum(infos["seat_0"]["reward_parts"].values()))
        paid += rewards["seat_0"]
        if rewards["seat_0"]:
            placed.append(tick)
    assert placed == [4, 5, 20, 26]
    assert paid == pytest.approx(4 / 28)


def at_once(env: Any, commands: Sequence[int]) -> tuple[dict[str, float], dict[str, Any]]:  # noqa: ANN401
    _, rewards, *_, infos = env.step(dict(zip(env.agents, commands, strict=True)))
    return rewards, infos


def both(env: Any, commands: Sequence[int]) -> tuple[dict[str, float], dict[str, Any]]:  # noqa: ANN401
    for command in commands:
        env.step(command)
    return env.rewards, env.infos
