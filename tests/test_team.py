"""Who sits where: one name for all seats, or one for each."""

import numpy as np
import pytest

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.scripted import ScriptedAgent
from gipfelsturm.agents.team import MixedTeam, make_team
from gipfelsturm.envs.rules.chance import nth_seed
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from random_play import begin


@pytest.mark.parametrize("settings", [one_mind(), one_mind("hard"), real_time("tripeaks"), real_time(seats=3)])
def test_one_name_is_that_agent(settings: Settings) -> None:
    assert isinstance(make_team("careful", settings), ScriptedAgent)


@pytest.mark.parametrize("seats", [2, 3])
def test_one_name_for_each_seat(seats: int) -> None:
    assert isinstance(make_team("+".join(["careful"] * seats), real_time(seats=seats)), ScriptedAgent)
    assert isinstance(make_team("+".join(["careful", "random", "random"][:seats]), real_time(seats=seats)), MixedTeam)


@pytest.mark.parametrize(
    ("team", "settings", "fault"),
    [
        ("a+b", one_mind("hard"), "one mind is one player, team 'a+b' is 2: name one, or play in real time"),
        ("careful+careful", one_mind(), "one mind is one player, team 'careful+careful' is 2: name one, or"),
        ("a+b", real_time("tripeaks"), "team 'a+b' names 2 players for 1 seat: name one, or one for each"),
        ("a+b", real_time(seats=3), "team 'a+b' names 2 players for 3 seats: name one, or one for each"),
        ("a+b+c", real_time(), "team 'a+b+c' names 3 players for 2 seats: name one, or one for each"),
        ("careful+", real_time(), "unknown agent '': use one of random, careful"),
        ("careful+carful", real_time(), "unknown agent 'carful': did you mean 'careful'?"),
    ],
)
def test_a_team_that_cannot_sit_there_is_refused(team: str, settings: Settings, fault: str) -> None:
    with pytest.raises(ValueError) as refused:
        make_team(team, settings)
    assert str(refused.value).startswith(fault)


def test_a_team_may_sit_in_some_of_its_seats() -> None:
    batch = begin(real_time(seats=3), 30)
    team, alone = MixedTeam(["careful", "random", "careful"]), make_agent("random")
    team.reset(30, [1], 5, batch.settings)
    alone.reset(30, [1], nth_seed(5, 1), batch.settings)
    for _ in range(3):
        own = (batch.observations[:, [1]], batch.masks[:, [1]])
        np.testing.assert_array_equal(team.act(*own), alone.act(*own))
