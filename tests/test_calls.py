"""Calls: how long they are heard, and what they leave alone (rules.md section 3, calls)."""

from gipfelsturm.envs.rules.settings import real_time
from tables import ANNA, BEN, DECK, Table, for_two

CALLS = set(range(59, 74))


def test_a_call_is_heard_for_three_seconds() -> None:
    game = for_two()
    game.act({ANNA: "need 8"})
    heard = []
    for _ in range(17):
        heard.append((game.seen(BEN, "call"), game.seen(BEN, "age")))
        game.tick()
    assert heard[:15] == [([0, 8], [0, 0, 0, age]) for age in range(15)]
    assert heard[15:] == [([0, 0], [0, 0, 0, 0])] * 2


def test_the_caller_hears_the_call_as_its_own() -> None:
    game = for_two()
    game.act({BEN: "drawing"}, then_wait=3)
    assert (game.seen(BEN, "call"), game.seen(BEN, "age")) == ([15, 0], [0, 3, 0, 0])
    assert (game.seen(ANNA, "call"), game.seen(ANNA, "age")) == ([0, 15], [0, 0, 0, 3])


def test_a_newer_call_replaces_the_older_one() -> None:
    game = for_two()
    game.act({ANNA: "need K"}, then_wait=10)
    game.act({ANNA: "hold"})
    assert (game.seen(ANNA, "call"), game.seen(ANNA, "age")) == ([14, 0], [0, 0, 0, 0])
    game.act({}, then_wait=13)
    assert game.seen(ANNA, "call") == [14, 0]
    game.tick()
    assert game.seen(ANNA, "call") == [0, 0]


def test_an_age_over_127_ticks_has_two_digits() -> None:
    game = Table(real_time("normal", tick=0.01, clock=None), DECK)
    game.act({ANNA: "need A"}, then_wait=299)
    assert game.seen(ANNA, "age") == [299 // 128, 299 % 128, 0, 0]
    game.tick()
    assert game.seen(ANNA, "call") == [0, 0]


def test_a_call_takes_the_tick_but_not_the_hand() -> None:
    game, silent = for_two(), for_two()
    for commands in ({ANNA: "play 18 0"}, {}, {}, {}):
        game.act(commands or {ANNA: "drawing"})
        silent.act(commands)
    for field in ("phase", "place", "pile", "left", "top", "present", "tick"):
        assert game.game[field].tobytes() == silent.game[field].tobytes()


def test_a_silent_table_has_no_calls_to_choose() -> None:
    assert for_two(calls=False).allowed(ANNA) & CALLS == set()
