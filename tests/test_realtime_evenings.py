"""Whole games of people and agents: nothing hidden is told, everything can be replayed, and nonsense does no harm."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evening import PERSON, Evening, as_bytes, play_out, with_agent
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.record import STATUSES, Games
from gipfelsturm.envs.rules.replay import deal_game, replay
from gipfelsturm.envs.rules.table import COVERS
from gipfelsturm.envs.rules.transcript_text import read_transcript, write_transcript
from gipfelsturm.play.asking import Answer
from gipfelsturm.play.realtime_messages import (
    Call,
    Draw,
    FromPerson,
    Go,
    Over,
    PersonMessage,
    Replace,
    Tap,
    read_message,
)
from gipfelsturm.play.table_plan import TablePlan
from random_play import unseen_cards

PLANS = {
    "with one agent": TablePlan(seats=(PERSON, with_agent("lookahead", "matching"))),
    "with two agents": TablePlan(seats=(with_agent("random", "brisk"), PERSON, with_agent("uncover", "instant"))),
    "two people": TablePlan(seats=(PERSON, PERSON), preset="hard", calls=False),
    "two people and an agent": TablePlan(seats=(PERSON, PERSON, with_agent("careful", "steady")), preset="expert"),
}
every_plan = pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)


def deck_of(plan: TablePlan, number: int) -> NDArray[np.uint8]:
    deck: NDArray[np.uint8] = deal_game(plan.settings(), number, 0)[0]["deck"].copy()
    return deck


def played(plan: TablePlan, deck: NDArray[np.uint8], seed: int = 1) -> tuple[Evening, list[list[tuple[int, bytes]]]]:
    """A whole game, and the bytes that were sent in each tick."""
    evening = Evening(plan, [tuple(int(card) for card in deck)]).begin()
    return evening, [as_bytes(sent) for sent in play_out(evening, seed)]


@every_plan
@pytest.mark.parametrize("number", [3, 4])
def test_unseen_cards_change_nothing_that_is_sent_until_the_first_of_them_turns_up(
    plan: TablePlan, number: int
) -> None:
    dice = np.random.default_rng(number)
    deck = deck_of(plan, number)
    evening, sent = played(plan, deck)
    states = list(replay(evening.results[0].transcript))
    assert len(states) == len(sent) + 1
    for share in (0.0, 0.3, 0.7, 1.0):
        tick = int(share * (len(states) - 1))
        other = deck.copy()
        unseen = unseen_cards(states[tick][0])
        other[unseen] = dice.permutation(deck[unseen])
        _, as_well = played(plan, other)
        assert as_well[:tick] == sent[:tick]


@every_plan
def test_the_deal_is_told_at_the_end_alone(plan: TablePlan) -> None:
    evening = Evening(plan, [123_456_789_012]).begin()
    told = [as_bytes(sent) for sent in play_out(evening, seed=0)]
    deal = evening.results[0].deal
    assert deal == deal_id(123_456_789_012)
    whole = [b"".join(data for _, data in tick) for tick in told]
    assert [i for i, data in enumerate(whole) if deal.encode() in data] == [len(whole) - 1]
    assert not any(b"123456789012" in data for data in whole)


@every_plan
def test_a_game_can_be_replayed_from_its_result_and_its_text(plan: TablePlan) -> None:
    evening = Evening(plan, [77]).begin()
    for _ in play_out(evening, seed=5):
        pass
    (result,) = evening.results
    *_, last = replay(read_transcript(write_transcript(result.transcript)))
    game = last[0]
    assert STATUSES[game["status"]] == result.status
    assert (int(game["tick"]), int(game["longest"])) == (result.ticks, result.longest)
    over = evening.last(Over, evening.people[0])
    assert (over.status, over.score, over.longest, over.ticks, over.deal) == (
        result.status,
        result.score,
        result.longest,
        result.ticks,
        result.deal,
    )
    state = evening.state(evening.people[0])
    there = [bool(int(game["present"]) >> place & 1) for place in range(PLACES)]
    face_up = [there[place] and not any(there[cover] for cover in COVERS[place]) for place in range(PLACES)]
    shown = [int(game["deck"][place]) + 1 if face_up[place] else there[place] - 1 for place in range(PLACES)]
    assert list(state.peaks) == shown
    assert {command.seat for command in result.transcript.commands} == set(range(len(plan.seats)))


def test_games_are_won_too() -> None:
    plan = PLANS["with one agent"]
    evenings = [Evening(plan, [number]).begin() for number in range(6)]
    for evening in evenings:
        for _ in play_out(evening, seed=2):
            pass
    results = [evening.results[0] for evening in evenings]
    assert {result.won for result in results} == {True, False}
    assert all(
        result.score == sum(evening.state().stocks)
        for result, evening in zip(results, evenings, strict=True)
        if result.won
    )


def test_an_agent_that_matches_is_never_faster_than_the_person_has_been() -> None:
    plan = PLANS["with one agent"]
    for number in range(3):
        evening = Evening(plan, [number]).begin()
        for _ in play_out(evening, seed=number):
            pass
        acts: list[list[int]] = [[], []]
        for command in evening.results[0].transcript.commands:
            acts[command.seat].append(command.tick)
        for before, tick in zip([0, *acts[1]], acts[1], strict=False):
            gaps = np.diff([t for t in acts[0] if t < tick])[-9:]
            usual = int(np.sort(gaps)[len(gaps) // 2]) if len(gaps) >= 3 else 26
            assert tick - before >= usual


def same_record(evening: Evening) -> None:
    """The table's game is what its log says."""
    *_, last = replay(evening.table.transcript())
    games: Games = evening.table._game._batch.games
    assert last.tobytes() == games.tobytes()


