"""One game of the kernel, driven and described in words."""

from collections.abc import Mapping, Sequence

import numpy as np

from decks import code, deck_with
from gipfelsturm.envs.rules.actions import REASONS, action_number, wait_action
from gipfelsturm.envs.rules.cards import card_text
from gipfelsturm.envs.rules.mask import write_mask
from gipfelsturm.envs.rules.observation import layout_of, observation_size, write_observation
from gipfelsturm.envs.rules.record import PHASES, STATUSES, Games
from gipfelsturm.envs.rules.replay import Recorder, advance, deal_game
from gipfelsturm.envs.rules.settings import Settings, TempoLike, real_time
from gipfelsturm.envs.rules.transcript import Transcript

ANNA, BEN = 0, 1
# Of the base row 6H and 4H fit Anna's 5S, TH and 8H fit Ben's 9S; the others fit nothing.
BASE = dict(enumerate("6H 4H TH 8H KH AH QH 2H 7H JH".split(), start=18))
DECK = deck_with(BASE, [["5S", "QS", "3S"], ["9S", "QD"]], 12)


class Table:
    """A game in progress; of one mind every command is seat 0's."""

    def __init__(self, settings: Settings, deck: Sequence[int], tie_seed: int = 0, games: Games | None = None) -> None:
        """Deal the deck, unless it lies in an array of one game already."""
        self.settings = settings
        self.games = deal_game(settings, tuple(deck), tie_seed) if games is None else games
        self._recorder = Recorder(settings, tuple(deck), tie_seed)

    @property
    def game(self) -> np.void:
        record: np.void = self.games[0]
        return record

    def tick(self, commands: Mapping[int, str] | None = None) -> list[str]:
        """One tick, or one command of one mind; the seats that are not named wait. Returns the refusals in words."""
        seats = self.settings.seats
        actions = [wait_action(seats)] * (1 if self.settings.one_mind else seats)
        for seat, words in (commands or {}).items():
            actions[seat] = action_number(words, seats)
        self._recorder.note(actions)
        return [REASONS[reason] for reason in advance(self.games, actions)]

    def act(self, commands: Mapping[int, str], then_wait: int = 0) -> None:
        """A tick in which nothing may be refused, and some more in which everybody waits."""
        assert not any(self.tick(commands)), commands
        for _ in range(then_wait):
            self.tick()

    def leave(self, places: Mapping[int, str], tops: Sequence[str], stocks: Sequence[int]) -> "Table":
        """The same table later: these cards lie in these places alone, and so many stock cards are left."""
        for place, text in places.items():
            self.game["deck"][place] = code(text)
        self.game["present"] = sum(1 << place for place in places)
        for pile, top in enumerate(tops):
            self.game["top"][pile] = code(top)
            self.game["stock"][pile] = stocks[pile]
        return self

    def tops(self) -> list[str]:
        return [card_text(int(card)) for card in self.game["top"][: self.settings.seats]]

    def stocks(self) -> list[int]:
        return [int(cards) for cards in self.game["stock"][: self.settings.seats]]

    def phase(self, seat: int) -> str:
        return PHASES[self.game["phase"][seat]]

    def left(self, seat: int) -> int:
        return int(self.game["left"][seat])

    def status(self) -> str:
        return STATUSES[self.game["status"]]

    def lying(self, place: int) -> bool:
        """Whether the card of a place is not yet on a pile."""
        return bool(self.game["present"] >> place & 1)

    def seen(self, seat: int, field: str) -> list[int]:
        """A field of what a seat sees."""
        row = np.zeros(observation_size(self.settings), np.int8)
        write_observation(self.game, seat, row)
        return [int(number) for number in row[layout_of(self.settings)[field].span]]

    def face_up(self, seat: int = 0) -> set[str]:
        """The peak cards that a seat sees."""
        return {card_text(number - 1) for number in self.seen(seat, "peaks") if number > 0}

    def allowed(self, seat: int = 0) -> set[int]:
        """The actions that the mask allows a seat."""
        seats = self.settings.seats
        mask = np.zeros(29 * seats + (0 if self.settings.one_mind else 16 if self.settings.calls else 1), np.int8)
        write_mask(self.game, seat, mask)
        return {int(action) for action in np.flatnonzero(mask)}

    def transcript(self) -> Transcript:
        return self._recorder.transcript()


def for_two(tempo: TempoLike | tuple[TempoLike, ...] = "brisk", calls: bool = True) -> Table:
    """Anna and Ben with `DECK` and no clock."""
    return Table(real_time("normal", tempo=tempo, calls=calls, clock=None), DECK)
