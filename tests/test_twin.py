"""The twin against the rules' sentences on the table, ends and calls, on hand-made decks."""

import random
from collections.abc import Mapping

import pytest

from decks import code
from twin import (
    CARRYING,
    CLOCK_OUT,
    COVERS,
    FREE,
    LIES_ON,
    PAUSING,
    REACHING,
    RETURNING,
    RUNNING,
    STUCK,
    WON,
    Twin,
    TwinRules,
)
from twin_tables import (
    BASE,
    BRISK,
    INSTANT,
    PERSON,
    Tempo,
    act,
    call,
    climb,
    draw,
    hands,
    leave,
    pass_ticks,
    play,
    table,
    tops,
    wait,
)

# Section 1: the table.


def test_the_cover_relations_are_those_of_the_table() -> None:
    assert COVERS[:9] == ((3, 4), (5, 6), (7, 8), (9, 10), (10, 11), (12, 13), (13, 14), (15, 16), (16, 17))
    assert COVERS[9:18] == tuple((18 + m, 19 + m) for m in range(9))
    assert COVERS[18:] == ((),) * 10
    assert [len(LIES_ON[place]) for place in range(18, 28)] == [1] + [2] * 8 + [1]


def test_only_the_base_row_is_free_at_the_start() -> None:
    assert table().free() == set(range(18, 28))


@pytest.mark.parametrize("place", range(18))
def test_a_card_is_free_when_both_covers_are_placed_and_not_before(place: int) -> None:
    twin = leave(table({place: "2H"}), {place, *COVERS[place]}, (1, 1))
    assert (place in twin.free(), twin.refusal(0, play(place))) == (False, 7)
    for cover in COVERS[place]:
        twin.present = {place, cover}
        assert (place in twin.free(), twin.refusal(0, play(place))) == (False, 8)
    twin.present = {place}
    assert (place in twin.free(), twin.refusal(0, play(place))) == (True, 10)


@pytest.mark.parametrize(
    ("card", "top", "with_ring", "without"),
    [("6H", "5S", 0, 0), ("4D", "5S", 0, 0), ("5H", "5S", 10, 10), ("7H", "5S", 10, 10)]
    + [("KH", "AS", 0, 10), ("AH", "KS", 0, 10), ("QH", "AS", 10, 10), ("2H", "KS", 10, 10), ("QH", "KS", 0, 0)],
)
def test_one_rank_away_fits_and_the_ring_joins_king_and_ace(card: str, top: str, with_ring: int, without: int) -> None:
    assert table({18: card}, ((top,),)).refusal(0, play(18)) == with_ring
    assert table({18: card}, ((top,),), ring=False).refusal(0, play(18)) == without


@pytest.mark.parametrize("suit", "CDH")
def test_suits_never_matter(suit: str) -> None:
    assert table({18: "6" + suit}, (("5S",),)).refusal(0, play(18)) == 0


def test_drawing_moves_the_top_stock_card_to_the_own_pile_whether_it_fits_or_not() -> None:
    twin = table(tempos=(INSTANT, INSTANT))
    act(twin, {0: draw(twin), 1: draw(twin)})
    assert (tops(twin), twin.stocks) == (["QS", "QD"], [6, 6])
    act(twin, {0: draw(twin)})
    assert (tops(twin), twin.stocks) == (["3S", "QD"], [5, 6])


def test_a_stock_runs_once() -> None:
    twin = table(tempos=(INSTANT, INSTANT))
    for _ in range(7):
        act(twin, {0: draw(twin)})
    assert twin.tick([draw(twin), wait(twin)]) == [5, 0]
    assert (twin.status, twin.stocks) == (RUNNING, [0, 7])


def test_a_stock_has_two_cards_at_least_and_only_cards_that_there_are() -> None:
    for stock in (1, 13):
        with pytest.raises(ValueError, match="stock"):
            table(stock=stock)


def test_a_deck_that_is_none_and_a_missing_tempo_are_refused() -> None:
    with pytest.raises(ValueError, match="deck"):
        Twin(table().rules, [0] * 52, 0)
    with pytest.raises(ValueError, match="tempo"):
        table(tempos=(BRISK,))


