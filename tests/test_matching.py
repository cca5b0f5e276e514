"""`matching-NAME`: never faster than its partners, by what can be seen alone."""

import numpy as np
import pytest
from numpy.typing import NDArray

import user_agents
from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.matching import ENOUGH, FIRST_GAP_MS, MatchingAgent, Paces
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.observation import layout_of, observation_size
from gipfelsturm.envs.rules.record import CARRYING, DRAWING, FREE, PAUSING, REACHING
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.play.pace import Rhythm
from random_play import begin

TABLE = real_time("normal")
STEADY = 13  # ticks of 0.2 s


def seen(tick: int, *phases: int) -> NDArray[np.int8]:
    """What the own seat of one game sees (1, 1, size): the own hand first."""
    settings = real_time("normal", seats=len(phases))
    layout, row = layout_of(settings), np.zeros((1, 1, observation_size(settings)), np.int8)
    row[..., layout["elapsed"].span] = tick >> 14, tick >> 7 & 127, tick & 127
    row[..., layout["phase"].span] = phases
    return row


def told(settings: Settings, *views: NDArray[np.int8]) -> list[bool]:
    """Whether an action would be too soon, view after view."""
    paces = Paces(1, 1, settings)
    return [bool(paces.look(view)[0, 0]) for view in views]


def acting(*ticks: int) -> list[NDArray[np.int8]]:
    """The partner begins something in each of these ticks, and is free again in the next."""
    return [view for tick in ticks for view in (seen(tick, FREE, REACHING), seen(tick + 1, FREE, FREE))]


def test_until_the_partner_has_shown_its_pace_it_counts_as_steady() -> None:
    assert FIRST_GAP_MS == 2600 and ENOUGH == 3
    assert told(TABLE, *(seen(tick, FREE, FREE) for tick in (0, STEADY - 2, STEADY - 1))) == [True, True, False]


def test_four_actions_show_a_pace_and_three_do_not() -> None:
    own = [seen(40, CARRYING, FREE), seen(41, FREE, FREE)]
    for begun, gap in (((10, 14, 18), STEADY), ((10, 14, 18, 22), 4)):
        after = [seen(40 + gap - 2, FREE, FREE), seen(40 + gap - 1, FREE, FREE)]
        assert told(TABLE, *acting(*begun), *own, *after)[-2:] == [True, False]


def test_the_time_between_own_actions_is_the_upper_median_of_the_partners() -> None:
    shown = acting(10, 14, 20, 30, 50)  # 4, 6, 10, 20: the upper median is 10
    own = [seen(60, CARRYING, FREE), seen(61, FREE, FREE)]
    later = [seen(tick, FREE, FREE) for tick in (62, 68, 69, 70)]
    assert told(TABLE, *shown, *own, *later)[-4:] == [True, True, False, False]


def test_only_the_last_nine_times_count() -> None:
    quick = list(range(2, 42, 2))  # 2 each
    slow = [quick[-1] + 30 * n for n in range(1, 6)]
    end = slow[-1] + 2
    own = [seen(end, DRAWING, FREE), seen(end + 1, FREE, FREE)]
    for count, gap in ((4, 2), (5, 30)):
        views = [*acting(*quick, *slow[:count]), *own]
        after = [seen(end + gap - 2, FREE, FREE), seen(end + gap - 1, FREE, FREE)]
        assert told(TABLE, *views, *after)[-2:] == [True, False]


@pytest.mark.parametrize("phase", [REACHING, CARRYING, DRAWING, PAUSING])
def test_an_action_is_seen_by_the_hand_that_was_free(phase: int) -> None:
    paces = Paces(1, 1, TABLE)
    for view in (seen(5, FREE, phase), seen(6, FREE, phase), seen(7, FREE, PAUSING), seen(8, FREE, FREE)):
        paces.look(view)
    assert paces._last.tolist() == [[[0, 5]]]


