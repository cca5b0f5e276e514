"""A run of training: what it writes, that resuming changes nothing, and that faults cost nothing."""

import json
import signal
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from gipfelsturm.agents.mlp import read_mlp
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.weights import read_description
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.training.config import read_config
from gipfelsturm.training.evaluation import evaluate, play_all
from gipfelsturm.training.fixed_deals import FixedDeals, Result
from gipfelsturm.training.run_folder import RunFolder, Session
from training_runs import Listener, left_behind, rows, run, tiny

COLUMNS = ["steps", "policy_gradient_loss", "value_loss", "entropy_loss"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An uninterrupted run."""
    path = tmp_path_factory.mktemp("runs") / "whole"
    assert run(tiny(), path)
    return path


def test_it_reports_every_chunk_and_every_evaluation(whole: Path) -> None:
    progress = rows(whole, "progress.csv")
    assert [row["steps"] for row in progress] == [str(128 * n) for n in range(1, 9)]
    assert list(progress[0])[:4] == COLUMNS
    header, *lines = (whole / "progress.csv").read_text().splitlines()
    assert header.startswith("steps,seconds,frames_a_second,kernel,network,learner,")
    seconds, shares = [], []
    for line in lines:
        cells = [float(cell) for cell in line.split(",")]
        seconds.append(cells[1])
        shares.append(sum(cells[3:6]))
    assert seconds == sorted(seconds) and 0.5 < min(shares) <= max(shares) <= 1
    assert [row["steps"] for row in rows(whole, "evaluations.csv")] == ["0", "256", "512", "768", "1024"]


def test_there_is_an_evaluation_whenever_enough_steps_are_done_and_at_the_end(tmp_path: Path) -> None:
    assert run(tiny(**{"evaluation.every": "300", "checkpoint_seconds": "1000"}), tmp_path / "a")
    steps = [row["steps"] for row in rows(tmp_path / "a", "evaluations.csv")]
    assert steps == ["0", "384", "640", "1024"]  # a chunk has 128, and the fourth 300 is never reached


def test_evaluations_are_those_of_the_fixed_deals(whole: Path) -> None:
    (*_, last) = rows(whole, "evaluations.csv")
    others = evaluate(one_mind(), "random", 20, first_deal=500_000).won.mean()
    assert (last["table"], last["games"], last["first_deal"], last["baseline"]) == (
        "tripeaks",
        "20",
        "500000",
        "random",
    )
    assert float(last["won"]) - float(last["difference"]) == pytest.approx(others, abs=1e-4)
    assert float(last["low"]) <= float(last["won"]) <= float(last["high"])


def test_the_best_weights_are_kept_and_play_as_they_did(whole: Path) -> None:
    results = rows(whole, "evaluations.csv")
    best = max(reversed(results), key=lambda row: float(row["won"]))
    description = read_description(whole / "weights.safetensors")
    (measured,) = description.measured
    assert (str(measured["steps"]), description.kind, description.command) == (
        best["steps"],
        "ppo",
        "gipfelsturm train",
    )
    assert read_config(whole / "config.yaml") == tiny()
    assert description.config["tables"] == 8 and "torch" in description.versions
    player = read_mlp(whole / "weights.safetensors")
    outcome = play_all(one_mind(), player, range(500_000, 500_020), seed=0)
    assert outcome.won.mean() == pytest.approx(float(best["won"]), abs=1e-4)


def test_tensorboard_is_told_the_same(whole: Path) -> None:
    events = EventAccumulator(str(whole / "tensorboard"))
    events.Reload()
    told = events.Scalars("progress/entropy_loss")
    wanted = rows(whole, "progress.csv")
    assert [event.step for event in told] == [int(row["steps"]) for row in wanted]
    np.testing.assert_allclose([event.value for event in told], [float(row["entropy_loss"]) for row in wanted], 1e-5)
    assert [event.step for event in events.Scalars("tripeaks/won")] == [0, 256, 512, 768, 1024]


def test_the_last_checkpoints_are_kept(whole: Path) -> None:
    kept = sorted(file.name for file in (whole / "checkpoints").iterdir())
    assert kept == ["000000000896.safetensors", "000000001024.safetensors"]


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def interrupt_twice() -> None:
    interrupt()
    interrupt()


def test_ctrl_c_saves_and_resuming_gives_the_same_curve(whole: Path, tmp_path: Path) -> None:
    listener = Listener(384, interrupt)
    config = tiny(checkpoint_seconds="1000")
    assert not run(config, tmp_path / "a", listener)
    assert listener.steps == [128, 256, 384]
    assert listener.lines[-1] == f"saved after 384 steps in {tmp_path / 'a'}"
    assert [line for line in listener.lines if line.startswith("ends after what is under way, and saves; Ctrl-C")]
    listener = Listener()
    assert run(config, tmp_path / "a", listener, resume=True)
    assert listener.lines[0] == "goes on from the checkpoint after 384 steps"
    assert listener.steps[0] == 512
    assert left_behind(tmp_path / "a") == left_behind(whole)
    assert [session["command"] for session in json.loads((tmp_path / "a" / "run.json").read_text())] == [
        "gipfelsturm train"
    ] * 2


def test_ctrl_c_while_the_first_deals_are_played_saves_before_the_first_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, listener = FixedDeals.play, Listener()

    def interrupted(deals: FixedDeals, player: Agent) -> list[Result]:
        interrupt()
        return play(deals, player)

    monkeypatch.setattr(FixedDeals, "play", interrupted)
    assert not run(tiny(), tmp_path / "a", listener)
    assert listener.lines[0].startswith("plays the deals of its evaluations first")
    assert (listener.steps, listener.lines[-1]) == ([], f"saved after 0 steps in {tmp_path / 'a'}")


def test_the_commands_of_a_run_are_listed_in_their_order(tmp_path: Path) -> None:
    for command in ("first", "second"):
        RunFolder(tmp_path, tiny(), resume=command == "second").begin(Session(command, {}))
    listed = json.loads((tmp_path / "run.json").read_text())
    assert [session["command"] for session in listed] == ["first", "second"]


def test_resuming_does_not_forget_the_best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play, shares = FixedDeals.play, iter([0.2, 0.6, 0.4, 0.5, 0.3])

    def scripted(deals: FixedDeals, player: Agent) -> list[Result]:
        share = next(shares)
        return [result._replace(won=result.won._replace(value=share)) for result in play(deals, player)]

    monkeypatch.setattr(FixedDeals, "play", scripted)
    assert not run(tiny(), tmp_path / "a", Listener(512, interrupt))
    assert run(tiny(), tmp_path / "a", resume=True)
    assert [row["won"] for row in rows(tmp_path / "a", "evaluations.csv")] == ["0.2", "0.6", "0.4", "0.5", "0.3"]
    (measured,) = read_description(tmp_path / "a" / "weights.safetensors").measured
    assert (measured["steps"], measured["won"]) == (256, 0.6)


def test_ctrl_c_twice_interrupts_at_once(tmp_path: Path) -> None:
    listener = Listener(128, interrupt_twice)
    with pytest.raises(KeyboardInterrupt):
        run(tiny(), tmp_path / "a", listener)
    assert listener.steps == [128]
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_what_was_reported_after_the_checkpoint_is_reported_anew(whole: Path, tmp_path: Path) -> None:
    config = tiny(checkpoint_seconds="1000")

    def crash() -> None:
        raise RuntimeError("a power cut")

    with pytest.raises(RuntimeError, match="a power cut"):
        run(config, tmp_path / "a", Listener(640, crash))
    assert len(rows(tmp_path / "a", "progress.csv")) == 5
    with (tmp_path / "a" / "progress.csv").open("a") as file:
        file.write("768,0.3")  # of which half was written
    listener = Listener()
    assert run(config, tmp_path / "a", listener, resume=True)
    assert listener.steps[0] == 128
    assert left_behind(tmp_path / "a") == left_behind(whole)


def test_a_run_that_died_before_its_first_checkpoint_begins_anew(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tiny(), tmp_path / "a", Listener(128, interrupt_twice))
    for file in (tmp_path / "a" / "checkpoints").iterdir():
        file.unlink()
    assert run(tiny(), tmp_path / "a", resume=True)
    assert left_behind(tmp_path / "a") == left_behind(whole)


def test_a_finished_run_can_be_given_more_steps(whole: Path, tmp_path: Path) -> None:
    assert run(tiny(steps="512"), tmp_path / "a")
    assert run(tiny(), tmp_path / "a", resume=True)
    assert read_config(tmp_path / "a" / "config.yaml") == tiny()
    assert rows(tmp_path / "a", "progress.csv") == rows(whole, "progress.csv")
    assert rows(tmp_path / "a", "evaluations.csv") == rows(whole, "evaluations.csv")
