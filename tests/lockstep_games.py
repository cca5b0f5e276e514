"""Games for the lock-step comparison: every setting, and commands that are half sensible and half anything at all."""

from collections import Counter
from collections.abc import Sequence
from itertools import compress
from random import Random

from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.rules.tempo import Tempo
from lockstep import Commands, Pair, Table
from twin import CALLS, CARRYING, DRAWING, PLACES, REACHING, Twin, TwinRules

# Cards dealt to each stock of one, two and three seats, clock in ms, ring: rules.md section 2.
PRESETS = {
    "tripeaks": ((24, 12, 8), None, True),
    "normal": ((24, 12, 8), 180_000, True),
    "hard": ((20, 10, 6), 120_000, True),
    "expert": ((20, 10, 6), 120_000, False),
    "easy": ((24, 12, 8), 240_000, True),
    "blitz": ((24, 12, 8), 36_000, True),
}
# Pause, reach, carry and draw in ms: rules.md section 3.
TEMPOS = {
    "instant": (0, 0, 0, 0),
    "brisk": (400, 400, 400, 800),
    "steady": (1400, 600, 600, 1000),
    "slow": (4000, 800, 800, 1200),
    "person": (0, 0, 200, 200),
}
OFTEN = ("instant", "brisk", "brisk", "person", "person", "steady")  # a slow hand passes most ticks in pauses
TICKS_MS = (100, 200, 250)
LONGEST_TICKS = 127
MOST_STEPS = 400


def any_table(rng: Random) -> Table:
    """A table of either form: a preset, or one with every field its own."""
    if rng.random() < 0.07:
        settings, rules = one_mind_game(rng)
    else:
        settings, rules = preset_game(rng) if rng.random() < 0.15 else free_game(rng)
    return Table(settings, rules, any_deck(rng, PLACES + rules.seats * rules.stock), rng.getrandbits(64))


