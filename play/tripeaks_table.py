"""A TriPeaks table without a server: messages and the time in, views and results out."""

from collections.abc import Callable

import msgspec

from gipfelsturm.envs.rules.actions import ACCEPTED, GAME_OVER, REASONS
from gipfelsturm.envs.rules.cards import card_text
from gipfelsturm.envs.rules.deals import deal_id, deal_number
from gipfelsturm.envs.rules.observation import layout_of
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.envs.session import DRAW, UNDO, Session
from gipfelsturm.play.advice import Move, Question, question_about
from gipfelsturm.play.messages import (
    FACE_DOWN,
    GONE,
    NO_SUCH_DEAL,
    OUT_OF_TURN,
    TOO_LONG,
    Act,
    Again,
    Deal,
    Draw,
    Film,
    Show,
    Tap,
    Undo,
    View,
)

MOST_ACTIONS = 5000
"""Where a game stops growing, undos included: far beyond any person's patience, and a bound on memory."""
STATUS_NAMES = {"running": "running", "won": "won", "lost: nothing fits": "lost"}
NewDeal = Callable[[], int]


class Result(msgspec.Struct, frozen=True):
    """What is kept of a deal that was won or left."""

    deal: str  # id
    won: bool
    ms: int  # on the stopwatch, over all tries
    moves: int
    cleared: int
    longest: int
    tries: int
    hints: int
    undos: int
    after_ms: int = -1  # `ms` of the result that the same try left behind before, which this one replaces; -1 if none


class Saved(msgspec.Struct, frozen=True):
    """A table as it can be kept: `TriPeaksTable.restored` takes it up again."""

    deal: int | tuple[int, ...]
    history: tuple[int, ...]
    elapsed: int
    turn: int
    tries: int
    hints: int
    undos: int
    earlier_ms: int
    counted: bool
    left_ms: int = -1
    shown: bool = False  # whether the page was


