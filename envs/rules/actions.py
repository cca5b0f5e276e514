"""The one numbering of actions, and why an action may be refused (rules.md section 3, commands).

For n piles, seen from the seat that acts: `28*k + place` plays the card of a place on the pile `k` to the left (0 is
one's own), `28*n + k` draws from the stock `k` to the left, `29*n` waits, and the 15 calls follow. One mind has plays
and draws alone, and its seat is 0.
"""

from gipfelsturm.envs.rules.cards import PLACES, RANKS
from gipfelsturm.envs.rules.jit import inlined
from gipfelsturm.envs.rules.settings import Settings

CALLS = (*(f"need {rank}" for rank in RANKS), "hold", "drawing")

REASONS = (
    "",
    "game over",
    "no talk here",
    "hand busy",
    "not your stock",  # a draw on another's pile, which the numbering can say and the table does not know
    "stock empty",
    "place empty",
    "face down",
    "still covered",
    "in a hand",
    "not one rank away",
)
"""What a refusal code means; 0 is an action that was carried out."""

(
    ACCEPTED,
    GAME_OVER,
    NO_TALK,
    HAND_BUSY,
    NOT_YOURS,
    STOCK_EMPTY,
    PLACE_EMPTY,
    FACE_DOWN,
    COVERED,
    IN_A_HAND,
    NO_FIT,
) = range(len(REASONS))


def action_count(settings: Settings) -> int:
    """How many actions a seat has."""
    plays_and_draws = (PLACES + 1) * settings.seats
    if settings.one_mind:
        return plays_and_draws
    return plays_and_draws + 1 + (len(CALLS) if settings.calls else 0)


@inlined
def wait_action(seats: int) -> int:
    """The number of `wait`, which the first call follows."""
    return (PLACES + 1) * seats


def action_text(action: int, piles: int) -> str:
    """An action in words: `play 18 0` (place, pile to the left), `draw 0`, `wait`, `need 8`, `hold`, `drawing`."""
    draws = PLACES * piles
    if action < draws:
        return f"play {action % PLACES} {action // PLACES}"
    wait = draws + piles
    if action < wait:
        return f"draw {action - draws}"
    return "wait" if action == wait else CALLS[action - wait - 1]


def action_number(text: str, piles: int) -> int:
    """Read what `action_text` writes; raises ValueError for anything else."""
    draws = PLACES * piles
    names = {action_text(action, piles): action for action in range(draws + piles + 1 + len(CALLS))}
    if text not in names:
        raise ValueError(f"unknown action {text!r}: write play PLACE PILE, draw PILE, wait, need RANK, hold or drawing")
    return names[text]