def any_deck(rng: Random, dealt: int) -> tuple[int, ...]:
    """Any deck, often one that keeps some ranks aside: then more is won, and more cards fit several piles."""
    spread, turn = rng.choice((0, 5, 1000)), rng.randrange(13)
    cards = sorted(range(52), key=lambda card: (card // 4 + turn) % 13 + spread * rng.random())
    return (*rng.sample(cards[:dealt], dealt), *cards[dealt:])


def one_mind_game(rng: Random) -> tuple[Settings, TwinRules]:
    preset, piles = rng.choice(list(PRESETS)), rng.randint(1, 3)
    stocks, _, ring = PRESETS[preset]
    rules = TwinRules(piles, stocks[piles - 1], ring, False, True, 200, None, (TEMPOS["instant"],) * piles)
    return one_mind(preset, piles=piles), rules


def preset_game(rng: Random) -> tuple[Settings, TwinRules]:
    """A preset with named tempos, asked of the product by name."""
    preset, seats = rng.choice(list(PRESETS)), any_seats(rng)
    stocks, clock_ms, ring = PRESETS[preset]
    calls, tick_ms = rng.random() < 0.5, rng.choice(TICKS_MS)
    names = [rng.choice(OFTEN if rng.random() < 0.9 else list(TEMPOS)) for _ in range(seats)]
    tempos = tuple(TEMPOS[name] for name in names)
    rules = TwinRules(seats, stocks[seats - 1], ring, calls, False, tick_ms, clock_ms, tempos)
    return real_time(preset, seats=seats, calls=calls, tick=tick_ms / 1000, tempo=names), rules


def free_game(rng: Random) -> tuple[Settings, TwinRules]:
    """Every field its own. Stocks of two cards are common, since they soon run out while a card is in a hand."""
    seats, tick_ms = any_seats(rng), rng.choice(TICKS_MS)
    stock = 2 if rng.random() < 0.8 else rng.randint(2, 24 // seats)
    ring, calls = rng.random() < 0.7, rng.random() < 0.5
    clock_ms = rng.randint(1, 100 * tick_ms) if rng.random() < 0.3 else None
    tempos = tuple(any_tempo(rng, tick_ms) for _ in range(seats))
    rules = TwinRules(seats, stock, ring, calls, False, tick_ms, clock_ms, tempos)
    each = tuple(Tempo(*tempo) for tempo in tempos)
    return Settings(seats, stock, ring, False, calls, clock_ms, tick_ms, each), rules


def any_seats(rng: Random) -> int:
    return rng.choice((1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3))


def any_tempo(rng: Random, tick_ms: int) -> tuple[int, int, int, int]:
    roll = rng.random()
    if roll < 0.3:
        return TEMPOS[rng.choice(OFTEN)]
    longest = LONGEST_TICKS * tick_ms if roll < 0.31 else 4 * tick_ms
    pause, reach, carry, draw = (rng.choice((0, rng.randint(0, longest))) for _ in range(4))
    return pause, reach, carry, draw


def play_out(pair: Pair, rng: Random) -> None:
    """Play to the end, and sometimes beyond it."""
    while not pair.over and len(pair.played) < MOST_STEPS:
        pair.step(any_commands(pair, rng))
    if rng.random() < 0.2:
        pair.step(any_commands(pair, rng))


def replay(table: Table, played: Sequence[Commands]) -> Pair:
    """The same commands at another table."""
    pair = Pair(table)
    for commands in played:
        pair.step(commands)
    return pair


def any_commands(pair: Pair, rng: Random) -> Commands:
    """Half of the commands come from the mask, half are anything the numbering can say."""
    rules = pair.table.rules
    numbers = 29 * rules.seats + (0 if rules.one_mind else 1 + CALLS)
    return [
        sensible(pair.twin, seat, mask, rng) if rng.random() < 0.5 else rng.randrange(numbers)
        for seat, mask in enumerate(pair.masks)
    ]


def sensible(twin: Twin, seat: int, mask: Sequence[int], rng: Random) -> int:
    """An action from the mask: one that gets the game on where there is one, often against another hand."""
    wait, draws = 29 * twin.rules.seats, PLACES * twin.rules.seats
    legal = list(compress(range(len(mask)), mask))
    plays = [action for action in legal if action < draws]
    stocks = [action for action in legal if draws <= action < wait]
    if stocks and rng.random() < draw_chance(twin, seat, bool(plays)):
        return rng.choice(stocks)
    if twin.hands[seat].phase == REACHING and rng.random() < 0.9:
        return wait
    if plays and rng.random() < 0.95:
        return rng.choice(risky_plays(twin, seat, plays, rng))
    return wait if wait in legal and rng.random() < 0.8 else rng.choice(legal)


def risky_plays(twin: Twin, seat: int, plays: Sequence[int], rng: Random) -> Sequence[int]:
    """Sometimes plays of a card that another hand reaches for, often those on a pile that another has in mind."""
    seats, others = twin.rules.seats, [hand for other, hand in enumerate(twin.hands) if other != seat]
    places = {hand.place for hand in others if hand.phase == REACHING}
    piles = {hand.pile for hand in others if hand.phase in (REACHING, CARRYING)}
    if rng.random() < 0.6:
        plays = double_plays(plays) or plays
    roll, risky = rng.random(), list[int]()
    if roll < 0.2:
        risky = [play for play in plays if play % PLACES in places]
    elif roll < 0.7:
        risky = [play for play in plays if (seat + play // PLACES) % seats in piles and play % PLACES not in places]
    return risky or plays


def double_plays(plays: Sequence[int]) -> list[int]:
    """The plays of cards that fit several piles."""
    fits = Counter(play % PLACES for play in plays)
    return [play for play in plays if fits[play % PLACES] > 1]


def draw_chance(twin: Twin, seat: int, can_play: bool) -> float:
    """A last card is best drawn under a card in a hand, which then goes back; else draws are put off, to win more."""
    if any(hand.phase == CARRYING and hand.pile == seat for hand in twin.hands):
        return 0.9 if twin.stocks[seat] == 1 else 0.1
    if can_play or any(hand.phase == DRAWING for hand in twin.hands):
        return 0.02
    return 0.2 if twin.stocks[seat] == 1 else 0.5
