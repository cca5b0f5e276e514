"""`gipfelsturm watch`: what it prints where nobody waits, its pace in a terminal, and animations."""

import errno
import io
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageSequence

import user_agents
from gipfelsturm.agents.catalogue import CATALOGUE, make_agent
from gipfelsturm.agents.scripted import ScriptedAgent
from gipfelsturm.cli import main
from gipfelsturm.cli.watch import watch
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.picture.raster import pixels
from gipfelsturm.envs.rendering import picture
from gipfelsturm.envs.rules.board import board_text
from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.sampling import LegalSampler
from gipfelsturm.training.evaluation import play_deals

Capture = pytest.CaptureFixture[str]
TIME = re.compile(r", \d+ ticks? left|, tick \d+.*")
DEAL = deal_id(17)


def frames(capsys: Capture, piles: int) -> tuple[list[str], str]:
    """The frames that were printed, and the line below them."""
    *lines, result = capsys.readouterr().out.splitlines()
    height = 4 + 1 + piles + 1 + 1
    each = ["\n".join(lines[at : at + height]) for at in range(0, len(lines), height + 1)]
    assert lines[height :: height + 1] == [""] * len(each)
    return each, result


def boards(settings: Settings, name: str) -> list[str]:
    """How the table of `DEAL` looks after the deal and after each step, one player in all seats."""
    batch = GipfelsturmBatch(settings, 1, autoreset="disabled")
    batch.set_deals([17])
    agent = make_agent(name)
    agent.reset(1, range(batch.viewers), 0, settings)
    shown = [board_text(batch.games[0])]
    while not batch.terminated[0]:
        batch.step(agent.act(batch.observations.copy(), batch.masks.copy()))
        shown.append(board_text(batch.games[0]))
    return shown


# What is printed


class Fidget:
    """Reaches now for this card and now for that; with nothing to play it says or does anything."""

    def reset(self, games: int, seats: Sequence[int], seed: int, settings: Settings) -> None:
        self._sample = LegalSampler(seed)
        self._plays = 28 * settings.seats

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        legal = masks.copy()
        legal[masks[..., : self._plays].any(-1), self._plays :] = 0
        return self._sample(legal)


@pytest.mark.parametrize("name", ["uncover", "fidget"])
@pytest.mark.parametrize(
    ("preset", "seats", "settings"),
    [
        ("normal", None, real_time("normal")),
        ("blitz", 3, real_time("blitz", seats=3)),
        ("hard", 1, real_time("hard", seats=1)),
        ("tripeaks", None, one_mind()),
        ("tripeaks", 1, one_mind()),
    ],
)
def test_every_change_is_printed_and_nothing_twice(
    preset: str, seats: int | None, settings: Settings, name: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CATALOGUE, "fidget", Fidget)
    watch(preset, (name,), seats, deal=DEAL)
    printed, result = frames(capsys, settings.seats)
    shown = boards(settings, name)
    changed = [after for before, after in pairwise(shown) if TIME.sub("", before) != TIME.sub("", after)]
    assert len(changed) < len(shown) - 1 or settings.one_mind or name == "fidget"
    for frame, board in zip(printed, [shown[0], *changed], strict=True):
        rows, rest = frame.splitlines()[:4], frame.splitlines()[4:]
        assert [*rows, *(line.removeprefix(f"{name} ") for line in rest if line)] == board.splitlines()
    assert result.endswith(f", deal {DEAL}")


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("settings", [real_time("normal"), one_mind()], ids=["normal", "tripeaks"])
def test_the_last_line_says_how_it_ended(settings: Settings, number: int, capsys: Capture) -> None:
    watch("tripeaks" if settings.one_mind else "normal", deal=deal_id(number))
    printed, result = frames(capsys, settings.seats)
    outcome = play_deals(settings, make_agent("careful"), range(number, number + 1), 0)
    won, score, longest = outcome.won[0], outcome.score[0], outcome.longest[0]
    if settings.one_mind:
        took = f"{len(printed) - 1} moves"
    else:
        ticks = int(printed[-1].split(", tick ")[1].split(" ")[0])
        took = f"{ticks} ticks ({ticks / 5:g} s)"
    end = "won" if won else "lost: nothing fits"
    assert result == f"{end}; score {score}, longest streak {longest}, {took}, deal {deal_id(number)}"


