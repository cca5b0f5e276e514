"""`calling-NAME`: what it says is true, costs nothing, and it draws later where it is asked to."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

import user_agents
from gipfelsturm.agents.caller import CallingAgent
from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.actions import CALLS, wait_action
from gipfelsturm.envs.rules.record import PAUSING
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from random_play import begin
from true_calls import calls_made, is_true

HOLD, DRAWING_CALL = CALLS.index("hold") + 1, CALLS.index("drawing") + 1
DRAW, WAIT = 56, 58


def nothing_fits(batch: GipfelsturmBatch) -> None:
    """Ten aces, and sixes on the piles."""
    batch.games["deck"][:, 18:28], batch.games["top"] = 0, 20


def heard(batch: GipfelsturmBatch, said: int, age: int = 0) -> None:
    """Seat 1 has said something."""
    batch.games["call"][:, 1], batch.games["age"][:, 1] = said, age
    batch.look()


def act(name: str, batch: GipfelsturmBatch) -> list[int]:
    """What seat 0 does in each game."""
    agent = make_agent(name)
    agent.reset(len(batch.games), [0], 0, batch.settings)
    return [int(action) for (action,) in agent.act(batch.observations[:, :1], batch.masks[:, :1])]


@pytest.mark.parametrize(
    "table", [real_time("normal"), real_time("expert", tempo="steady"), real_time("hard", seats=3)]
)
def test_every_call_is_true_and_stands_in_place_of_a_wait(table: Settings) -> None:
    batch, said = begin(table, 40), Counter[str]()
    caller, silent = make_agent("calling-uncover"), make_agent("uncover")
    for agent in (caller, silent):
        agent.reset(40, range(table.seats), 3, table)
    while not batch.terminated.all():
        actions, quiet = caller.act(batch.observations, batch.masks), silent.act(batch.observations, batch.masks)
        calls = calls_made(batch, actions)
        for game, seat, words in calls:
            assert is_true(batch.games[game], seat, words), words
            assert quiet[game, seat] in (wait_action(table.seats), 28 * table.seats)
        said.update(words.split()[0] for _, _, words in calls)
        batch.step(actions)
    assert set(said) == {"need", "hold", "drawing"} and min(said.values()) > 40


@pytest.mark.parametrize("table", [one_mind("hard"), real_time("normal", calls=False), real_time("tripeaks")])
def test_without_anybody_to_call_it_plays_as_the_other_agent(table: Settings) -> None:
    talking, silent = begin(table, 30), begin(table, 30)
    for name, batch in (("calling-random", talking), ("random", silent)):
        agent = make_agent(name)
        agent.reset(30, range(batch.viewers), 5, table)
        while not batch.terminated.all():
            batch.step(agent.act(batch.observations, batch.masks))
    for result in ("present", "top", "stock", "status", "tick"):
        np.testing.assert_array_equal(talking.games[result], silent.games[result])


@pytest.mark.parametrize(
    ("said", "age", "held"),
    [(0, 0, False), (DRAWING_CALL, 0, True), (DRAWING_CALL, 4, True), (DRAWING_CALL, 5, False), (HOLD, 0, False)],
)
def test_where_nothing_fits_a_draw_waits_for_an_announced_one_alone(said: int, age: int, held: bool) -> None:
    batch = begin(real_time("normal"), 1)
    nothing_fits(batch)
    heard(batch, said, age)
    action = act("calling-careful", batch)[0]
    assert (action != DRAW) == held
    assert action == DRAW or CALLS[action - WAIT - 1] in ("need 5", "need 7")


@pytest.mark.parametrize("age", [0, 14])
def test_hold_is_heeded_while_something_fits(age: int) -> None:
    batch = begin(real_time("normal"), 1)
    nothing_fits(batch)
    batch.games["deck"][0, 18] = 16  # a five, which `Drawer` leaves lying
    heard(batch, HOLD, age)
    agent = CallingAgent(Drawer())
    agent.reset(1, [0], 0, batch.settings)
    assert agent.act(batch.observations[:, :1], batch.masks[:, :1]).tolist() == [[WAIT]]
    heard(batch, 0)
    assert agent.act(batch.observations[:, :1], batch.masks[:, :1]).tolist() == [[DRAW]]


@pytest.mark.parametrize(("said", "age"), [(HOLD, 0), (DRAWING_CALL, 0)])
def test_who_only_talks_heeds_nothing(said: int, age: int) -> None:
    batch = begin(real_time("normal"), 1)
    nothing_fits(batch)
    batch.games["deck"][0, 18] = 16
    heard(batch, said, age)
    for heeds, action in ((True, WAIT), (False, DRAW)):
        agent = CallingAgent(Drawer(), heeds=heeds)
        agent.reset(1, [0], 0, batch.settings)
        assert agent.act(batch.observations[:, :1], batch.masks[:, :1]).tolist() == [[action]]


def test_who_only_talks_plays_the_silent_game_and_says_what_is_true() -> None:
    table = real_time("normal")
    batch, quiet, said = begin(table, 40), begin(real_time("normal", calls=False), 40), 0
    caller, silent = make_agent("saying-uncover"), make_agent("uncover")
    caller.reset(40, range(2), 3, table)
    silent.reset(40, range(2), 3, quiet.settings)
    while not batch.terminated.all():
        actions = caller.act(batch.observations, batch.masks)
        calls = calls_made(batch, actions)
        assert all(is_true(batch.games[game], seat, words) for game, seat, words in calls)
        said += len(calls)
        batch.step(actions)
        quiet.step(silent.act(quiet.observations, quiet.masks))
    np.testing.assert_array_equal(batch.games["present"], quiet.games["present"])
    np.testing.assert_array_equal(batch.games["tick"], quiet.games["tick"])
    assert said > 200


class Drawer(user_agents.Idle):
    """Draws whatever lies there."""

    def choose(self, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        return np.full(masks.shape[:2], DRAW)


def test_it_says_hold_once_until_that_has_faded() -> None:
    batch = begin(real_time("normal"), 1)
    nothing_fits(batch)
    batch.games["deck"][0, 18], batch.games["phase"][0, 0], batch.games["left"][0, 0] = 16, PAUSING, 2
    batch.look()
    assert act("calling-careful", batch) == [WAIT + HOLD]
    batch.games["call"][0, 0] = HOLD
    batch.look()
    assert act("calling-careful", batch) == [WAIT]


def test_any_agent_can_be_made_to_call() -> None:
    for name in ("calling-search@12", "calling-user_agents:Idle", "calling-human-quick"):
        assert isinstance(make_agent(name), CallingAgent)
    with pytest.raises(ValueError, match="^unknown agent 'carful': did you mean 'careful'"):
        make_agent("calling-carful")
    caller = make_agent("calling-user_agents:Vague")
    batch = begin(real_time("normal"), 1)
    caller.reset(1, range(2), 0, batch.settings)
    with pytest.raises(ValueError, match="^an agent answers with whole numbers"):
        caller.act(batch.observations, batch.masks)
