"""The twin against the rules' sentences on durations, commands and motion, on hand-made decks."""

from itertools import permutations

import pytest

from decks import code
from twin import CARRYING, DRAWING, FREE, PAUSING, REACHING, RETURNING, mix
from twin_tables import (
    BASE,
    BRISK,
    IDLE,
    INSTANT,
    PERSON,
    act,
    call,
    draw,
    hands,
    leave,
    pass_ticks,
    play,
    seed_with,
    table,
    timeline,
    tops,
    wait,
)

# Section 3: durations.


def test_each_duration_and_the_clock_are_rounded_up_by_themselves() -> None:
    twin = table(tempos=((10, 250, 401, 199), BRISK), clock_ms=1001)
    assert (twin.durations, twin.clock) == ([(1, 2, 3, 1), (2, 2, 2, 4)], 6)


def test_a_duration_over_127_ticks_is_refused() -> None:
    assert table(tempos=((0, 127 * 200, 0, 0), BRISK)).durations[0][1] == 127
    with pytest.raises(ValueError, match="127"):
        table(tempos=((0, 127 * 200 + 1, 0, 0), BRISK))


def test_a_play_takes_reach_carry_and_pause() -> None:
    twin = table()
    act(twin, {0: play(18)})
    assert hands(twin) == [(REACHING, 18, 0, 1), IDLE]
    act(twin, {})
    assert hands(twin) == [(CARRYING, 18, 0, 2), IDLE]
    act(twin, {})
    assert (hands(twin), tops(twin)) == ([(CARRYING, 18, 0, 1), IDLE], ["5S", "9S"])
    act(twin, {})
    assert (hands(twin), tops(twin)) == ([(PAUSING, -1, -1, 2), IDLE], ["6H", "9S"])
    assert timeline(twin, 0, 2) == [(PAUSING, 2), (PAUSING, 1), (FREE, 0)]


def test_a_draw_takes_draw_and_pause_and_counts_as_stock_until_it_ends() -> None:
    twin = table()
    act(twin, {1: draw(twin)})
    assert hands(twin)[1] == (DRAWING, -1, -1, 3)
    assert timeline(twin, 1, 2) == [(DRAWING, 3), (DRAWING, 2), (DRAWING, 1)]
    assert (tops(twin)[1], twin.stocks, twin.unseen[11]) == ("9S", [7, 7], 3)
    assert timeline(twin, 1, 3) == [(DRAWING, 1), (PAUSING, 2), (PAUSING, 1), (FREE, 0)]
    assert (tops(twin)[1], twin.stocks, twin.unseen[11]) == ("QD", [7, 6], 2)


def test_at_instant_tempo_an_action_takes_the_tick_in_which_it_is_given() -> None:
    twin = table(tempos=(INSTANT, INSTANT))
    act(twin, {0: play(18)})
    act(twin, {0: play(26), 1: draw(twin)})
    assert (hands(twin), tops(twin), twin.ticks_gone) == ([IDLE, IDLE], ["7H", "QD"], 2)


@pytest.mark.parametrize("later", [0, 200, 600])
def test_a_first_phase_of_no_tick_and_of_one_are_the_same(later: int) -> None:
    none, one = (table(tempos=((later, first, later, first), BRISK)) for first in (0, 200))
    for _ in range(40):
        action = next(action for action, legal in enumerate(none.mask(0)) if legal)
        act(none, {0: action})
        act(one, {0: action})
        assert none.state() == one.state()


def test_a_person_places_in_the_tick_after_the_command() -> None:
    twin = table(tempos=(PERSON, PERSON))
    act(twin, {0: play(18), 1: draw(twin)})
    assert (hands(twin)[0], tops(twin)) == ((CARRYING, 18, 0, 1), ["5S", "QD"])
    act(twin, {})
    assert (hands(twin)[0], tops(twin)) == (IDLE, ["6H", "QD"])


# Section 3: commands.


def test_commands_are_judged_on_the_table_as_the_last_tick_left_it() -> None:
    twin = table(tempos=(INSTANT, INSTANT), tie_seed=seed_with((0, 1), 1))
    assert twin.tick([play(18), play(26, 1)]) == [0, 10]  # 7H fits only when 6H lies there
    assert twin.tick([play(26), play(26, 1)]) == [0, 0]