def test_the_game_is_won_when_all_peak_cards_are_placed_and_scores_the_cards_left_in_all_stocks() -> None:
    twin = leave(climb(), range(28), (5, 3))
    for place in range(27, -1, -1):
        assert (twin.status, twin.score()) == (RUNNING, 0)
        act(twin, {0: play(place)})
    assert (twin.status, twin.score(), twin.longest) == (WON, 8, 28)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("k", [0, 1])
def test_either_seat_wins_with_the_last_card_on_either_pile(seat: int, k: int) -> None:
    twin = leave(table({0: "8H"}, (("9C",), ("9S",)), tempos=(INSTANT, INSTANT)), {0}, (0, 0))
    act(twin, {seat: play(0, k)})
    assert (twin.status, twin.score()) == (WON, 0)


def test_a_streak_goes_on_over_seats_and_piles_until_anyone_draws() -> None:
    twin = table(tempos=(INSTANT, INSTANT))
    act(twin, {0: play(18), 1: play(20)})
    act(twin, {1: play(26, 1)})
    assert (twin.streak, twin.longest) == (3, 3)
    act(twin, {1: draw(twin)})
    assert (twin.streak, twin.longest) == (0, 3)
    act(twin, {0: play(21)})
    assert (twin.streak, twin.longest) == (1, 3)


