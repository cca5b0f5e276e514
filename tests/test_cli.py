"""The commands as their users call them, in processes of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

GIPFELSTURM = Path(sys.executable).with_name("gipfelsturm")


def run(*arguments: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"COLUMNS": "120"}
    command = [GIPFELSTURM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, check=False)


def test_evaluate_prints_players_published_figure_and_provenance() -> None:
    out = run("evaluate", "--preset", "tripeaks", "normal", "--agents", "careful", "uncover", "--games", "500").stdout
    for word in ("tripeaks", "normal", "careful", "uncover", "37", "62", "500", "seed 0", "numba"):
        assert word in out


def test_evaluate_twice_is_the_same_to_the_byte_and_threads_do_not_count(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.json", "b.json")]
    outs = [
        run("evaluate", "--games", "3000", "--agents", "random", "--threads", str(i + 1), "--json", file).stdout
        for i, file in enumerate(files)
    ]
    assert outs[0] == outs[1] != ""
    assert files[0].read_bytes() == files[1].read_bytes()


def test_evaluate_with_another_seed_overlaps_and_prints_what_it_played(tmp_path: Path) -> None:
    rows = []
    for seed in ("0", "1"):
        file = tmp_path / f"{seed}.json"
        out = run("evaluate", "--games", "3000", "--agents", "uncover", "--seed", seed, "--json", file).stdout
        (row,) = json.loads(file.read_text())["rows"]
        rate, low, high = (f"{100 * figure:.2f}" for figure in row["win_rate"])
        assert f"{rate} [{low}, {high}]" in out
        assert "3,000" in out and f"deals 0 onwards, seed {seed};" in out
        rows.append(row)
    one, other = rows
    assert one["wins"] != other["wins"]
    assert one["win_rate"][1] <= other["win_rate"][2] and other["win_rate"][1] <= one["win_rate"][2]


def test_published_rows_have_their_names(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    done = run("evaluate", "--published", "--agents", "careful", "--games", "200", "--json", file)
    rows = json.loads(file.read_text())["rows"]
    assert done.returncode == 0
    assert [row["setting"] for row in rows] == ["solo", "2x12", "2x10", "2x12-noring", "2x10-noring"]
    assert all(row["team"] == "careful" and row["games"] == 200 and 0 <= row["wins"] <= 200 for row in rows)


def test_an_agent_of_ones_own_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n"
        "class Greedy:\n"
        "    def reset(self, games, seats, seed, settings): pass\n"
        "    def act(self, observations, masks): return np.argmax(masks, axis=-1)\n"
    )
    done = run("evaluate", "--agents", "careful", "mine:Greedy", "--games", "300", folder=tmp_path)
    assert done.returncode == 0
    assert "mine:Greedy" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--agents", "carful"), "unknown agent 'carful': did you mean 'careful'?"),
        (("--agents", "nowhere:Agent"), "agent 'nowhere:Agent' cannot be imported: No module named 'nowhere'"),
        (("--agents", "careful", "careful"), "agent 'careful' is named 2 times: name it once"),
        (("--preset", "norml"), "unknown preset 'norml': use one of tripeaks, normal, hard, expert, easy, blitz"),
        (("--games", "0"), "games must be 1 or more, not 0"),
        (("--published", "--preset", "hard"), "--published plays settings of its own: leave out --preset"),
        (("--preset", "hard", "hard"), "preset 'hard' is named 2 times: name it once"),
        (("--agents",), "--agents names nobody: name at least one player"),
        (("--threads", "0"), "threads must be 1 or more, not 0"),
        (("--first-deal", "-1", "--games", "5"), "deal numbers are 0 to 1099511627775, not -1 to 3"),
        (("--json", "/nowhere/rows.json"), "cannot write /nowhere/rows.json: there is no folder /nowhere"),
    ],
)
def test_faults_are_one_line(arguments: tuple[str, ...], fault: str) -> None:
    done = run("evaluate", *arguments)
    assert done.returncode == 2
    assert done.stderr == f"gipfelsturm: {fault}\n"
    assert "Traceback" not in done.stdout


def test_benchmark_has_its_rows(tmp_path: Path) -> None:
    file = tmp_path / "speed.json"
    done = run("benchmark", "--json", file)
    rows = json.loads(file.read_text())["rows"]
    assert done.returncode == 0
    assert [row["name"] for row in rows] == [
        "tripeaks-vector",
        "gipfelsturm-batch",
        "cartpole-vector",
        "tripeaks-gym",
        "cartpole-gym",
        "gipfelsturm-parallel",
    ]
    assert all(row["steps"] > 0 and row["cpu_seconds"] > 0 for row in rows)
