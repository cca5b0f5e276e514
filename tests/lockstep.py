"""Kernel and twin side by side: the same table, the same commands, and everything compared after each of them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.moves import score
from gipfelsturm.envs.rules.record import CARRYING, GAME, REACHING, RETURNING
from gipfelsturm.envs.rules.settings import Settings
from twin import RUNNING, Twin, TwinRules

Commands = list[int]  # (seats,) of one tick, (1,) of one mind


class Table(NamedTuple):
    """What is played: the same settings in the words of both, and a deck."""

    settings: Settings
    rules: TwinRules
    deck: tuple[int, ...]  # (52,) in drawing order
    tie_seed: int

    def with_clock(self, clock_ms: int) -> "Table":
        """The same deal against another clock."""
        settings = msgspec.structs.replace(self.settings, clock_ms=clock_ms)
        return self._replace(settings=settings, rules=replace(self.rules, clock_ms=clock_ms))


@lru_cache(maxsize=1000)
def places_of(present: int) -> tuple[int, ...]:
    return tuple(place for place in range(28) if present >> place & 1)


def decoded(batch: GipfelsturmBatch) -> dict[str, object]:
    """The one game of a batch in the twin's words, and what the twin keeps beside its state."""
    record = dict(zip(GAME.names or (), batch.games.item(), strict=True))
    seats = record["seats"]
    hands = zip(*(record[name].tolist() for name in ("phase", "place", "pile", "left")), strict=True)
    aimed = (REACHING, CARRYING, RETURNING)
    return {
        "present": places_of(record["present"]),
        "tops": tuple(record["top"].tolist()[:seats]),
        "stocks": tuple(record["stock"].tolist()[:seats]),
        "hands": tuple(hand if hand[0] in aimed else (hand[0], -1, -1, hand[3]) for hand in hands)[:seats],
        "calls": tuple(zip(record["call"].tolist(), record["age"].tolist(), strict=True))[:seats],
        "tick": record["tick"],
        "streak": record["streak"],
        "longest": record["longest"],
        "status": record["status"],
        "unseen": tuple(record["unseen"].tolist()),
        "missed": record["missed"],
        "returned": record["returned"],
        "masks": batch.masks[0].tolist(),
        "refusals": batch.reasons[0].tolist(),
    }


class Pair:
    """One game in the kernel and in the twin; any difference is an AssertionError that says how to get there."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.played: list[Commands] = []
        self.twin = Twin(table.rules, table.deck, table.tie_seed)
        self.batch = GipfelsturmBatch(table.settings, 1, autoreset="disabled")
        self.batch.set_decks(np.array(table.deck, np.uint8), table.tie_seed)
        self.viewers = self.batch.viewers
        self._compare([0] * self.viewers)

    @property
    def over(self) -> bool:
        return self.twin.status != RUNNING

    def step(self, commands: Sequence[int]) -> None:
        """One tick, or one command of the one mind."""
        self.played.append(list(commands))
        self.batch.advance(np.array([commands], np.int64))
        if self.table.rules.one_mind:
            self._compare([self.twin.command(commands[0])])
        else:
            self._compare(self.twin.tick(commands))
        if self.over:
            assert score(self.batch.games[0]) == self.twin.score(), self._story()

    def _compare(self, refusals: list[int]) -> None:
        twin = self.twin
        self.masks = [twin.mask(seat) for seat in range(self.viewers)]
        expected = twin.state() | {
            "missed": twin.events["miss"],
            "returned": twin.events["return"],
            "masks": self.masks,
            "refusals": refusals,
        }
        found = decoded(self.batch)
        if found != expected:
            raise AssertionError(differences(found, expected) + self._story())

    def _story(self) -> str:
        return f"\nafter {len(self.played)} steps of {self.table}\ncommands {self.played}"


def differences(found: dict[str, object], expected: dict[str, object]) -> str:
    """What kernel and twin do not agree on, one line each."""
    names = [name for name in expected if found[name] != expected[name]]
    return "\n".join(f"{name}: kernel {found[name]}, twin {expected[name]}" for name in names)
