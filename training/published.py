"""The published win rates, and the five settings that they speak of (rules.md section 5)."""

from typing import NamedTuple

from gipfelsturm.envs.rules.settings import Settings, one_mind


class Published(NamedTuple):
    """A setting of the source's simulation, and the percentage of games it reports won."""

    settings: Settings
    percent: float


PUBLISHED = {
    "solo": Published(one_mind("tripeaks"), 37),
    "2x12": Published(one_mind("normal"), 62),
    "2x10": Published(one_mind("hard"), 41),
    "2x12-noring": Published(one_mind("normal", ring=False), 27),
    "2x10-noring": Published(one_mind("expert"), 15),
}


def published_percent(settings: Settings) -> float | None:
    """The published figure for settings, None where there is none."""
    for published in PUBLISHED.values():
        if published.settings == settings:
            return published.percent
    return None
