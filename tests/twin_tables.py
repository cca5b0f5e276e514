"""Tables for the twin's own tests, and short words for what happens at them."""

from collections.abc import Collection, Mapping, Sequence

from decks import deck_with
from twin import FREE, Twin, TwinRules

Tempo = tuple[int, int, int, int]
INSTANT: Tempo = (0, 0, 0, 0)
BRISK: Tempo = (400, 400, 400, 800)  # in ticks of 0.2 s: 2, 2, 2, 4
PERSON: Tempo = (0, 0, 200, 200)
BASE = dict(enumerate("6H 4H TH 8H KH AH QH 2H 7H JH".split(), start=18))
STOCKS = (("5S", "QS", "3S"), ("9S", "QD"))
IDLE = (FREE, -1, -1, 0)


def table(
    places: Mapping[int, str] = BASE,
    stocks: Sequence[Sequence[str]] = STOCKS,
    *,
    tempos: Sequence[Tempo] | None = None,
    stock: int = 8,
    ring: bool = True,
    calls: bool = True,
    one_mind: bool = False,
    tick_ms: int = 200,
    clock_ms: int | None = None,
    tie_seed: int = 0,
) -> Twin:
    tempos = tuple(tempos) if tempos is not None else (BRISK,) * len(stocks)
    rules = TwinRules(len(stocks), stock, ring, calls, one_mind, tick_ms, clock_ms, tempos)
    return Twin(rules, deck_with(places, stocks, stock), tie_seed)


def leave(twin: Twin, places: Collection[int], stocks: Sequence[int]) -> Twin:
    """The same table later: only these places and so many stock cards are left."""
    twin.present = set(places)
    twin.stocks = list(stocks)
    return twin


def climb(clock_ms: int | None = None) -> Twin:
    """A game in which each place from 27 down to 0 fits the one before; the first fits pile 0, an ace."""
    chain = {27 - i: "A23456789TJQK"[(i + 1) % 13] + "CDH"[i // 13] for i in range(28)}
    return table(chain, (("AS",), ("AH",)), tempos=(INSTANT, INSTANT), clock_ms=clock_ms)


def play(place: int, k: int = 0) -> int:
    return 28 * k + place


def wait(twin: Twin) -> int:
    return 29 * twin.rules.seats


def draw(twin: Twin, k: int = 0) -> int:
    return 28 * twin.rules.seats + k


def call(twin: Twin, number: int) -> int:
    return wait(twin) + 1 + number


def act(twin: Twin, actions: Mapping[int, int]) -> None:
    """One tick in which the seats named here act and the others wait; nothing may be refused."""
    assert not any(twin.tick([actions.get(seat, wait(twin)) for seat in range(twin.rules.seats)]))


def pass_ticks(twin: Twin, amount: int) -> None:
    for _ in range(amount):
        act(twin, {})


def hands(twin: Twin) -> list[tuple[int, int, int, int]]:
    return [(hand.phase, hand.place, hand.pile, hand.left) for hand in twin.hands]


def tops(twin: Twin) -> list[str]:
    return ["A23456789TJQK"[card // 4] + "CDHS"[card % 4] for card in twin.tops]


def timeline(twin: Twin, seat: int, amount: int) -> list[tuple[int, int]]:
    """Phase and ticks left of a hand now and after each of the next ticks."""
    line = [(twin.hands[seat].phase, twin.hands[seat].left)]
    for _ in range(amount):
        act(twin, {})
        line.append((twin.hands[seat].phase, twin.hands[seat].left))
    return line


def seed_with(order: tuple[int, int], tick: int) -> int:
    """A tie seed under which two seats take their turns in this order in that tick."""
    twin = table()
    twin.ticks_gone = tick
    while twin.tie_order() != order:
        twin.tie_seed += 1
    return twin.tie_seed


def one_mind(places: Mapping[int, str], stocks: Sequence[Sequence[str]], stock: int = 8, ring: bool = True) -> Twin:
    return table(places, stocks, stock=stock, one_mind=True, calls=False, ring=ring)
