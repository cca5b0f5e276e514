"""The exact answers once more: a search of every line, slow, from rules.md section 1 alone."""

from functools import cache

import numpy as np

from twin import COVERS

NEVER = 99


def naive_answer(g: np.void) -> tuple[int, int]:
    """The fewest draws to a win of one mind from here, -1 if there is none; the most of 28 cards that can be gone."""
    piles, dealt, ring = int(g["seats"]), int(g["dealt"]), bool(g["ring"])
    ranks = [int(card) // 4 for card in g["deck"]]
    stocks = [
        ranks[28 + pile * dealt + dealt - int(g["stock"][pile]) : 28 + (pile + 1) * dealt] for pile in range(piles)
    ]

    @cache
    def best(present: frozenset[int], tops: tuple[int, ...], drawn: tuple[int, ...]) -> tuple[int, int]:
        if not present:
            return 0, 28
        fewest, most = NEVER, 28 - len(present)
        for pile in range(piles):
            for place in present:
                apart = abs(ranks[place] - tops[pile])
                if present.isdisjoint(COVERS[place]) and (apart == 1 or (ring and apart == 12)):
                    draws, gone = best(present - {place}, put(tops, pile, ranks[place]), drawn)
                    fewest, most = min(fewest, draws), max(most, gone)
            if drawn[pile] < len(stocks[pile]):
                after = put(tops, pile, stocks[pile][drawn[pile]])
                draws, gone = best(present, after, put(drawn, pile, drawn[pile] + 1))
                fewest, most = min(fewest, 1 + draws), max(most, gone)
        return fewest, most

    there = frozenset(place for place in range(28) if int(g["present"]) >> place & 1)
    fewest, most = best(there, tuple(int(g["top"][pile]) // 4 for pile in range(piles)), (0,) * piles)
    return (-1 if fewest >= NEVER else fewest), most


def put(numbers: tuple[int, ...], at: int, number: int) -> tuple[int, ...]:
    return numbers[:at] + (number,) + numbers[at + 1 :]
