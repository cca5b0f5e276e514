"""`gipfelsturm evaluate`: teams on the same deals, beside the published figures or in real time."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import tyro

from gipfelsturm.agents.catalogue import ORACLE
from gipfelsturm.agents.team import make_team
from gipfelsturm.cli.evaluation_tables import footnotes, tables
from gipfelsturm.cli.games_bar import games_bar, wide_console
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.training.comparison import compare, games_of
from gipfelsturm.training.evaluation import check_games
from gipfelsturm.training.json_file import check_writable, write_json
from gipfelsturm.training.published import PUBLISHED

TEAMS = ("random", "careful", "uncover", "lookahead", "counting")
GAMES = 200_000
FEWER_GAMES = 20_000
SLOW = ("lookahead", "search")

Named = tuple[str, Settings]


def evaluate(
    preset: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME")] = (),
    seats: int | None = None,
    tempo: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME")] = (),
    agents: Annotated[
        tuple[tuple[str, ...], ...],
        tyro.conf.UseAppendAction,
        tyro.conf.arg(aliases=("--team",), metavar="TEAM", help_behavior_hint="(repeatable)"),
    ] = (),
    games: int | None = None,
    first_deal: int = 0,
    seed: int = 0,
    calls: tyro.conf.FlagCreatePairsOff[bool] = True,
    published: tyro.conf.FlagCreatePairsOff[bool] = False,
    json: Path | None = None,
    threads: int | None = None,
) -> None:
    """Play numbered deals, by one mind without time or with a hand for each seat in real time, and print the wins.

    A team is a player by name, by weights as in learned@FILE.safetensors or learned@RUN, or as module:factory, in all
    seats, or one for each seat, as in careful+uncover. If none is named, random, careful, uncover, lookahead and
    counting play.
    `oracle` stands in every table, named or not: how many of the deals one mind that sees every card can win.

    Players: random, careful, uncover, lookahead, counting; search, or search@PLAYOUTS@POLICY@DEPTH as in
    search@400@uncover@12; learned; learned-search, or learned-search@PLAYOUTS@DEPTH or
    @FILE@PLAYOUTS@DEPTH; human-quick, -careful, -distracted, -selfish, -clumsy, -talkative; calling-, saying- or
    matching- before any other.

    Args:
        preset: Presets: tripeaks (if none is named), normal (with seats or a tempo), hard, expert, easy, blitz.
        seats: Seats of every preset, or piles of the one mind: 1, 2 or 3, with the preset's stocks for so many.
        tempo: Play in real time, at each of: instant, brisk, steady, slow, person, pause/reach/carry/draw in ms.
        agents: Teams; each is compared with the first.
        games: Deals for each team; if left out 200,000, but 20,000 in real time and with lookahead or search; for
            oracle 20,000 at most, 1,000 with two piles, 100 with three.
        first_deal: Number of the first deal.
        seed: Seed of the players' random choices.
        calls: Play in real time at tables where nobody can call.
        published: Play the five settings of the published simulation instead of presets.
        json: Write the rows to this file too.
        threads: One for each core if left out; results do not depend on it.
    """
    played = _settings(preset, seats, tempo, calls, published)
    teams = _teams(agents, games, played)
    if json is not None:
        check_writable(json)
    console = wide_console()
    total = sum(games_of(team, asked, settings) for _, settings in played for team, asked in teams.items())
    with games_bar(console, total) as progress:
        report = compare(
            played,
            teams,
            first_deal=first_deal,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    for table in tables(report, console):
        console.print(table)
    for line in footnotes(report):
        console.print(line, soft_wrap=True)
    if published:
        console.print(
            "The published strategy and sample size are unknown; `careful` is our reconstruction of it. The published "
            "solo figure lies below random play: to beat it proves nothing.",
            soft_wrap=True,
        )
    if json is not None:
        write_json(json, report)


def _settings(
    presets: tuple[str, ...], seats: int | None, tempos: tuple[str, ...], calls: bool, published: bool
) -> list[Named]:
    for option, given in (("--preset", presets), ("--seats", seats), ("--tempo", tempos)):
        if published and given not in (None, ()):
            raise ValueError(f"--published plays settings of its own: leave out {option}")
    if not calls and not tempos:
        raise ValueError("one mind has nobody to call: name a tempo beside --no-calls, or leave it out")
    _once("preset", presets)
    _once("tempo", tempos)
    if published:
        return [(name, row.settings) for name, row in PUBLISHED.items()]
    presets = presets or (("tripeaks",) if seats is None and not tempos else ("normal",))
    if tempos:
        return [
            (_named(name, seats), real_time(name, seats=seats, tempo=each, calls=calls))
            for name in presets
            for each in tempos
        ]
    return [(_named(name, seats), one_mind(name, piles=seats)) for name in presets]


def _named(preset: str, seats: int | None) -> str:
    return preset if seats is None else f"{preset} for {seats}"


def _once(what: str, names: tuple[str, ...]) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"{what} {name!r} is named {times} times: name it once")


def _teams(named: tuple[tuple[str, ...], ...], games: int | None, played: list[Named]) -> dict[str, int]:
    teams = tuple(team for some in named for team in some) if named else TEAMS
    if not teams:
        raise ValueError("--agents names nobody: name at least one player")
    _once("team", teams)
    for team in teams:
        for _, settings in played:
            if team != ORACLE:
                make_team(team, settings)
    if games is not None:
        check_games(games)
    if ORACLE not in teams:
        teams = (*teams, ORACLE)
    return {team: games or _usual_games(team, played) for team in teams}


def _usual_games(team: str, played: list[Named]) -> int:
    untimed = all(settings.one_mind for _, settings in played)
    return GAMES if untimed and not any(name.startswith(SLOW) for name in team.split("+")) else FEWER_GAMES