def test_the_unseen_cards_are_those_never_turned_up() -> None:
    twin = table({**BASE, 9: "JC"}, tempos=(INSTANT, INSTANT))
    seen = [code(card) // 4 for card in [*BASE.values(), "5S", "9S"]]
    assert twin.unseen == [4 - seen.count(rank) for rank in range(13)]
    act(twin, {0: play(18), 1: draw(twin)})
    seen += [11]  # QD was drawn, and place 9 still has a cover
    assert twin.unseen == [4 - seen.count(rank) for rank in range(13)]
    act(twin, {0: draw(twin)})
    act(twin, {0: draw(twin)})
    act(twin, {0: play(19)})
    seen += [11, 2, 10]  # QS and 3S were drawn, and 4H on it turned up JC
    assert twin.unseen == [4 - seen.count(rank) for rank in range(13)]


# Section 3: ends.


@pytest.mark.parametrize(("clock_ms", "last"), [(600, 3), (601, 4)])
def test_the_clock_has_run_out_after_its_last_tick(clock_ms: int, last: int) -> None:
    twin = table(clock_ms=clock_ms)
    pass_ticks(twin, last - 1)
    assert twin.status == RUNNING
    pass_ticks(twin, 1)
    assert (twin.status, twin.ticks_gone, twin.score()) == (CLOCK_OUT, last, 0)


def test_a_game_won_in_the_last_tick_is_won() -> None:
    for clock, status in ((28, WON), (27, CLOCK_OUT)):
        twin = climb(clock_ms=200 * clock)
        for place in range(27, 27 - clock, -1):
            act(twin, {0: play(place)})
        assert twin.status == status
        assert twin.events["win in the last tick"] == (status == WON)


def test_a_card_in_a_hand_does_not_count_when_the_clock_runs_out() -> None:
    twin = leave(table(clock_ms=600), {18}, (7, 7))
    act(twin, {0: play(18)})
    pass_ticks(twin, 2)
    assert (twin.status, twin.events) == (CLOCK_OUT, {"clock out with a card in hand": 1})


def test_the_clock_is_asked_before_the_stocks() -> None:
    for clock_ms, status in ((800, CLOCK_OUT), (1000, STUCK)):
        twin = leave(table(clock_ms=clock_ms), {18, 27}, (0, 0))
        act(twin, {0: play(18)})
        pass_ticks(twin, 3)
        assert twin.status == status


def test_stuck_is_at_once_whatever_hands_reach_or_pause() -> None:
    twin = leave(table(tempos=(BRISK, (0, 2000, 0, 0))), {18, 27}, (0, 0))
    act(twin, {0: play(18), 1: play(18, 1)})
    pass_ticks(twin, 2)
    assert twin.status == RUNNING
    pass_ticks(twin, 1)
    assert (twin.status, [hand[0] for hand in hands(twin)]) == (STUCK, [PAUSING, REACHING])


def test_a_card_in_a_hand_puts_stuck_off_until_its_return_ends() -> None:
    twin = leave(table(tempos=(BRISK, INSTANT)), {18, 19, 27}, (0, 0))
    act(twin, {0: play(18)})
    act(twin, {})
    act(twin, {1: play(19, 1)})
    pass_ticks(twin, 2)
    assert (twin.status, hands(twin)[0]) == (RUNNING, (RETURNING, 18, 0, 1))
    act(twin, {})
    assert (twin.status, twin.events) == (STUCK, {"return": 1, "stuck at a return": 1})


def test_a_return_in_an_earlier_tick_is_not_what_the_game_got_stuck_at() -> None:
    twin = leave(table(stocks=(("5S",), ("9S", "3S")), stock=2), {27}, (0, 1))
    twin.hands[0].start(RETURNING, 1, 27, 0)
    act(twin, {1: draw(twin)})
    assert hands(twin)[0] == (PAUSING, -1, -1, 2)
    pass_ticks(twin, 3)
    assert (twin.status, twin.events) == (STUCK, {})


@pytest.mark.parametrize(("drawn", "status"), [("QS", RUNNING), ("3S", STUCK)])
def test_a_draw_under_way_puts_stuck_off_until_it_ends(drawn: str, status: int) -> None:
    twin = leave(table(stocks=(("5S", drawn), ("9S",)), stock=2), {27}, (1, 0))
    act(twin, {0: draw(twin)})
    pass_ticks(twin, 2)
    assert (twin.status, twin.stocks) == (RUNNING, [1, 0])
    act(twin, {})
    assert (twin.status, twin.stocks) == (status, [0, 0])


@pytest.mark.parametrize(("top", "fits"), [("QS", 1), ("TS", 0), ("5S", None)])
def test_a_free_card_that_fits_any_pile_keeps_the_game_going(top: str, fits: int | None) -> None:
    twin = leave(table(stocks=((top,), ("QC",)) if fits == 1 else ((top,), ("5C",))), {27}, (0, 0))
    act(twin, {})
    assert twin.status == (STUCK if fits is None else RUNNING)


def test_one_empty_stock_is_not_the_end() -> None:
    twin = leave(table(stocks=(("5S",), ("5C",))), {27}, (0, 1))
    act(twin, {})
    assert twin.status == RUNNING


def test_after_the_end_everything_is_refused_and_nothing_changes() -> None:
    twin = table(calls=False, clock_ms=400)
    act(twin, {0: play(18)})
    act(twin, {})
    before = twin.state()
    for action in (wait(twin), play(19), draw(twin), draw(twin, 1), call(twin, 0)):
        assert twin.tick([action, wait(twin)]) == [1, 1]
    assert (twin.state(), twin.status) == (before, CLOCK_OUT)
    assert twin.mask(0) == [1] * 59


# Section 3: calls.


def test_a_call_grows_older_and_is_gone_at_three_seconds() -> None:
    for tick_ms, life in ((200, 15), (700, 5), (3000, 1)):
        twin = table(tick_ms=tick_ms)
        act(twin, {1: call(twin, 14)})
        for age in range(life):
            assert twin.calls == [(0, 0), (15, age)]
            act(twin, {})
        assert twin.calls == [(0, 0), (0, 0)]


def test_a_newer_call_replaces_the_older_one_of_the_same_seat() -> None:
    twin = table()
    act(twin, {0: call(twin, 0), 1: call(twin, 13)})
    act(twin, {0: call(twin, 7)})
    assert twin.calls == [(8, 0), (14, 1)]
    act(twin, {0: call(twin, 7)})
    assert twin.calls == [(8, 0), (14, 2)]


def test_the_silent_table_knows_no_calls() -> None:
    twin = table(calls=False)
    assert twin.tick([call(twin, 0), wait(twin)]) == [2, 0]
    assert (twin.calls, len(twin.mask(0)), len(table().mask(0))) == ([(0, 0), (0, 0)], 59, 74)


# Whole games.


@pytest.mark.parametrize("tempo", [INSTANT, BRISK, PERSON])
def test_the_opening_that_the_source_tells(tempo: Tempo) -> None:
    base = dict(enumerate("5H 6D TS JH 2S 3C KD 8H QS 7C".split(), start=18))
    hidden = {9: "7D", 10: "2C", 11: "QC", 15: "9S", 16: "4D"}
    twin = table({**base, **hidden}, (("4S",), ("9C", "3H")), stock=12, tempos=(tempo, tempo))
    draw_ben = draw(twin)
    told = [{0: play(18), 1: play(20)}, {0: play(19), 1: play(21)}, {0: play(9), 1: play(11)}, {1: play(24)}]
    told += [{1: play(25, 1)}, {0: play(15)}, {1: play(26)}]
    for actions in told:
        _act_and_settle(twin, actions)
    assert (tops(twin), twin.longest) == (["9S", "QS"], 10)
    assert twin.free() == {27, 22, 10, 23, 16}
    assert not any(twin.mask(seat)[:draw_ben].count(1) for seat in range(2))
    for actions in ({1: draw_ben}, {1: play(16)}, {0: play(23, 1)}, {0: play(22, 1)}):
        _act_and_settle(twin, actions)
    assert twin.free() == {27, 10, 7, 12, 13, 14}
    assert (twin.streak, twin.events["miss"]) == (3, 0)


def _act_and_settle(twin: Twin, actions: Mapping[int, int]) -> None:
    act(twin, actions)
    while any(hand.phase != FREE for hand in twin.hands):
        act(twin, {})


SETTINGS = [
    TwinRules(1, 24, True, False, True, 200, None, (INSTANT,)),
    TwinRules(3, 6, False, False, True, 200, None, (INSTANT,) * 3),
    TwinRules(1, 24, True, False, False, 200, 60_000, (BRISK,)),
    TwinRules(2, 10, True, True, False, 200, 120_000, (BRISK, PERSON)),
    TwinRules(3, 8, True, True, False, 300, None, (BRISK, INSTANT, (100, 900, 500, 0))),
]


@pytest.mark.parametrize("rules", SETTINGS)
@pytest.mark.parametrize("seed", range(5))
def test_in_random_games_the_mask_says_what_is_refused_and_no_card_is_lost(rules: TwinRules, seed: int) -> None:
    rng = random.Random(seed)
    twin = Twin(rules, rng.sample(range(52), 52), seed)
    actors = 1 if rules.one_mind else rules.seats
    while twin.status == RUNNING and twin.ticks_gone < 2000:
        masks = [twin.mask(seat) for seat in range(actors)]
        for seat, mask in enumerate(masks):
            assert mask == [int(twin.refusal(seat, action) == 0) for action in range(len(mask))]
        legal = [[action for action, fine in enumerate(mask) if fine] for mask in masks]
        choices = [rng.choice(some) if rng.random() < 0.8 else rng.randrange(len(masks[0])) for some in legal]
        before = twin.state()
        if rules.one_mind:
            refused = twin.command(choices[0]) > 0
            assert (twin.state() == before) == refused
        else:
            accepted = [int(reason == 0) for reason in twin.tick(choices)]
            assert accepted == [mask[choice] for mask, choice in zip(masks, choices, strict=True)]
        aside = 52 - 28 - rules.seats * rules.stock
        assert sum(twin.unseen) == len(twin.present - twin.free()) + sum(twin.stocks) + aside
        assert len(twin._held()) == sum(hand.phase in (CARRYING, RETURNING) for hand in twin.hands)
        assert twin._held() <= twin.free()
    assert twin.score() == (sum(twin.stocks) if twin.status == WON else 0)


def test_a_copy_goes_its_own_way() -> None:
    twin = table(tempos=(INSTANT, BRISK))
    act(twin, {1: play(20), 0: call(twin, 3)})
    before = twin.state()
    copy = twin.copy()
    assert (copy.state(), copy.events) == (before, {})
    for _ in range(4):
        act(copy, {0: draw(copy), 1: call(copy, 2)})
    assert (twin.state(), twin.status) == (before, RUNNING)