def test_pile_k_is_the_kth_to_the_left_of_the_actor() -> None:
    stocks = (("5C",), ("8C",), ("JC",))
    twin = table({18: "6H", 19: "9H", 20: "QH"}, stocks, tempos=(INSTANT,) * 3)
    for seat in range(3):
        for pile, place in enumerate((18, 19, 20)):
            assert [twin.refusal(seat, play(place, k)) for k in range(3)] == [
                0 if (seat + k) % 3 == pile else 10 for k in range(3)
            ]
    act(twin, {2: play(19, 2)})
    assert tops(twin) == ["5C", "9H", "JC"]


def test_wait_and_calls_never_touch_the_hand() -> None:
    twin, other = table(), table()
    act(twin, {0: play(18)})
    act(other, {0: play(18)})
    for _ in range(5):
        act(twin, {0: call(twin, 0)})
        act(other, {})
        assert hands(twin) == hands(other)


def test_a_card_that_another_reaches_for_may_be_played() -> None:
    twin = table()
    act(twin, {0: play(18)})
    assert twin.refusal(1, play(18, 1)) == 0


@pytest.mark.parametrize("busy", [CARRYING, RETURNING, DRAWING, PAUSING])
def test_a_busy_hand_can_only_wait_and_call(busy: int) -> None:
    twin = table()
    twin.hands[0].start(busy, 8, 18, 0)
    legal = {action for action in range(wait(twin) + 16) if twin.refusal(0, action) == 0}
    assert legal == set(range(wait(twin), wait(twin) + 16))
    assert twin.refusal(0, play(18)) == twin.refusal(0, draw(twin)) == 3
    before = hands(twin)[0]
    twin.tick([play(19), wait(twin)])
    assert hands(twin)[0] == (*before[:3], 7)


def test_the_first_reason_that_holds_is_given() -> None:
    twin = leave(table(calls=False), set(range(28)) - {18, 21}, (7, 0))
    twin.hands[1].start(CARRYING, 8, 19, 0)
    asked = [call(twin, 0), draw(twin, 1), play(18), play(0), play(9), play(19), play(27), draw(twin), play(19, 1)]
    assert [twin.refusal(0, action) for action in asked] == [2, 4, 6, 7, 8, 9, 10, 0, 9]
    assert twin.refusal(1, call(twin, 14)) == 2
    assert twin.refusal(1, draw(twin, 1)) == 3
    twin.hands[1].start(FREE, 0)
    assert [twin.refusal(1, action) for action in (draw(twin), draw(twin, 1), wait(twin))] == [5, 4, 0]


def test_what_is_no_action_is_an_error() -> None:
    twin = table()
    for action in (-1, wait(twin) + 16):
        with pytest.raises(ValueError, match="no action"):
            twin.tick([action, wait(twin)])
    with pytest.raises(ValueError, match="each seat"):
        twin.tick([wait(twin)])


@pytest.mark.parametrize("partner", [False, True])
def test_a_reach_is_replaced_and_starts_anew(partner: bool) -> None:
    twin = table(tempos=((400, 1000, 400, 800), BRISK))
    act(twin, {0: play(18)})
    pass_ticks(twin, 2)
    assert hands(twin)[0] == (REACHING, 18, 0, 2)
    act(twin, {0: play(21, 1) if partner else play(19)})
    assert hands(twin)[0] == ((REACHING, 21, 1, 4) if partner else (REACHING, 19, 0, 4))
    act(twin, {0: draw(twin)})
    assert hands(twin)[0] == (DRAWING, -1, -1, 3)
    assert twin.events == {"let-go reach": 2}


def test_a_play_for_the_same_place_only_changes_the_pile() -> None:
    twin = table(stocks=(("5S",), ("7S",)))
    act(twin, {0: play(18)})
    act(twin, {0: play(18, 1)})
    assert hands(twin)[0] == (CARRYING, 18, 1, 2)
    pass_ticks(twin, 2)
    assert (tops(twin), twin.events) == (["5S", "6H"], {"same-place re-aim": 1})


@pytest.mark.parametrize("refused", [play(18, 1), play(27), play(9)])
def test_a_refused_command_lets_the_reach_go_on(refused: int) -> None:
    twin = table()
    act(twin, {0: play(18)})
    assert twin.tick([refused, wait(twin)])[0] > 0
    assert hands(twin)[0] == (CARRYING, 18, 0, 2)


