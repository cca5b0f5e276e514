"""The network over afterstates: the sums that it is said to be, and players who do what it thinks best."""

import json
import shlex
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from gipfelsturm.agents import learned
from gipfelsturm.agents.afterstate import AT_PLACE, AT_UNSEEN, FEATURES, MOST_ACTIVE
from gipfelsturm.agents.compact import BIT_NUMBER, PLACE, POSITION, TABLE, lay_deal, read_position
from gipfelsturm.agents.learned import LearnedAgent, LearnedSearchAgent, shipped_weights, weights_of
from gipfelsturm.agents.network import (
    DRAWS,
    MOST_MOVES,
    best_move,
    carry_out,
    move_features,
    network_of,
    think,
    write_moves,
)
from gipfelsturm.agents.network_weights import (
    GREATEST,
    KINDS,
    MOST_WIDE,
    NARROW,
    in_whole_numbers,
    read_network,
    tensors,
)
from gipfelsturm.agents.playouts import LEARNED, play_out
from gipfelsturm.agents.weights import Origin, read_description, save_weights
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training.config import find_config, read_config
from gipfelsturm.training.evaluation import play_all
from gipfelsturm.training.value_network import ValueNetwork
from networks import at_random, blank, in_floats
from random_play import begin, commands

SHIPPED = sorted((Path(__file__).parents[1] / "agents" / "networks").glob("*.safetensors"))


@compiled
def _think(networks: NDArray[np.void], active: NDArray[np.uint16]) -> float:
    networks[0]["active"][: len(active)] = active
    return float(think(networks[0], len(active)))


@pytest.mark.parametrize("wide", [1, 30, 256, MOST_WIDE])
@pytest.mark.parametrize("found", [0, 1, 3, 4, 5, 45, 64])
def test_it_is_two_layers_and_a_sum(found: int, wide: int) -> None:
    w = at_random(found, wide)
    active = np.random.default_rng(9).integers(0, FEATURES, found).astype(np.uint16)
    network, rounding = network_of(in_whole_numbers(w)), np.abs(w["first"]).max() / GREATEST / 2
    first = network["rows"][0, :, :wide] * network["unit"]
    np.testing.assert_allclose(first, w["first"], atol=1.001 * rounding)
    squares = np.maximum(first[active].sum(axis=0) + w["first_bias"], 0) ** 2
    narrow = np.maximum(squares @ w["second"] + w["second_bias"], 0)
    assert _think(network, active) == pytest.approx(narrow @ w["last"] + w["last_bias"][0], abs=1e-4)


def test_in_training_it_thinks_the_same() -> None:
    trained, dice = ValueNetwork(30), np.random.default_rng(9)
    trained.take_over(in_whole_numbers(at_random(8, 30, 0.3)))
    rows = np.full((40, MOST_ACTIVE), FEATURES, np.uint16)
    for found, row in enumerate(rows):
        row[:found] = dice.integers(0, FEATURES, found)
    with torch.no_grad():
        logits = trained(torch.from_numpy(rows)).numpy()
    network = network_of(trained.weights())
    thoughts = [_think(network, row[:found]) for found, row in enumerate(rows)]
    assert thoughts == pytest.approx(logits, rel=1e-4, abs=1e-4) and np.std(thoughts) > 0.1


@pytest.mark.parametrize("each", [-3, 0, 3])
def test_the_greatest_weights_of_all_features_add_up(each: float) -> None:
    w = blank()
    w["first"] += each
    w["second"][0, 0] = w["last"][0] = 1
    active = np.arange(64, dtype=np.uint16)
    assert _think(network_of(in_whole_numbers(w)), active) == pytest.approx(max(64 * each, 0) ** 2, rel=1e-5)


def test_the_greatest_weight_may_be_negative() -> None:
    w = blank(1)
    w["first"][:2] = [[-3], [1]]
    weights = in_whole_numbers(w)
    assert weights["rows"].min() == -GREATEST
    np.testing.assert_allclose(in_floats(weights)["first"], w["first"], atol=3 / GREATEST)


@pytest.mark.parametrize("bias", [-10, 10])
def test_all_or_no_outputs_of_the_first_layer(bias: int) -> None:
    w = at_random(1) | {"first_bias": np.full(MOST_WIDE, bias, np.float32)}
    wide = np.maximum(w["first"][[3, 5]].sum(axis=0) + bias, 0) ** 2
    narrow = np.maximum(wide @ w["second"] + w["second_bias"], 0)
    assert (wide > 0).all() == (bias > 0) and narrow.shape == (NARROW,)
    thought = _think(network_of(in_whole_numbers(w)), np.array([3, 5], np.uint16))
    assert thought == pytest.approx(narrow @ w["last"] + w["last_bias"][0], rel=1e-3)


