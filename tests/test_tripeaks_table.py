"""The TriPeaks table without a server: what it answers, what it counts, and what it never tells."""

from collections.abc import Iterable, Iterator

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.envs.rules.cards import card_text
from gipfelsturm.envs.rules.deals import DEALS, deal_id, read_deck
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.envs.session import DRAW, NOTHING_TO_UNDO, UNDO, Known, Session
from gipfelsturm.play.advice import Adviser, Question, question_about
from gipfelsturm.play.launch import new_deal
from gipfelsturm.play.messages import (
    FACE_DOWN,
    GONE,
    NO_SUCH_DEAL,
    OUT_OF_TURN,
    TOO_LONG,
    Act,
    Again,
    Deal,
    Draw,
    Show,
    Tap,
    Undo,
    View,
)
from gipfelsturm.play.tripeaks_table import MOST_ACTIONS, Saved, TriPeaksTable, standing_line
from playing import LOST, ORDER, WON, deck_text
from random_play import unseen_cards

ADVISER = Adviser(playouts=100, film_playouts=50)
OPENING = deck_text([4, 2, 9], [3, 3, 10])
"""5 and 3 in places 18 and 19, a 10 in place 20; the pile begins with a 4, on which a 4 and a jack can be drawn."""


def table_with(deck: str) -> TriPeaksTable:
    return TriPeaksTable(tuple(read_deck(deck).tolist()))


def do(table: TriPeaksTable, action: int, now: int = 0) -> View:
    if action == UNDO:
        return take(table, Undo("", table.turn), now)
    return take(table, Draw("", table.turn) if action == DRAW else Tap("", table.turn, action), now)


def take(table: TriPeaksTable, message: Act | Show, now: int = 0) -> View:
    return table.take(message, now, lambda: 4_000_000)


def play_all(table: TriPeaksTable, actions: Iterable[int], now: int = 0) -> View:
    view = table.view(now)
    for action in actions:
        view = do(table, action, now)
        assert view.refused == ""
    return view


def winning_line(number: int) -> list[int]:
    """Moves of a hinter that win a deal, which is then one that it wins."""
    session = Session(one_mind(), number)
    moves = []
    while session.standing().status == "running":
        moves.append(ADVISER.hint(question_about(session)).action)
        assert (session.draw(0) if moves[-1] == DRAW else session.tap(moves[-1], 0)) == ""
    return moves if session.standing().status == "won" else []


@pytest.fixture(scope="module")
def won_deal() -> tuple[int, list[int]]:
    lines = ((number, winning_line(number)) for number in range(2_000_000, 2_000_100))
    return next((number, line) for number, line in lines if line)


# Views


def test_a_new_table_shows_eleven_cards_and_no_id() -> None:
    view = TriPeaksTable(5_000_000).view(0)
    assert [card == FACE_DOWN for card in view.peaks] == [True] * 18 + [False] * 10
    assert (view.stock, view.status, view.cleared, view.deal, view.ticking) == (23, "running", 0, "", False)
    assert len(view.top) == 2


def test_a_tap_plays_and_a_draw_draws() -> None:
    table = table_with(OPENING)
    played = do(table, 18)
    assert (played.peaks[18], played.top[0], played.cleared, played.streak, played.moves) == (GONE, "5", 1, 1, 1)
    drawn = do(table, DRAW)
    assert (drawn.top[0], drawn.stock, drawn.streak, drawn.longest, drawn.moves) == ("4", 22, 0, 1, 2)


@pytest.mark.parametrize(
    ("action", "reason"),
    [(20, "not one rank away"), (9, "face down"), (UNDO, NOTHING_TO_UNDO)],
)
def test_a_refused_tap_changes_nothing_and_says_why(action: int, reason: str) -> None:
    table = table_with(OPENING)
    before = table.view(0)
    assert do(table, action) == msgspec.structs.replace(before, refused=reason)
    assert table.view(0) == before


def test_a_half_covered_card_is_still_covered_and_a_played_place_is_empty() -> None:
    table = table_with(OPENING)
    do(table, 18)
    assert do(table, 9).refused == "still covered"
    assert do(table, 18).refused == "place empty"


def test_a_message_about_another_state_is_refused_with_this_one() -> None:
    table = table_with(OPENING)
    message = Tap("", table.turn, 18)
    assert take(table, message).refused == ""
    again = take(table, message)
    assert (again.refused, again.turn, again.moves) == (OUT_OF_TURN, 1, 1)


def test_an_undone_card_is_face_down_again() -> None:
    table = table_with(deck_text([4, 5], [3]))
    view = play_all(table, [18, 19])
    assert view.peaks[9] not in (FACE_DOWN, GONE)
    undone = do(table, UNDO)
    assert (undone.peaks[9], undone.undos, undone.moves, undone.turn) == (FACE_DOWN, 1, 1, 3)


