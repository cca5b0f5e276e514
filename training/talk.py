"""What calls are worth: a teammate that heeds them, one that does not, and a table without talk, on the same deals.

All that calls could tell is public: they carry intentions alone.
"""

from collections.abc import Sequence
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.intervals import Interval, paired_difference, win_rate
from gipfelsturm.envs.rules.settings import Settings
from gipfelsturm.training.comparison import versions
from gipfelsturm.training.crossplay import Progress, play_both_ways

ITSELF = "itself"
"""Instead of a partner: another of its kind, which heeds or does not as it does."""
HEEDING, DEAF, SILENT = "heeding", "deaf", "silent"
FORMS = (HEEDING, DEAF, SILENT)


class TalkRow(msgspec.Struct, frozen=True):
    """A teammate beside one partner. Rates are shares of 1, differences are on the same deals."""

    partner: str
    win_rates: dict[str, Interval]  # heeding what it hears, deaf to it, and at the silent table
    heeding: Interval  # what heeding wins over being deaf; either says the same
    silence: Interval  # what the silent variant costs: the heeding one's rate less the silent one's


class TalkReport(msgspec.Struct, frozen=True, tag_field="report", tag="calls"):
    """A teammate beside itself and beside partners who make calls and heed them."""

    setting: str
    settings: Settings  # with calls
    agent: str
    games: int  # of each pair
    first_deal: int
    seed: int
    rows: list[TalkRow]
    versions: dict[str, str]


def worth_of_calls(
    setting: str,
    settings: Settings,
    agent: str,
    talkers: Sequence[str],
    games: int,
    *,
    first_deal: int = 0,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda games: None,
) -> TalkReport:
    """Let an agent talk and listen, talk alone, and be silent, beside itself and beside each of the talkers.

    Args:
        setting: the name that the report gives the settings.
        settings: a table with calls.
        progress: called with the number of games of each finished chunk.

    Raises:
        ValueError: for a silent table, an unknown agent, and what `play_both_ways` refuses.
    """
    if not settings.calls:
        raise ValueError("calls are worth nothing at a silent table: give settings with calls")
    for name in (agent, *talkers):
        make_agent(name)
    play = partial(play_both_ways, games=games, first_deal=first_deal, seed=seed, threads=threads, progress=progress)
    quiet = msgspec.structs.replace(settings, calls=False)
    rows = []
    for talker in (ITSELF, *talkers):
        played = ((settings, f"calling-{agent}"), (settings, f"saying-{agent}"), (quiet, agent))
        won = [play(table, name, name if talker == ITSELF else talker) for table, name in played]
        rows.append(_row(talker, dict(zip(FORMS, won, strict=True))))
    return TalkReport(setting, settings, agent, games, first_deal, seed, rows, versions())


def _row(partner: str, won: dict[str, NDArray[np.bool_]]) -> TalkRow:
    return TalkRow(
        partner=partner,
        win_rates={form: win_rate(wins) for form, wins in won.items()},
        heeding=paired_difference(won[HEEDING], won[DEAF]),
        silence=paired_difference(won[HEEDING], won[SILENT]),
    )
