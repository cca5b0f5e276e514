"""Hands, commands and calls at the real-time table, tick by tick (rules.md section 3)."""

import pytest

from decks import deck_with
from gipfelsturm.envs.rules.settings import Settings, TempoLike, real_time
from gipfelsturm.envs.rules.tempo import Tempo
from tables import ANNA, BASE, BEN, Table, for_two


def phases(game: Table, seat: int, ticks: int) -> list[tuple[str, int]]:
    """What a hand does at the end of each tick, and the ticks it has left."""
    seen = []
    for _ in range(ticks):
        seen.append((game.phase(seat), game.left(seat)))
        game.tick()
    return seen


# How long things take


def test_a_brisk_play_takes_1_2_seconds() -> None:
    game = for_two()
    game.act({ANNA: "play 18 0"})
    assert phases(game, ANNA, 3) == [("reaching", 1), ("carrying", 2), ("carrying", 1)]
    assert game.tops() == ["6H", "9S"] and not game.lying(18)
    assert phases(game, ANNA, 3) == [("pausing", 2), ("pausing", 1), ("free", 0)]
    assert game.game["tick"] == 4 + 3


def test_a_brisk_draw_takes_as_long() -> None:
    game = for_two()
    game.act({ANNA: "draw 0"})
    assert phases(game, ANNA, 3) == [("drawing", 3), ("drawing", 2), ("drawing", 1)]
    assert game.tops() == ["QS", "9S"]
    assert phases(game, ANNA, 3) == [("pausing", 2), ("pausing", 1), ("free", 0)]


def test_what_is_being_drawn_is_stock_until_the_draw_ends() -> None:
    game = for_two()
    game.act({ANNA: "draw 0"}, then_wait=2)
    queens = game.seen(BEN, "unseen")[11]
    assert (game.tops(), game.stocks()) == (["5S", "9S"], [11, 11])
    game.tick()
    assert (game.tops(), game.stocks()) == (["QS", "9S"], [10, 11])
    assert game.seen(BEN, "unseen")[11] == queens - 1


@pytest.mark.parametrize(
    ("tempo", "play", "draw"),
    [("instant", 1, 1), ("brisk", 6, 6), ("steady", 13, 12), ("slow", 28, 26), ("person", 2, 1)],
)
def test_ticks_from_a_command_to_the_free_hand(tempo: str, play: int, draw: int) -> None:
    """The first phase takes the tick in which it begins, also where it is 0: so a person's play takes two ticks."""
    for command, ticks in (("play 18 0", play), ("draw 0", draw)):
        game = for_two(tempo)
        game.act({ANNA: command})
        taken = 1
        while game.phase(ANNA) != "free":
            game.tick()
            taken += 1
        assert taken == ticks


def test_a_person_lifts_at_once_and_places_in_the_next_tick() -> None:
    game = for_two("person")
    game.act({ANNA: "play 18 0"})
    assert (game.phase(ANNA), game.left(ANNA), game.tops()[ANNA]) == ("carrying", 1, "5S")
    game.tick()
    assert (game.phase(ANNA), game.tops()[ANNA]) == ("free", "6H")


@pytest.mark.parametrize("pause", [0, 200])
def test_a_first_phase_of_no_tick_and_of_one_are_the_same_but_a_later_one_is_not(pause: int) -> None:
    for reach in (0, 1, 200):
        game = for_two(Tempo(pause, reach, 0, 0))
        game.act({ANNA: "play 18 0"})
        assert game.tops()[ANNA] == "6H"
        assert game.phase(ANNA) == ("pausing" if pause else "free")


# Commands


def test_another_command_lets_go_of_a_reach_without_a_pause() -> None:
    game = for_two()
    game.act({ANNA: "play 18 0"})
    game.act({ANNA: "play 19 0"})
    assert (game.phase(ANNA), game.left(ANNA), game.game["place"][ANNA]) == ("reaching", 1, 19)
    game.act({ANNA: "draw 0"})
    assert (game.phase(ANNA), game.left(ANNA)) == ("drawing", 3)
    assert game.game["missed"] == 0


def test_the_same_place_again_only_changes_the_pile() -> None:
    deck = deck_with(BASE | {18: "8D"}, [["9C"], ["9S"]], 12)
    game = Table(real_time("normal", clock=None), deck)
    game.act({ANNA: "play 18 0"})
    game.act({ANNA: "play 18 1"})
    assert (game.phase(ANNA), game.left(ANNA), game.game["pile"][ANNA]) == ("carrying", 2, BEN)
    game.act({}, then_wait=1)
    assert game.tops() == ["9C", "8D"]


def test_waiting_and_refused_commands_leave_a_reach_alone() -> None:
    game = for_two()
    game.act({ANNA: "play 18 0"})
    assert game.tick({ANNA: "play 25 0"}) == ["not one rank away", ""]
    assert (game.phase(ANNA), game.left(ANNA)) == ("carrying", 2)


def test_every_mishap_is_counted_once() -> None:
    """The golden game of hands in each other's way, told by its counters; ticks are those of the file."""
    base = dict(enumerate("6H 4H 7D 3D 4D 9C TC JC 9D TD".split(), start=18))
    game = Table(real_time("normal"), deck_with(base, [["5S"], ["7S", "2S", "KS"]], 12))
    commands = {
        **{1: {BEN: "play 19 1"}, 2: {ANNA: "play 18 0"}, 8: {BEN: "draw 0"}, 9: {ANNA: "play 20 1"}},
        **{14: {BEN: "draw 0"}, 17: {ANNA: "play 21 1"}, 23: {ANNA: "play 22 0", BEN: "play 22 1"}},
    }
    told = []
    for tick in range(1, 29):
        before = (int(game.game["missed"]), int(game.game["returned"]), int(game.game["present"]).bit_count())
        game.act(commands.get(tick, {}))
        after = (int(game.game["missed"]), int(game.game["returned"]), int(game.game["present"]).bit_count())
        if before != after:
            told.append((tick, *(b - a for a, b in zip(before, after, strict=True))))
    # Two plays, a return, a play, a miss, a play.
    assert told == [(4, 0, 0, -1), (5, 0, 0, -1), (12, 0, 1, 0), (20, 0, 0, -1), (24, 1, 0, 0), (26, 0, 0, -1)]
    assert (game.game["streak"], game.game["longest"]) == (2, 2)


# Three seats


def three(tempo: TempoLike = "instant") -> tuple[Settings, list[int]]:
    deck = deck_with({18: "6H", 19: "TD"}, [["KS"], ["QS"], ["5S"]], 8)
    return real_time("normal", seats=3, tempo=tempo), deck


@pytest.mark.parametrize(("seat", "k"), [(0, 2), (1, 1), (2, 0)])
def test_piles_are_counted_from_the_own_one_to_the_left(seat: int, k: int) -> None:
    game = Table(*three())
    assert game.tick({seat: f"play 18 {k}"}) == ["", "", ""]
    assert game.tops() == ["KS", "QS", "6H"]


@pytest.mark.parametrize(("seat", "landed"), [(0, 0), (1, 1), (2, 0)])
def test_a_card_that_must_go_elsewhere_tries_the_own_pile_first_and_then_to_the_left(seat: int, landed: int) -> None:
    settings, deck = three("brisk")
    game = Table(settings, deck)
    game.act({seat: f"play 18 {(2 - seat) % 3}"}, then_wait=1)
    game.game["top"] = [deck[18] + 4, deck[18] - 4, deck[18]]  # 7H, 5H, 6H: the named pile no longer fits
    game.act({}, then_wait=1)
    assert not game.lying(18)
    assert game.game["top"].tolist()[landed] == deck[18]
