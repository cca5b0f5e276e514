"""One game is one record: small, copied by an assignment, saved and restored in the middle of an action."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gipfelsturm.envs.rules.actions import action_count
from gipfelsturm.envs.rules.cards import EMPTY, RANKS
from gipfelsturm.envs.rules.deals import DEALS
from gipfelsturm.envs.rules.record import CARRYING, GAME, Games, blank_games, deal_games, deck_game, start_all
from gipfelsturm.envs.rules.replay import advance
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.rules.table import free_places
from tables import for_two

NUMBERS = st.integers(0, DEALS - 1)
TABLES = st.one_of(
    st.builds(one_mind, st.sampled_from(("normal", "hard")), piles=st.integers(1, 3)),
    st.builds(real_time, st.sampled_from(("normal", "hard")), seats=st.integers(1, 3)),
)


def random_actions(table: Settings, random: np.random.Generator) -> list[int]:
    return [int(a) for a in random.integers(action_count(table), size=1 if table.one_mind else table.seats)]


def carrying(number: int = 0) -> Games:
    """A game in which somebody carries a card."""
    table = real_time("normal")
    games = deal_games(table, [number])
    random = np.random.default_rng(number)
    while CARRYING not in games[0]["phase"]:
        advance(games, random_actions(table, random))
    return games


def go_on(games: Games, ticks: int = 200) -> list[bytes]:
    random = np.random.default_rng(1)
    states = []
    for _ in range(ticks):
        advance(games, random_actions(real_time("normal"), random))
        states.append(games.tobytes())
    return states


def test_a_record_is_small_and_has_no_gaps() -> None:
    assert GAME.itemsize <= 160
    assert GAME.itemsize == sum(GAME[name].itemsize for name in GAME.names or ())


def test_an_assignment_clones_a_game() -> None:
    games = carrying()
    clones = blank_games(real_time("normal"), 2)
    clones[1] = games[0]
    before = games.tobytes()
    states = go_on(clones[1:])
    assert games.tobytes() == before
    assert go_on(games) == states


def test_bytes_restore_a_game_in_mid_carry() -> None:
    games = carrying()
    saved = games.tobytes()
    restored = np.frombuffer(saved, GAME).copy()
    assert go_on(restored) == go_on(games)
    assert len(saved) == GAME.itemsize


def test_dealing_into_a_used_record_leaves_nothing_of_the_old_game() -> None:
    used = carrying(3)
    start_all(used, np.array([3], np.uint64))
    assert used.tobytes() == deal_games(real_time("normal"), [3]).tobytes()


@pytest.mark.parametrize(
    "table", [one_mind(), one_mind("hard"), real_time("normal", seats=3), real_time("hard", seats=1)]
)
def test_a_new_game_shows_the_base_row_and_a_top_for_each_pile(table: Settings) -> None:
    for game in deal_games(table, range(50)):
        deck = game["deck"].tolist()
        tops = [deck[28 + pile * table.stock] for pile in range(table.seats)]
        assert game["top"].tolist()[: table.seats] == tops
        assert game["stock"].tolist() == [table.stock - 1] * table.seats + [0] * (3 - table.seats)
        seen = Counter(card // 4 for card in deck[18:28] + tops)
        assert game["unseen"].tolist() == [4 - seen[rank] for rank in range(len(RANKS))]


@settings(max_examples=30, deadline=None)
@given(TABLES, NUMBERS, st.integers(0, 2**32))
def test_unseen_counts_are_what_was_never_shown(table: Settings, number: int, seed: int) -> None:
    games = deal_games(table, [number])
    game, random = games[0], np.random.default_rng(seed)
    for _ in range(150):
        advance(games, random_actions(table, random))
        deck, present = game["deck"].tolist(), int(game["present"])
        shown = present & int(free_places(present)) | ~present
        seen = [deck[place] for place in range(28) if shown >> place & 1]
        for pile in range(table.seats):
            drawn = table.stock - int(game["stock"][pile])
            seen += deck[28 + pile * table.stock :][:drawn]
        ranks = Counter(card // 4 for card in seen)
        assert game["unseen"].tolist() == [4 - ranks[rank] for rank in range(len(RANKS))]


def test_an_unknown_card_is_never_counted_as_seen() -> None:
    """Tables that are rebuilt from an observation hold such cards."""
    table = for_two("instant").leave({9: "2C", 18: "6H"}, ["5S", "9S"], [5, 5])
    table.game["deck"][9] = EMPTY
    before = table.game["unseen"].tolist()
    table.act({0: "play 18 0"})
    assert table.game["unseen"].tolist() == before


def test_a_deck_begins_the_same_game_as_its_number() -> None:
    table = real_time("hard")
    numbered = deal_games(table, [77])
    given_as_cards = deck_game(table, numbered[0]["deck"], int(numbered[0]["tie_seed"]))
    assert given_as_cards.tobytes() == numbered.tobytes()
    assert deck_game(table, numbered[0]["deck"])[0]["tie_seed"] == 0
