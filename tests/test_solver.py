"""The exact solver beside known answers, a slow search, and itself a move later."""

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gipfelsturm.agents.solver import Solution, ceiling, solve, solve_all, verdicts_after
from gipfelsturm.agents.solver_answers import LOST, UNSETTLED, WINNABLE, can_win
from gipfelsturm.agents.solver_memory import solver_memory
from gipfelsturm.envs.rules.cards import EMPTY
from gipfelsturm.envs.rules.deals import read_deck
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games, deal_games, deck_game
from gipfelsturm.envs.rules.replay import advance
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from playing import LOST as LOST_DECK
from playing import WON as WON_DECK
from solving import DATA, agrees, dirty_memory, end_of, legal, position
from tables import DECK, Table

MEMORIES = {piles: dirty_memory(piles) for piles in (1, 2, 3)}
seeds = st.integers(0, 2**32 - 1)


def rows(file: str) -> list[dict[str, str]]:
    with open(DATA / file, encoding="ascii") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def decks(file: str, ring: bool) -> Games:
    return np.concatenate([deck_game(one_mind(ring=ring), read_deck(row["deal"])) for row in rows(file)])


def answer(games: Games) -> Solution:
    return solve(games, MEMORIES[int(games[0]["seats"])])


@pytest.mark.parametrize("ring", [True, False])
@pytest.mark.parametrize("file", ["solo_deals_500.tsv", "solo_deals_named.tsv"])
def test_deals_with_known_answers(file: str, ring: bool) -> None:
    games, form = decks(file, ring), "ring" if ring else "noring"
    found = solve_all(games)
    known = [(int(row[f"min_draws_{form}"]), int(row[f"max_removed_{form}"])) for row in rows(file)]
    assert [(one.min_draws, one.max_removed) for one in found] == known
    ends = [end_of(games[i : i + 1], one) for i, one in enumerate(found) if one.winnable]
    assert ends == ["won"] * sum(draws >= 0 for draws, _ in known)


def test_the_shortest_win_of_a_deal_that_is_known_for_it() -> None:
    assert len(solve_all(decks("solo_deals_named.tsv", True))[0].moves) == 42


@pytest.mark.parametrize("piles", [1, 2, 3])
@pytest.mark.parametrize(("card", "top"), [("AS", "KH"), ("KS", "AH")])
@pytest.mark.parametrize("ring", [True, False])
def test_ace_and_king_fit_with_the_ring_alone(ring: bool, card: str, top: str, piles: int) -> None:
    table = Table(one_mind(piles=piles, ring=ring), DECK)
    table.leave({0: card}, [top, "5H", "7D"][:piles], [0] * piles)
    found = answer(table.games)
    assert found == (Solution(True, True, 0, 28, (0,)) if ring else Solution(True, False, -1, 27, ()))


def test_decks_made_to_be_won_and_lost() -> None:
    won, lost = (answer(deck_game(one_mind(ring=False), read_deck(deck))) for deck in (WON_DECK, LOST_DECK))
    assert (won.winnable, won.min_draws, len(won.moves)) == (True, 0, 28)
    assert lost == Solution(True, False, -1, 0, ())


@settings(max_examples=120, deadline=None)
@given(st.integers(1, 3), st.booleans(), st.integers(0, 10**6), seeds, st.data())
def test_endgames_agree_with_a_search_of_every_line(
    piles: int, ring: bool, deal: int, seed: int, data: st.DataObject
) -> None:
    stock = data.draw(st.integers(2, (24, 12, 8)[piles - 1]))
    cards = data.draw(st.integers(1, (14, 8, 6)[piles - 1]))
    games = position(one_mind(piles=piles, stock=stock, ring=ring), deal, cards, seed)
    agrees(games, answer(games))


@pytest.mark.parametrize(
    ("piles", "fitting", "draws"),
    [
        (1, {(0, 23): 0}, 23),
        (2, {(0, 7): 0, (1, 7): 1}, 14),  # the last numbers of draws of the first block, and the first of the others
        (2, {(0, 8): 0, (1, 8): 1}, 16),
        (2, {(0, 11): 0, (1, 11): 1}, 22),
        (3, {(0, 3): 0, (1, 3): 1, (2, 3): 2}, 9),
        (3, {(0, 4): 0, (1, 4): 1, (2, 4): 2}, 12),
        (3, {(0, 7): 0, (1, 7): 1, (2, 7): 2}, 21),
        (2, {(0, 5): 0, (0, 10): 1}, 10),  # on into another block from late in the first one
        (3, {(1, 2): 0, (1, 5): 1}, 5),
        (2, {(0, 5): 0, (0, 9): 1, (1, 5): 1}, 9),  # one draw fewer than the win in the first block
        (3, {(0, 3): 0, (0, 5): 1, (1, 3): 1}, 5),
    ],
)
def test_wins_that_need_certain_draws(piles: int, fitting: dict[tuple[int, int], int], draws: int) -> None:
    games = tips_alone(piles, fitting)
    found = answer(games)
    assert found.min_draws == draws
    agrees(games, found)


