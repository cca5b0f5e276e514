"""`gipfelsturm evaluate` and `benchmark` as their users call them."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from commands import run, run_process
from gipfelsturm.agents.mlp import mlp_tensors
from gipfelsturm.agents.weights import Origin, save_weights
from gipfelsturm.cli import COMMANDS
from gipfelsturm.envs.rules.settings import real_time


def test_evaluate_prints_players_published_figure_and_provenance() -> None:
    out = run("evaluate", "--preset", "tripeaks", "normal", "--agents", "careful", "uncover", "--games", "90").stdout
    for word in ("tripeaks", "normal", "careful", "uncover", "37", "62", "90", "seed 0", "numba"):
        assert word in out


@pytest.mark.parametrize(
    "played",
    [
        ("--agents", "random", "--games", "3000"),
        ("--tempo", "brisk", "slow", "--agents", "random", "--team", "careful+uncover", "--games", "100"),
    ],
)
def test_evaluate_twice_is_the_same_to_the_byte_and_threads_do_not_count(
    played: tuple[str, ...], tmp_path: Path
) -> None:
    files = [tmp_path / name for name in ("a.json", "b.json")]
    outs = [
        run_process("evaluate", *played, "--threads", str(i + 1), "--json", file).stdout for i, file in enumerate(files)
    ]
    assert outs[0] == outs[1] != ""
    assert files[0].read_bytes() == files[1].read_bytes()


def test_evaluate_with_another_seed_overlaps_and_prints_what_it_played(tmp_path: Path) -> None:
    rows = []
    for seed in ("0", "1"):
        file = tmp_path / f"{seed}.json"
        out = run("evaluate", "--games", "3000", "--agents", "uncover", "--seed", seed, "--json", file).stdout
        row, _ = json.loads(file.read_text())["rows"]
        rate, low, high = (f"{100 * figure:.2f}" for figure in row["win_rate"])
        assert f"{rate} [{low}, {high}]" in out
        assert "3,000" in out and f"deals 0 onwards, seed {seed};" in out
        rows.append(row)
    one, other = rows
    assert one["wins"] != other["wins"]
    assert one["win_rate"][1] <= other["win_rate"][2] and other["win_rate"][1] <= one["win_rate"][2]


def test_a_mixed_team_plays_in_real_time(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    done = run("evaluate", "--tempo", "brisk", "--team", "careful+uncover", "--games", "40", "--json", file)
    row, _ = json.loads(file.read_text())["rows"]
    assert done.returncode == 0
    for word in ("normal brisk", "careful+uncover", "time-outs", "seconds", "missed", "returned", "refused"):
        assert word in done.stdout
    assert "by seconds a play" not in done.stdout
    assert (row["setting"], row["team"], row["games"]) == ("normal", "careful+uncover", 40)
    assert (row["real_time"]["tempo"], row["real_time"]["refused"]) == ("brisk", 0)


def test_agents_and_teams_are_one_list_in_the_order_given(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    teams = ("--agents", "careful", "uncover", "--team", "careful+uncover", "--agents", "random")
    run("evaluate", "--tempo", "brisk", "--preset", "blitz", *teams, "--games", "20", "--json", file)
    rows = json.loads(file.read_text())["rows"]
    assert [row["team"] for row in rows] == ["careful", "uncover", "careful+uncover", "random", "oracle"]
    assert [row["versus"] for row in rows] == [None, "careful", "careful", "careful", "careful"]


@pytest.mark.parametrize("form", [("--preset", "expert"), ("--preset", "expert", "--tempo", "brisk", "slow")])
def test_the_oracle_stands_in_every_table_and_nobody_wins_more(form: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    done = run("evaluate", *form, "--agents", "uncover", "search@20", "--games", "60", "--json", file)
    rows = json.loads(file.read_text())["rows"]
    oracles = [row for row in rows if row["team"] == "oracle"]
    assert len(oracles) == len(rows) / 3
    for row in rows:
        assert (row["games"], row["first_deal"], row["last_deal"]) == (60, 0, 59)
        assert row["wins"] <= oracles[0]["wins"] < 60
    won, low, high = (f"{100 * figure:.2f}" for figure in oracles[0]["win_rate"])
    assert done.stdout.count(f"{won} [{low}, {high}]") == len(oracles)
    assert "'oracle': how many of these deals one mind that sees every card can win" in done.stdout


def test_the_oracle_can_be_named_and_is_then_where_it_was_named(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    run("evaluate", "--agents", "oracle", "careful", "--games", "50", "--json", file)
    assert [row["team"] for row in json.loads(file.read_text())["rows"]] == ["oracle", "careful"]
    run("evaluate", "--tempo", "brisk", "--agents", "oracle", "--games", "5", "--json", file)
    assert [row["team"] for row in json.loads(file.read_text())["rows"]] == ["oracle"]


def test_alone_with_a_hand(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    run("evaluate", "--preset", "tripeaks", "--tempo", "slow", "--agents", "careful", "--games", "20", "--json", file)
    row, _ = json.loads(file.read_text())["rows"]
    assert (row["settings"]["seats"], row["settings"]["one_mind"], row["published_percent"]) == (1, False, None)


@pytest.mark.parametrize("form", [(), ("--tempo", "brisk", "slow")])
def test_a_table_for_three_is_one_command(form: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    teams = ("--agents", "careful", "uncover")
    done = run("evaluate", "--seats", "3", "--preset", "normal", "hard", *form, *teams, "--games", "12", "--json", file)
    rows = json.loads(file.read_text())["rows"]
    forms = len(form[1:]) or 1
    assert [row["setting"] for row in rows] == ["normal for 3"] * 3 * forms + ["hard for 3"] * 3 * forms
    assert {(row["settings"]["seats"], row["settings"]["one_mind"]) for row in rows} == {(3, not form)}
    assert [row["settings"]["stock"] for row in rows] == [8] * 3 * forms + [6] * 3 * forms
    assert [row["team"] for row in rows] == ["careful", "uncover", "oracle"] * 2 * forms
    assert all(row["wins"] <= rows[2]["wins"] + rows[2]["unsettled"] for row in rows[:3])
    assert "normal for 3" in done.stdout and ("slow" in done.stdout) == bool(form)


def test_a_network_of_ppo_that_cannot_call_plays_where_nobody_can(tmp_path: Path) -> None:
    table, file, out = real_time("normal", calls=False), tmp_path / "w.safetensors", tmp_path / "a.json"
    arrays = {name: np.ones(tensor.shape, np.float32) for name, tensor in mlp_tensors(table, []).items()}
    told = Origin(kind="ppo", config={"hidden": []}, command="", versions={}, tables={"normal": table}, measured=[])
    save_weights(file, arrays, told)
    asked = "evaluate", "--tempo", "brisk", "--agents", f"learned@{file}", "--games", "3", "--json", out
    assert run(*asked, "--no-calls").returncode == 0
    assert [row["settings"]["calls"] for row in json.loads(out.read_text())["rows"]] == [False, False]
    done = run(*asked)
    assert done.returncode == 2 and "the network was trained for" in done.stderr


def test_without_a_preset_several_seats_play_normal(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    run("evaluate", "--seats", "2", "--agents", "careful", "--games", "5", "--json", file)
    assert [row["setting"] for row in json.loads(file.read_text())["rows"]] == ["normal for 2"] * 2


def test_published_rows_have_their_names(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    done = run("evaluate", "--published", "--agents", "careful", "--games", "40", "--json", file)
    rows = [row for row in json.loads(file.read_text())["rows"] if row["team"] == "careful"]
    assert done.returncode == 0
    assert [row["setting"] for row in rows] == ["solo", "2x12", "2x10", "2x12-noring", "2x10-noring"]
    assert all(row["games"] == 40 and 0 < row["wins"] < 40 for row in rows)


def test_an_agent_of_ones_own_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n"
        "class Greedy:\n"
        "    def reset(self, games, seats, seed, settings): pass\n"
        "    def act(self, observations, masks): return np.argmax(masks, axis=-1)\n"
    )
    done = run_process("evaluate", "--agents", "careful", "mine:Greedy", "--games", "300", folder=tmp_path)
    assert done.returncode == 0
    assert "mine:Greedy" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--agents", "carful"), "unknown agent 'carful': did you mean 'careful'?"),
        (("--agents", "nowhere:Agent"), "agent 'nowhere:Agent' cannot be imported: No module named 'nowhere'"),
        (("--agents", "careful", "careful"), "team 'careful' is named 2 times: name it once"),
        (("--preset", "norml"), "unknown preset 'norml': use one of tripeaks, normal, hard, expert, easy, blitz"),
        (("--games", "0"), "games must be 1 to 10000000, not 0"),
        (("--published", "--preset", "hard"), "--published plays settings of its own: leave out --preset"),
        (("--published", "--tempo", "slow"), "--published plays settings of its own: leave out --tempo"),
        (("--published", "--seats", "3"), "--published plays settings of its own: leave out --seats"),
        (("--no-calls",), "one mind has nobody to call: name a tempo beside --no-calls, or leave it out"),
        (("--seats", "4"), "piles must be 1, 2 or 3, not 4"),
        (("--seats", "0", "--tempo", "brisk"), "seats must be 1, 2 or 3, not 0"),
        (("--tempo", "slow", "slow"), "tempo 'slow' is named 2 times: name it once"),
        (
            ("--tempo", "quick"),
            "unknown tempo 'quick': use one of instant, brisk, steady, slow, person, or pause/reach/carry/draw in ms",
        ),
        (
            ("--preset", "normal", "--team", "careful+uncover"),
            "one mind is one player, team 'careful+uncover' is 2: name one, or play in real time",
        ),
        (
            ("--tempo", "brisk", "--team", "careful+uncover+careful"),
            "team 'careful+uncover+careful' names 3 players for 2 seats: name one, or one for each",
        ),
        (("--tempo", "brisk", "--team", "careful+uncovr"), "unknown agent 'uncovr': did you mean 'uncover'?"),
        (
            ("--tempo", "brisk", "--team", "careful+oracle"),
            "'oracle' sees every card and can sit in no seat: "
            "use one of random, careful, uncover, lookahead, counting, search, learned, learned-search",
        ),
        (("--preset", "hard", "hard"), "preset 'hard' is named 2 times: name it once"),
        (("--agents",), "--agents names nobody: name at least one player"),
        (("--threads", "0"), "threads must be 1 or more, not 0"),
        (("--first-deal", "-1", "--games", "5"), "deal numbers are 0 to 1099511627775, not -1 to 3"),
        (("--games", "many"), "--games must be a whole number, not 'many'; see gipfelsturm --help"),
        (("--games", "-5"), "games must be 1 to 10000000, not -5"),
        (("--seed", "1.5"), "--seed must be a whole number, not '1.5'; see gipfelsturm --help"),
        (("--agents", "search@0"), "search needs 1 playout a decision or more, not 0"),
        (
            ("--agents", "search@"),
            "unknown agent 'search@': a search is search@PLAYOUTS, @POLICY may follow, and then @DEPTH",
        ),
        (("--teem", "careful"), "Unrecognized options: --teem, careful; see gipfelsturm --help"),
        (("--json", "."), "cannot write .: it is a folder"),
        (("--json", "/nowhere/rows.json"), "cannot write /nowhere/rows.json: there is no folder /nowhere"),
    ],
)
def test_faults_are_one_line(arguments: tuple[str, ...], fault: str) -> None:
    done = run("evaluate", *arguments)
    assert done.returncode == 2
    assert done.stderr == f"gipfelsturm: {fault}\n"
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_can_be_read(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert not re.search(r"\{None\}|default: (None|False|)\)|STR \[", " ".join(done.stdout.split()))


def test_help_tells_what_holds_if_nothing_is_said() -> None:
    told = " ".join(run("evaluate", "--help").stdout.replace("│", "").split())
    assert "--seed INT Seed of the players' random choices. (default: 0)" in told
    assert "--games INT Deals for each team; if left out" in told
    assert "each is compared with the first. (repeatable)" in told


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
