"""One game at a real-time table, and its record."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.moves import score
from gipfelsturm.envs.rules.record import FREE, STATUSES
from gipfelsturm.envs.rules.replay import Recorder
from gipfelsturm.envs.rules.settings import MOST_CLOCK_TICKS, Settings
from gipfelsturm.envs.rules.transcript import Deal, Transcript, plain_deal
from gipfelsturm.play.realtime_messages import Over


class RealTimeGame:
    """A numbered deal or a deck, ready to start.

    Attributes:
        ticks: gone so far.
        over: whether the game has ended; one without a clock is cut off after more ticks than a record can tell.
    """

    def __init__(self, settings: Settings, deal: Deal) -> None:
        self.ticks = 0
        self.over = False
        self._deal = plain_deal(deal)
        self._batch = GipfelsturmBatch(settings, 1, autoreset="disabled", most_steps=MOST_CLOCK_TICKS)
        if isinstance(self._deal, int):
            self._batch.set_deals([self._deal])
        else:
            self._batch.set_decks(np.array(self._deal, np.uint8))
        self._recorder = Recorder(settings, self._deal)
        self._commands = np.zeros(settings.seats, np.int64)
        self._row: NDArray[np.int8] = self._batch.observations[0, 0]
        self._phases: NDArray[np.uint8] = self._batch.games["phase"][0]

    def tick(self, actions: Sequence[int]) -> tuple[int, ...]:
        """One action of each seat, within the numbering (a silent table refuses calls); returns the refusal codes."""
        self._commands[:] = actions
        self._recorder.note(actions)
        _, _, reasons, terminated, truncated, _ = self._batch.advance_alone(self._commands)
        self.ticks += 1
        self.over = bool(terminated or truncated)
        return reasons

    def hand_free(self, seat: int) -> bool:
        """Whether a hand can be sent somewhere."""
        return bool(self._phases[seat] == FREE)

    def observation(self, seat: int) -> NDArray[np.int8]:
        """What a seat sees (size,), in an array of its own."""
        row: NDArray[np.int8] = self._batch.observations[0, seat].copy()
        return row

    def row(self) -> list[int]:
        """What seat 0 sees."""
        row: list[int] = self._row.tolist()
        return row

    def row_bytes(self) -> bytes:
        """What seat 0 sees, to be compared."""
        return self._row.tobytes()

    def mask(self, seat: int) -> NDArray[np.int8]:
        """What a seat may do (actions,), in an array of its own."""
        mask: NDArray[np.int8] = self._batch.masks[0, seat].copy()
        return mask

    def play_action(self, seat: int, place: int, pile: int | None) -> int:
        """The action that a tap on a card means: on the named pile, else on the first that fits, own first, leftwards.

        Where it fits none it is the play on the own pile, which will be refused with the reason.
        """
        seats = len(self._commands)
        if pile is not None:
            return PLACES * ((pile - seat) % seats) + place
        mask = self._batch.masks[0, seat]
        return next((PLACES * k + place for k in range(seats) if mask[PLACES * k + place]), place)

    def ending(self) -> Over:
        """How the game ended, with the id of its deal: not to be told before."""
        game = self._batch.games[0]
        return Over(
            status=STATUSES[game["status"]],
            score=int(score(game)),
            longest=int(game["longest"]),
            ticks=self.ticks,
            deal=deal_id(self._deal) if isinstance(self._deal, int) else "",
        )

    def transcript(self) -> Transcript:
        """The record of the game so far."""
        return self._recorder.transcript()
