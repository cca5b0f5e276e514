"""The encoder: what each input says, and what it must not depend on."""

import pickle
import time

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import gipfelsturm.envs  # noqa: F401  # registers the ids
from gipfelsturm.envs.encoder import RELATIVE, Encoder
from gipfelsturm.envs.rules.actions import CALLS
from gipfelsturm.envs.rules.cards import RANKS, card_code
from gipfelsturm.envs.rules.observation import layout_of, named
from gipfelsturm.envs.rules.record import PHASES
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.spaces import observation_space
from random_play import begin, commands, every_form

SETTINGS = list(every_form(seed=8, tables=4))
RING = [settings for settings in every_form(seed=9, tables=8) if settings.ring]
Rows = NDArray[np.int8]  # (..., size)


def random_rows(settings: Settings, seed: int = 0) -> Rows:
    """Observations (moments * games, viewers, size) of games at random moments."""
    dice = np.random.default_rng(seed)
    batch = begin(settings, 6)
    rows = []
    for _ in range(12):
        rows.append(batch.observations.copy())
        for _ in range(int(dice.integers(1, 8))):
            batch.step(commands(batch, dice))
    return np.concatenate(rows)


def inputs_of(encoder: Encoder, row: Rows) -> dict[str, float]:
    return dict(zip(encoder.names, encoder(row).tolist(), strict=True))


# Every input, in plain Python


def expected_table(view: dict[str, list[int]]) -> dict[str, float]:
    top = (view["tops"][0] - 1) // 4
    inputs: dict[str, float] = {}
    for place, content in enumerate(view["peaks"]):
        inputs |= relative_rank(f"place {place}", content, top)
        inputs |= {f"place {place} face down": content == 0, f"place {place} gone": content == -1}
    inputs |= {f"unseen rank +{above}": view["unseen"][(top + above) % 13] / 4 for above in range(13)}
    for pile, card in enumerate(view["tops"][1:], 1):
        inputs |= relative_rank(f"top {pile}", card, top)
    absolute = not view["rules"][2]
    inputs |= {f"own top {rank}": absolute and top == n for n, rank in enumerate(RANKS)}
    inputs |= {f"stock {pile}": left / 23 for pile, left in enumerate(view["stocks"])}
    inputs |= {"streak": view["streak"][0] / 28, "longest streak": view["streak"][1] / 28}
    piles, dealt, ring, calls = view["rules"]
    return inputs | {"piles": piles / 3, "cards dealt to a stock": dealt / 24, "ring": ring, "calls": calls}