@compiled
def _playout(depth: int, games: Games, networks: NDArray[np.void]) -> tuple[float, float]:
    """What a playout comes to, and the best logit before it."""
    positions, tables = np.zeros(1, POSITION), np.zeros(1, TABLE)
    p, t, n = positions[0], tables[0], networks[0]
    read_position(games[0], p)
    lay_deal(games[0], t)
    _, logit = best_move(p, t, n, write_moves(p, t, n))
    return float(play_out(LEARNED, depth, p, t, n, np.uint64(1))), float(logit)


def test_a_playout_of_no_moves_is_the_chance_that_the_network_sees() -> None:
    network = network_of(in_whole_numbers(at_random(2)))
    for deal in range(5):
        won, logit = _playout(0, deal_games(one_mind(), [deal]), network)
        assert won == pytest.approx(1 / (1 + np.exp(-logit))) and 0 < won < 1


def test_a_long_playout_is_won_or_lost() -> None:
    network = network_of(in_whole_numbers(at_random(2)))
    results = {_playout(60, deal_games(one_mind("normal"), [deal]), network)[0] for deal in range(40)}
    assert results <= {0.0, 1.0}


@compiled
def _moves(games: Games, networks: NDArray[np.void], logits: NDArray[np.float64]) -> tuple[int, int, float]:
    """How much may be done, and the index and the logit of what is best; writes the logit of each."""
    positions, tables = np.zeros(1, POSITION), np.zeros(1, TABLE)
    p, t, n = positions[0], tables[0], networks[0]
    read_position(games[0], p)
    lay_deal(games[0], t)
    found = write_moves(p, t, n)
    for i in range(found):
        logits[i] = think(n, move_features(p, t, n["moves"][i], 0, n["active"]))
    chosen, best = best_move(p, t, n, found)
    return found, chosen, best


