"""How fast a hand moves (rules.md section 3)."""

import msgspec


class Tempo(msgspec.Struct, frozen=True):
    """The durations of a hand's phases, in whole milliseconds."""

    pause: int
    reach: int
    carry: int
    draw: int


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
    parts = text.split("/")
    if len(parts) == 4 and all(part.isdecimal() for part in parts):
        return Tempo(*map(int, parts))
    raise ValueError(f"unknown tempo {text!r}: use one of {', '.join(TEMPOS)}, or pause/reach/carry/draw in ms")
