"""What an evaluation prints of its rows."""

import io

import msgspec
from rich.console import Console

from gipfelsturm.agents.intervals import Interval
from gipfelsturm.cli.evaluation_tables import footnotes, tables
from gipfelsturm.envs.rules.settings import one_mind, real_time
from gipfelsturm.training.comparison import RealTime, Report, Row

MIND = Row(
    setting="normal",
    settings=one_mind("normal"),
    team="careful",
    games=1000,
    wins=625,
    win_rate=Interval(0.625, 0.61, 0.64),
    mean_score=5.5,
    longest_streak=21,
    mean_longest_streak=9.25,
    published_percent=62,
    versus=None,
    difference=None,
    first_deal=3,
    last_deal=1002,
    seed=9,
    real_time=None,
)
TIME = RealTime("slow", 5.6, time_outs=0.25, seconds=101.26, missed=1.5, returned=0.5, refused=0.125)
SLOW = msgspec.structs.replace(MIND, settings=real_time(tempo="slow"), published_percent=None, real_time=TIME)
BRISK = msgspec.structs.replace(
    SLOW,
    settings=real_time(tempo="brisk"),
    win_rate=Interval(0.75, 0.7, 0.8),
    real_time=msgspec.structs.replace(TIME, tempo="brisk", seconds_a_play=1.2),
)


ORACLE = msgspec.structs.replace(
    MIND,
    team="oracle",
    win_rate=Interval(0.9, 0.85, 0.93),
    mean_score=None,
    longest_streak=None,
    mean_longest_streak=None,
)
UNSETTLED = msgspec.structs.replace(
    ORACLE, wins=600, win_rate=Interval(0.6, 0.55, 0.99), unsettled=350, published_percent=None
)


def shown(width: int, *rows: Row) -> list[list[str]]:
    """Every table as its lines, without empty ones and rules."""
    pages = []
    console = Console(file=io.StringIO(), width=width)
    for table in tables(Report(list(rows), {"numpy": "2.0"}, 2048), console):
        with console.capture() as captured:
            console.print(table)
        pages.append([line for line in captured.get().splitlines() if line.split() and "─" not in line])
    return pages


def printed(*rows: Row) -> list[list[list[str]]]:
    """Every table as its lines of words, where there is room."""
    return [[line.split() for line in page] for page in shown(120, *rows)]


NAMES = ("careful", "learned-search@1000@8", "search@2000@uncover", "matching-human-quick")


def test_names_stay_whole_on_a_narrow_terminal() -> None:
    first = msgspec.structs.replace(BRISK, games=200_000)
    rows = [msgspec.structs.replace(first, team=name, difference=Interval(0.1, 0.05, 0.2)) for name in NAMES]
    later = [msgspec.structs.replace(row, settings=SLOW.settings, real_time=TIME) for row in rows]
    for page in shown(80, *rows, *later):
        assert max(map(len, page)) <= 80 and "…" not in "".join(page)
        names = [word for line in page for word in line.split() if word in NAMES]
        assert names in ([*NAMES] * 2, [*NAMES])


def test_where_there_is_little_room_settings_have_lines_of_their_own() -> None:
    later = msgspec.structs.replace(MIND, team="learned-search@1000@8", difference=Interval(0.01, -0.005, 0.02))
    (wins,) = shown(80, MIND, later)
    assert [line.split() for line in wins[2:]] == [
        "team won the first score streak games".split(),
        "normal, published 62".split(),
        "careful 62.50 5.50 9.25 / 1,000".split(),
        "[61.00, 64.00] 21".split(),
        "learned-search@1000@8 62.50 +1.00 5.50 9.25 / 1,000".split(),
        "[61.00, 64.00] [-0.50, +2.00] 21".split(),
    ]


def test_one_mind_has_one_table_with_the_published_figure() -> None:
    (wins,) = printed(MIND, msgspec.structs.replace(MIND, setting="easy", published_percent=None))
    assert wins[1] == "setting team published won against the first score streak games".split()
    assert wins[2] == "normal careful 62 62.50 [61.00, 64.00] 5.50 9.25 / 21 1,000".split()
    assert wins[3] == "easy careful 62.50 [61.00, 64.00] 5.50 9.25 / 21 1,000".split()


def test_real_time_tells_how_the_games_went() -> None:
    later = msgspec.structs.replace(SLOW, team="uncover", difference=Interval(0.01, -0.005, 0.02), mean_score=None)
    wins, games = printed(SLOW, later)
    assert wins[1] == "setting team won against the first score streak games".split()
    assert wins[3] == "normal slow uncover 62.50 [61.00, 64.00] +1.00 [-0.50, +2.00] 9.25 / 21 1,000".split()
    assert games[1] == "setting team time-outs seconds missed returned refused".split()
    assert games[2] == "normal slow careful 25.00 101.3 1.50 0.50 0.12".split()


def test_several_tempos_give_a_curve_over_the_seconds_a_play() -> None:
    hard = [msgspec.structs.replace(row, setting="hard", win_rate=Interval(0.5, 0.4, 0.6)) for row in (SLOW, BRISK)]
    *_, curve = printed(SLOW, BRISK, *hard)
    assert curve[1] == "setting team 1.2 s (brisk) 5.6 s (slow)".split()
    assert curve[2:] == ["normal careful 75.00 62.50".split(), "hard careful 50.00 50.00".split()]


def test_the_oracle_has_a_row_and_bounds_where_it_is_not_sure() -> None:
    (wins,) = printed(MIND, ORACLE)
    assert wins[3] == "normal oracle 62 90.00 [85.00, 93.00] 1,000".split()
    (wins,) = printed(UNSETTLED)
    assert wins[2] == "normal oracle 60.00 to 95.00 [55.00, 99.00] 1,000".split()


def test_the_oracle_stands_in_the_curve_but_plays_no_games() -> None:
    slow, brisk = (
        msgspec.structs.replace(UNSETTLED, settings=real_time(tempo=tempo), unsettled=unsettled)
        for tempo, unsettled in (("slow", 350), ("brisk", 0))
    )
    wins, games, curve = printed(SLOW, slow, BRISK, brisk)
    assert [line[:3] for line in wins[2:]] == [
        ["normal", tempo, team] for tempo in ("slow", "brisk") for team in ("careful", "oracle")
    ]
    assert "oracle" not in str(games)
    assert curve[2:] == ["normal careful 75.00 62.50".split(), "normal oracle 60.00 60.00 to 95.00".split()]


def test_footnotes_say_what_the_oracle_is_where_it_stands() -> None:
    none, sure, unsure = (
        " ".join(footnotes(Report([MIND, *more], {}, 2048))) for more in ([], [ORACLE], [ORACLE, UNSETTLED])
    )
    assert "'oracle'" not in none
    assert "nobody wins more" in sure and "memory" not in sure
    assert "nobody wins more" in unsure and "won for certain, and won at most" in unsure


def test_footnotes_tell_what_was_played() -> None:
    untimed, timed = (" ".join(footnotes(Report([row], {"numpy": "2.0"}, 2048))) for row in (MIND, SLOW))
    assert "One mind" in untimed and "time-outs" not in untimed
    assert "ticks of 0.2 s" in timed and "time-outs" in timed
    for text in (untimed, timed):
        assert "deals 3 onwards, seed 9; numpy 2.0." in text
