"""From a game record to every state of the game, and from a game that is being played to its record."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.deals import deal
from gipfelsturm.envs.rules.moves import act
from gipfelsturm.envs.rules.realtime import tick
from gipfelsturm.envs.rules.record import Games, deck_game
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.rules.transcript import Command, Deal, Transcript, plain_deal, usual_tie_seed


def deal_game(settings: Settings, deal_or_deck: Deal, tie_seed: int) -> Games:
    """One game (an array of one) of a deal or deck, with any tie seed."""
    if isinstance(deal_or_deck, int):
        deck = np.zeros(52, np.uint8)
        deal(np.uint64(deal_or_deck), settings.seats, settings.stock, deck)
    else:
        deck = np.array(deal_or_deck, np.uint8)
    return deck_game(settings, deck, tie_seed)


def advance(games: Games, actions: Sequence[int]) -> list[int]:
    """One command of one mind, or one tick of one game (an array of one), with an action for each seat.

    Returns:
        The refusal code of each seat's action, of `gipfelsturm.envs.rules.actions.REASONS`.
    """
    if games[0]["one_mind"]:
        return [int(act(games[0], actions[0]))]
    reasons = np.zeros(3, np.int8)
    tick(games[0], np.array(actions, np.int64), reasons)
    return [int(reason) for reason in reasons[: len(actions)]]


def replay(transcript: Transcript) -> Iterator[Games]:
    """The game (an array of one, a copy each time) after dealing and after each tick: `ticks` + 1 states."""
    settings = transcript.settings
    games = deal_game(settings, transcript.deal, transcript.tie_seed)
    yield games.copy()
    for actions in actions_by_tick(transcript):
        advance(games, actions)
        yield games.copy()


def actions_by_tick(transcript: Transcript) -> Iterator[list[int]]:
    """The action of each seat in each tick, `wait` where none is recorded; of one mind the one action."""
    settings = transcript.settings
    commands: defaultdict[int, list[Command]] = defaultdict(list)
    for command in transcript.commands:
        commands[command.tick].append(command)
    for number in range(1, transcript.ticks + 1):
        actions = [wait_action(settings.seats)] * (1 if settings.one_mind else settings.seats)
        for command in commands[number]:
            actions[command.seat] = command.action
        yield actions


class Recorder:
    """Takes down a game while somebody else plays it."""

    def __init__(
        self, settings: Settings, deal: Deal | np.integer[Any], tie_seed: int | np.integer[Any] | None = None
    ) -> None:
        """Begin with the deal; without a tie seed it is the usual one."""
        self._settings, self._deal = settings, plain_deal(deal)
        self._tie_seed = usual_tie_seed(self._deal) if tie_seed is None else int(tie_seed)
        self._commands: list[Command] = []
        self._ticks = 0

    def note(self, actions: Sequence[int]) -> None:
        """Take down a tick: the action of each seat, or the one command of one mind."""
        self._ticks += 1
        wait = None if self._settings.one_mind else wait_action(self._settings.seats)
        self._commands += [
            Command(self._ticks, seat, int(action)) for seat, action in enumerate(actions) if action != wait
        ]

    def transcript(self) -> Transcript:
        """The record of the game so far."""
        return Transcript(self._settings, self._deal, self._tie_seed, tuple(self._commands), self._ticks)
