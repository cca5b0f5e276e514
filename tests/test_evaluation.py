"""Evaluation: exactly the deals asked for, and results that depend on the seed alone."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import user_agents
from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.scripted import POLICIES
from gipfelsturm.envs import GipfelsturmEnv
from gipfelsturm.envs.rules.chance import nth_seed
from gipfelsturm.envs.rules.deals import DEALS
from gipfelsturm.envs.rules.record import GAME
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
    return Outcome._make(column[start:end] for column in outcome)


def first(outcome: Outcome, games: int) -> Outcome:
    return part(outcome, 0, games)


def assert_equal(one: Outcome, other: Outcome) -> None:
    for mine, theirs in zip(one, other, strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


FORMS = [one_mind(), one_mind("expert"), real_time("tripeaks", clock=40)]
TEAMS = [(form, name) for form in FORMS for name in (*POLICIES, "counting", "search@8")] + [
    (real_time("blitz", clock=20), "uncover"),
    (real_time("blitz", clock=20), "random+lookahead"),
    (real_time("hard", seats=3, tempo="instant"), "uncover+careful+uncover"),
]


@pytest.mark.parametrize(("settings", "team"), TEAMS, ids=range(len(TEAMS)))
def test_results_depend_on_neither_threads_nor_the_games_that_follow(
    settings: Settings, team: str, small_chunks: None
) -> None:
    long = evaluate(settings, team, 100, first_deal=5, seed=3, threads=1)
    assert_equal(evaluate(settings, team, 100, first_deal=5, seed=3, threads=4), long)
    assert_equal(evaluate(settings, team, 100, first_deal=5, seed=3), long)
    for games in (1, 15, 16, 17, 32, 33, 99):
        assert_equal(evaluate(settings, team, games, first_deal=5, seed=3), first(long, games))


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
    numbers = [np.int64] * 3
    assert [column.dtype for column in outcome] == [np.bool_, *numbers, np.bool_, np.float64, *numbers[1:]]
    assert not any(column.any() for column in outcome[3:])
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


@pytest.mark.parametrize("games", [0, -5, 10_000_001, 2 * 10**12])
def test_no_games_and_more_than_memory_holds_are_refused(games: int) -> None:
    with pytest.raises(ValueError, match=f"^games must be 1 to 10000000, not {games}$"):
        evaluate(one_mind(), "random", games)


def test_other_faults_are_named() -> None:
    with pytest.raises(ValueError, match="did you mean 'careful'"):
        evaluate(one_mind(), "carefull", 1)
    with pytest.raises(ValueError, match=f"deal numbers are 0 to {DEALS - 1}, not {DEALS - 1} to {DEALS}"):
        evaluate(one_mind(), "random", 2, first_deal=DEALS - 1)
    with pytest.raises(ValueError, match="not -1"):
        evaluate(one_mind(), "random", 1, first_deal=-1)
    with pytest.raises(
        ValueError, match="team 'careful\\+uncover' names 2 players for 3 seats: name one, or one for each"
    ):
        evaluate(real_time(seats=3), "careful+uncover", 1)


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


# The real-time table


def test_a_scripted_game_is_told_as_it_went() -> None:
    """In deal 1 both reach for the 6C; in deal 2 one brings a five to the 4H, and the other his five too late."""
    script = Script(58, {0: [(19, 19), (25, 28 + 26)]})
    outcome = play_deals(real_time("normal", tempo="brisk", clock=10), script, range(1, 3), seed=0)
    assert outcome.missed.tolist() == [1, 0]
    assert outcome.returned.tolist() == [0, 1]
    assert outcome.longest.tolist() == [1, 1]
    assert outcome.timed_out.tolist() == [True, True]
    assert outcome.seconds.tolist() == [10.0, 10.0]
    assert not (outcome.won.any() or outcome.refused.any() or outcome.score.any())


def test_refused_commands_are_counted_while_a_game_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "legal_actions", lambda answer, masks, over: answer)
    script = Script(57, {1: [(58, 58)] * 2, 3: [(58, 57)] * 2})  # a draw on the other's stock
    outcome = play_deals(real_time("normal", clock=2), script, range(2), seed=0)
    assert outcome.refused.tolist() == [2 * 10 - 3] * 2


class Script:
    """Gives the same command in every seat, but in certain ticks others, (games, seats)."""

    def __init__(self, usual: int, others: dict[int, list[tuple[int, int]]]) -> None:
        self._usual = usual
        self._others = others

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        self._tick = -1

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        self._tick += 1
        usual = np.full(masks.shape[:2], self._usual)
        return np.array(self._others[self._tick]) if self._tick in self._others else usual


def test_nothing_is_refused_to_those_who_obey_their_masks() -> None:
    outcome = evaluate(real_time("blitz"), "user_agents:FirstLegal+random", 60)
    assert outcome.missed.any() and outcome.returned.any()
    assert not outcome.refused.any()


def test_alone_with_a_hand_the_clock_may_be_left_out() -> None:
    outcome = evaluate(real_time("tripeaks", tempo="steady"), "careful", 100)
    np.testing.assert_array_equal(outcome.won, evaluate(one_mind(), "careful", 100).won)
    assert not outcome.timed_out.any()
    assert outcome.seconds.min() > 23 * 2.4


# Mixed teams


def by_hand(env: dict[str, Any], members: dict[str, list[int]], games: int, seed: int) -> list[list[Any]]:
    """What became of the first deals when each agent in turn gives the commands of its own seats."""
    envs = [GipfelsturmEnv(**env) for _ in range(games)]
    views = [env.reset(options={"number": number})[0] for number, env in enumerate(envs)]
    agents = {name: make_agent(name) for name in members}
    for number, (name, agent) in enumerate(agents.items()):
        agent.reset(games, members[name], nth_seed(nth_seed(seed, 0), number), envs[0].settings)
    ends: list[list[Any]] = [[] for _ in envs]
    while any(env.agents for env in envs):
        actions: list[dict[str, int]] = [{} for _ in envs]
        for name, agent in agents.items():
            own = [f"seat_{seat}" for seat in members[name]]
            rows = np.array([[np.concatenate([*view[a]["observation"].values()]) for a in own] for view in views])
            chosen = agent.act(rows, np.array([[view[a]["action_mask"] for a in own] for view in views]))
            for game, answers in enumerate(chosen.tolist()):
                actions[game] |= dict(zip(own, answers, strict=True))
        for game, one in enumerate(envs):
            if one.agents:
                views[game], _, _, _, infos = one.step(actions[game])
                if not one.agents:
                    ends[game] = told(one, infos["seat_0"])
    return ends


def told(env: GipfelsturmEnv, info: dict[str, Any]) -> list[Any]:
    game = np.frombuffer(env.state(), GAME)[0]
    result = info["result"]
    counts = [int(game["missed"]), int(game["returned"])]
    seconds = int(game["tick"]) * 0.2
    return [result == "won", info["score"], info["longest_streak"], 0, result == "lost by the clock", seconds, *counts]


@pytest.mark.parametrize(
    ("env", "team", "members"),
    [
        ({"preset": "blitz"}, "careful+uncover", {"careful": [0], "uncover": [1]}),
        ({"preset": "hard", "tempo": "slow"}, "lookahead+random", {"lookahead": [0], "random": [1]}),
        ({"seats": 3, "clock": 30}, "uncover+random+uncover", {"uncover": [0, 2], "random": [1]}),
        ({"seats": 3}, "user_agents:FirstLegal+random+random", {"user_agents:FirstLegal": [0], "random": [1, 2]}),
    ],
)
def test_a_mixed_team_plays_as_its_seats_do_by_hand(env: dict[str, Any], team: str, members: dict[str, Any]) -> None:
    games = 20
    outcome = evaluate(real_time(**env), team, games, seed=4)
    ends = by_hand(env, members, games, seed=4)
    for column, (name, figures) in enumerate(outcome._asdict().items()):
        assert figures.tolist() == pytest.approx([end[column] for end in ends]), name


def test_each_agent_of_a_team_is_one_with_its_own_seats_and_seed(seen: list[user_agents.Seen]) -> None:
    first, second = "user_agents:FirstLegal", "user_agents:Narrow"
    evaluate(real_time(seats=3), f"{first}+{second}+{first}", 5, seed=7)
    assert [(one.games, one.seats) for one in seen] == [(5, [0, 2]), (5, [1])]
    assert seen[0].seed != seen[1].seed
    shown = begin(real_time(seats=3), 5).observations
    np.testing.assert_array_equal(seen[0].observations, shown[:, [0, 2]])
    np.testing.assert_array_equal(seen[1].observations, shown[:, [1]])


def test_one_name_is_one_agent_in_all_seats(seen: list[user_agents.Seen]) -> None:
    for team in ("user_agents:FirstLegal", "user_agents:FirstLegal+user_agents:FirstLegal"):
        evaluate(real_time(), team, 5, seed=7)
    assert [one.seats for one in seen] == [[0, 1]] * 2
    assert seen[0].seed == seen[1].seed


@pytest.mark.parametrize(
    ("team", "fault"),
    [
        ("careful+user_agents:Wrong", r"^the agent in seat 1 chose action 74 where its mask forbids it$"),
        ("user_agents:Forger+careful", r"^the agent in seat 0 chose action \d+ where its mask forbids it$"),
        ("careful+user_agents:Vague", r"^an agent answers with whole numbers \(3, 1\), not with float64 \(3, 1\)$"),
        ("user_agents:Flat+careful", r"^an agent answers with whole numbers \(3, 1\), not with int64 \(3,\)$"),
    ],
)
def test_a_member_that_answers_nonsense_is_stopped(team: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        evaluate(real_time(), team, 3)


def test_careful_comes_near_its_figure() -> None:
    won = evaluate(one_mind(), "careful", 20_000).won.mean()
    assert abs(100 * won - 42.7) < 1.5