def tips_alone(piles: int, fitting: dict[tuple[int, int], int]) -> Games:
    """Tips of ranks 2, 6 and 10 alone, without the ring; the only cards that fit a tip are these (stock, n-th): tip."""
    games = deal_games(one_mind(piles=piles, ring=False), [0])
    g = games[0]
    tips = [4 * rank for rank in (1, 5, 9)]
    others = [4 * rank + suit for rank in (3, 7, 11, 12, 1, 5, 9) for suit in range(4)]
    others = [card for card in others if card not in tips]
    g["present"] = 2 ** (1 + max(fitting.values())) - 1
    g["deck"][:3] = tips
    for pile in range(piles):
        g["top"][pile] = others.pop()
        for nth in range(1, g["dealt"]):
            tip = fitting.get((pile, nth))
            card = others.pop() if tip is None else tips[tip] + 4 + pile
            g["deck"][28 + pile * g["dealt"] + nth] = card
    return games


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 2), st.booleans(), st.integers(0, 10**6), st.integers(9, 28), seeds)
def test_an_answer_is_the_best_of_those_a_move_later(piles: int, ring: bool, deal: int, cards: int, seed: int) -> None:
    games = position(one_mind(piles=piles, ring=ring), deal, cards, seed)
    found = answer(games)
    later = []
    for action in legal(games):
        after = games.copy()
        advance(after, [action])
        one = answer(after)
        later.append((one.min_draws + (action >= 28 * piles) if one.winnable else 99, one.max_removed))
    draws = min((draws for draws, _ in later), default=99)
    assert found.min_draws == (-1 if draws == 99 else draws)
    assert found.max_removed == max(28 - cards, *(most for _, most in later), 0)


@pytest.mark.parametrize("form", [one_mind("normal"), one_mind("hard"), one_mind("expert")])
def test_whole_deals_with_two_piles(form: Settings) -> None:
    games = deal_games(form, range(12))
    swapped = games.copy()
    stocks = games["deck"][:, 28 : 28 + 2 * form.stock].reshape(12, 2, form.stock)
    swapped["deck"][:, 28 : 28 + 2 * form.stock] = stocks[:, ::-1].reshape(12, -1)
    swapped["top"][:, :2] = games["top"][:, 1::-1]
    found, other = solve_all(games), solve_all(swapped)
    assert [one[:4] for one in found] == [one[:4] for one in other]
    for i, one in enumerate(found):
        assert one.settled
        assert not one.winnable or end_of(games[i : i + 1], one) == "won"


def test_three_piles_are_settled_or_said_not_to_be() -> None:
    games = deal_games(one_mind("normal", piles=3), range(3))
    few, enough = (solve_all(games, threads=1, sheets=sheets) for sheets in (2000, None))
    assert [one.settled for one in few] == [False] * 3
    assert [one.settled for one in enough] == [True, False, True]
    for i, one in enumerate(enough):
        assert one.winnable
        assert end_of(games[i : i + 1], one) == "won"
        assert few[i].max_removed <= one.max_removed


def test_a_game_that_is_over_is_answered_too() -> None:
    games = position(one_mind(), 0, 0, 1)
    games[0]["present"] = 0
    assert answer(games) == Solution(True, True, 0, 28, ())


def test_solving_leaves_the_game_as_it_was_and_memory_behind_that_does_not_matter() -> None:
    games = position(one_mind(), 3, 20, 3)
    before = games.tobytes()
    first = answer(games)
    answer(deal_games(one_mind(ring=False), [8]))
    assert answer(games) == first == solve(games, solver_memory(1))
    assert games.tobytes() == before


@pytest.mark.parametrize("piles", [1, 2])
def test_verdicts_after_each_action(piles: int) -> None:
    verdicts = set()
    for seed in range(8):
        games = position(one_mind(piles=piles), seed, 8, seed)
        for action, verdict in enumerate(verdicts_after(games, MEMORIES[piles]).tolist()):
            after = games.copy()
            refused = advance(after, [action]) != [0]
            assert verdict == (LOST if refused else WINNABLE if answer(after).winnable else LOST)
            verdicts.add((refused, verdict))
    assert verdicts == {(True, LOST), (False, LOST), (False, WINNABLE)}


@compiled
def judged(games: Games, memory: object) -> int:
    return can_win(games[0], memory)  # type: ignore[arg-type]