TABLES = [one_mind(), one_mind("expert"), one_mind("hard", piles=3)]


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_moves_are_what_the_rules_allow(table: Settings) -> None:
    batch, dice, network = begin(table, 20), np.random.default_rng(1), network_of(in_whole_numbers(blank(1)))
    seen, piles = set(), table.seats
    while not batch.terminated.all():
        for i in np.flatnonzero(~batch.terminated):
            found, chosen, _ = _moves(batch.games[i : i + 1], network, np.zeros(MOST_MOVES))
            assert chosen == 0, "the first of those that are thought as good"
            moves = network["moves"][0, :found].tolist()
            plays = [28 * (move // 64) + PLACE[move % 64] for move in moves if move < DRAWS]
            draws = [28 * piles + move - DRAWS for move in moves if move >= DRAWS]
            assert sorted(plays + draws) == np.flatnonzero(batch.masks[i, 0]).tolist()
            seen.add((len(plays) > 1, len(draws)))
        batch.step(commands(batch, dice))
    assert seen >= set(product((False, True), range(piles + 1)))


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
@pytest.mark.parametrize("last_bias", [-5, 5])
def test_the_best_move_is_the_one_of_the_greatest_logit(table: Settings, last_bias: int) -> None:
    network, best = network_of(in_whole_numbers(at_random(2, 32) | {"last_bias": np.full(1, last_bias)})), set()
    for deal in range(40):
        logits = np.full(MOST_MOVES, -np.inf)
        _, chosen, logit = _moves(deal_games(table, [deal]), network, logits)
        assert chosen == logits.argmax() and logit == logits.max() and logit * last_bias > 0
        best.add(chosen)
    assert len(best) > 1


@compiled
def _carry_out(games: Games, move: int, positions: NDArray[np.void]) -> None:
    tables = np.zeros(1, TABLE)
    read_position(games[0], positions[0])
    lay_deal(games[0], tables[0])
    carry_out(positions[0], tables[0], move)


def test_a_move_is_carried_out_on_its_pile() -> None:
    game, positions = deal_games(one_mind("hard", piles=3), [1]), np.zeros(1, POSITION)
    ranks, stock = game["deck"][0] >> 2, game["stock"][0].tolist()
    for pile in range(3):
        others = [top >> 2 for top in game["top"][0].tolist()]
        for place in range(18, 28):
            _carry_out(game, 64 * pile + int(BIT_NUMBER[place]), positions)
            assert positions["top"][0].tolist() == others[:pile] + [ranks[place]] + others[pile + 1 :]
            assert positions["left"][0].tolist() == stock
        _carry_out(game, DRAWS + pile, positions)
        assert positions["left"][0].tolist() == [left - (at == pile) for at, left in enumerate(stock)]


@pytest.mark.parametrize("sign", [1, -1])
def test_the_player_does_what_its_network_prefers(sign: int) -> None:
    """A network that counts the cards in the peaks: whoever likes many of them draws, whoever likes few plays."""
    w = blank()
    w["first"][AT_PLACE:AT_UNSEEN, 0] = 0.1
    w["second"][0, 0], w["last"][0] = 1, sign
    batch, agent = begin(one_mind(), 50), LearnedAgent(in_whole_numbers(w))
    agent.reset(50, [0], 0, one_mind())
    draws = agent.act(batch.observations, batch.masks)[:, 0] == 28
    fitting = batch.masks[:, 0, :28].any(axis=1)
    assert fitting.any()
    np.testing.assert_array_equal(draws, True if sign > 0 else ~fitting)


@pytest.mark.parametrize("file", SHIPPED, ids=[file.stem for file in SHIPPED])
def test_shipped_networks_are_described_and_fit_their_tables(file: Path) -> None:
    description = read_description(file)
    assert description.kind in KINDS and description.measured
    for settings in description.tables.values():
        assert shipped_weights(settings).name == file.name
    assert set(read_network(file)) == set(tensors(256))


@pytest.mark.parametrize("file", SHIPPED, ids=[file.stem for file in SHIPPED])
def test_the_command_beside_a_shipped_network_trains_it(file: Path) -> None:
    description = read_description(file)
    program, train, config, *_ = shlex.split(description.command)
    assert (program, train) == ("gipfelsturm", "train")
    assert msgspec.to_builtins(read_config(find_config(Path(config)))) == description.config


def test_a_file_of_weights_is_read_once_and_nobody_can_change_what_it_held(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def count(path: Path) -> dict[str, NDArray[Any]]:
        read.append(path)
        return read_network(path)

    monkeypatch.setattr(learned, "read_network", count)
    weights_of.cache_clear()
    agents = [LearnedAgent(), LearnedAgent()]
    for agent in agents:
        for settings in (one_mind(), one_mind("normal"), real_time()):
            agent.reset(1, [0], 0, settings)
    assert [path.stem for path in read] == ["1_ring", "2_ring"]
    assert not np.shares_memory(agents[0]._room, agents[1]._room), "each has room of its own to work in"
    for array in weights_of(shipped_weights(one_mind())).values():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_file_that_does_not_fit_is_refused_each_time(tmp_path: Path) -> None:
    for file in (SHIPPED[0], SHIPPED[0].with_suffix(".json")):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    changed = tmp_path / SHIPPED[0].name
    changed.write_bytes(changed.read_bytes()[:-4] + b"\0\0\0\0")
    for _ in range(2):
        with pytest.raises(ValueError, match="is not the file that the JSON beside it describes"):
            weights_of(changed)


@pytest.mark.parametrize("wide", [None, "256", 0, MOST_WIDE + 1, True])
def test_a_file_that_does_not_tell_how_wide_it_is_is_refused(tmp_path: Path, wide: object) -> None:
    told = json.loads(SHIPPED[0].with_suffix(".json").read_text())
    told["config"]["wide"] = wide
    file = tmp_path / SHIPPED[0].name
    file.with_suffix(".json").write_text(json.dumps(told))
    file.write_bytes(SHIPPED[0].read_bytes())
    with pytest.raises(ValueError, match=f"1_line.safetensors tells of a network {wide} wide, not of 1 to 512: it is"):
        read_network(file)


def test_weights_of_another_kind_are_refused(tmp_path: Path) -> None:
    told = Origin(kind="ppo", config={"wide": 2}, command="", versions={}, tables={"": one_mind()}, measured=[])
    save_weights(tmp_path / "w.safetensors", in_whole_numbers(blank(2)), told)
    with pytest.raises(ValueError, match="safetensors holds weights of the kind 'ppo', not of 'value' or 'rollout'$"):
        read_network(tmp_path / "w.safetensors")


def test_rows_of_which_four_would_not_add_up_in_16_bits_are_refused(tmp_path: Path) -> None:
    told = Origin(kind="value", config={"wide": 2}, command="", versions={}, tables={"": one_mind()}, measured=[])
    for greatest in (GREATEST, GREATEST + 1):
        weights = in_whole_numbers(blank(2))
        weights["rows"][5, 1] = -greatest
        save_weights(tmp_path / "w.safetensors", weights, told)
        if greatest == GREATEST:
            assert read_network(tmp_path / "w.safetensors")["rows"].min() == -GREATEST
    with pytest.raises(ValueError, match="^tensor 'rows' of .* has values beyond 8191, which do not add up$"):
        read_network(tmp_path / "w.safetensors")


def written(path: Path, **weights: float) -> Path:
    """A file of weights that are 0 but the first of each tensor named, or the whole of `first`."""
    w, file = blank(2), path / "w.safetensors"
    w["first"] += weights.pop("first", 0)
    for name, value in weights.items():
        w[name].flat[0] = value
    told = Origin(kind="value", config={"wide": 2}, command="", versions={}, tables={"": one_mind()}, measured=[])
    save_weights(file, in_whole_numbers(w), told)
    return file


GREAT = [
    {"first": 1.83e19 / 64, "second": 1, "last": 1},  # 64 of the first layer's add up, then squared to 3.4e38 at most
    {"first_bias": 1.83e19, "second": 1, "last": 1},
    {"first": 1, "second": 3.3e38 / 64**2, "last": 1},
    {"second_bias": 2, "last": 1.65e38},
    {"second_bias": 1.65e38, "last": 1, "last_bias": 1.65e38},
]


@pytest.mark.parametrize("weights", GREAT)
def test_weights_whose_sums_are_just_numbers_are_read(tmp_path: Path, weights: dict[str, float]) -> None:
    network = network_of(read_network(written(tmp_path, **weights)))
    assert 3e38 < _think(network, np.arange(64, dtype=np.uint16)) < np.inf


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("weights", [*GREAT, {"first": 1.83e19 / 64}])  # infinitely often nothing is no number either
def test_weights_whose_sums_are_no_numbers_are_refused(tmp_path: Path, weights: dict[str, float], sign: int) -> None:
    file = written(tmp_path, **{name: 1.05 * sign * value for name, value in weights.items()})
    with pytest.raises(ValueError) as refused:
        read_network(file)
    assert str(refused.value) == f"{file} has weights so great that sums of them are no numbers in 32 bits: train anew"


def test_shipped_weights_of_another_table_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "shipped_weights", lambda _: SHIPPED[0])
    LearnedAgent().reset(1, [0], 0, one_mind(ring=False))
    with pytest.raises(ValueError, match="1_line.* was trained for 1 pile without the ring, not for 1 pile with"):
        LearnedAgent().reset(1, [0], 0, one_mind())


def test_all_tables_have_a_network_and_all_networks_are_small() -> None:
    assert [file.stem for file in SHIPPED] == [f"{piles}_{kind}" for piles in (1, 2, 3) for kind in ("line", "ring")]
    assert sum(file.stat().st_size for file in SHIPPED) < 20e6


@pytest.mark.parametrize(("name", "least"), [("tripeaks", 60), ("normal", 83), ("hard", 61)])
def test_learned_wins_what_no_rule_of_thumb_does(name: str, least: float) -> None:
    assert 100 * play_all(one_mind(name), LearnedAgent(), range(4000), 0).won.mean() > least


def test_search_with_a_network_is_stronger_yet() -> None:
    """With one that is often wrong, so that few playouts show it."""
    settings, deals, dice = one_mind("tripeaks"), range(400), np.random.default_rng(1)
    shipped = weights_of(shipped_weights(settings))
    weights = in_floats(dict(shipped))
    weights["first"] += dice.normal(0, 0.3, weights["first"].shape).astype(np.float32)
    weights = in_whole_numbers(weights)
    searched = play_all(settings, LearnedSearchAgent(40, weights=weights), deals, 0).won.mean()
    assert searched > play_all(settings, LearnedAgent(weights), deals, 0).won.mean() + 0.1


def test_a_search_needs_playouts() -> None:
    with pytest.raises(ValueError, match="^learned-search needs 1 playout a decision or more, not 0$"):
        LearnedSearchAgent(0)
    with pytest.raises(ValueError, match="^learned-search needs playouts of 0 moves or more, not -1$"):
        LearnedSearchAgent(1, -1)