def test_the_slowest_of_two_partners_sets_the_pace() -> None:
    settings, views = real_time("normal", seats=3), []
    for tick in range(1, 200):
        first, second = (REACHING if tick % gap == 0 else FREE for gap in (4, 9))
        views.append(seen(tick, REACHING if tick == 190 else FREE, first, second))
    assert told(settings, *views)[190:199] == [True] * 7 + [False, False]


def gaps_seen(settings: Settings, agents: tuple[str, ...], games: int) -> list[tuple[list[int], list[int]]]:
    """For each game the times between the actions of seat 0, and how slow the slowest of the others was at each.

    By the rhythm that the table for people keeps, from the records.
    """
    batch, players = begin(settings, games), [make_agent(name) for name in agents]
    rhythms = [[Rhythm(settings.tick_ms) for _ in agents] for _ in range(games)]
    found: list[tuple[list[int], list[int]]] = [([], []) for _ in range(games)]
    for seat, player in enumerate(players):
        player.reset(games, [seat], seat, settings)
    while not batch.terminated.all():
        views, masks = batch.observations.copy(), batch.masks.copy()
        columns = [p.act(views[:, [s]], masks[:, [s]])[:, 0] for s, p in enumerate(players)]
        free, over = batch.games["phase"] == FREE, batch.terminated.copy()
        batch.step(np.stack(columns, axis=1))
        for game, seat in np.argwhere(free[:, : len(agents)] & ~over[:, np.newaxis]):
            if columns[seat][game] < wait_action(settings.seats):
                tick, rhythm = int(batch.games["tick"][game]), rhythms[game][seat]
                if seat == 0:
                    found[game][0].append(tick - rhythm.last)
                    found[game][1].append(max(other.gap for other in rhythms[game][1:]))
                rhythm.note(tick)
    return found


@pytest.mark.parametrize("partners", [("human-quick",), ("uncover",), ("human-novice", "human-selfish")])
def test_in_whole_games_it_is_never_faster_than_its_partners(partners: tuple[str, ...]) -> None:
    settings = real_time("normal", seats=1 + len(partners))
    matching = gaps_seen(settings, ("matching-uncover", *partners), 12)
    assert all(gap >= least for gaps, slowest in matching for gap, least in zip(gaps, slowest, strict=True))
    assert sum(len(gaps) for gaps, _ in matching) > 60
    free = gaps_seen(settings, ("uncover", *partners), 12)
    assert any(gap < least for gaps, slowest in free for gap, least in zip(gaps, slowest, strict=True))


@pytest.mark.parametrize("table", [one_mind("normal"), real_time("tripeaks")])
def test_without_partners_it_keeps_its_own_pace(table: Settings) -> None:
    ends = []
    for name in ("uncover", "matching-uncover"):
        batch, agent = begin(table, 20), make_agent(name)
        agent.reset(20, range(batch.viewers), 5, table)
        while not batch.terminated.all():
            batch.step(agent.act(batch.observations, batch.masks))
        ends.append(batch.games.tobytes())
    assert ends[0] == ends[1]


class Talker(user_agents.FirstLegal):
    """Says the last thing that it may."""

    def choose(self, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        last: NDArray[np.int64] = masks.shape[-1] - 1 - masks[..., ::-1].argmax(axis=-1)
        return last


def test_it_may_call_at_any_time() -> None:
    batch, agent = begin(TABLE, 2), MatchingAgent(Talker())
    agent.reset(2, range(2), 0, TABLE)
    assert (agent.act(batch.observations, batch.masks) == 73).all()


def test_a_new_game_begins_with_nothing_seen() -> None:
    agent = make_agent("matching-uncover")
    firsts = []
    for _ in range(2):
        batch = begin(TABLE, 3)
        agent.reset(3, range(2), 1, TABLE)
        while not batch.terminated.all():
            batch.step(agent.act(batch.observations, batch.masks))
        firsts.append(batch.games.tobytes())
    assert firsts[0] == firsts[1]
