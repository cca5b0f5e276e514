"""What an environment tells when a game has ended."""

from typing import Any

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.moves import score
from gipfelsturm.envs.rules.record import STATUSES


def ending(batch: GipfelsturmBatch, deck_given: bool) -> dict[str, Any]:
    """The last entries of `info` for a batch of one: `result`, `score`, `longest_streak`, and `deal`, an id.

    A deck that was given as cards has no id; its `deal` is "".
    """
    game = batch.games[0]
    return {
        "result": STATUSES[game["status"]],
        "score": int(score(game)),
        "longest_streak": int(game["longest"]),
        "deal": "" if deck_given else deal_id(int(batch.numbers[0])),
    }