def test_the_clock_runs_from_the_first_action_while_the_page_is_shown() -> None:
    table = table_with(OPENING)
    assert do(table, 20, 500).ticking is False
    assert do(table, 18, 1000).ticking is True
    hidden = take(table, Show("", False), 3000)
    assert (hidden.elapsed, hidden.ticking, hidden.turn) == (2000, False, 1)
    assert take(table, Show("", True), 9000).elapsed == 2000
    assert table.view(9500).elapsed == 2500


# Ends


def test_a_won_game_tells_its_id_and_no_tap_counts_any_more(won_deal: tuple[int, list[int]]) -> None:
    number, line = won_deal
    table = TriPeaksTable(number)
    assert play_all(table, line[:-1]).deal == ""
    end = do(table, line[-1])
    assert (end.status, end.cleared, end.deal, end.ticking) == ("won", 28, deal_id(number), False)
    assert do(table, DRAW).refused == "game over"


def test_a_dead_end_can_be_taken_back() -> None:
    table = table_with(LOST)
    assert play_all(table, [DRAW] * 23).status == "lost"
    back = do(table, UNDO)
    assert (back.status, back.stock, back.ticking) == ("running", 1, True)


def test_a_film_shows_the_moves_that_stand() -> None:
    table = table_with(WON)
    assert table.film().actions == ()
    play_all(table, [ORDER[0], UNDO, *ORDER])
    film = table.film()
    assert film.actions == ORDER
    assert [view.cleared for view in film.views] == list(range(29))
    assert film.views[0] == table_with(WON).view(0)


def test_the_standing_line_drops_what_was_undone() -> None:
    assert standing_line([18, DRAW, UNDO, UNDO, 19, DRAW]) == (19, DRAW)


# New deals


def test_a_deal_by_id_and_a_new_one() -> None:
    table = TriPeaksTable(5_000_000)
    wanted = TriPeaksTable(7).view(0)
    got = take(table, Deal("", 0, deal_id(7).lower().replace("-", " ")))
    assert msgspec.structs.replace(got, turn=0) == wanted
    assert take(table, Deal("", 1)).peaks == TriPeaksTable(4_000_000).view(0).peaks


@pytest.mark.parametrize("text", ["1", "000-0YG-J01", "<script>", "../../etc/passwd", "ÄÖÜ-ÄÖÜ-ÄÖÜ"])
def test_an_id_that_is_none_leaves_the_game_as_it_is(text: str) -> None:
    table = TriPeaksTable(5_000_000)
    before = table.view(0)
    assert take(table, Deal("", 0, text)) == msgspec.structs.replace(before, refused=NO_SUCH_DEAL)
    assert table.sit(text, 0).refused == NO_SUCH_DEAL
    assert table.view(0) == before


def test_sitting_down_by_a_link_again_goes_on_with_that_game() -> None:
    table = TriPeaksTable(5_000_000)
    linked = table.sit(deal_id(7), 0)
    assert (linked.turn, linked.peaks) == (1, TriPeaksTable(7).view(0).peaks)
    do(table, DRAW)
    assert table.sit(deal_id(7), 0).moves == 1


def test_the_same_deal_again_is_the_same_table() -> None:
    table = TriPeaksTable(5_000_000)
    start = table.view(0)
    play_all(table, [DRAW, DRAW])
    again = take(table, Again("", table.turn), 50)
    assert again == msgspec.structs.replace(start, turn=3)


# Results


def test_a_deal_counts_once_however_often_it_is_won(won_deal: tuple[int, list[int]]) -> None:
    number, line = won_deal
    table = TriPeaksTable(number)
    assert isinstance(table.ask_hint(0), Question)
    play_all(table, [*line[:1], UNDO, *line[:1]])
    take(table, Again("", table.turn), 1000)
    play_all(table, line, 5000)
    (result,) = table.results
    assert (result.deal, result.won, result.cleared, result.moves) == (deal_id(number), True, 28, len(line))
    assert (result.tries, result.hints, result.undos, result.ms) == (2, 1, 1, 1000)
    play_all(table, [UNDO, line[-1]], 6000)
    take(table, Again("", table.turn), 7000)
    take(table, Deal("", table.turn, deal_id(number)), 7000)
    play_all(table, line, 8000)
    take(table, Deal("", table.turn), 9000)
    assert table.results == [result]


def test_a_touched_deal_counts_when_it_is_left_and_an_untouched_one_never() -> None:
    table = TriPeaksTable(5_000_000)
    take(table, Deal("", table.turn))
    assert table.results == []
    do(table, DRAW)
    take(table, Deal("", table.turn, deal_id(9)))
    (result,) = table.results
    assert (result.deal, result.won, result.moves, result.cleared) == (deal_id(4_000_000), False, 1, 0)


def lost_table() -> TriPeaksTable:
    """A dead end, at which nothing has been counted."""
    table = TriPeaksTable(5_000_000)
    play_all(table, [DRAW] * 23, 1000)
    question = table.ask_hint(table.turn)
    while isinstance(question, Question):
        do(table, ADVISER.hint(question).action, 1000)
        question = table.ask_hint(table.turn)
    assert table.view(1000).status == "lost"
    assert table.results == []
    return table


