"""TriPeaks as a table game: taps, undo, what was ever seen, and going on after a reload (rules.md section 4)."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gipfelsturm.envs.rules.cards import EMPTY
from gipfelsturm.envs.rules.deals import DEALS, deal_id
from gipfelsturm.envs.rules.replay import replay
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.rules.transcript import Command, Deal, Transcript, usual_tie_seed
from gipfelsturm.envs.session import DRAW, NOTHING_TO_UNDO, UNDO, Session
from playing import LOST, ORDER, WON, legal
from random_play import covered, unseen_cards
from sessions import OPENING, TABLES, any_action, codes, do, done, seen, shown, sitting, state

# Taps


def test_tapping_a_card_plays_it_and_tapping_the_stock_draws() -> None:
    session = sitting(OPENING)
    assert session.tap(18, 0) == ""
    assert (seen(session, "tops"), seen(session, "stocks")) == ([codes(OPENING)[18] + 1], [23])
    assert session.draw(0) == ""
    assert (seen(session, "tops"), seen(session, "stocks")) == ([codes(OPENING)[29] + 1], [22])


@pytest.mark.parametrize(
    ("before", "action", "reason"),
    [
        ([], 20, "not one rank away"),
        ([], 9, "face down"),
        ([18], 9, "still covered"),
        ([18], 18, "place empty"),
        ([], UNDO, NOTHING_TO_UNDO),
        ([18, UNDO], UNDO, NOTHING_TO_UNDO),
    ],
)
def test_what_is_refused_changes_nothing_and_says_why(before: Sequence[int], action: int, reason: str) -> None:
    session = done(sitting(OPENING), before)
    earlier = state(session)
    assert do(session, action) == reason
    assert state(session) == earlier


def test_the_stock_runs_once_and_an_ended_game_takes_no_tap() -> None:
    session = done(sitting(WON), [18, 19, *[DRAW] * 23])
    assert do(session, DRAW) == "stock empty"
    session = done(sitting(LOST), [DRAW] * 23)
    earlier = state(session)
    assert [do(session, action) for action in (DRAW, 18, 0)] == ["game over"] * 3
    assert state(session) == earlier


@pytest.mark.parametrize("place", [-1, 28, 29])
def test_a_place_that_is_none_is_an_error(place: int) -> None:
    with pytest.raises(ValueError, match=f"^place must be 0 to 27, not {place}$"):
        sitting(OPENING).tap(place, 0)


@pytest.mark.parametrize("place", [18.0, "18", True, None])
def test_a_place_is_a_whole_number(place: int) -> None:
    with pytest.raises(ValueError, match=f"^place must be a whole number, not {place!r}$"):
        sitting(OPENING).tap(place, 0)


def test_a_history_is_plain_whatever_the_numbers_were() -> None:
    session = sitting(OPENING)
    session.tap(np.int64(18), 0)  # type: ignore[arg-type]
    other = Session.restored(session.settings, session.deal, np.array([18, 28, -1]), 0)
    assert {type(action) for action in [*session.history, *other.history]} == {int}


# Undo (faults that others shipped, numbers 1 and 11)


def assert_a_whole_table(session: Session) -> None:
    """The cards that lie free are face up, those under others are not, and 28 are accounted for."""
    present = int(session.record()[0]["present"])
    peaks = seen(session, "peaks")
    for place, card in enumerate(peaks):
        if present >> place & 1:
            assert (card == 0) == covered(present, place)
        else:
            assert card == -1
    assert peaks.count(-1) == session.standing().cleared


def test_a_card_that_an_undone_play_turned_up_is_face_down_again() -> None:
    session = sitting(OPENING)
    for action, up in ((18, False), (UNDO, False), (19, False), (DRAW, False), (18, True), (UNDO, False), (18, True)):
        done(session, [action])
        assert (seen(session, "peaks")[9] > 0) is up
        assert_a_whole_table(session)
    assert [place for place, card in enumerate(seen(session, "peaks")) if card > 0] == [9, *range(20, 28)]


@pytest.mark.parametrize("seed", range(200))
def test_as_many_undos_as_steps_lead_back_to_the_start(seed: int) -> None:
    dice = np.random.default_rng(seed)
    session = Session(TABLES[seed % len(TABLES)], seed)
    records, views = [session.record().tobytes()], [shown(session)]
    for _ in range(int(dice.integers(1, 60))):
        if session.standing().status != "running":
            break
        done(session, [legal(dice, session.mask())])
        records.append(session.record().tobytes())
        views.append(shown(session))
    actions, last = list(session.history), session.record()
    for record, view in zip(records[-2::-1], views[-2::-1], strict=True):
        assert session.undo(0) == ""
        assert (session.record().tobytes(), shown(session)) == (record, view)
        assert_a_whole_table(session)
    assert session.undo(0) == NOTHING_TO_UNDO
    assert session.record().tobytes() == Session(session.settings, seed).record().tobytes()
    assert done(session, actions).record().tobytes() == last.tobytes()


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, DEALS - 1), st.integers(0, 2**32), st.integers(0, 150))
def test_any_walk_is_a_replay_of_the_moves_that_stand(table: Settings, deal: int, seed: int, steps: int) -> None:
    session, dice = Session(table, deal), np.random.default_rng(seed)
    line: list[int] = []
    for now in range(steps):
        action = any_action(session, dice)
        earlier, running = state(session, now), session.standing().status == "running"
        possible = bool(line) if action == UNDO else running and bool(session.mask()[action])
        assert (do(session, action, now) == "") is possible
        if not possible:
            assert state(session, now) == earlier
        elif action == UNDO:
            line.pop()
        else:
            line.append(action)
    commands = tuple(Command(tick, 0, action) for tick, action in enumerate(line, 1))
    *_, last = replay(Transcript(table, deal, usual_tie_seed(deal), commands, len(line)))
    assert session.record().tobytes() == last.tobytes()
    assert session.standing().moves == len(line)
    assert_a_whole_table(session)


def test_moves_and_streaks_are_those_of_the_moves_that_stand() -> None:
    session = done(sitting(WON), [*ORDER[:5], DRAW])
    assert (session.standing().moves, session.standing().streak, session.standing().longest_streak) == (6, 0, 5)
    done(session, [UNDO])
    assert (session.standing().moves, session.standing().streak, session.standing().longest_streak) == (5, 5, 5)
    done(session, [UNDO] * 3)
    standing = session.standing()
    assert (standing.moves, standing.streak, standing.longest_streak, standing.cleared) == (2, 2, 2, 2)


# What is known (faults that others shipped, number 9)


def test_an_undone_draw_is_unknown_to_the_table_but_not_to_the_session() -> None:
    session, deck = sitting(OPENING), codes(OPENING)
    start, nothing_drawn = shown(session), session.known()
    done(session, [DRAW, DRAW])
    assert session.mask()[20] == 1
    done(session, [UNDO, UNDO])
    assert shown(session) == start
    assert do(session, 20) == "not one rank away"
    assert session.known().stock[:4].tolist() == [deck[28], deck[29], deck[30], EMPTY]
    assert nothing_drawn.stock[:2].tolist() == [deck[28], EMPTY]
    assert (nothing_drawn.unseen - session.known().unseen).tolist() == [0, 0, 0, 1, *[0] * 6, 1, 0, 0]


def test_a_card_that_lies_face_down_again_is_known() -> None:
    session, deck = sitting(OPENING), codes(OPENING)
    assert session.known().peaks[9] == EMPTY
    done(session, [19, DRAW, 18, *[UNDO] * 3])
    assert seen(session, "peaks")[9] == 0
    assert session.known().peaks.tolist() == [EMPTY] * 9 + [deck[9]] + [EMPTY] * 8 + list(deck[18:28])


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_known_is_everything_that_was_ever_shown(table: Settings) -> None:
    for deal in range(10):
        session, dice = Session(table, deal), np.random.default_rng(deal)
        deck = session.record()[0]["deck"]
        ever = set(range(52)) - set(unseen_cards(session.record()[0]))
        for _ in range(100):
            do(session, any_action(session, dice))
            ever |= set(range(52)) - set(unseen_cards(session.record()[0]))
            assert_known(session, deck, ever)


def assert_known(session: Session, deck: NDArray[np.uint8], ever: set[int]) -> None:
    peaks, stock, unseen = session.known()
    cards = [int(deck[slot]) if slot in ever else EMPTY for slot in range(52)]
    assert peaks.tolist() == cards[:28]
    assert stock.tolist() == cards[28 : 28 + session.settings.stock]
    ranks = [int(deck[slot]) // 4 for slot in range(52) if slot not in ever]
    assert unseen.tolist() == [ranks.count(rank) for rank in range(13)]
    assert UNDO in session.history or unseen.tolist() == seen(session, "unseen")


# What nobody has seen


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_cards_that_were_never_seen_change_nothing_until_one_turns_up(table: Settings) -> None:
    for deal in range(10):
        dice = np.random.default_rng(deal)
        session = Session(table, deal)
        for _ in range(60):
            mixed = exchanged(session, dice)
            alike(session, mixed)
            action, known = any_action(session, dice), session.known().unseen.sum()
            assert do(session, action) == do(mixed, action)
            if session.known().unseen.sum() == known:
                alike(session, mixed)


def exchanged(session: Session, dice: np.random.Generator) -> Session:
    """The same taps and undos with a deck whose cards that were never seen are exchanged among themselves."""
    deck: NDArray[np.uint8] = session.record()[0]["deck"].copy()
    known = session.known()
    hidden = np.ones(52, np.bool_)
    hidden[: 28 + session.settings.stock] = np.concatenate([known.peaks, known.stock]) == EMPTY
    deck[hidden] = dice.permutation(deck[hidden])
    return done(Session(session.settings, tuple(deck.tolist())), session.history)


def alike(one: Session, other: Session) -> None:
    assert shown(one) == shown(other)
    assert one.standing()._replace(deal="") == other.standing()
    assert [cards.tobytes() for cards in one.known()] == [cards.tobytes() for cards in other.known()]


def test_the_table_shows_the_standing_moves_alone() -> None:
    """What undone moves had shown may be exchanged as well: the table shows nothing of it."""
    for deal in range(40):
        session, dice = Session(one_mind(), deal), np.random.default_rng(deal)
        line: list[int] = []
        for _ in range(60):
            action = any_action(session, dice)
            if do(session, action) == "":
                line = line[:-1] if action == UNDO else [*line, action]
        game = session.record()[0]
        unseen = unseen_cards(game)
        game["deck"][unseen] = dice.permutation(game["deck"][unseen])
        plain = done(Session(one_mind(), tuple(game["deck"].tolist())), line)
        assert shown(plain) == shown(session)


def test_what_is_handed_out_is_a_copy() -> None:
    session = done(sitting(OPENING), [18])
    earlier = state(session)
    for array in (session.observation(), session.mask(), *session.known()):
        array[...] = 1
    session.record()["stock"] = 0
    assert state(session) == earlier


# Ends (fault number 5)


@pytest.mark.parametrize("ring", [True, False])
def test_a_won_game(ring: bool) -> None:
    session = done(sitting(WON, ring=ring), ORDER[:-1])
    assert session.standing() == ("running", 27, 27, 27, 27, 23, "")
    done(session, ORDER[-1:])
    assert session.standing() == ("won", 28, 28, 28, 28, 23, "")
    assert session.mask().all()


def test_a_lost_game_can_be_taken_up_again() -> None:
    session = done(sitting(LOST), [DRAW] * 22)
    assert session.standing() == ("running", 22, 0, 0, 0, 1, "")
    done(session, [DRAW])
    assert session.standing() == ("lost: nothing fits", 23, 0, 0, 0, 0, "")
    done(session, [UNDO])
    assert session.standing() == ("running", 22, 0, 0, 0, 1, "")
    assert np.flatnonzero(session.mask()).tolist() == [DRAW]


@pytest.mark.parametrize("deal", [0, 17, DEALS - 1])
def test_the_deals_id_is_told_at_the_end_alone(deal: int) -> None:
    session = Session(one_mind(), deal)
    while session.standing().status == "running":
        assert session.standing().deal == ""
        done(session, [int(np.flatnonzero(session.mask())[-1])])
    assert session.standing().deal == deal_id(deal)


def test_the_same_deal_again_is_a_new_game() -> None:
    session = done(Session(one_mind(ring=False), 7), [DRAW, DRAW, UNDO])
    assert state(session.again()) == state(Session(one_mind(ring=False), 7))
    assert session.standing().moves == 1


# Beginning, and going on after a reload


@pytest.mark.parametrize(
    ("table", "deal", "fault"),
    [
        (one_mind("normal"), 1, "a session must be one mind with 1 pile, not one mind with 2"),
        (real_time(seats=1), 1, "a session must be one mind with 1 pile, not real time with 1"),
        (one_mind(), -1, "deals are numbered 0 to"),
        (one_mind(), DEALS, "deals are numbered 0 to"),
        (one_mind(), (0,) * 52, "a deck must be each of the codes"),
    ],
)
def test_another_game_is_refused(table: Settings, deal: Deal, fault: str) -> None:
    with pytest.raises(ValueError, match=f"^{fault}"):
        Session(table, deal)


def test_numpy_numbers_name_deals() -> None:
    assert Session(one_mind(), np.uint64(9)).record().tobytes() == Session(one_mind(), 9).record().tobytes()


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_a_restored_session_goes_on_as_before(table: Settings) -> None:
    for seed in range(10):
        dice = np.random.default_rng(seed)
        session = Session(table, seed)
        for now in range(40):
            do(session, any_action(session, dice), now)
        session.show_page(False, 40)
        other = Session.restored(table, seed, session.history, session.elapsed(40))
        action = any_action(session, dice)
        assert do(session, action, 4000) == do(other, action, 4000)
        assert state(session, 5000) == state(other, 5000)
        for each in (session, other):
            each.show_page(True, 6000)
        action = any_action(session, dice)
        assert do(session, action, 6500) == do(other, action, 6500)
        assert state(session, 7000) == state(other, 7000)


@pytest.mark.parametrize(
    ("history", "fault"),
    [
        ([18, 29], "action 2 of a history must be -1 to 28, not 29"),
        ([-2], "action 1 of a history must be -1 to 28, not -2"),
        ([18, UNDO, UNDO], f"action 3 of a history must be possible, not -1: {NOTHING_TO_UNDO}"),
        ([20], "action 1 of a history must be possible, not 20: not one rank away"),
        ([18, 28.0], "action 2 of a history must be a whole number, not 28.0"),
    ],
)
def test_a_history_that_cannot_be_is_refused(history: Sequence[int], fault: str) -> None:
    with pytest.raises(ValueError, match=f"^{fault}$"):
        Session.restored(one_mind(), codes(OPENING), history, 0)


@pytest.mark.parametrize(
    ("elapsed", "fault"),
    [(-1, "elapsed must be 0 ms or more, not -1 ms"), (0.5, "elapsed must be a whole number, not 0.5")],
)
def test_a_time_that_cannot_be_is_refused(elapsed: int, fault: str) -> None:
    with pytest.raises(ValueError, match=f"^{fault}$"):
        Session.restored(one_mind(), 1, [DRAW], elapsed)