# Section 3: motion.


def test_the_mixing_function_is_splitmix64() -> None:
    assert mix(0) == 0xE220A8397B1DCDAF
    assert mix(0x9E3779B97F4A7C15) == 0x6E789E6AA1B965F4


def test_the_order_follows_from_the_tie_seed_and_the_tick_alone() -> None:
    two, three = table(), table(stocks=(("5S",), ("7S",), ("9S",)))
    for seed, tick in ((0, 1), (1, 1), (0, 2), (2**64 - 1, 900), (12345, 77)):
        h = mix((seed + tick * 0xD1342543DE82EF95) % 2**64)
        for twin in (two, three):
            twin.tie_seed, twin.ticks_gone = seed, tick
        assert two.tie_order() == ((1, 0) if h & 1 else (0, 1))
        assert three.tie_order() == ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))[h % 6]


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_each_order_of_the_seats_is_as_likely(seats: int) -> None:
    twin = table(stocks=(("5S",), ("7S",), ("9S",))[:seats])
    drawn = []
    for twin.tie_seed in range(10_000):
        drawn.append(twin.tie_order())
    for order in permutations(range(seats)):
        assert drawn.count(order) / 10_000 == pytest.approx(1 / len(set(drawn)), abs=0.02)


@pytest.mark.parametrize("first", [0, 1])
def test_two_touches_of_a_card_in_one_tick_go_by_the_order(first: int) -> None:
    twin = table(tie_seed=seed_with((first, 1 - first), 2))
    act(twin, {0: play(18), 1: play(18, 1)})
    act(twin, {})
    assert hands(twin)[first] == (CARRYING, 18, 0, 2)
    assert hands(twin)[1 - first] == (PAUSING, -1, -1, 2)
    assert twin.events == {"miss": 1, "lost touch": 1, "tie order changed the outcome": 1}


def test_phases_of_no_tick_end_before_the_next_seats_turn() -> None:
    twin = table(tempos=(INSTANT, INSTANT), tie_seed=seed_with((1, 0), 1))
    act(twin, {0: play(18), 1: play(19, 1)})
    assert (tops(twin), hands(twin)) == (["4H", "9S"], [IDLE, IDLE])
    assert twin.events == {"miss": 1, "tie order changed the outcome": 1}


def test_ends_that_do_not_meet_leave_the_order_without_effect() -> None:
    twin = table(tempos=(INSTANT, INSTANT))
    act(twin, {0: play(18), 1: play(20)})
    assert twin.events == {}


def test_a_draw_and_a_placement_in_one_tick_order_the_streak() -> None:
    twin = table(tempos=(INSTANT, INSTANT), tie_seed=seed_with((0, 1), 1))
    act(twin, {0: draw(twin), 1: play(20)})
    assert (twin.streak, twin.events) == (1, {"tie order changed the outcome": 1})


def test_a_touch_finds_the_card_gone_and_the_hand_pauses() -> None:
    twin = table(tempos=(BRISK, INSTANT))
    act(twin, {0: play(18), 1: play(18, 1)})
    act(twin, {})
    assert hands(twin)[0] == (PAUSING, -1, -1, 2)
    assert twin.events == {"miss": 1, "lost touch": 1}


def test_a_touch_of_a_card_that_fits_nowhere_misses() -> None:
    twin = table(tempos=(BRISK, INSTANT))
    act(twin, {0: play(18), 1: play(19, 1)})
    act(twin, {})
    assert hands(twin)[0] == (PAUSING, -1, -1, 2)
    assert (18 in twin.present, twin.events) == (True, {"miss": 1})


def test_a_touched_card_goes_for_another_pile_if_the_named_one_has_changed() -> None:
    twin = table(stocks=(("5S",), ("7S",)), tempos=(BRISK, INSTANT))
    act(twin, {0: play(18), 1: play(19, 1)})
    act(twin, {})
    assert hands(twin)[0] == (CARRYING, 18, 1, 2)
    assert twin.events == {"redirect at touch": 1}