def relative_rank(what: str, card: int, top: int) -> dict[str, float]:
    return {f"{what} rank +{above}": card > 0 and (card - 1) // 4 == (top + above) % 13 for above in range(13)}


def number(digits: list[int]) -> int:
    return sum(digit * 128**place for place, digit in enumerate(reversed(digits)))


def expected_time(view: dict[str, list[int]], clock: bool) -> dict[str, float]:
    seats = range(len(view["tops"]))
    left, gone = number(view["clock"]), number(view["elapsed"])
    tick = number(view["tick"]) / 1000
    inputs: dict[str, float] = {f"own seat {seat}": view["seat"] == [seat] for seat in seats}
    inputs |= {"clock": clock, "part of the clock left": left / (left + gone) if left else 0}
    inputs |= {"seconds left": np.log2(1 + left * tick) / 8, "seconds gone": np.log2(1 + gone * tick) / 8}
    inputs["seconds a tick"] = np.log2(1 + tick)
    for seat in seats:
        inputs |= expected_hand(view, seat, tick) | expected_call(view, seat, tick)
    return inputs


def expected_hand(view: dict[str, list[int]], hand: int, tick: float) -> dict[str, float]:
    place, pile = view["place"][hand], view["pile"][hand]
    card = view["peaks"][place] if place >= 0 else 0
    durations = dict(zip(("pause", "reach", "carry", "draw"), view["tempo"][4 * hand : 4 * hand + 4], strict=True))
    return (
        {f"hand {hand} {phase}": view["phase"][hand] == n for n, phase in enumerate(PHASES)}
        | {f"hand {hand} place {other}": place == other for other in range(28)}
        | relative_rank(f"hand {hand}", card, (view["tops"][0] - 1) // 4)
        | {f"hand {hand} pile {other}": pile == other for other in range(len(view["tops"]))}
        | {f"hand {hand} seconds left": np.log2(1 + view["left"][hand] * tick)}
        | {f"hand {hand} seconds of {phase}": np.log2(1 + ticks * tick) for phase, ticks in durations.items()}
    )


def expected_call(view: dict[str, list[int]], seat: int, tick: float) -> dict[str, float]:
    call = view["call"][seat]
    need = 4 * (call - 1) + 1 if 1 <= call <= 13 else 0
    inputs = relative_rank(f"seat {seat} needs", need, (view["tops"][0] - 1) // 4)
    inputs |= {f"seat {seat} says {CALLS[said - 1]}": call == said for said in (14, 15)}
    return inputs | {f"seat {seat} call's age": number(view["age"][2 * seat : 2 * seat + 2]) * tick / 3}


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_every_input_says_what_its_name_says(settings: Settings) -> None:
    encoder = Encoder(settings)
    for row in random_rows(settings).reshape(-1, encoder.rows_size)[::3]:
        view = {name: field.tolist() for name, field in named(row, layout_of(settings)).items()}
        expected = expected_table(view)
        if not settings.one_mind:
            expected |= expected_time(view, settings.clock_ms is not None)
        assert set(expected) == set(encoder.names)
        np.testing.assert_allclose(encoder(row), [expected[name] for name in encoder.names], rtol=1e-6)


def test_a_table_written_by_hand() -> None:
    settings = one_mind("normal", piles=2)
    row = begin(settings, 1).observations[0, 0].copy()
    views = named(row, layout_of(settings))
    views["tops"][:] = card_code("KS") + 1, card_code("QD") + 1
    views["peaks"][:3] = card_code("AC") + 1, 0, -1
    inputs = inputs_of(Encoder(settings), row)
    told = {name for name, value in inputs.items() if name.startswith(("place 0 ", "place 1 ", "place 2 ")) and value}
    assert told == {"place 0 rank +1", "place 1 face down", "place 2 gone"}
    assert inputs["top 1 rank +12"] == 1
    assert inputs["unseen rank +0"] == views["unseen"][12] / 4


# What the inputs do not depend on


def shifted(settings: Settings, rows: Rows, ranks: int) -> Rows:
    """The same positions with a constant added to all ranks, calls included."""
    moved = rows.copy()
    views = named(moved, layout_of(settings))
    for name in ("peaks", "tops"):
        cards = views[name]
        cards[cards > 0] = (cards[cards > 0] - 1 + 4 * ranks) % 52 + 1
    views["unseen"][...] = np.roll(views["unseen"], ranks, axis=-1)
    if not settings.one_mind:
        needs = (views["call"] >= 1) & (views["call"] <= 13)
        views["call"][needs] = (views["call"][needs] - 1 + ranks) % 13 + 1
    return moved


@pytest.mark.parametrize("settings", RING, ids=range(len(RING)))
def test_with_the_ring_ranks_have_no_names(settings: Settings) -> None:
    encoder = Encoder(settings)
    rows = random_rows(settings)
    for ranks in range(1, 13):
        moved = shifted(settings, rows, ranks)
        assert (moved != rows).any()
        np.testing.assert_array_equal(encoder(moved), encoder(rows))


def test_without_the_ring_ranks_have_names() -> None:
    settings = one_mind(ring=False)
    rows = random_rows(settings)
    encoder = Encoder(settings)
    for ranks in range(1, 13):
        changed = (encoder(shifted(settings, rows, ranks)) != encoder(rows)).any(axis=-1)
        assert changed.all()


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_suits_do_not_matter(settings: Settings) -> None:
    rows = random_rows(settings)
    moved = rows.copy()
    for name in ("peaks", "tops"):
        cards = named(moved, layout_of(settings))[name]
        suits = np.random.default_rng(0).integers(4, size=cards.shape)
        cards[cards > 0] = ((cards - 1) // 4 * 4 + suits + 1)[cards > 0]
    assert (moved != rows).any()
    encoder = Encoder(settings)
    np.testing.assert_array_equal(encoder(moved), encoder(rows))


# The array


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_any_leading_shape_and_a_fresh_array(settings: Settings) -> None:
    encoder = Encoder(settings)
    rows = random_rows(settings)
    before = rows.copy()
    inputs = encoder(rows)
    assert inputs.dtype == np.float32
    assert inputs.shape == (*rows.shape[:-1], encoder.width)
    assert len(set(encoder.names)) == encoder.width
    np.testing.assert_array_equal(encoder(rows[3, 0]), inputs[3, 0])
    assert encoder(rows[:0]).shape == (0, *inputs.shape[1:])
    assert not np.shares_memory(inputs, encoder(rows))
    np.testing.assert_array_equal(rows, before)


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_inputs_are_of_a_sensible_size(settings: Settings) -> None:
    inputs = Encoder(settings)(random_rows(settings))
    assert inputs.min() >= 0
    assert inputs.max() <= 5


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_anything_in_the_observation_space_can_be_encoded(settings: Settings) -> None:
    space = observation_space(settings)
    space.seed(1)
    encoder = Encoder(settings)
    for _ in range(20):
        inputs = encoder(encoder.rows_of(space.sample()))
        assert np.isfinite(inputs).all()


def test_ring_and_form_of_one_network_go_together() -> None:
    assert Encoder(one_mind(ring=False)).names == Encoder(one_mind()).names
    assert Encoder(real_time("blitz")).names == Encoder(real_time("expert", tempo="slow")).names
    assert Encoder(real_time(seats=1)).names[: Encoder(one_mind()).width] == Encoder(one_mind()).names
    assert len(RELATIVE) == 13


def test_the_clock_of_two_million_ticks() -> None:
    settings = real_time(clock=2_000_000 * 16, tick=16)
    inputs = inputs_of(Encoder(settings), begin(settings, 1).observations[0, 0])
    assert inputs["seconds left"] == pytest.approx(np.log2(1 + 32_000_000) / 8)
    assert inputs["part of the clock left"] == 1


@pytest.mark.parametrize("rows", [np.zeros((3, 48), np.int8), np.zeros((3, 49)), np.int8(3)])
def test_other_rows_are_refused(rows: Rows) -> None:
    with pytest.raises(ValueError, match=r"rows must be int8 of shape \(\.\.\., 49\), not"):
        Encoder(one_mind())(rows)


def test_an_encoder_can_be_pickled() -> None:
    settings = real_time(seats=3)
    encoder = pickle.loads(pickle.dumps(Encoder(settings)))
    rows = random_rows(settings)
    np.testing.assert_array_equal(encoder(rows), Encoder(settings)(rows))


# Beside the environments


def test_rows_of_a_single_environment() -> None:
    env: gymnasium.Env[dict[str, Rows], np.int64] = gymnasium.make("gipfelsturm/TriPeaks-v0", piles=2)
    observation, _ = env.reset(options={"number": 5})
    settings = one_mind(piles=2)
    encoder = Encoder(settings)
    np.testing.assert_array_equal(encoder.rows_of(observation), begin(settings, 1, 5).observations[0, 0])
    backwards = dict(reversed(observation.items()))
    np.testing.assert_array_equal(encoder.rows_of(backwards), encoder.rows_of(observation))
    with pytest.raises(KeyError, match="tops"):
        encoder.rows_of({name: field for name, field in observation.items() if name != "tops"})


def test_rows_of_many_environments() -> None:
    envs = gymnasium.make_vec("gipfelsturm/TriPeaks-v0", num_envs=4, tempo="brisk")
    observations, _ = envs.reset(seed=3)
    encoder = Encoder(real_time("tripeaks", calls=False, clock=None))
    rows = encoder.rows_of(observations)
    assert rows.shape == (4, encoder.rows_size)
    for i in range(4):
        single = {name: field[i] for name, field in observations.items()}
        np.testing.assert_array_equal(encoder(rows)[i], encoder(encoder.rows_of(single)))


def test_a_thousand_rows_take_little_time() -> None:
    settings = real_time(seats=3)
    encoder = Encoder(settings)
    rows = np.repeat(random_rows(settings)[:1, 0], 1024, axis=0)
    times = []
    for _ in range(20):
        start = time.process_time()
        encoder(rows)
        times.append(time.process_time() - start)
    assert min(times) < 0.005
