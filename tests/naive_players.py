"""The scripted policies once more, from rules.md section 5 alone: which plays each of them may choose."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.observation import Field, named

# Who lies on whom, written from rules.md section 1.
COVERS = {i: {3 + 2 * i, 4 + 2 * i} for i in range(3)}
COVERS |= {3 + 2 * p + k: {9 + 3 * p + k, 10 + 3 * p + k} for p in range(3) for k in range(2)}
COVERS |= {9 + m: {18 + m, 19 + m} for m in range(9)}


@dataclass
class Table:
    """What everybody sees, in ranks 1..13."""

    present: set[int]
    faces: dict[int, int]  # by place
    tops: list[int]
    stocks: list[int]
    ring: bool


def read(row: NDArray[np.int8], layout: dict[str, Field]) -> Table:
    view = {name: field.tolist() for name, field in named(row, layout).items()}
    return Table(
        present={place for place, content in enumerate(view["peaks"]) if content >= 0},
        faces={place: (content + 3) // 4 for place, content in enumerate(view["peaks"]) if content > 0},
        tops=[(card + 3) // 4 for card in view["tops"]],
        stocks=view["stocks"],
        ring=view["rules"][2] == 1,
    )


def fit(table: Table, rank: int, top: int) -> bool:
    return abs(rank - top) == 1 or (table.ring and {rank, top} == {1, 13})


def plays(table: Table) -> dict[int, int]:
    """For each place whose card fits, the first pile in seat order that it fits."""
    found = {}
    for place, rank in table.faces.items():
        piles = [pile for pile, top in enumerate(table.tops) if fit(table, rank, top)]
        if piles:
            found[place] = piles[0]
    return found


def lies_on(table: Table, place: int) -> int:
    return sum(place in covers and under in table.present for under, covers in COVERS.items())


def turns_up(table: Table, place: int) -> int:
    return sum(
        place in covers and under in table.present and not (covers - {place}) & table.present
        for under, covers in COVERS.items()
    )


def chain(table: Table, ranks: Sequence[int], tops: Sequence[int], most: int) -> int:
    """The longest run of plays, over cards of these ranks, `most` at most."""
    best = 0
    for i, rank in enumerate(ranks if most else []):
        rest = [*ranks[:i], *ranks[i + 1 :]]
        for pile, top in enumerate(tops):
            if fit(table, rank, top):
                after = [*tops[:pile], rank, *tops[pile + 1 :]]
                best = max(best, 1 + chain(table, rest, after, most - 1))
    return best


def lookahead_value(table: Table, place: int, pile: int) -> float:
    tops = list(table.tops)
    tops[pile] = table.faces[place]
    others = [rank for other, rank in table.faces.items() if other != place]
    pairs = [abs(a - b) for i, a in enumerate(tops) for b in tops[:i]]
    kinship = sum(0.5 * (apart in (1, 12)) - 0.5 * (apart == 0) for apart in pairs)
    value = 10 * chain(table, others, tops, 6) + 11 * turns_up(table, place) + lies_on(table, place)
    return value + kinship


def best_actions(policy: str, table: Table) -> set[int]:
    """Every action that the policy may choose."""
    found = plays(table)
    if not found:
        fullest = table.stocks.index(max(table.stocks))
        return {28 * len(table.tops) + fullest}
    values = {place: value(policy, table, place, pile) for place, pile in found.items()}
    best = [place for place in found if values[place] == max(values.values())]
    chosen = [min(best)] if policy == "careful" else best
    return {28 * found[place] + place for place in chosen}


def value(policy: str, table: Table, place: int, pile: int) -> float:
    if policy == "careful":
        return lies_on(table, place)
    if policy == "uncover":
        return turns_up(table, place)
    return lookahead_value(table, place, pile) if policy == "lookahead" else 0
