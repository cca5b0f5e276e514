"""TriPeaks as a table game: taps, undo without limit, what was ever seen, and a stopwatch (rules.md section 4).

A session is one game, and knows no page, clock or file. The deal once more, or another one, is another session.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.actions import REASONS, action_count
from gipfelsturm.envs.rules.cards import CARDS, EMPTY, PLACES
from gipfelsturm.envs.rules.checks import whole
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.mask import write_mask
from gipfelsturm.envs.rules.observation import observation_size, write_observation
from gipfelsturm.envs.rules.record import RUNNING, STATUSES, Games
from gipfelsturm.envs.rules.replay import advance, deal_game
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.rules.table import free_places
from gipfelsturm.envs.rules.transcript import Deal, plain_deal, usual_tie_seed
from gipfelsturm.envs.stopwatch import Stopwatch

DRAW = PLACES
UNDO = -1
"""Beside the numbers of `gipfelsturm.envs.rules.actions`, what stands in a session's history for an undo."""
NOTHING_TO_UNDO = "nothing to take back"


class Known(NamedTuple):
    """Every card that was ever seen in this game, in an undone line too; for the hint alone."""

    peaks: NDArray[np.uint8]  # (28,) by place, those on the pile too, EMPTY where it was never seen
    stock: NDArray[np.uint8]  # (cards dealt to the stock,) from its top: the first began the pile, EMPTY as above
    unseen: NDArray[np.uint8]  # (13,) cards of each rank, A to K, that were never seen, cards aside among them


class Standing(NamedTuple):
    """The game after the moves that stand: nothing that was undone counts."""

    status: str  # of `gipfelsturm.envs.rules.record.STATUSES`
    moves: int
    streak: int
    longest_streak: int
    cleared: int  # of 28
    stock: int  # cards left
    deal: str  # its id once the game is over; "" before, and for a deck given as cards