@pytest.mark.parametrize(("named", "found"), [(0, 1), (1, 2), (2, 1)])
@pytest.mark.parametrize(("spoilt_in", "event"), [(1, "redirect at touch"), (3, "redirect at placement")])
def test_other_piles_are_tried_own_first_and_then_to_the_left(
    named: int, found: int, spoilt_in: int, event: str
) -> None:
    twin = table(stocks=(("5S",), ("5C",), ("5D",)), tempos=(INSTANT, BRISK, INSTANT))
    for tick in range(1, 5):
        reach = {1: play(18, (named - 1) % 3)} if tick == 1 else {}
        spoil = {0: play(19, named)} if tick == spoilt_in else {}
        act(twin, reach | spoil)
    assert tops(twin)[found] == "6H"
    assert twin.events == {event: 1}


def test_the_pile_found_at_the_touch_is_the_named_one_from_then_on() -> None:
    twin = table(stocks=(("5S",), ("7S",)), tempos=(BRISK, INSTANT))
    act(twin, {0: play(18), 1: play(19, 1)})
    act(twin, {})
    twin.tops[0] = code("5D")  # the pile named at first would fit again
    pass_ticks(twin, 2)
    assert tops(twin) == ["5D", "6H"]


def test_a_card_that_fits_nowhere_is_returned_in_the_time_of_a_carry_and_lies_free_again() -> None:
    twin = table(tempos=((400, 400, 600, 800), INSTANT))
    act(twin, {0: play(18)})
    pass_ticks(twin, 1)
    act(twin, {1: play(19, 1)})
    pass_ticks(twin, 2)
    assert hands(twin)[0] == (RETURNING, 18, 0, 3)
    pass_ticks(twin, 2)
    assert (hands(twin)[0], twin.refusal(1, play(18))) == ((RETURNING, 18, 0, 1), 9)
    pass_ticks(twin, 1)
    assert (hands(twin)[0], twin.refusal(1, play(18))) == ((PAUSING, -1, -1, 2), 10)
    assert (twin.events, 18 in twin.free()) == ({"return": 1}, True)


def test_a_returning_card_goes_back_even_if_it_would_fit_again() -> None:
    twin = table(tempos=(BRISK, INSTANT))
    act(twin, {0: play(18)})
    act(twin, {})
    act(twin, {1: play(19, 1)})
    act(twin, {})
    twin.tops[0] = code("5S")
    pass_ticks(twin, 2)
    assert (tops(twin)[0], hands(twin)[0], 18 in twin.present) == ("5S", (PAUSING, -1, -1, 2), True)


def test_a_card_covers_until_it_is_placed() -> None:
    twin = leave(table({**BASE, 9: "7D"}), set(range(28)) - {19}, (7, 7))
    act(twin, {0: play(18)})
    pass_ticks(twin, 2)
    assert hands(twin)[0] == (CARRYING, 18, 0, 1)
    assert (9 in twin.free(), 18 in twin.free(), twin.refusal(1, play(9, 1))) == (False, True, 8)
    unseen = twin.unseen[6]
    act(twin, {})
    assert (9 in twin.free(), twin.refusal(1, play(9, 1)), unseen - twin.unseen[6]) == (True, 0, 1)


def test_a_card_in_a_hand_is_in_nobody_elses_reach() -> None:
    twin = table()
    act(twin, {0: play(18)})
    assert twin.refusal(1, play(18, 1)) == 0
    act(twin, {})
    assert (hands(twin)[0][0], twin.refusal(1, play(18, 1))) == (CARRYING, 9)


def test_a_draw_may_end_under_a_carried_card() -> None:
    twin = table(stocks=(("5S", "QS"), ("9S",)), tempos=(INSTANT, BRISK))
    act(twin, {1: play(18, 1)})
    act(twin, {})
    act(twin, {0: draw(twin)})
    act(twin, {})
    assert hands(twin)[1] == (RETURNING, 18, 0, 2)
    assert twin.events == {"draw under a carried card": 1, "return": 1}


def test_a_draw_under_a_card_that_goes_back_is_not_under_a_carried_one() -> None:
    twin = table(tempos=(INSTANT, BRISK))
    twin.hands[1].start(RETURNING, 2, 18, 0)
    act(twin, {0: draw(twin)})
    assert (tops(twin)[0], twin.events) == ("QS", {})
