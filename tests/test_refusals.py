"""Why a command is refused, in the order of the reasons, and the mask that says so before (rules.md section 3)."""

from collections.abc import Callable

import pytest

from gipfelsturm.envs.rules.actions import action_number
from gipfelsturm.envs.rules.tempo import Tempo
from tables import ANNA, BEN, DECK, Table, for_two

WAIT = {58}
CALLS = set(range(59, 74))


def busy(game: Table) -> Table:
    """Anna's hand carries 6H."""
    game.act({ANNA: "play 18 0"}, then_wait=1)
    assert game.phase(ANNA) == "carrying"
    return game


def without_stock(game: Table) -> Table:
    game.game["stock"][:2] = 0
    return game


def over(game: Table) -> Table:
    game.game["status"] = 2
    return game


def opened(game: Table, *gone: int) -> Table:
    for place in gone:
        game.game["present"] ^= 1 << place
    return game


REFUSED: list[tuple[Callable[[], Table], int, str, str]] = [
    # Each reason where later ones hold as well.
    (lambda: over(busy(for_two(calls=False))), ANNA, "hold", "game over"),
    (lambda: over(busy(for_two())), ANNA, "draw 0", "game over"),
    (lambda: over(for_two()), ANNA, "wait", "game over"),
    (lambda: busy(for_two(calls=False)), ANNA, "hold", "no talk here"),
    (lambda: without_stock(busy(for_two())), ANNA, "draw 0", "hand busy"),
    (lambda: busy(for_two()), ANNA, "draw 1", "hand busy"),
    (lambda: busy(opened(for_two(), 26)), ANNA, "play 26 0", "hand busy"),
    (lambda: busy(for_two()), ANNA, "play 18 0", "hand busy"),
    (lambda: busy(for_two()), ANNA, "play 0 0", "hand busy"),
    (lambda: without_stock(for_two()), ANNA, "draw 1", "not your stock"),
    (for_two, BEN, "draw 1", "not your stock"),
    (lambda: without_stock(for_two()), ANNA, "draw 0", "stock empty"),
    (lambda: opened(for_two(), 18), ANNA, "play 18 0", "place empty"),
    (lambda: opened(for_two(), 0, 3, 4), ANNA, "play 0 0", "place empty"),
    (for_two, ANNA, "play 9 0", "face down"),
    (for_two, ANNA, "play 0 1", "face down"),
    (lambda: opened(for_two(), 19), ANNA, "play 9 0", "still covered"),
    (lambda: opened(for_two(), 18), ANNA, "play 9 0", "still covered"),
    (lambda: busy(for_two()), BEN, "play 18 0", "in a hand"),  # 6H on 9S
    (lambda: busy(for_two()), BEN, "play 18 1", "in a hand"),
    (lambda: busy(for_two()), BEN, "play 9 0", "face down"),  # what is carried still covers
    (for_two, BEN, "play 18 0", "not one rank away"),
    (for_two, ANNA, "play 18 1", "not one rank away"),  # it fits the other pile alone
    # And what is no reason.
    (for_two, BEN, "play 18 1", ""),
    (lambda: busy(for_two()), ANNA, "hold", ""),
    (lambda: busy(for_two()), ANNA, "wait", ""),
]


@pytest.mark.parametrize(("make", "seat", "command", "reason"), REFUSED)
def test_the_first_reason_that_holds(make: Callable[[], Table], seat: int, command: str, reason: str) -> None:
    game, idle = make(), make()
    assert game.tick({seat: command})[seat] == reason
    if reason:
        idle.tick()
        assert game.games.tobytes() == idle.games.tobytes(), "a refused command changes nothing"


@pytest.mark.parametrize(("make", "seat", "command", "reason"), REFUSED)
def test_the_mask_agrees(make: Callable[[], Table], seat: int, command: str, reason: str) -> None:
    game = make()
    allowed = action_number(command, 2) in game.allowed(seat)
    assert allowed is (reason in ("", "game over") and action_number(command, 2) < 59 + 15 * game.settings.calls)


def test_another_reach_for_the_card_does_not_matter() -> None:
    game = for_two()
    game.act({ANNA: "play 18 0"})
    assert game.tick({BEN: "play 18 1"}) == ["", ""]


# Faults that others shipped, number 13


@pytest.mark.parametrize("phase", ["carrying", "returning", "drawing", "pausing"])
@pytest.mark.parametrize("calls", [True, False])
def test_a_busy_hand_may_wait_and_talk_and_nothing_else(phase: str, calls: bool) -> None:
    game = for_two(Tempo(1600, 200, 1600, 1800), calls)
    game.act({ANNA: "draw 0" if phase == "drawing" else "play 18 0"})
    if phase == "returning":
        game.game["top"][:2] = DECK[25]  # a two, which 6H does not fit
    for _ in range(30):
        if game.phase(ANNA) == phase:
            break
        game.tick()
    for _ in range(8):
        assert game.phase(ANNA) == phase
        assert game.allowed(ANNA) == (WAIT | CALLS if calls else WAIT)
        assert game.allowed(BEN) > WAIT
        game.tick()
    assert game.phase(ANNA) != phase


def test_a_reaching_hand_may_do_what_a_free_one_may() -> None:
    game = for_two()
    before = game.allowed(ANNA)
    game.act({ANNA: "play 18 0"})
    assert game.allowed(ANNA) == before == {18, 19, 28 + 20, 28 + 21, 56} | WAIT | CALLS
