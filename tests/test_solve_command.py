"""`gipfelsturm solve` as its users call it."""

import json
from pathlib import Path

import pytest

from commands import run, run_process
from gipfelsturm.envs.rules.actions import action_number
from gipfelsturm.envs.rules.deals import deal_id, read_deck, write_deck
from gipfelsturm.envs.rules.record import WON, deal_games, deck_game
from gipfelsturm.envs.rules.replay import advance
from gipfelsturm.envs.rules.settings import one_mind
from playing import LOST as LOST_DECK
from playing import WON as WON_DECK
from solving import DATA

SHORTEST = (DATA / "solo_deals_named.tsv").read_text().splitlines()[1].split("\t")[1]


def test_a_deal_is_told_move_by_move_with_the_board() -> None:
    _, out, _ = run("solve", SHORTEST)
    lines = out.splitlines()
    assert lines[0] == "Can be won, fewest draws 14"
    assert out.count("pile 0: ") == 43
    game = deck_game(one_mind(), read_deck(SHORTEST))
    for n in range(1, 43):
        words = next(line for line in lines if line.startswith(f"{n}. ")).split(": ")[0].partition(". ")[2]
        assert advance(game, [action_number(words, 1)]) == [0]
    assert game[0]["status"] == WON
    assert "\n41. play 6 0: 6S on 7D\n" in out
    assert "\n40. draw 0: 7D on KS\n" in out
    assert lines[-2:] == ["pile 0: 5H, stock 9", "28/28 cleared, streak 2, longest 4, won"]


def test_deck_id_and_number_are_one_deal() -> None:
    deck = write_deck(deal_games(one_mind(), [17])[0]["deck"])
    outs = [run("solve", *deal)[1] for deal in ([deck], deck.split(), [" 17"], [deal_id(17)])]
    assert outs[0].startswith("Can be won")
    assert len(set(outs)) == 1


def test_a_deal_that_cannot_be_won() -> None:
    status, out, _ = run("solve", LOST_DECK, "--no-ring")
    assert status == 0
    assert out.splitlines()[0] == "Cannot be won, at most 0 of 28 cards can go"


def test_presets_with_two_piles() -> None:
    assert run("solve", "3", "--preset", "hard")[1].splitlines()[-2].startswith("pile 1: ")


@pytest.mark.parametrize("head", ["", "deal\tanything\n", "Cards in drawing order\n", "name\tdeal\n"])
def test_a_file_of_deals(head: str, tmp_path: Path) -> None:
    file, results = tmp_path / "deals.tsv", tmp_path / "results.json"
    before = "x\t" if head.startswith("name") else ""
    rows = [f"{before}{deal}\tmore 5H\t7" for deal in (WON_DECK, LOST_DECK, deal_id(17))]
    file.write_text(head + "\n".join(rows) + "\n\n")
    _, out, _ = run("solve", "--file", file, "--no-ring", "--json", results)
    won, lost, other = json.loads(results.read_text())
    assert (won["min_draws"], won["max_removed"], len(won["moves"])) == (0, 28, 28)
    assert lost == {"min_draws": -1, "max_removed": 0, "moves": []}
    assert len(other["moves"]) == 28 + other["min_draws"] > 28
    lines = out.splitlines()
    assert lines[0].startswith("1: can be won, fewest draws 0: play ")
    assert lines[1] == "2: cannot be won, at most 0 of 28 cards can go"
    assert lines[3] == "2 of 3 deals can be won (66.7 %)"
    words = lines[2].partition(": can be won, fewest draws ")[2].partition(": ")[2].split(", ")
    assert [action_number(word, 1) for word in words] == other["moves"]


def test_the_json_of_one_deal_is_a_list_too(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    run("solve", WON_DECK, "--json", file)
    assert [entry["min_draws"] for entry in json.loads(file.read_text())] == [0]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ((), "name a deal or a --file with deals, and not both"),
        (("17", "--file", "deals.tsv"), "name a deal or a --file with deals, and not both"),
        (
            (f"{WON_DECK[:-2]}{WON_DECK[:2]}",),
            f"card 52 is {WON_DECK[:2]} for the second time: card 1 was {WON_DECK[:2]} too",
        ),
        (("5H", "6X"), "card 2: unknown card '6X': write a rank of A23456789TJQK and a suit of CDHS, as in 5H"),
        (("000-0YG-J01",), "deal id '000-0YG-J01' is mistyped: its last character does not agree with the others"),
        ((str(2**40),), "deals are numbered 0 to 1099511627775, not 1099511627776"),
        (("17", "--preset", "norml"), "unknown preset 'norml': use one of tripeaks, normal, hard, expert, easy, blitz"),
        (("17", "--json", "/nowhere/a.json"), "cannot write /nowhere/a.json: there is no folder /nowhere"),
        (("17", "--rign"), "Unrecognized options: --rign; see gipfelsturm --help"),
        (("",), "card 1 is missing: a deck has 52 cards, not 0"),
        (("--file", "nowhere.tsv"), "cannot read nowhere.tsv: no such file or directory"),
        (("--file", "/"), "cannot read /: is a directory"),
        (("17", "--json", "/"), "cannot write /: it is a folder"),
        (("17", "--preset"), "Missing value for argument '--preset'. Expected 1 values; see gipfelsturm --help"),
    ],
)
def test_faults_are_one_line(arguments: tuple[str, ...], fault: str) -> None:
    assert run("solve", *arguments) == (2, "", f"gipfelsturm: {fault}\n")


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", " holds no deal: write one a line"),
        (b"deal\tdraws\n", " holds no deal: write one a line"),
        (
            b"deal\n17\n1 2\n",
            ", line 3: card 1: unknown card '1': write a rank of A23456789TJQK and a suit of CDHS, as in 5H",
        ),
        (b"name\tdeal\nfirst\n", ", line 2: it has no column 2, where the deals stand"),
        (b"5h 6d\n", ", line 1: card 1: unknown card '5h': write a rank of A23456789TJQK and a suit of CDHS, as in 5H"),
        (b"\xff\xfe\x00", " is no text in UTF-8"),
    ],
)
def test_faults_in_a_file_are_one_line(content: bytes, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.tsv"
    file.write_bytes(content)
    assert run("solve", "--file", file) == (2, "", f"gipfelsturm: {file}{fault}\n")


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_unknown_commands_are_one_line_on_every_terminal(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    done = run_process("solv", "17")
    assert done.returncode == 2
    assert done.stderr.startswith("gipfelsturm: Unrecognized options: solv")
    assert done.stderr.endswith("; see gipfelsturm --help\n")
    assert done.stderr.count("\n") == 1


def test_the_answers_do_not_go_over_the_deals(tmp_path: Path) -> None:
    deals = tmp_path / "deals.tsv"
    deals.write_text(f"{SHORTEST}\n")
    code, _, error = run("solve", "--file", str(deals), "--json", str(tmp_path / "." / "deals.tsv"))
    assert code == 2 and error.endswith("would write over the deals of --file: name another file\n")
    assert deals.read_text() == f"{SHORTEST}\n"