def test_the_clock_can_end_it(capsys: Capture) -> None:
    watch("blitz", tempo=("slow",), deal=DEAL)
    printed, result = frames(capsys, 2)
    assert printed[-1].endswith(", lost by the clock, tick 180 of 180")
    assert result.startswith("lost by the clock; score 0, ") and ", 180 ticks (36 s), " in result


def test_players_sit_where_they_are_named(capsys: Capture) -> None:
    user_agents.SEEN.clear()
    watch("normal", ("careful", "user_agents:FirstLegal", "user_agents:FirstLegal"), seed=7)
    watch("normal", ("user_agents:FirstLegal",), 3, seed=7)
    told = [(seen.games, seen.seats, seen.seed, seen.observations[0, :, 53].tolist()) for seen in user_agents.SEEN]
    assert told == [(1, [1], 8, [1]), (1, [2], 9, [2]), (1, [0, 1, 2], 7, [0, 1, 2])]  # 53: the own seat of three
    lines = capsys.readouterr().out.splitlines()
    assert [line[:27] for line in lines[5:8]] == [
        "careful                pile",
        "user_agents:FirstLegal pile",
        "user_agents:FirstLegal pile",
    ]


def test_each_hand_can_have_its_tempo(capsys: Capture) -> None:
    watch("normal", tempo=("instant", "steady"), deal=DEAL)
    out = capsys.readouterr().out
    ticks = [{int(left) for left in re.findall(rf"pile {pile}: .* (\d+) ticks? left", out)} for pile in range(2)]
    assert ticks[0] == set() and max(ticks[1]) == 7


def test_tripeaks_with_a_tempo_has_a_hand(capsys: Capture) -> None:
    watch("tripeaks", tempo=("brisk",), deal=DEAL)
    assert "hand reaching" in frames(capsys, 1)[0][1]


def test_the_seed_names_the_deal_as_in_the_environments(capsys: Capture) -> None:
    batch = GipfelsturmBatch(real_time("normal"), 1)
    batch.seed([5])
    batch.deal_all()
    watch(seed=5)
    assert frames(capsys, 2)[1].endswith(f", deal {deal_id(int(batch.numbers[0]))}")


def test_a_deal_is_named_by_its_number_too(capsys: Capture) -> None:
    watch(deal="17")
    assert frames(capsys, 2)[1].endswith(f", deal {DEAL}")


def test_the_seed_is_the_players_chance(capsys: Capture) -> None:
    games = []
    for seed in (1, 1, 2):
        watch("normal", ("random", "random"), deal=DEAL, seed=seed)
        games.append(capsys.readouterr().out)
    assert games[0] == games[1] != games[2]


