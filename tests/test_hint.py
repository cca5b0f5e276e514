"""Hints: what they may know, what they may say, and that the same knowledge gets the same advice (section 4)."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from decks import code, deck_with
from gipfelsturm.agents import hint as hint_module
from gipfelsturm.agents.analysis import Analyst
from gipfelsturm.agents.compact import BIT_NUMBER, POSITION, TABLE, lay_known, read_position
from gipfelsturm.agents.determinization import deal_pool, fill_pool, places_to_fill, shuffle
from gipfelsturm.agents.hint import Hint, Hinter, believe
from gipfelsturm.agents.hint_reasons import Reason, reason_for
from gipfelsturm.agents.hint_search import Judge
from gipfelsturm.envs.rules.cards import EMPTY
from gipfelsturm.envs.rules.deals import deal, read_deck
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.observation import observation_size, write_observation
from gipfelsturm.envs.rules.record import Games, deck_game
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.session import DRAW, Known, Session
from playing import ORDER, WON, deck_text, zigzag
from random_play import begin
from tables import ANNA, BEN, Table, for_two

SOLO = one_mind()
CLIMB = deck_with({25: "5H", 26: "6D", 16: "7C", 18: "3S", 27: "JC"}, [["4S", "8D"]], 24)
"""5H and 6D can be played on the 4S, and turn up 7C on place 16; the next stock card is 8D."""


def codes(deck: str) -> tuple[int, ...]:
    return tuple(read_deck(deck).tolist())


def do(session: Session, actions: Sequence[int]) -> Session:
    for action in actions:
        assert (session.draw(0) if action == DRAW else session.tap(action, 0)) == ""
    return session


def undo(session: Session, moves: int) -> Session:
    for _ in range(moves):
        assert session.undo(0) == ""
    return session


def ask(hinter: Hinter, session: Session) -> Hint:
    return hinter.hint(session.observation(), session.known())


def ended_game(tips: Sequence[int]) -> Session:
    """Only the tips, of these ranks 0..12, lie on the table, a 2 is on the pile, and the one card of the stock is a 4.

    It is still unseen.
    """
    deck = deck_text([*zigzag(26)[1:], *tips], [0, 3])
    return do(Session(one_mind(stock=2), codes(deck)), ORDER[:25])


def test_following_hints_after_an_undo_knows_the_card_and_never_cycles() -> None:
    session, hinter = Session(SOLO, tuple(CLIMB)), Hinter(SOLO, 400)
    undo(do(session, (25, 26)), 2)
    belief = believe(SOLO, session.observation(), session.known())
    assert session.observation()[16] == 0 and belief["deck"][0, 16] == code("7C")
    states = {session.record().tobytes()}
    while session.standing().status == "running":
        do(session, [ask(hinter, session).action])
        assert session.record().tobytes() not in states
        states.add(session.record().tobytes())


def test_a_card_that_an_undone_draw_showed_is_in_the_hint_and_not_in_the_observation() -> None:
    session, hinter = Session(SOLO, tuple(CLIMB)), Hinter(SOLO, 400)
    before = session.observation()
    assert ask(hinter, session).reason != Reason.REMEMBERED
    undo(do(session, [DRAW]), 1)
    hint = ask(hinter, session)
    assert (session.observation() == before).all()
    assert (hint.reason, hint.cards) == (Reason.REMEMBERED, (code("8D"),))
    assert hint.sentence == "You have seen what can come next: 8D."


def test_a_hint_taken_back_comes_again_or_names_a_card_seen_since() -> None:
    changed = 0
    for number in range(12):
        session, hinter = Session(SOLO, number), Hinter(SOLO, 200)
        while session.standing().status == "running":
            known, hint = session.known(), ask(hinter, session)
            undo(do(session, [hint.action]), 1)
            new = {*seen(session.known())} - {*seen(known)}
            again = ask(Hinter(SOLO, 200), session)
            if not new:
                assert again == hint
            elif again.action != hint.action:
                changed += 1
                assert again.exact or (again.reason == Reason.REMEMBERED and new <= {*again.cards})
            do(session, [again.action])
    assert changed, "some cards that were seen must make a difference"


def seen(known: Known) -> list[int]:
    return [int(card) for card in (*known.peaks, *known.stock) if card != EMPTY]


@pytest.mark.parametrize("table", [SOLO, one_mind(stock=8, ring=False)], ids=["24", "8 without the ring"])
def test_exchanging_cards_that_were_never_seen_changes_no_hint_in_a_whole_game_with_undos(table: Settings) -> None:
    dice, kinds = np.random.default_rng(4), set()
    for number in range(3):
        deck = np.zeros(52, np.uint8)
        deal(np.uint64(number), 1, table.stock, deck)
        session, hinter = Session(table, tuple(deck.tolist())), Hinter(table, 60)
        while session.standing().status == "running":
            hint = ask(hinter, session)
            assert ask(Hinter(table, 60), as_if_dealt(session, exchanged(session, deck, dice))) == hint
            assert all(card in seen(session.known()) for card in hint.cards)
            kinds.add(hint.reason)
            legal = np.flatnonzero(session.mask())
            do(session, [int(dice.choice(legal)) if dice.random() < 0.3 else hint.action])
            undo(session, int(dice.integers(min(3, session.standing().moves))) if dice.random() < 0.3 else 0)
    assert Reason.REMEMBERED in kinds and len(kinds) >= 4


def exchanged(session: Session, deck: NDArray[np.uint8], dice: np.random.Generator) -> NDArray[np.uint8]:
    """Another deck of which the same would have been seen in a session."""
    known, other = session.known(), deck.copy()
    never = np.flatnonzero(np.array([*known.peaks, *known.stock, *[EMPTY] * (24 - len(known.stock))]) == EMPTY)
    other[never] = dice.permutation(other[never])
    return other


def as_if_dealt(session: Session, deck: NDArray[np.uint8]) -> Session:
    return Session.restored(session.settings, tuple(deck.tolist()), session.history, 0)


def test_while_a_card_is_unseen_no_game_is_called_lost() -> None:
    session, hinter = ended_game([2, 7, 8]), Hinter(one_mind(stock=2), 100)
    hint = ask(hinter, session)
    assert not hint.exact and hint.reason != Reason.CANNOT_BE_WON


def test_once_all_is_seen_a_hint_is_exact() -> None:
    hinter = Hinter(one_mind(stock=2), 100)
    lost = ask(hinter, undo(do(ended_game([2, 7, 7]), [DRAW]), 1))
    assert (lost.reason, lost.exact, lost.line, lost.share) == (Reason.CANNOT_BE_WON, True, (), 0.0)
    assert lost.sentence == "Every card has been seen: this game cannot be won from here."
    session = undo(do(ended_game([2, 4, 3]), [DRAW]), 1)
    won = ask(hinter, session)
    assert (won.reason, won.exact) == (Reason.WINNING_LINE, True)
    assert do(session, won.line).standing().status == "won"


def stop_at(looks: int) -> Callable[[], bool]:
    """Says yes from this look on."""
    left = iter(range(looks - 1))
    return lambda: next(left, None) is None


def test_an_interrupted_hint_is_ordinary_advice_and_not_kept() -> None:
    hinter, session = Hinter(one_mind(stock=2), 100), undo(do(ended_game([2, 7, 7]), [DRAW]), 1)
    for looks in (1, 2):  # before the solver, and after it
        hint = hinter.hint(session.observation(), session.known(), stop_at(looks))
        assert not hint.exact and hint.reason is not Reason.CANNOT_BE_WON
        assert session.mask()[hint.action] and hint.share is None
    assert ask(hinter, session).exact


def test_hints_are_kept_and_the_oldest_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint_module, "MOST_KEPT", 2)
    hinter = Hinter(SOLO, 50)
    tables = [Session(SOLO, number) for number in range(3)]
    first, second, third = (ask(hinter, table) for table in tables)
    assert ask(hinter, tables[1]) is second and ask(hinter, tables[2]) is third
    again = ask(hinter, tables[0])
    assert again is not first and again == first


def test_a_calculation_looks_between_slices_whether_to_stop() -> None:
    session = Session(SOLO, 3)
    hint = Hinter(SOLO, 10**9).hint(session.observation(), session.known(), stop_at(3))
    assert hint.share is not None and 0 < hint.share < 1


def test_a_calculation_ends_once_one_choice_is_clear() -> None:
    session = Session(SOLO, 8)
    hint = ask(Hinter(SOLO, 10**9), session)
    assert hint.share == pytest.approx(0.64, abs=0.03)
    assert hint.action == ask(Hinter(SOLO, 20_000), session).action


def test_no_budget_is_too_big_to_weigh_moves_with() -> None:
    session = Session(SOLO, 8)
    best = ask(Hinter(SOLO, 10**30), session).action
    other = next(action for action in np.flatnonzero(session.mask()) if action != best)
    weighed = Analyst(SOLO, 10**30).weigh(session.observation(), int(other))
    assert weighed is not None and weighed.best.action == best and weighed.gave_up > 0


def test_all_actions_are_judged_on_the_same_determinizations_by_the_same_luck() -> None:
    session = Session(SOLO, 8)
    belief = believe(SOLO, session.observation(), session.known())
    action = int(np.flatnonzero(session.mask())[0])
    one, other = Judge(SOLO).compare(belief, [action, action], 0, 200)
    assert 0 < one == other < 1


def test_time_ends_a_hint_too() -> None:
    session = Session(SOLO, tuple(CLIMB))
    for hinter in (Hinter(SOLO, milliseconds=5), Hinter(SOLO, 100, milliseconds=10**9)):
        assert session.mask()[ask(hinter, session).action]


@compiled
def determinize(games: Games, seeds: NDArray[np.uint64], dealt: NDArray[np.int64]) -> None:
    """Write the rank of every place and of the stock (seeds, 52), -1 where none counts."""
    positions, tables, pool = np.zeros(1, POSITION), np.zeros(1, TABLE), np.zeros(52, np.int64)
    p, t = positions[0], tables[0]
    read_position(games[0], p)
    lay_known(games[0], t)
    cards, needed = fill_pool(p, t, pool), places_to_fill(p, t)
    for i in range(len(seeds)):
        shuffle(pool, cards, needed, seeds[i])
        deal_pool(p, t, pool)
        for place in range(28):
            dealt[i, place] = t["rank"][BIT_NUMBER[place]] if p["board"] >> BIT_NUMBER[place] & 1 else -1
        for card in range(t["dealt"] - p["left"][0], t["dealt"]):
            dealt[i, 28 + card] = t["stock"][0, card]


def test_determinizations_leave_what_is_remembered_where_it_is() -> None:
    session = undo(do(Session(SOLO, tuple(CLIMB)), (25, 26, DRAW, DRAW)), 4)
    belief, dealt = believe(SOLO, session.observation(), session.known()), np.full((50, 52), -1, np.int64)
    determinize(belief, np.arange(50, dtype=np.uint64), dealt)
    deck = np.array(CLIMB) >> 2
    assert (dealt[:, [16, 29, 30, *range(18, 28)]] == deck[[16, 29, 30, *range(18, 28)]]).all()
    whole = np.sort(np.delete(deck, 28))
    assert all((np.sort(np.delete(row, 28)) == whole).all() for row in dealt), "every card once"
    assert len(np.unique(dealt[:, 0])) > 5


@pytest.mark.parametrize("table", [one_mind("normal"), one_mind("hard", ring=False), real_time(), real_time(seats=3)])
def test_every_table_gets_legal_hints(table: Settings) -> None:
    batch, hinter = begin(table, 2), Hinter(table, 60)
    kinds = set()
    for _ in range(60):
        actions = np.zeros(batch.masks.shape[:2], np.int64)
        for game, seat in np.ndindex(actions.shape):
            if batch.terminated[game]:
                continue
            hint = hinter.hint(batch.observations[game, seat].copy())
            assert batch.masks[game, seat, hint.action]
            actions[game, seat] = hint.action
            kinds.add(hint.reason)
        batch.advance(actions)
    assert len(kinds) > 3
    assert (batch.games["unseen"].sum(axis=1) < 52 - 10 - 2 * table.seats).all(), "the hints play"


def test_every_free_hand_is_advised_to_act_whoever_would_begin_by_convention() -> None:
    table = real_time()
    batch, hinter = begin(table, 6), Hinter(table, 60)
    for row in batch.observations.reshape(-1, batch.observations.shape[-1]):
        assert hinter.hint(row.copy()).reason not in (Reason.WAIT, Reason.HAND_BUSY)
    batch.advance(np.array([[int(np.flatnonzero(mask)[0]) for mask in masks] for masks in batch.masks]))
    busy = hinter.hint(batch.observations[0, 0].copy())
    assert (busy.action, busy.reason, busy.share) == (58, Reason.HAND_BUSY, None)


def beside(ben: str, table: Table) -> Iterator[Hint]:
    """What Anna, whose hand is free, is advised in every tick while Ben's hand does something; both have time."""
    table.act({BEN: ben})
    while table.phase(BEN) not in ("free", "pausing"):
        row = np.zeros(observation_size(table.settings), np.int8)
        write_observation(table.game, ANNA, row)
        hint = Hinter(table.settings, 400).hint(row)
        assert hint.action in table.allowed(ANNA)
        yield hint
        table.tick()


