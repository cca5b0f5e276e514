"""What is left of a finished game: for statistics, and as the record from which it can be replayed."""

import msgspec

from gipfelsturm.envs.rules.record import STATUSES, WON
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.envs.rules.transcript import Transcript
from gipfelsturm.play.asking import GameKey
from gipfelsturm.play.realtime_messages import Over
from gipfelsturm.play.seats import Seats
from gipfelsturm.play.table_plan import TablePlan


class Result(msgspec.Struct, frozen=True):
    """A game that has ended."""

    key: GameKey
    preset: str
    settings: Settings
    players: tuple[tuple[str, ...], ...]  # of each seat everybody who played there: `seats.PERSON` or agents' names
    paces: tuple[str, ...]  # of each seat at the end: a tempo's name or "matching", "" of a person
    won: bool
    status: str  # of `gipfelsturm.envs.rules.record.STATUSES`
    score: int
    longest: int
    ticks: int
    deal: str  # its id, "" for a deck given as cards
    game: int  # of the record hunt, from 1
    games: int  # of the record hunt; 1 for a single game
    total: int  # score of the hunt so far, this game included
    transcript: Transcript


def result_of(
    plan: TablePlan, seats: Seats, ending: Over, game: int, total: int, key: GameKey, transcript: Transcript
) -> Result:
    """The result of the game that has just ended."""
    return Result(
        key=key,
        preset=plan.preset,
        settings=transcript.settings,
        players=tuple(tuple(seat.players) for seat in seats),
        paces=tuple(seat.pace for seat in seats),
        won=ending.status == STATUSES[WON],
        status=ending.status,
        score=ending.score,
        longest=ending.longest,
        ticks=ending.ticks,
        deal=ending.deal,
        game=game,
        games=plan.games,
        total=total,
        transcript=transcript,
    )
