"""Evaluation: exactly the deals asked for, and results that depend on the seed alone."""

from collections.abc import Iterator

import numpy as np
import pytest

import user_agents
from gipfelsturm.agents.catalogue import CATALOGUE, make_agent
from gipfelsturm.envs.rules.deals import DEALS
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training import evaluation
from gipfelsturm.training.evaluation import CHUNK, Outcome, evaluate, play_deals
from random_play import begin


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "CHUNK", 16)


@pytest.fixture
def seen() -> Iterator[list[user_agents.Seen]]:
    user_agents.SEEN.clear()
    yield user_agents.SEEN
    user_agents.SEEN.clear()


def part(outcome: Outcome, start: int, end: int) -> Outcome:
    return Outcome(outcome.won[start:end], outcome.score[start:end], outcome.longest[start:end])


def first(outcome: Outcome, games: int) -> Outcome:
    return part(outcome, 0, games)


def assert_equal(one: Outcome, other: Outcome) -> None:
    for mine, theirs in zip(one, other, strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("settings", [one_mind(), one_mind("expert"), real_time("tripeaks", clock=40)], ids=range(3))
def test_results_depend_on_neither_threads_nor_the_games_that_follow(
    name: str, settings: Settings, small_chunks: None
) -> None:
    long = evaluate(settings, name, 100, first_deal=5, seed=3, threads=1)
    assert_equal(evaluate(settings, name, 100, first_deal=5, seed=3, threads=4), long)
    assert_equal(evaluate(settings, name, 100, first_deal=5, seed=3), long)
    for games in (1, 15, 16, 17, 32, 33, 99):
        assert_equal(evaluate(settings, name, games, first_deal=5, seed=3), first(long, games))


def test_real_chunks_join_without_a_seam() -> None:
    long = evaluate(one_mind(), "uncover", 2 * CHUNK + 1)
    for games in (CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK):
        assert_equal(evaluate(one_mind(), "uncover", games), first(long, games))


@pytest.mark.parametrize("name", ["random", "uncover", "lookahead"])
def test_seeds_matter(name: str) -> None:
    results = [evaluate(one_mind(), name, 300, seed=seed).longest for seed in (0, 1, -1, 2**64 + 5)]
    assert len({result.tobytes() for result in results}) == 4
    np.testing.assert_array_equal(results[3], evaluate(one_mind(), name, 300, seed=5).longest)


def test_chunks_have_seeds_of_their_own(small_chunks: None, seen: list[user_agents.Seen]) -> None:
    evaluate(one_mind(), "user_agents:FirstLegal", 64, threads=1)
    assert len({one.seed for one in seen}) == 4


@pytest.mark.parametrize("first_deal", [0, 7, 1_000_000, DEALS - 40])
def test_the_deals_are_those_asked_for(first_deal: int, small_chunks: None, seen: list[user_agents.Seen]) -> None:
    settings = one_mind("normal")
    evaluate(settings, "user_agents:FirstLegal", 40, first_deal=first_deal, threads=1)
    assert [one.games for one in seen] == [16, 16, 8]
    assert [one.seats for one in seen] == [[0]] * 3
    shown = np.concatenate([one.observations for one in seen])
    np.testing.assert_array_equal(shown, begin(settings, 40, first_deal).observations)


def test_what_is_told_of_each_game() -> None:
    settings = one_mind("normal")
    outcome = evaluate(settings, "careful", 200, first_deal=50)
    assert [column.dtype for column in outcome] == [np.bool_, np.int64, np.int64]
    assert 0 < outcome.won.sum() < 200
    assert (outcome.score[~outcome.won] == 0).all()
    assert outcome.score.max() > 0
    for game in range(200):
        alone = play_deals(settings, make_agent("careful"), range(50 + game, 51 + game), seed=0)
        assert_equal(alone, part(outcome, game, game + 1))


def test_progress_adds_up(small_chunks: None) -> None:
    finished: list[int] = []
    evaluate(one_mind(), "random", 40, progress=finished.append)
    assert sorted(finished) == [8, 16, 16]


@pytest.mark.parametrize("games", [0, -5])
def test_no_games_are_refused(games: int) -> None:
    with pytest.raises(ValueError, match=f"games must be 1 or more, not {games}"):
        evaluate(one_mind(), "random", games)


def test_other_faults_are_named() -> None:
    with pytest.raises(ValueError, match="did you mean 'careful'"):
        evaluate(one_mind(), "carefull", 1)
    with pytest.raises(ValueError, match=f"deal numbers are 0 to {DEALS - 1}, not {DEALS - 1} to {DEALS}"):
        evaluate(one_mind(), "random", 2, first_deal=DEALS - 1)
    with pytest.raises(ValueError, match="not -1"):
        evaluate(one_mind(), "random", 1, first_deal=-1)


@pytest.mark.parametrize(
    ("name", "fault"),
    [("Wrong", "action 29"), ("Stubborn", "action"), ("Vague", "float64"), ("Silent", "object")],
)
def test_an_agent_that_answers_nonsense_is_stopped(name: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        evaluate(one_mind(), f"user_agents:{name}", 3)


def test_an_agent_that_rewrites_its_mask_is_stopped_all_the_same() -> None:
    with pytest.raises(ValueError, match="mask forbids"):
        evaluate(one_mind(), "user_agents:Forger", 3)


def test_an_agent_that_only_waits_comes_to_an_end() -> None:
    assert not evaluate(real_time("normal", clock=None), "user_agents:Idle", 2).won.any()


@pytest.mark.parametrize(
    ("name", "fault"),
    [("Demanding", "cannot be made without arguments"), ("Mute", "has no method act: see gipfelsturm.agents.protocol")],
)
def test_a_factory_that_makes_no_agent_is_named(name: str, fault: str) -> None:
    with pytest.raises(ValueError, match=f"^agent 'user_agents:{name}' {fault}"):
        evaluate(one_mind(), f"user_agents:{name}", 3)


def test_agents_may_answer_in_other_integers() -> None:
    listed = evaluate(one_mind(), "user_agents:Lister", 50)
    assert_equal(listed, evaluate(one_mind(), "user_agents:FirstLegal", 50))
    assert_equal(evaluate(one_mind(), "user_agents:Narrow", 50), evaluate(one_mind(), "user_agents:FirstLegal", 50))


def test_careful_comes_near_its_figure() -> None:
    won = evaluate(one_mind(), "careful", 20_000).won.mean()
    assert abs(100 * won - 42.7) < 1.5