SEATS = st.integers(0, 2)
SAID: st.SearchStrategy[FromPerson] = st.one_of(
    st.builds(Go),
    st.builds(Tap, st.integers(0, 27), st.one_of(st.none(), SEATS)),
    st.builds(Draw),
    st.builds(Call, st.integers(1, 15)),
    st.builds(Replace, SEATS),
)
EVENTS = st.one_of(
    st.tuples(st.just("say"), SEATS, SAID),
    st.tuples(st.just("come"), SEATS, st.none()),
    st.tuples(st.just("go"), SEATS, st.none()),
    st.tuples(st.just("tick"), st.integers(1, 30), st.none()),
    st.tuples(st.just("wait a minute"), SEATS, st.none()),
    st.tuples(st.just("answer"), SEATS, st.integers(0, 102)),
)
THREE = TablePlan(seats=(PERSON, with_agent("uncover", "brisk"), PERSON), clock=20, games=3)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(EVENTS, max_size=60))
def test_whatever_happens_the_table_stays_sound(events: Sequence[tuple[str, int, object]]) -> None:
    evening = Evening(THREE, range(1000), answering=False).begin()
    for kind, number, thing in events:
        happen(evening, kind, number, thing)
        told = evening.tick()
        for seat in range(3):
            assert sum(hearer == seat for hearer, _ in told) <= 5
    same_record(evening)


def happen(evening: Evening, kind: str, number: int, thing: object) -> None:
    token = evening.token(number) if number < 3 else ""
    try:
        if kind == "say" and isinstance(thing, Go | Tap | Draw | Call | Replace):
            evening.table.receive(token, thing)
        elif kind == "come":
            evening.table.arrive(token)
        elif kind == "go":
            evening.table.leave(token, evening.now)
        elif kind == "tick":
            evening.tick(number)
        elif kind == "wait a minute":
            evening.now += 60_000
        elif kind == "answer" and evening.asks and isinstance(thing, int):
            ask = evening.asks.pop(number % len(evening.asks))
            evening.table.answer(Answer(ask, min(thing, len(ask.mask) - 1)))
    except ValueError as fault:
        assert "must be connected" in str(fault) or "opens no seat" in str(fault)


def test_ten_thousand_random_messages_leave_the_table_sound() -> None:
    dice = np.random.default_rng(0)
    evening = Evening(THREE, range(1000)).begin()
    understood = 0
    for _ in range(10_000):
        message = random_message(dice)
        if message is not None:
            understood += 1
            evening.say(int(dice.choice(evening.people)), message)
        if dice.random() < 0.1:
            evening.tick()
    same_record(evening)
    assert understood > 2000
    assert len(evening.results) >= 2


FIELDS = {"go": (), "tap": ("place", "pile"), "draw": (), "call": ("call",), "replace": ("seat",), "welcome": ("you",)}
VALUES: tuple[object, ...] = (None, "x", 1.5, [], True, -1, 99)


def random_message(dice: np.random.Generator) -> PersonMessage | None:
    """Half of them mean something."""
    kind = str(dice.choice(list(FIELDS)))
    fields: dict[str, object] = {"type": kind}
    for name in FIELDS[kind]:
        fields[name] = int(dice.integers(28 if name == "place" else 3))
    for name in ("type", "place", "pile", "call", "seat"):
        if dice.random() < 0.1:
            fields[name] = VALUES[int(dice.integers(len(VALUES)))]
    try:
        return read_message(msgspec.json.encode(fields))
    except ValueError:
        return None
