"""Questions of many tables answered in batches, and no game's memory in another."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from evening import PERSON, Evening, play_out, with_agent
from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.settings import Settings, real_time
from gipfelsturm.play.agent_pool import GAMES, AgentPool
from gipfelsturm.play.asking import Ask, GameKey
from gipfelsturm.play.table_plan import TablePlan

SETTINGS = real_time("normal", tick=0.1)
WAIT = wait_action(2)


def ask(table: int, game: int = 0, seat: int = 0, agent: str = "counting", settings: Settings = SETTINGS) -> Ask:
    batch = GipfelsturmBatch(settings, 1)
    batch.set_deals([table])
    return Ask(
        GameKey(table, game),
        seat,
        0,
        agent,
        settings,
        batch.observations[0, seat].copy(),
        np.ones_like(batch.masks[0, seat]) * (np.arange(batch.actions) > 0),
    )


class Counting:
    """Answers with the number of questions that it was asked in this game."""

    def __init__(self) -> None:
        self.calls = 0
        self.fails = False

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        self.seed, self.seats = seed, list(seats)
        self._asked = np.zeros((games, len(seats)), np.int64)

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        self.calls += 1
        if self.fails:
            raise RuntimeError("out of luck")
        self._asked += ~masks.all(axis=-1)
        return self._asked.copy()


class Workshop:
    """Makes agents that can be looked at."""

    def __init__(self) -> None:
        self.made: list[Counting] = []

    def __call__(self, name: str) -> Agent:
        self.made.append(Counting())
        return self.made[-1]


def actions(pool: AgentPool, *asks: Ask) -> dict[tuple[int, int, int], int]:
    return {(a.ask.key.table, a.ask.key.game, a.ask.seat): a.action for a in pool.answer(asks)}


def test_each_game_has_a_memory_of_its_own() -> None:
    pool = AgentPool(0, Workshop())
    actions(pool, ask(1))
    actions(pool, ask(1), ask(2))
    assert actions(pool, ask(1), ask(2), ask(3)) == {(1, 0, 0): 3, (2, 0, 0): 2, (3, 0, 0): 1}
    pool.answer([], [GameKey(1, 0)])
    assert actions(pool, ask(1, game=1), ask(2), ask(1, seat=1)) == {(1, 1, 0): 1, (2, 0, 0): 3, (1, 0, 1): 1}


def test_all_tables_with_equal_settings_are_answered_at_once() -> None:
    workshop = Workshop()
    pool = AgentPool(0, workshop)
    silent = real_time("normal", calls=False)
    asks = [ask(table) for table in range(GAMES)] + [ask(99, seat=1), ask(98, settings=silent), ask(97, agent="other")]
    assert set(actions(pool, *asks).values()) == {1}
    assert [agent.calls for agent in workshop.made] == [1] * 4
    assert [agent.seats for agent in workshop.made] == [[0], [1], [0], [0]]
    assert len({agent.seed for agent in workshop.made}) == 4


def test_no_position_is_used_twice_and_what_is_used_up_is_dropped() -> None:
    workshop = Workshop()
    pool = AgentPool(0, workshop)
    actions(pool, ask(2))
    for game in range(5 * GAMES):
        assert actions(pool, ask(1, game)) == {(1, game, 0): 1}
        pool.answer([], [GameKey(1, game), GameKey(7, 7)])
        assert len(pool) <= 2
    assert actions(pool, ask(2)) == {(2, 0, 0): 2}
    assert len(workshop.made) > 2
    pool.answer([], [GameKey(2, 0)])
    assert len(pool) == 0


def test_games_that_come_and_go_side_by_side_never_share_a_position() -> None:
    workshop = Workshop()
    pool = AgentPool(0, workshop)
    for game in range(3 * GAMES):
        assert actions(pool, ask(1, game)) == {(1, game, 0): 1}
        pool.answer([], [GameKey(1, game - 1)])
    assert len(workshop.made) == 3
    assert len(pool) == 1


def test_an_answer_is_to_its_own_question() -> None:
    asks = [ask(table, agent="careful") for table in range(20)]
    chosen = set()
    for answer in AgentPool(0).answer(asks):
        agent = make_agent("careful")
        agent.reset(1, [0], 0, SETTINGS)
        alone = agent.act(answer.ask.observation[np.newaxis, np.newaxis], answer.ask.mask[np.newaxis, np.newaxis])
        assert answer.action == alone[0, 0]
        chosen.add(answer.action)
    assert len(chosen) > 5


def test_an_agent_that_fails_waits_and_disturbs_nobody() -> None:
    workshop = Workshop()
    pool = AgentPool(0, workshop)
    actions(pool, ask(1), ask(2, agent="other"))
    workshop.made[0].fails = True
    assert actions(pool, ask(1), ask(2, agent="other")) == {(1, 0, 0): WAIT, (2, 0, 0): 2}
    assert pool.faults == {"counting": "agent 'counting' failed: RuntimeError('out of luck')"}
    workshop.made[0].fails = False
    assert actions(pool, ask(1)) == {(1, 0, 0): 2}


def test_an_agent_that_cannot_be_made_waits() -> None:
    pool = AgentPool(0)
    assert actions(pool, ask(1, agent="nobody")) == {(1, 0, 0): WAIT}
    assert "unknown agent" in pool.faults["nobody"]


@pytest.mark.parametrize("wrong", [0, -1, 200])
def test_an_action_that_the_mask_forbids_becomes_a_wait_in_that_game_alone(wrong: int) -> None:
    class Wrong(Counting):
        def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
            chosen = super().act(observations, masks)
            chosen[0, 0] = wrong
            return chosen

    pool = AgentPool(0, lambda name: Wrong())
    assert actions(pool, ask(1), ask(2)) == {(1, 0, 0): WAIT, (2, 0, 0): 1}
    assert pool.faults == {"counting": f"agent 'counting' chose action {wrong} in seat 0 against its mask"}


def test_an_answer_of_another_form_becomes_a_wait() -> None:
    class Fractions(Counting):
        def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
            return np.ones((len(masks), 2), np.int64)

    pool = AgentPool(0, lambda name: Fractions())
    assert actions(pool, ask(1)) == {(1, 0, 0): WAIT}


def test_a_game_is_the_same_whatever_is_played_beside_it() -> None:
    plan = TablePlan(seats=(PERSON, with_agent("random", "brisk")))
    alone, in_company = (Evening(plan, [3]).begin() for _ in range(2))
    for _ in play_out(alone, seed=1):
        pass
    beside = Evening(plan, [4], number=1).begin()
    beside.pool = in_company.pool
    first = play_out(in_company, seed=1)
    next(first)  # the first to ask has the first position
    others = play_out(beside, seed=2)
    for _ in first:
        next(others, None)
    assert in_company.results == alone.results