class TriPeaksTable:
    """One player's table, deal after deal. Every `now` is in milliseconds of one clock that never goes back.

    Attributes:
        turn: grows with every change of the table.
        results: of deals that were won or left since the list was last emptied; a deal is in it once.
    """

    def __init__(self, deal: int | tuple[int, ...]) -> None:
        """Deal a numbered deal, or a deck."""
        self.turn = 0
        self.results: list[Result] = []
        self._shown = True
        self._lay(Session(one_mind(), deal))

    @property
    def touched(self) -> bool:
        """Whether anything was done with this deal."""
        return bool(self._session.history) or self._tries > 1

    def view(self, now: int, refused: str = "") -> View:
        """What the player sees."""
        view = _view(self._session, now)
        ticking = self._shown and bool(self._session.history) and view.status == "running"
        counts = {"turn": self.turn, "hints": self._hints, "undos": self._undos}
        return msgspec.structs.replace(view, ticking=ticking, refused=refused, **counts)

    def take(self, message: Act | Show, now: int, new_deal: NewDeal) -> View:
        """Do what a message asks for, or say in the view why not."""
        if isinstance(message, Show):
            self._show(message.shown, now)
            return self.view(now)
        if message.turn != self.turn:
            return self.view(now, OUT_OF_TURN)
        refused = self._deal_for(message, now, new_deal) if isinstance(message, Deal) else self._act(message, now)
        if not refused:
            self.turn += 1
            self._note_win(now)
        return self.view(now, refused)

    def sit(self, deal: str, now: int) -> View:
        """Come to the table, or back to it; an id deals that game unless it lies there already."""
        self._show(True, now)
        number = _number(deal)
        if number is not None and number != self._session.deal:
            self._change(number, now)
            self.turn += 1
        return self.view(now, NO_SUCH_DEAL if deal and number is None else "")

    def ask_hint(self, turn: int) -> Question | str:
        """What an adviser is asked, which counts as a hint; or why there is none."""
        if turn != self.turn:
            return OUT_OF_TURN
        if self._session.standing().status != "running":
            return REASONS[GAME_OVER]
        self._hints += 1
        return question_about(self._session)

    def film(self) -> Film:
        """The moves that stand; no more than the deal while the game runs."""
        actions = self._shown_line()
        session = self._session.again()
        views = [_view(session, 0)]
        for action in actions:
            _do(session, action, 0)
            views.append(_view(session, 0))
        return Film(actions, tuple(views))

    def moves(self) -> list[Move]:
        """What the film shows, as an adviser can weigh it: nothing that an undone move had shown counts."""
        session, moves = self._session.again(), []
        for action in self._shown_line():
            moves.append(Move(session.observation(), action))
            _do(session, action, 0)
        return moves

    def _shown_line(self) -> tuple[int, ...]:
        over = self._session.standing().status != "running"
        return standing_line(self._session.history) if over else ()

    def saved(self, now: int) -> Saved:
        """All there is to the table."""
        return Saved(
            deal=self._session.deal,
            history=tuple(self._session.history),
            elapsed=self._session.elapsed(now),
            turn=self.turn,
            tries=self._tries,
            hints=self._hints,
            undos=self._undos,
            earlier_ms=self._earlier_ms,
            counted=self._counted,
            left_ms=self._left_ms,
            shown=self._shown,
        )

    @classmethod
    def restored(cls, saved: Saved, now: int) -> "TriPeaksTable":
        """The table as it was kept: a stopwatch that ran then runs from now on, and the time between does not count.

        Raises:
            ValueError: for what no table can be.
        """
        table = cls(saved.deal)
        table._session = Session.restored(one_mind(), saved.deal, saved.history, saved.elapsed)
        table._shown = saved.shown
        table._session.show_page(saved.shown, now)
        table.turn = saved.turn
        table._tries, table._hints, table._undos = saved.tries, saved.hints, saved.undos
        table._earlier_ms, table._counted, table._left_ms = saved.earlier_ms, saved.counted, saved.left_ms
        return table

    def _show(self, shown: bool, now: int) -> None:
        self._shown = shown
        self._session.show_page(shown, now)
        if not shown and STATUS_NAMES[self._session.standing().status] == "lost":
            self._leave_lost(now)

    def _lay(self, session: Session) -> None:
        self._session = session
        self._session.show_page(self._shown, 0)
        self._tries, self._hints, self._undos, self._earlier_ms = 1, 0, 0, 0
        self._counted, self._left_ms = False, -1

    def _act(self, message: Act, now: int) -> str:
        if isinstance(message, Again):
            return self._again(now)
        if len(self._session.history) >= MOST_ACTIONS:
            return TOO_LONG
        if isinstance(message, Tap):
            return _do(self._session, message.place, now)
        if isinstance(message, Draw):
            return _do(self._session, DRAW, now)
        assert isinstance(message, Undo)
        refused = _do(self._session, UNDO, now)
        self._undos += not refused
        return refused

    def _again(self, now: int) -> str:
        if self._session.history:
            self._earlier_ms += self._session.elapsed(now)
            self._tries += 1
            self._session = self._session.again()
            self._session.show_page(self._shown, now)
        return REASONS[ACCEPTED]

    def _deal_for(self, message: Deal, now: int, new_deal: NewDeal) -> str:
        number = _number(message.deal) if message.deal else new_deal()
        if number is None:
            return NO_SUCH_DEAL
        if number == self._session.deal:
            return self._again(now)
        self._change(number, now)
        return REASONS[ACCEPTED]

    def _change(self, number: int, now: int) -> None:
        self._leave(now)
        self._lay(Session(one_mind(), number))

    def _note_win(self, now: int) -> None:
        if self._session.standing().status == "won":
            self._count(now)

    def _leave(self, now: int) -> None:
        if self.touched:
            self._count(now)

    def _leave_lost(self, now: int) -> None:
        """Nobody may come back to a lost game: it counts as it stands, until it is taken up again."""
        if result := self._result(now):
            self.results.append(result)
            self._left_ms = result.ms

    def _count(self, now: int) -> None:
        if result := self._result(now):
            self.results.append(result)
            self._counted = True

    def _result(self, now: int) -> Result | None:
        """What there is to be counted, None if nothing is, or not again."""
        deal, standing = self._session.deal, self._session.standing()
        if self._counted or not isinstance(deal, int):
            return None
        return Result(
            deal=deal_id(deal),
            won=standing.status == "won",
            ms=self._earlier_ms + self._session.elapsed(now),
            moves=standing.moves,
            cleared=standing.cleared,
            longest=standing.longest_streak,
            tries=self._tries,
            hints=self._hints,
            undos=self._undos,
            after_ms=self._left_ms,
        )


def standing_line(history: list[int]) -> tuple[int, ...]:
    """The moves that stand at the end of a session's history."""
    line: list[int] = []
    for action in history:
        if action == UNDO:
            line.pop()
        else:
            line.append(action)
    return tuple(line)


def _number(deal: str) -> int | None:
    """The number of a deal that a person named, None if there is none."""
    try:
        return deal_number(deal)
    except ValueError:
        return None


def _do(session: Session, action: int, now: int) -> str:
    if action == UNDO:
        return session.undo(now)
    return session.draw(now) if action == DRAW else session.tap(action, now)


def _view(session: Session, now: int) -> View:
    """A session as its player sees it, without what its table knows besides."""
    seen, layout = session.observation(), layout_of(session.settings)
    standing = session.standing()
    (top,) = seen[layout["tops"].span]
    return View(
        turn=0,
        peaks=tuple(_peak_text(int(number)) for number in seen[layout["peaks"].span]),
        top=card_text(int(top) - 1),
        stock=standing.stock,
        status=STATUS_NAMES[standing.status],
        moves=standing.moves,
        cleared=standing.cleared,
        streak=standing.streak,
        longest=standing.longest_streak,
        elapsed=session.elapsed(now),
        ticking=False,
        hints=0,
        undos=0,
        deal=standing.deal,
    )


def _peak_text(number: int) -> str:
    """A number of the observation's `peaks` as the messages write it."""
    if number < 0:
        return GONE
    return card_text(number - 1) if number else FACE_DOWN
