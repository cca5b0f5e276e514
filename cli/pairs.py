"""On what the figures of the commands on pairs at the real-time table stand."""

from collections.abc import Mapping


def played(games: int, first_deal: int, seed: int, versions: Mapping[str, str]) -> str:
    """On what figures stand."""
    made = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"half from either seat, deals {first_deal} to {first_deal + games - 1}, seed {seed}; {made}."
