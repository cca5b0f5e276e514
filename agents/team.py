"""Teams by name: an agent in every seat, or several of them, `careful+uncover`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.answers import whole_numbers
from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.envs.rules.chance import nth_seed
from gipfelsturm.envs.rules.checks import counted
from gipfelsturm.envs.rules.settings import Settings


def make_team(team: str, settings: Settings) -> Agent:
    """A new agent for all seats of a table: of one name, or of one name for each seat in seat order, joined by `+`.

    Raises:
        ValueError: for an unknown agent, another number of names than of seats, several in one mind, or an agent that
            cannot play at this table.
    """
    names = team.split("+")
    if len(names) > 1 and settings.one_mind:
        raise ValueError(f"one mind is one player, team {team!r} is {len(names)}: name one, or play in real time")
    seats = 1 if settings.one_mind else settings.seats
    if len(names) not in (1, seats):
        table = counted(seats, "seat")
        raise ValueError(f"team {team!r} names {len(names)} players for {table}: name one, or one for each")
    agent = make_agent(names[0]) if len(set(names)) == 1 else MixedTeam(names)
    agent.reset(1, range(seats), 0, settings)  # who cannot play here says so now, not after others have played
    return agent


class MixedTeam:
    """Several agents in the seats of one table. Each is one agent in all seats that bear its name."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take the name of the agent in each seat."""
        self._names = tuple(names)
        self._members = {name: make_agent(name) for name in self._names}

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        """See `gipfelsturm.agents.protocol.Agent.reset`; the members' seeds follow from the seed, one after another."""
        self._own: dict[str, list[int]] = {}
        for number, (name, member) in enumerate(self._members.items()):
            own = [i for i, seat in enumerate(seats) if self._names[seat] == name]
            if own:
                member.reset(games, [seats[i] for i in own], nth_seed(seed, number), settings)
                self._own[name] = own

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """See `gipfelsturm.agents.protocol.Agent.act`; raises ValueError for a member's answer of another form."""
        actions = np.zeros(masks.shape[:2], np.int64)
        for name, own in self._own.items():
            answer = self._members[name].act(observations[:, own], masks[:, own])
            actions[:, own] = whole_numbers(answer, (len(masks), len(own)))
        return actions