class Session:
    """One game of TriPeaks. Every `now` is in whole milliseconds of one clock that never goes back.

    The stopwatch starts with the first tap that is not refused, since a refused one changes nothing. It runs while the
    game does and the page is shown: a game that is over and then taken up again by an undo goes on from there.

    Attributes:
        settings: one mind with one pile.
        deal: a number, or the codes of a deck in drawing order; hidden from the player while the game runs.
        history: what was done, undone moves and the undos among it: places, `DRAW` and `UNDO`.
    """

    def __init__(self, settings: Settings, deal: Deal | np.integer[Any]) -> None:
        """Deal a numbered deal, or a deck.

        Raises:
            ValueError: for settings of another game, or what no game can be dealt from.
        """
        if not settings.one_mind or settings.seats != 1:
            form = "one mind" if settings.one_mind else "real time"
            raise ValueError(f"a session must be one mind with 1 pile, not {form} with {settings.seats}")
        self.settings = settings
        self.deal = plain_deal(deal)
        self.history: list[int] = []
        self._line = [deal_game(settings, self.deal, usual_tie_seed(self.deal))]  # after each of the moves that stand
        self._seen = _shown(self._line[0][0])
        self._watch = Stopwatch()
        self._page_shown = True

    def tap(self, place: int, now: int) -> str:
        """Play the card of a place; returns why that was refused, "" if it was not.

        Raises:
            ValueError: for anything but a place.
        """
        if not 0 <= (number := whole("place", place)) < PLACES:
            raise ValueError(f"place must be 0 to {PLACES - 1}, not {place}")
        return self._act(number, now)

    def draw(self, now: int) -> str:
        """Tap the stock; returns why that was refused, "" if it was not."""
        return self._act(DRAW, now)

    def undo(self, now: int) -> str:
        """Take the last move back, a draw too; returns why that was refused, "" if it was not."""
        if len(self._line) == 1:
            return NOTHING_TO_UNDO
        self._line.pop()
        self._note(UNDO, now)
        return ""

    def show_page(self, shown: bool, now: int) -> None:
        """Tell whether the page is shown from now on; it is at first."""
        self._page_shown = shown
        self._set_watch(now)

    def elapsed(self, now: int) -> int:
        """What the stopwatch shows, in milliseconds."""
        return self._watch.read(now)

    def standing(self) -> Standing:
        """How the game stands; it is over once its status says so."""
        game = self._line[-1][0]
        over = game["status"] != RUNNING
        return Standing(
            status=STATUSES[game["status"]],
            moves=len(self._line) - 1,
            streak=int(game["streak"]),
            longest_streak=int(game["longest"]),
            cleared=PLACES - int(game["present"]).bit_count(),
            stock=int(game["stock"][0]),
            deal=deal_id(self.deal) if over and isinstance(self.deal, int) else "",
        )

    def observation(self) -> NDArray[np.int8]:
        """What is seen now (size,), laid out as `gipfelsturm.envs.rules.observation` says, in an array of its own."""
        row = np.zeros(observation_size(self.settings), np.int8)
        write_observation(self._line[-1][0], 0, row)
        return row

    def mask(self) -> NDArray[np.int8]:
        """What may be played and drawn (29,), all 1 once the game is over, in an array of its own."""
        mask = np.zeros(action_count(self.settings), np.int8)
        write_mask(self._line[-1][0], 0, mask)
        return mask

    def record(self) -> Games:
        """A copy of the game (an array of one); it holds every unseen card, so no page or player may be given it."""
        return self._line[-1].copy()

    def known(self) -> Known:
        """What the player may remember."""
        deck = self._line[0][0]["deck"]
        cards = np.where(self._seen, deck, np.uint8(EMPTY))
        unseen = np.bincount(deck[~self._seen] >> 2, minlength=13).astype(np.uint8)
        return Known(cards[:PLACES], cards[PLACES : PLACES + self.settings.stock], unseen)

    def again(self) -> "Session":
        """The same deal from the start: a new game, in which nothing was seen or timed yet."""
        return Session(self.settings, self.deal)

    @classmethod
    def restored(cls, settings: Settings, deal: Deal, history: Iterable[int], elapsed: int) -> "Session":
        """A session as it was, from its attributes and its stopwatch, on a page that is not shown yet.

        Raises:
            ValueError: as for a new session, for a history that this deal cannot have, and for a time below 0.
        """
        session = cls(settings, deal)
        session.show_page(False, 0)
        for number, given in enumerate(history, 1):
            action = whole(f"action {number} of a history", given)
            if not UNDO <= action <= DRAW:
                raise ValueError(f"action {number} of a history must be {UNDO} to {DRAW}, not {action}")
            reason = session.undo(0) if action == UNDO else session._act(action, 0)
            if reason:
                raise ValueError(f"action {number} of a history must be possible, not {action}: {reason}")
        if (gone := whole("elapsed", elapsed)) < 0:
            raise ValueError(f"elapsed must be 0 ms or more, not {elapsed} ms")
        session._watch = Stopwatch(gone)
        return session

    def _act(self, action: int, now: int) -> str:
        games = self.record()
        (reason,) = advance(games, [action])
        if not reason:
            self._line.append(games)
            self._seen |= _shown(games[0])
            self._note(action, now)
        return REASONS[reason]

    def _note(self, action: int, now: int) -> None:
        self.history.append(action)
        self._set_watch(now)

    def _set_watch(self, now: int) -> None:
        started, running = bool(self.history), self._line[-1][0]["status"] == RUNNING
        self._watch.run(bool(started and running and self._page_shown), now)


def _shown(game: np.void) -> NDArray[np.bool_]:
    """Which cards (52,), in drawing order, lie face up now or have been placed or drawn."""
    present = int(game["present"])
    down = present & ~int(free_places(present))
    shown = np.zeros(CARDS, np.bool_)
    shown[:PLACES] = [not down >> place & 1 for place in range(PLACES)]
    shown[PLACES : PLACES + int(game["dealt"]) - int(game["stock"][0])] = True
    return shown
