"""What a mind or a hand may choose from, beside a slow list of it; and what waits for whom."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.choices import CHOICE, MOST_CHOICES, draws_under_way, find_choices, has_time
from gipfelsturm.agents.hint import Hinter
from gipfelsturm.agents.search import PATIENCE
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.observation import observation_size, write_observation
from gipfelsturm.envs.rules.record import CARRYING, DRAWING, FREE, PAUSING, REACHING, RETURNING, Games
from gipfelsturm.envs.rules.settings import Settings
from naive_players import COVERS
from random_play import begin, commands, every_form
from tables import ANNA, BEN, Table, for_two

TABLES = list(every_form(seed=11, tables=3))
MINDS = [table for table in TABLES if table.one_mind]
HANDS = [table for table in TABLES if not table.one_mind]


@compiled
def _find(games: Games, seat: int, patient: bool, insists: bool, choices: NDArray[np.void]) -> int:
    return int(find_choices(games[0], seat, patient, insists, choices))


@compiled
def _look(games: Games) -> tuple[bool, int]:
    return has_time(games[0]), draws_under_way(games[0])


def found(games: Games, seat: int = 0, patient: bool = True, insists: bool = False) -> list[int]:
    choices = np.zeros(MOST_CHOICES, CHOICE)
    actions: list[int] = choices["action"][: _find(games.copy(), seat, patient, insists, choices)].tolist()
    return actions


def free(present: set[int]) -> set[int]:
    return {place for place in present if not COVERS.get(place, set()) & present}


def fit(g: np.void, card: int, top: int) -> bool:
    apart = abs(int(card) // 4 - int(top) // 4)
    return apart == 1 or (bool(g["ring"]) and apart == 12)


def listed(g: np.void, seat: int, patient: bool, insists: bool) -> set[int]:
    """The choices of a hand, from what the docstrings of `choices` and `convention` say."""
    seats, phase = int(g["seats"]), g["phase"].tolist()
    wait, hands = 29 * seats, range(seats)
    turns = [(int(g["tick"]) + turn) % seats for turn in hands]
    acting = [hand for hand in hands if phase[hand] not in (FREE, PAUSING)]
    if next((hand for hand in turns if phase[hand] == FREE), None) != seat or (patient and acting):
        return {wait}
    before = {place for place in range(28) if int(g["present"]) >> place & 1}
    after, tops, busy = set(before), g["top"].tolist(), {hand for hand in acting if phase[hand] == DRAWING}
    touched = {int(g["place"][hand]) for hand in acting if phase[hand] != DRAWING}
    for hand in acting:
        if phase[hand] in (REACHING, CARRYING):
            after.discard(int(g["place"][hand]))
            tops[int(g["pile"][hand])] = int(g["deck"][g["place"][hand]])
            busy.add(int(g["pile"][hand]))
    there = free(before) - touched
    turning = free(after) - there - touched
    fitting = {(pile, place) for pile in hands for place in there if fit(g, g["deck"][place], tops[pile])}
    choices = {28 * pile + place for pile, place in fitting if pile not in busy}
    if not turning and not any(phase[hand] in (DRAWING, RETURNING) for hand in hands):
        drawing = hands if patient and not insists else [seat]
        choices |= {28 * seats + pile for pile in drawing if pile not in busy and g["stock"][pile]}
    return choices | {wait} if turning or not choices else choices


def moments(table: Settings) -> Iterator[Games]:
    """Tables in random games, each an array of one."""
    batch, dice = begin(table, 20), np.random.default_rng(3)
    for _ in range(80):
        running = np.flatnonzero(~batch.terminated)
        yield from (batch.games[game : game + 1] for game in running)
        batch.step(commands(batch, dice))


@pytest.mark.parametrize("table", HANDS, ids=range(len(HANDS)))
def test_a_hand_chooses_from_what_the_convention_leaves_it(table: Settings) -> None:
    kinds = set()
    for games in moments(table):
        for seat in range(table.seats):
            for patient, insists in ((False, True), (True, False), (True, True)):
                choices = found(games, seat, patient, insists)
                assert len(set(choices)) == len(choices)
                assert set(choices) == listed(games[0], seat, patient, insists)
                kinds |= {min(choice // (28 * table.seats), 1) + (choice == 29 * table.seats) for choice in choices}
    assert kinds == {0, 1, 2}, "plays, draws and waits"


@pytest.mark.parametrize("table", MINDS, ids=range(len(MINDS)))
def test_a_mind_chooses_from_all_that_is_legal_and_of_alike_piles_from_the_first(table: Settings) -> None:
    batch, dice, alike = begin(table, 40), np.random.default_rng(4), 0
    while not batch.terminated.all():
        for game in np.flatnonzero(~batch.terminated):
            g = batch.games[game]
            piles = [(int(g["top"][pile]) >> 2, int(g["stock"][pile])) for pile in range(table.seats)]
            doubles = {pile for pile in range(1, table.seats) if piles[pile] == piles[pile - 1]}
            alike += len(doubles)
            legal = np.flatnonzero(batch.masks[game, 0]).tolist()
            pile_of = {action: action // 28 if action < 28 * table.seats else action % 28 for action in legal}
            expected = [action for action in legal if pile_of[action] not in doubles]
            assert sorted(found(batch.games[game : game + 1])) == expected
        batch.step(commands(batch, dice))
    assert alike or table.seats == 1


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_there_is_time_while_the_clock_leaves_all_cards_their_turn(seats: int) -> None:
    table = next(table for table in HANDS if table.seats == seats)
    games = begin(table, 1).games
    games["tempo"][0, :seats] = [[1, 2, 3, 4], [0, 1, 2, 9], [2, 3, 3, 5]][:seats]  # pause, reach, carry, draw
    games["present"], games["stock"][0, :seats], games["tick"] = 0b1011, [2, 1, 3][:seats], 50
    needed = (3 + sum([2, 1, 3][:seats])) * ([5, 9, 9][seats - 1] + seats)
    for limit, enough in ((50 + needed, False), (50 + needed + 1, True), (0, True)):
        games["limit"] = limit
        assert _look(games)[0] is enough


def test_draws_under_way_are_those_of_the_hands_that_draw() -> None:
    games = begin(next(table for table in HANDS if table.seats == 3), 1).games
    for phases, piles in (((DRAWING, FREE, DRAWING), 0b101), ((REACHING, DRAWING, FREE), 0b10), ((FREE,) * 3, 0)):
        games["phase"] = phases
        assert _look(games)[1] == piles


def seen(table: Table, seat: int) -> NDArray[np.int8]:
    row = np.zeros(observation_size(table.settings), np.int8)
    write_observation(table.game, seat, row)
    return row


@pytest.mark.parametrize(("drawn", "share"), [("K", 0.0), ("9", 1.0)])
def test_a_draw_under_way_covers_the_pile_whatever_is_played_beside_it(drawn: str, share: float) -> None:
    """Ben covers the 7 on which the 8 would go; from Anna's 5 there are two ways to play the other three."""
    table = for_two().leave({0: "4H", 1: "6D", 2: "5H", 20: "8H"}, ["5S", "7S"], [0, 1])
    table.game["unseen"] = [4 * (rank == drawn) for rank in "A23456789TJQK"]
    table.act({BEN: "draw 0"})
    hint = Hinter(table.settings, 400).hint(seen(table, ANNA))
    assert (hint.action in (0, 1), hint.share) == (True, share)


def test_a_hand_leaves_a_draw_to_another_for_some_of_its_turns_and_then_insists() -> None:
    table = for_two().leave({18: "8H", 27: "KH"}, ["5S", "5H"], [1, 9])
    agent = make_agent("counting")
    agent.reset(1, [ANNA], 0, table.settings)
    mask = np.ones((1, 1, 74), np.int8)
    mask[0, 0, 0] = 0
    asked = [int(agent.act(seen(table, ANNA)[np.newaxis, np.newaxis], mask)[0, 0])]
    while asked[-1] == 58 and len(asked) < 30:
        table.tick()
        asked.append(int(agent.act(seen(table, ANNA)[np.newaxis, np.newaxis], mask)[0, 0]))
    assert asked[-1] == 56
    turns = [tick for tick in range(len(asked)) if tick % 2 == ANNA]
    assert len(turns) == PATIENCE + 1, "the fuller stock is Ben's"