@pytest.mark.parametrize("piles", [1, 2, 3])
def test_compiled_code_is_never_told_more_than_is_known(piles: int) -> None:
    form = one_mind(piles=piles, stock=6)
    games = position(form, 5, 10, 5)
    memory = MEMORIES[piles]
    sure = WINNABLE if answer(games).winnable else LOST
    lying = [place for place in range(28) if games[0]["present"] >> place & 1]
    ends = [28 + 6 * (pile + 1) for pile in range(piles) if games[0]["stock"][pile]]
    gone = [place for place in range(28) if place not in lying]
    assert judged(games, memory) == sure
    for at in range(52):
        hidden = games.copy()
        hidden[0]["deck"][at] = EMPTY
        counts = at in lying or any(end - games[0]["stock"][(end - 34) // 6] <= at < end for end in ends)
        assert judged(hidden, memory) == (UNSETTLED if counts else sure)
    assert gone
    hidden = games.copy()
    hidden[0]["top"][piles - 1] = EMPTY
    assert judged(hidden, memory) == UNSETTLED
    impossible = deal_games(form, [5])
    impossible[0]["present"] -= 1
    assert judged(impossible, memory) == UNSETTLED


def test_compiled_code_refuses_memory_for_other_piles() -> None:
    with pytest.raises(ValueError, match="^the memory is for another number of piles: "):
        judged(deal_games(one_mind("normal"), [0]), MEMORIES[1])


def test_too_few_sheets_settle_nothing() -> None:
    games = deal_games(one_mind("expert", piles=2), [0])
    assert judged(games, solver_memory(2, 50)) == UNSETTLED
    assert not solve(games, solver_memory(2, 50)).settled


def test_ceiling_is_the_share_that_can_be_won_whatever_the_threads() -> None:
    form = one_mind(ring=False)
    found = ceiling(form, range(100), threads=3)
    solved = solve_all(deal_games(form, range(100)), threads=1)
    assert found.winnable.tolist() == [one.winnable for one in solved]
    assert found.settled.all()
    assert found.share == sum(one.winnable for one in solved) / 100 < 1


def test_no_games_have_no_solutions() -> None:
    assert solve_all(deal_games(one_mind(), [])) == []


def faulty(change: str) -> Games:
    games = deal_games(one_mind("normal"), [0])
    g = games[0]
    if change == "place":
        g["present"] = 1 << 28
    elif change == "cover":
        g["present"] = (1 << 28) - 1 - (1 << 9)
    elif change == "stock":
        g["stock"][1] = 12
    elif change == "unknown":
        g["deck"][41] = EMPTY
    elif change == "twice":
        g["top"][1] = g["deck"][3]
    return games


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("place", "places are 0 to 27, but the record has one of 28"),
        ("cover", "place 9 is empty while a card lies on 18, which covers it"),
        ("stock", "stock 1 must have 0 to 11 cards left, not 12"),
        ("unknown", "card 1 of stock 1 is unknown: the solver needs every card that still counts"),
        ("twice", "the top of pile 1 is JS, and so is the card of place 3: a card is there once"),
    ],
)
def test_impossible_positions_are_refused(change: str, fault: str) -> None:
    games = faulty(change)
    for refused in (lambda: solve(games, MEMORIES[2]), lambda: verdicts_after(games, MEMORIES[2])):
        with pytest.raises(ValueError, match=f"^{fault}$"):
            refused()
    with pytest.raises(ValueError, match=f"^{fault}$"):
        solve_all(games)


def test_what_cannot_be_asked_is_refused() -> None:
    games = deal_games(one_mind("normal"), [0])
    with pytest.raises(ValueError, match=r"^the memory is not for 2 piles: make it with solver_memory\(2\)$"):
        solve(games, MEMORIES[1])
    with pytest.raises(ValueError, match="^games must have one number of piles, not 1 and 2$"):
        solve_all(np.concatenate([games, deal_games(one_mind(), [0])]))
    with pytest.raises(ValueError, match="^the solver plays as one mind without time: "):
        solve(deal_games(real_time("normal"), [0]), MEMORIES[2])
    with pytest.raises(ValueError, match="^the ceiling is that of one mind without time: "):
        ceiling(real_time("normal"), range(3))
    with pytest.raises(ValueError, match="^the ceiling needs at least one deal$"):
        ceiling(one_mind(), [])
    with pytest.raises(ValueError, match="^deals are numbered 0 to 1099511627775, not -1 to 1$"):
        ceiling(one_mind(), range(-1, 2))
    with pytest.raises(ValueError, match="^threads must be 1 or more, not 0$"):
        ceiling(one_mind(), [0], threads=0)
    with pytest.raises(ValueError, match="^piles must be 1, 2 or 3, not 4$"):
        solver_memory(4)
    with pytest.raises(ValueError, match="^sheets must be 1 or more, not 0$"):
        solver_memory(2, 0)