# In a terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def text(self) -> str:
        """What was written, without control sequences."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.getvalue())


class Clock:
    """Time that passes when somebody sleeps or thinks."""

    def __init__(self) -> None:
        self.now = 100.0

    def read(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    with monkeypatch.context() as patch:
        patch.setattr(time, "monotonic", clock.read)
        patch.setattr(time, "sleep", clock.pass_by)
        yield clock


@pytest.mark.parametrize(
    ("preset", "settings", "seconds"), [("blitz", real_time("blitz"), 0.2), ("tripeaks", one_mind(), 1.0)]
)
@pytest.mark.parametrize("thought", [0.0, 0.15, 3.0])
def test_a_step_is_shown_as_long_as_it_takes(
    preset: str,
    settings: Settings,
    seconds: float,
    thought: float,
    terminal: Terminal,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Thinker(ScriptedAgent):
        def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
            clock.pass_by(thought)
            return super().act(observations, masks)

    monkeypatch.setitem(CATALOGUE, "thinker", lambda: Thinker("careful"))
    with redirect_stdout(terminal):
        watch(preset, ("thinker",), deal=DEAL)
    steps = len(boards(settings, "careful")) - 1
    assert clock.now - 100 == pytest.approx(steps * max(seconds, thought))


def test_every_tick_is_shown(terminal: Terminal, clock: Clock) -> None:
    with redirect_stdout(terminal):
        watch("blitz", deal=DEAL)
    shown = boards(real_time("blitz"), "careful")
    for board in shown:
        assert board.splitlines()[-1] in terminal.text()
    assert terminal.text().splitlines()[-1].endswith(f"({(len(shown) - 1) / 5:g} s), deal {DEAL}")


def test_red_suits_are_red_and_a_hands_card_is_marked(terminal: Terminal, clock: Clock) -> None:
    with redirect_stdout(terminal):
        watch(deal=DEAL)
    drawn, aimed = terminal.getvalue(), r"hand (?:reaching|carrying|returning) "
    cards = re.findall(r"\x1b\[([0-9;]+)m([A2-9TJQK][CDHS])\x1b", drawn)
    assert {style for style, card in cards if card[1] in "DH"} == {"31", "7;31"}
    assert {style for style, card in cards if card[1] in "CS"} == {"7"}
    marked = len(re.findall(aimed + r"\x1b\[7", drawn))
    assert marked == len(re.findall(aimed, drawn)) > 0
    assert sum("7" in style for style, _ in cards) == 2 * marked


def test_leaving_with_ctrl_c_gives_the_cursor_back(
    terminal: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def leave(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", leave)
    with redirect_stdout(terminal):
        assert command(monkeypatch, "watch") == 130
    hidden, shown = (terminal.getvalue().rfind(f"\x1b[?25{end}") for end in "lh")
    assert 0 <= hidden < shown
    assert capsys.readouterr().err == "gipfelsturm: interrupted\n"


# As an animation


@pytest.mark.parametrize(
    ("preset", "settings", "pace"), [("tripeaks", one_mind(), 1000), ("hard", real_time("hard", tempo="instant"), 200)]
)
def test_a_game_becomes_an_animation(
    preset: str, settings: Settings, pace: int, tmp_path: Path, terminal: Terminal, capsys: Capture
) -> None:
    tempo = () if settings.one_mind else ("instant",)
    with redirect_stdout(terminal):
        watch(preset, tempo=tempo, deal=DEAL, out=tmp_path / "game.gif")
    assert [path.name for path in tmp_path.iterdir()] == ["game.gif"]
    assert len(terminal.getvalue().splitlines()) == 1 and terminal.getvalue().endswith(f", deal {DEAL}\n")
    assert capsys.readouterr().err == ""
    shown = list(pictures(settings))
    with Image.open(tmp_path / "game.gif") as animation:
        durations = [frame.info["duration"] for frame in ImageSequence.Iterator(animation)]
        last = np.asarray(animation.convert("RGB"), int)
    assert len(durations) == len(list(groupby(shown)))
    assert sum(durations) == pace * len(shown) + 3000 and min(durations) == pace
    assert np.abs(last - pixels(shown[-1])).mean() < 1


def pictures(settings: Settings) -> Iterator[str]:
    """The table of `DEAL` after the deal and after each step of `careful`."""
    batch = GipfelsturmBatch(settings, 1, autoreset="disabled")
    batch.set_deals([17])
    agent = make_agent("careful")
    agent.reset(1, range(batch.viewers), 0, settings)
    yield picture(settings, batch.games[0])
    while not batch.terminated[0]:
        batch.step(agent.act(batch.observations.copy(), batch.masks.copy()))
        yield picture(settings, batch.games[0])


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError("no space left")])
def test_a_game_that_is_broken_off_leaves_the_old_file(
    fault: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Leaver(ScriptedAgent):
        def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
            if observations[0, 0, 41]:  # the streak: a card has been placed
                raise fault
            return super().act(observations, masks)

    monkeypatch.setitem(CATALOGUE, "leaver", lambda: Leaver("careful"))
    (tmp_path / "game.gif").write_bytes(b"old")
    with pytest.raises(type(fault)):
        watch("tripeaks", ("leaver",), out=tmp_path / "game.gif")
    assert [path.name for path in tmp_path.iterdir()] == ["game.gif"]
    assert (tmp_path / "game.gif").read_bytes() == b"old"


def test_an_animation_that_cannot_be_written_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ValueError, match=r"^cannot write .*/game\.gif: no space left on device; make room there, or "):
        watch("tripeaks", out=tmp_path / "game.gif")
    assert list(tmp_path.iterdir()) == []


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> object:
    """Run a command in this process; returns its exit status."""
    monkeypatch.setattr(sys, "argv", ["gipfelsturm", *arguments])
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(SystemExit) as leaving:
        main()
    return leaving.value.code


class Sleeper(Fidget):
    """Waits."""

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        return np.full(masks.shape[:2], self._plays + self._plays // 28)


@pytest.mark.parametrize("name", ["careful", "sleeper"])
def test_a_reader_who_leaves_is_no_fault(name: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setitem(CATALOGUE, "sleeper", Sleeper)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe, redirect_stdout(pipe):
        assert command(monkeypatch, "watch", "--agents", name) == 1
    assert capsys.readouterr().err == ""
