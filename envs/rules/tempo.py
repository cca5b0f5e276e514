"""How fast a hand moves (rules.md section 3)."""

import re

import msgspec

from gipfelsturm.envs.rules.checks import whole

_DURATIONS = re.compile("[0-9]{1,9}(?:/[0-9]{1,9}){3}")


class Tempo(msgspec.Struct, frozen=True):
    """The durations of a hand's phases, in whole milliseconds; raises ValueError for anything else."""

    pause: int
    reach: int
    carry: int
    draw: int

    def __post_init__(self) -> None:
        for phase, value in msgspec.structs.asdict(self).items():
            ms = whole(phase, value)
            if ms < 0:
                raise ValueError(f"{phase} must be 0 ms or more, not {ms} ms")
            msgspec.structs.force_setattr(self, phase, ms)


TEMPOS = {
    "instant": Tempo(0, 0, 0, 0),
    "brisk": Tempo(400, 400, 400, 800),
    "steady": Tempo(1400, 600, 600, 1000),
    "slow": Tempo(4000, 800, 800, 1200),
    "person": Tempo(0, 0, 200, 200),
}
DEFAULT_TEMPO = "brisk"


def tempo_name(tempo: Tempo) -> str:
    """The name of a tempo, or its four durations in milliseconds, `pause/reach/carry/draw`."""
    for name, known in TEMPOS.items():
        if known == tempo:
            return name
    return f"{tempo.pause}/{tempo.reach}/{tempo.carry}/{tempo.draw}"


def tempo_named(text: str) -> Tempo:
    """Read what `tempo_name` writes; raises ValueError for anything else."""
    if text in TEMPOS:
        return TEMPOS[text]
    if _DURATIONS.fullmatch(text):
        return Tempo(*map(int, text.split("/")))
    raise ValueError(f"unknown tempo {text!r}: use one of {', '.join(TEMPOS)}, or pause/reach/carry/draw in ms")
