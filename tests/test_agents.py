"""Agents by name, and the scripted players: fair, reproducible, and what section 5 says of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chisquare

from gipfelsturm.agents.caller import CallingAgent
from gipfelsturm.agents.catalogue import CATALOGUE, WRAPPERS, make_agent
from gipfelsturm.agents.chain import LONGEST_CHAIN, chain_stack, longest_chain
from gipfelsturm.agents.learned import LearnedAgent, LearnedSearchAgent
from gipfelsturm.agents.matching import MatchingAgent
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.scripted import POLICIES, ScriptedAgent
from gipfelsturm.agents.search import CountingAgent, SearchAgent
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from naive_players import Table, best_actions, chain, read
from random_play import begin, commands, every_form, unseen_cards
from user_agents import FirstLegal

TABLES = list(every_form(seed=4, tables=3))
PLAYERS = [*POLICIES, "counting", "search@12", "search@12@uncover@9", "learned", "learned-search@3"]
PLAYERS += ["learned-search@3@0", "calling-uncover", "matching-uncover"]
HUMANS = ["human-quick", "human-clumsy", "human-talkative"]
EVERYBODY = pytest.mark.parametrize("name", PLAYERS + HUMANS)
SCRIPTED = pytest.mark.parametrize("name", POLICIES)
MINDS = [table for table in TABLES if table.one_mind]
HANDS = [next(table for table in TABLES if not table.one_mind and table.seats == seats) for seats in (2, 3)]
EVERYWHERE = pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))


def sit_down(name: str, table: Settings, games: int, seed: int = 1) -> Agent:
    agent = make_agent(name)
    agent.reset(games, range(1 if table.one_mind else table.seats), seed, table)
    return agent


def play_out(agent: Agent, batch: GipfelsturmBatch) -> list[NDArray[np.int64]]:
    """Every action until all games are over, or the agent has waited long enough."""
    taken: list[NDArray[np.int64]] = []
    while not batch.terminated.all() and len(taken) < 400:
        taken.append(agent.act(batch.observations, batch.masks))
        batch.step(taken[-1])
    return taken


# The catalogue


def test_the_catalogue_makes_a_new_agent_each_time() -> None:
    kinds = dict.fromkeys(POLICIES, ScriptedAgent) | {"counting": CountingAgent, "search": SearchAgent}
    kinds |= {"learned": LearnedAgent, "learned-search": LearnedSearchAgent}
    assert {name: type(make_agent(name)) for name in CATALOGUE} == kinds
    for name in CATALOGUE:
        assert make_agent(name) is not make_agent(name)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("search@0", "search needs 1 playout a decision or more, not 0"),
        ("search@", "unknown agent 'search@': a search is search@PLAYOUTS, @POLICY may follow, and then @DEPTH"),
        ("search@-5", "unknown agent 'search@-5': a search is"),
        ("search@9@uncover@2@2", "unknown agent 'search@9@uncover@2@2': a search is"),
        ("search@9@2", "unknown agent 'search@9@2': a search is"),
        ("search@9@uncover@0", "search needs playouts of 1 move or more, not 0"),
        (
            "learned-search@9@x",
            "unknown agent 'learned-search@9@x': a search with a network is learned-search@PLAYOUTS",
        ),
        ("search@9@careful", "unknown playout policy 'careful': use one of uncover, counting"),
    ],
)
def test_an_impossible_search(name: str, fault: str) -> None:
    with pytest.raises(ValueError, match=f"^{fault}"):
        make_agent(name)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("carefull", "careful"), ("lokahead", "lookahead"), ("Random", "random"), ("uncovers", "uncover")],
)
def test_an_unknown_name_suggests_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(ValueError, match=f"^unknown agent '{name}': did you mean '{nearest}'\\?$"):
        make_agent(name)


@pytest.mark.parametrize("name", ["", "zzz"])
def test_a_name_like_no_other_lists_all(name: str) -> None:
    with pytest.raises(ValueError, match=f"use one of {', '.join(CATALOGUE)}, or module:factory"):
        make_agent(name)


@pytest.mark.parametrize("prefix", WRAPPERS)
def test_what_stands_before_a_name_stands_there_once(prefix: str) -> None:
    for between in ("", *({*WRAPPERS} - {prefix})):
        with pytest.raises(ValueError, match=f"'{prefix}' may stand in it once, not twice$"):
            make_agent(f"{prefix}{between}{prefix}uncover")
    with pytest.raises(ValueError, match="^unknown agent .{,40}: .{,60}$"):
        make_agent(prefix * 1000 + "uncover")


def test_what_stands_before_a_name_is_put_around_it_from_within() -> None:
    outer = make_agent("matching-calling-uncover")
    assert isinstance(outer, MatchingAgent)
    assert isinstance(outer._agent, CallingAgent)
    assert isinstance(outer._agent._silent, ScriptedAgent)


def test_a_factory_of_somebody_elses() -> None:
    assert type(make_agent("user_agents:FirstLegal")).__name__ == FirstLegal.__name__


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("no_such_module:Agent", "cannot be imported: No module named 'no_such_module'"),
        ("user_agents:Nobody", "cannot be imported: .*Nobody"),
        ("user_agents:", "cannot be imported"),
        (":FirstLegal", "cannot be imported"),
        (".relative:FirstLegal", "cannot be imported"),
        ("user_agents:NO_FACTORY", "is no factory: NO_FACTORY cannot be called"),
    ],
)
def test_a_factory_that_is_none(name: str, fault: str) -> None:
    with pytest.raises(ValueError, match=f"^agent '{name}' {fault}"):
        make_agent(name)


# The protocol


@EVERYBODY
@EVERYWHERE
def test_choices_are_legal(name: str, table: Settings) -> None:
    batch = begin(table, 30)
    agent = sit_down(name, table, 30)
    for _ in range(6000):
        actions = agent.act(batch.observations, batch.masks)
        assert actions.shape == (30, batch.viewers)
        assert actions.dtype == np.int64
        assert np.take_along_axis(batch.masks, actions[..., np.newaxis], axis=-1).all()
        batch.step(actions)
        if batch.terminated.all():
            break
    assert batch.terminated.all()


@EVERYBODY
@EVERYWHERE
def test_choices_do_not_depend_on_unseen_cards(name: str, table: Settings) -> None:
    dice = np.random.default_rng(5)
    batch, other = begin(table, 30), begin(table, 30)
    agent, twin = sit_down(name, table, 30), sit_down(name, table, 30)
    for _ in range(60):
        other.games[:] = batch.games
        for game in other.games:
            exchange_unseen(game, dice)
        other.look()
        np.testing.assert_array_equal(other.observations, batch.observations)
        actions = agent.act(batch.observations, batch.masks)
        np.testing.assert_array_equal(twin.act(other.observations, other.masks), actions)
        batch.step(actions)


def exchange_unseen(game: np.void, dice: np.random.Generator) -> None:
    unseen = unseen_cards(game)
    game["deck"][unseen] = dice.permutation(game["deck"][unseen])


@EVERYBODY
@EVERYWHERE
def test_a_game_is_the_same_beside_any_number_of_others(name: str, table: Settings) -> None:
    many = play_out(sit_down(name, table, 40), begin(table, 40))
    for games in (1, 7):
        batch = begin(table, games)
        few = play_out(sit_down(name, table, games), batch)
        for step, actions in enumerate(few):
            np.testing.assert_array_equal(actions, many[step][:games])


@EVERYBODY
@pytest.mark.parametrize("table", HANDS, ids=range(len(HANDS)))
def test_a_hand_decides_for_itself_whoever_is_asked_beside_it(name: str, table: Settings) -> None:
    batch = begin(table, 1, first_deal=7)
    for seat in range(table.seats):
        batch.set_deals([7])
        others = [other for other in range(table.seats) if other != seat]
        together, alone, rest = make_agent(name), make_agent(name), make_agent(name)
        for agent, seats in ((together, [seat, *others]), (alone, [seat]), (rest, others)):
            agent.reset(1, seats, 1, table)
        for _ in range(100):
            rows, masks = batch.observations.copy(), batch.masks.copy()
            mine = alone.act(rows[:, [seat]], masks[:, [seat]])
            both = together.act(rows[:, [seat, *others]], masks[:, [seat, *others]])
            assert mine[0, 0] == both[0, 0]
            actions = np.empty((1, table.seats), np.int64)
            actions[:, [seat]], actions[:, others] = mine, rest.act(rows[:, others], masks[:, others])
            batch.step(actions)
            if batch.terminated[0]:
                break


@EVERYBODY
def test_a_reset_agent_is_as_good_as_new(name: str) -> None:
    agent = sit_down(name, one_mind("hard"), 17, seed=8)
    play_out(agent, begin(one_mind("hard"), 17))
    for table in (one_mind("expert"), real_time("tripeaks", clock=30), one_mind(piles=3)):
        agent.reset(9, range(1), 1, table)
        used = play_out(agent, begin(table, 9))
        np.testing.assert_array_equal(used, play_out(sit_down(name, table, 9), begin(table, 9)))


@pytest.mark.parametrize("name", ["random", "uncover", "lookahead"])
def test_another_seed_is_another_game(name: str) -> None:
    table = one_mind()
    first, second = (play_out(sit_down(name, table, 40, seed), begin(table, 40)) for seed in (-1, 2**64))
    assert len(first) != len(second) or not np.array_equal(first, second)


# What each of them plays


@SCRIPTED
@pytest.mark.parametrize("table", MINDS, ids=range(len(MINDS)))
def test_each_policy_is_what_the_rules_say(name: str, table: Settings) -> None:
    batch = begin(table, 12, first_deal=100)
    agent = sit_down(name, table, 12)
    dice = np.random.default_rng(6)
    several = 0
    for moment in range(70):
        actions = agent.act(batch.observations, batch.masks)
        for game in np.flatnonzero(~batch.terminated):
            allowed = best_actions(name, read(batch.observations[game, 0], batch.layout))
            assert actions[game, 0] in allowed
            several += len(allowed) > 1
        batch.step(actions if moment % 3 else commands(batch, dice))
    assert several > 0 or name == "careful"


@pytest.mark.parametrize("name", PLAYERS)
def test_alone_against_the_clock_each_plays_as_without(name: str) -> None:
    untimed, timed = begin(one_mind(), 20), begin(real_time("tripeaks", clock=600), 20)
    play_out(sit_down(name, one_mind(), 20), untimed)
    play_out(sit_down(name, timed.settings, 20), timed)
    for result in ("present", "stock", "status", "longest"):
        np.testing.assert_array_equal(timed.games[result], untimed.games[result])


def a_choice(name: str, enough: int) -> tuple[GipfelsturmBatch, set[int]]:
    """A position in which a policy has several equally good plays."""
    batch = begin(one_mind("normal"), 200)
    for game in range(200):
        allowed = best_actions(name, read(batch.observations[game, 0], batch.layout))
        if len(allowed) >= enough:
            return begin(batch.settings, 1, first_deal=game), allowed
    raise AssertionError(f"{name} never has {enough} plays to choose from")


@pytest.mark.parametrize(("name", "enough"), [("random", 5), ("random", 3), ("uncover", 4), ("lookahead", 2)])
def test_equals_are_chosen_equally_often(name: str, enough: int) -> None:
    position, allowed = a_choice(name, enough)
    games = 20_000
    agent = sit_down(name, position.settings, games)
    rows = np.repeat(position.observations, games, axis=0)
    actions = agent.act(rows, np.repeat(position.masks, games, axis=0))
    chosen, counts = np.unique(actions, return_counts=True)
    assert set(chosen.tolist()) == allowed
    assert chisquare(counts).pvalue > 0.001
    again = agent.act(rows, np.repeat(position.masks, games, axis=0))
    _, pairs = np.unique(actions * 1000 + again, return_counts=True)
    assert len(pairs) == len(allowed) ** 2
    assert chisquare(pairs).pvalue > 0.001, "the next choice does not follow from the last"


@SCRIPTED
@pytest.mark.parametrize(("left", "drawn"), [((3, 5, 5), 1), ((4, 4, 4), 0), ((0, 0, 2), 2), ((1, 0, 1), 0)])
def test_the_fuller_stock_draws(name: str, left: tuple[int, ...], drawn: int) -> None:
    batch = begin(one_mind(piles=3), 1)
    batch.games["deck"][0, 18:28] = 0
    batch.games["top"] = 20
    batch.games["stock"] = left
    batch.look()
    assert sit_down(name, batch.settings, 1).act(batch.observations, batch.masks).tolist() == [[84 + drawn]]


# Chains


@settings(max_examples=300, deadline=None)
@given(
    ranks=st.lists(st.integers(1, 13), max_size=9).filter(lambda ranks: all(ranks.count(r) <= 4 for r in ranks)),
    tops=st.lists(st.integers(1, 13), min_size=1, max_size=3),
    ring=st.booleans(),
)
def test_the_longest_chain(ranks: list[int], tops: list[int], ring: bool) -> None:
    visible = sum(1 << 4 * (rank - 1) for rank in ranks)
    packed = sum(rank - 1 << 4 * pile for pile, rank in enumerate(tops))
    table = Table(set(), {}, tops, [], ring)
    expected = chain(table, ranks, tops, LONGEST_CHAIN)
    assert longest_chain(visible, packed, len(tops), int(ring), chain_stack()) == expected


@pytest.mark.parametrize(("ring", "length"), [(1, 6), (0, 2)])
def test_a_chain_goes_round_the_ring_and_stops_at_six(ring: int, length: int) -> None:
    visible = sum(1 << 4 * rank for rank in (11, 12, 0, 1, 2, 3, 4))
    assert longest_chain(visible, 10, 1, ring, chain_stack()) == length