def test_a_dead_end_counts_when_its_page_is_left_and_what_comes_of_it_takes_its_place() -> None:
    table = lost_table()
    take(table, Show("", True), 2000)
    assert table.results == []
    take(table, Show("", False), 2000)
    (lost,) = table.results
    assert (lost.deal, lost.won, lost.after_ms) == (deal_id(5_000_000), False, -1)
    back = TriPeaksTable.restored(table.saved(2000), 2000)
    back.sit("", 3000)
    do(back, UNDO, 4000)
    take(back, Show("", False), 5000)
    assert back.results == [], "the game goes on, and may still be won"
    take(back, Deal("", back.turn), 6000)
    (left,) = back.results
    assert (left.undos, left.after_ms) == (1, lost.ms)
    take(back, Show("", False), 7000)
    assert back.results == [left]


def test_a_game_that_is_not_over_does_not_count_while_its_page_is_away() -> None:
    table = TriPeaksTable(5_000_000)
    do(table, DRAW)
    take(table, Show("", False), 2000)
    assert table.results == []


def test_a_game_stops_growing() -> None:
    table = table_with(OPENING)
    play_all(table, [18, UNDO] * (MOST_ACTIONS // 2))
    assert do(table, 18).refused == TOO_LONG
    assert take(table, Again("", table.turn)).refused == ""
    assert do(table, 18).refused == ""


# Keeping


def test_a_kept_table_goes_on_as_it_was(won_deal: tuple[int, list[int]]) -> None:
    number, line = won_deal
    table = TriPeaksTable(number)
    table.ask_hint(0)
    play_all(table, [line[0], UNDO, *line[:-1]], 1000)
    text = msgspec.json.encode(table.saved(3000))
    back = TriPeaksTable.restored(msgspec.json.decode(text, type=Saved), 100_000)
    assert back.saved(100_000) == table.saved(3000)
    assert back.view(100_000) == table.view(3000)
    assert back.sit("", 100_000) == table.view(3000)
    do(back, line[-1], 100_500)
    assert [(result.won, result.ms, result.hints, result.undos) for result in back.results] == [(True, 2500, 1, 1)]


# Nothing hidden


def shuffled(deck: NDArray[np.uint8], unseen: list[int], dice: np.random.Generator) -> NDArray[np.uint8]:
    other = deck.copy()
    other[unseen] = deck[dice.permutation(unseen)]
    return other


def answers(table: TriPeaksTable, now: int) -> bytes:
    """All that the server could say about the table just now."""
    hint = table.ask_hint(table.turn)
    advice = Adviser(100).hint(hint) if isinstance(hint, Question) else hint
    return msgspec.json.encode([table.view(now), table.film(), advice])


def games_that_differ(seed: int) -> Iterator[tuple[TriPeaksTable, TriPeaksTable, np.random.Generator]]:
    """A table in the middle of a game, and one whose unseen cards lie in another order."""
    dice = np.random.default_rng(seed)
    deck = dice.permutation(52).astype(np.uint8)
    actions: list[int] = []
    for _ in range(40):
        table = TriPeaksTable(tuple(deck.tolist()))
        for action in actions:
            do(table, action)
        if table.view(0).status != "running":
            return
        known = table.saved(0).history
        session = Session.restored(one_mind(), tuple(deck.tolist()), known, 0)
        seen = session.known()
        unseen = [spot for spot in range(52) if spot not in seen_spots(seen)]
        other = TriPeaksTable(tuple(shuffled(deck, unseen, dice).tolist()))
        for action in actions:
            do(other, action)
        yield table, other, dice
        actions.append(random_action(session, dice))


def seen_spots(known: Known) -> set[int]:
    cards = [*known.peaks, *known.stock]
    return {spot for spot, card in enumerate(cards) if card != 255}


def random_action(session: Session, dice: np.random.Generator) -> int:
    if session.history and dice.random() < 0.2 and session.standing().moves:
        return UNDO
    return int(dice.choice(np.flatnonzero(session.mask())))


@pytest.mark.parametrize("seed", range(8))
def test_decks_that_differ_in_unseen_cards_alone_give_the_same_bytes(seed: int) -> None:
    compared = 0
    for table, other, _ in games_that_differ(seed):
        assert answers(table, 7) == answers(other, 7)
        compared += 1
    assert compared > 10


def test_no_view_names_an_unseen_card() -> None:
    session = Session(one_mind(), 5_000_000)
    game = session.record()[0]
    hidden = [card_text(int(game["deck"][spot])) for spot in unseen_cards(game)]
    text = msgspec.json.encode(TriPeaksTable(5_000_000).view(0)).decode()
    assert len(hidden) == 41
    assert deal_id(5_000_000) not in text and "5000000" not in text
    assert sum(f'"{card}"' in text for card in hidden) == 0


def test_deals_are_drawn_from_all_numbers_that_are_not_for_evaluation() -> None:
    numbers = [new_deal() for _ in range(200)]
    assert all(1_000_000 <= number < DEALS for number in numbers)
    assert len(set(numbers)) == 200 and max(numbers) > DEALS // 2
