"""Exact symmetries: ranks shifted round the ring, the table mirrored, unseen cards exchanged."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gipfelsturm.envs import GipfelsturmBatch
from gipfelsturm.envs.rules.actions import wait_action
from gipfelsturm.envs.rules.board import board_text
from gipfelsturm.envs.rules.cards import CARDS, PLACES
from gipfelsturm.envs.rules.observation import Field
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.rules.table import COVERS, ROWS, free_places

Deck = NDArray[np.uint8]  # (52,)
MINDS = [one_mind("tripeaks", piles=piles, ring=ring) for piles in (1, 2, 3) for ring in (True, False)]
TABLES = [real_time("hard", seats=seats, tempo=tempo) for seats in (1, 2, 3) for tempo in ("instant", "brisk")]
RINGS = [form for form in (*MINDS, *TABLES) if form.ring]
MOST = 150
# Each place's mirror image: rows turned round as a whole, so that peaks change sides and cards within a peak too.
MIRROR = np.array([row[-1 - i] for row in ROWS for i in range(len(row))])

decks = st.permutations(range(CARDS)).map(lambda codes: np.array(codes, np.uint8))
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=80, deadline=None)


def table(form: Settings, deck: Deck) -> GipfelsturmBatch:
    batch = GipfelsturmBatch(form, 1, reward="shaped", autoreset="disabled")
    batch.set_decks(deck)
    return batch


def chosen(rng: np.random.Generator, batch: GipfelsturmBatch) -> NDArray[np.int64]:
    """An action for each viewer (1, viewers): mostly a legal one, sometimes any; plays rather than waits and calls."""
    hands = np.arange(batch.actions) < wait_action(batch.settings.seats)
    likely = (batch.masks + (rng.random() < 0.2)) * np.where(hands, 1.0, 0.6)
    return np.asarray((likely * rng.uniform(0.2, 1, likely.shape)).argmax(-1), np.int64)


def over(batch: GipfelsturmBatch) -> bool:
    return bool(batch.terminated[0])


def given_out(batch: GipfelsturmBatch) -> list[object]:
    """What a step says beside observation and mask."""
    return [batch.rewards.tolist(), batch.parts.tolist(), batch.reasons.tolist(), batch.terminated.tolist()]


def shifted_cards(codes: NDArray[np.int8], by: int) -> NDArray[np.int8]:
    """Observed cards, 1 + 4 * rank + suit or below 1 for none, with `by` added to their ranks."""
    return np.where(codes > 0, (codes - 1 + 4 * by) % CARDS + 1, codes)


def shifted(row: NDArray[np.int8], layout: dict[str, Field], by: int) -> NDArray[np.int8]:
    row = row.copy()
    for name in ("peaks", "tops"):
        row[..., layout[name].span] = shifted_cards(row[..., layout[name].span], by)
    row[..., layout["unseen"].span] = np.roll(row[..., layout["unseen"].span], by, -1)
    return row


@few
@given(st.sampled_from(RINGS), decks, st.integers(1, 12), seeds)
def test_with_the_ring_adding_to_all_ranks_changes_nothing_but_the_ranks(
    form: Settings, deck: Deck, by: int, seed: int
) -> None:
    one, other = table(form, deck), table(form, (deck + 4 * by) % CARDS)
    rng = np.random.default_rng(seed)
    for _ in range(MOST):
        np.testing.assert_array_equal(shifted(one.observations, one.layout, by), other.observations)
        np.testing.assert_array_equal(one.masks, other.masks)
        assert given_out(one) == given_out(other)
        if over(one):
            break
        actions = chosen(rng, one)
        one.step(actions)
        other.step(actions)


def mirrored_actions(piles: int, actions: int) -> NDArray[np.intp]:
    """The number of each action's mirror image: plays change places, the rest stays."""
    images = np.arange(actions)
    for pile in range(piles):
        images[PLACES * pile : PLACES * (pile + 1)] = PLACES * pile + MIRROR
    return images