@pytest.mark.parametrize("ben", ["play 20 0", "draw 0"])
def test_a_free_hand_is_advised_to_play_while_another_one_acts(ben: str) -> None:
    hints = list(beside(ben, for_two()))
    assert len(hints) >= 3
    assert all(hint.action % 28 in (18, 19, 21) and hint.action < 56 for hint in hints)
    assert not {hint.reason for hint in hints} & {Reason.WAIT, Reason.HAND_BUSY}


def test_a_free_hand_is_advised_to_draw_while_another_one_plays_the_last_card_that_fits() -> None:
    table = for_two().leave({20: "TH", 22: "KH"}, ["5S", "9S"], [2, 1])
    hints = list(beside("play 20 0", table))
    assert {(hint.action, hint.reason) for hint in hints} == {(56, Reason.NOTHING_FITS)} and len(hints) >= 3


@pytest.mark.parametrize(
    ("ben", "places"),
    [("draw 0", {22: "KH"}), ("play 19 0", {9: "2C", 19: "TH", 22: "KH"})],
    ids=["drawn", "turned up"],
)
def test_a_free_hand_waits_only_for_a_card_that_will_be_seen(ben: str, places: dict[int, str]) -> None:
    hints = list(beside(ben, for_two().leave(places, ["5S", "9S"], [2, 1])))
    assert {(hint.action, hint.reason) for hint in hints} == {(58, Reason.WAIT)} and len(hints) >= 3