def mirrored(rows: NDArray[np.int8], layout: dict[str, Field]) -> NDArray[np.int8]:
    rows = rows.copy()
    peaks = layout["peaks"].span
    rows[..., peaks] = rows[..., peaks][..., MIRROR]
    if "place" in layout:
        places = rows[..., layout["place"].span]
        rows[..., layout["place"].span] = np.where(places < 0, places, MIRROR[places])
    return rows


def test_the_layout_is_its_own_mirror_image() -> None:
    assert (MIRROR[MIRROR] == np.arange(PLACES)).all()
    for place in range(PLACES):
        assert {int(MIRROR[cover]) for cover in COVERS[place]} == set(COVERS[MIRROR[place]])


@few
@given(st.sampled_from([*MINDS, *TABLES]), decks, seeds)
def test_mirroring_the_table_only_mirrors_the_places(form: Settings, deck: Deck, seed: int) -> None:
    image = np.concatenate([deck[:PLACES][MIRROR], deck[PLACES:]])
    one, other = table(form, deck), table(form, image)
    swap = mirrored_actions(form.seats, one.actions)
    rng = np.random.default_rng(seed)
    for _ in range(MOST):
        np.testing.assert_array_equal(mirrored(one.observations, one.layout), other.observations)
        np.testing.assert_array_equal(one.masks[..., swap], other.masks)
        assert given_out(one) == given_out(other)
        if over(one):
            break
        actions = chosen(rng, one)
        one.step(actions)
        other.step(swap[actions])


def unseen(batch: GipfelsturmBatch) -> list[int]:
    """The positions in the deck whose card nobody has seen."""
    game = batch.games[0]
    present = int(game["present"])
    hidden = present & ~int(free_places(present))
    height = int(game["dealt"])
    stocks = [
        spot
        for pile in range(int(game["seats"]))
        for spot in range(PLACES + (pile + 1) * height - int(game["stock"][pile]), PLACES + (pile + 1) * height)
    ]
    aside = range(PLACES + int(game["seats"]) * height, CARDS)
    return [*(place for place in range(PLACES) if hidden >> place & 1), *stocks, *aside]


def exchanged(batch: GipfelsturmBatch, rng: np.random.Generator) -> Deck:
    """Its deck with the unseen cards exchanged among themselves."""
    deck: Deck = batch.games["deck"][0].copy()
    spots = unseen(batch)
    deck[spots] = rng.permutation(deck[spots])
    return deck


def look_alike(one: GipfelsturmBatch, other: GipfelsturmBatch) -> None:
    np.testing.assert_array_equal(one.observations, other.observations)
    np.testing.assert_array_equal(one.masks, other.masks)
    assert board_text(one.games[0]) == board_text(other.games[0])


@few
@given(st.sampled_from([*MINDS, *TABLES]), decks, seeds)
def test_decks_that_differ_in_unseen_cards_begin_alike(form: Settings, deck: Deck, seed: int) -> None:
    one = table(form, deck)
    look_alike(one, table(form, exchanged(one, np.random.default_rng(seed))))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*MINDS, *TABLES]), decks, seeds)
def test_exchanging_unseen_cards_changes_nothing_until_one_turns_up(form: Settings, deck: Deck, seed: int) -> None:
    one, other = table(form, deck), table(form, deck)
    rng = np.random.default_rng(seed)
    for _ in range(MOST):
        other.games[:] = one.games
        other.games["deck"][0] = exchanged(one, rng)
        other.look()
        look_alike(one, other)
        hidden, actions = unseen(one), chosen(rng, one)
        one.step(actions)
        other.step(actions)
        np.testing.assert_array_equal(one.reasons, other.reasons)
        if unseen(one) == hidden:
            assert given_out(one) == given_out(other)
            look_alike(one, other)
        if over(one):
            break