def test_time_alone_changes_no_hint() -> None:
    table = real_time()
    batch = begin(table, 3)
    before = [Hinter(table, 60).hint(row.copy()) for row in batch.observations[:, 0]]
    for _ in range(5):
        batch.advance(np.full((3, 2), 58))
    assert [Hinter(table, 60).hint(row.copy()) for row in batch.observations[:, 0]] == before


TOP = ["7S"]


@pytest.mark.parametrize(
    ("places", "action", "reason", "cards"),
    [
        ({18: "8H", 20: "9C", 22: "6D"}, 18, Reason.GOES_ON, ["9C"]),
        ({18: "8H", 20: "9C", 22: "7C"}, 18, Reason.ONLY_PLAY, []),
        ({18: "8H", 20: "9C", 22: "7C", 24: "6C"}, 18, Reason.JOINS, ["7C", "9C"]),
        ({18: "8H", 24: "6C", 9: "KD"}, 18, Reason.TURNS_UP, []),
        ({18: "8H", 24: "6C"}, 18, Reason.WINS_MOST, []),
        ({18: "QH", 24: "2C"}, 28, Reason.NOTHING_FITS, []),
        ({18: "8H", 24: "6C"}, 28, Reason.BETTER_DRAW, []),
    ],
)
def test_reasons(places: dict[int, str], action: int, reason: Reason, cards: list[str]) -> None:
    game = table_of(places)
    plays = [place for place in places if place >= 18 and abs(code(places[place]) // 4 - 6) == 1]
    assert reason_for(game[0], action, [*plays, 28], 0) == (reason, tuple(map(code, cards)))


def table_of(places: dict[int, str]) -> Games:
    game = deck_game(SOLO, np.array(deck_with(places, [TOP], 24), np.uint8))
    game["present"] = sum(1 << place for place in places)
    return game


def test_the_last_card_that_a_card_can_go_on_is_a_reason() -> None:
    game = table_of({18: "8H", 24: "6C"})
    game["unseen"][0, [6, 8]] = 0
    assert reason_for(game[0], 18, [18, 24], 0) == (Reason.LAST_CHANCE, (code("7S"),))
    game["unseen"][0, 8] = 1
    assert reason_for(game[0], 18, [18, 24], 0)[0] == Reason.WINS_MOST


@pytest.mark.parametrize(("other", "reason"), [("9S", Reason.WINS_MOST), ("8S", Reason.LAST_CHANCE)])
def test_a_card_that_fits_another_pile_too_has_more_than_one_chance(other: str, reason: Reason) -> None:
    game = deck_game(one_mind("normal"), np.array(deck_with({18: "8H", 24: "6C"}, [TOP, [other]], 12), np.uint8))
    game["present"] = 1 << 18 | 1 << 24
    game["unseen"][0, [6, 8]] = 0
    assert reason_for(game[0], 18, [18, 24], 0)[0] == reason
    game["top"][0, :2] = game["top"][0, [1, 0]]
    assert [reason_for(game[0], *asked)[0] for asked in ((46, [46, 52], 0), (18, [18, 24], 1))] == [reason, reason]


def test_bad_calls_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="1 playout or more, not 0"):
        Hinter(SOLO, 0)
    with pytest.raises(ValueError, match="1 ms or more, not 0 ms"):
        Hinter(SOLO, milliseconds=0)
    session = do(Session(SOLO, codes(WON)), ORDER)
    with pytest.raises(ValueError, match="the game is over"):
        ask(Hinter(SOLO), session)
