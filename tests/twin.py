"""The rules once more: slow, readable, written from the rules page alone, for the kernel to be compared with."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

PLACES = 28
CALLS = 15
LONGEST_DURATION = 127
CALL_MS = 3000

FREE, REACHING, CARRYING, RETURNING, DRAWING, PAUSING = range(6)
RUNNING, WON, CLOCK_OUT, STUCK = range(4)
ACCEPTED, GAME_OVER, NO_TALK, HAND_BUSY, NOT_YOUR_STOCK, STOCK_EMPTY = range(6)
PLACE_EMPTY, FACE_DOWN, STILL_COVERED, IN_A_HAND, NOT_ONE_RANK_AWAY = range(6, 11)


def covers_of(place: int) -> tuple[int, ...]:
    """The two places whose cards lie on this one (section 1)."""
    if place < 3:
        return 3 + 2 * place, 4 + 2 * place
    if place < 9:
        peak, side = divmod(place - 3, 2)
        return 9 + 3 * peak + side, 10 + 3 * peak + side
    if place < 18:
        return place + 9, place + 10
    return ()


COVERS = tuple(covers_of(place) for place in range(PLACES))
LIES_ON = tuple(tuple(under for under in range(PLACES) if place in COVERS[under]) for place in range(PLACES))


def ticks(milliseconds: int, tick_ms: int) -> int:
    """Whole ticks, rounded up."""
    return -(-milliseconds // tick_ms)


def mix(state: int) -> int:
    """The splitmix64 output function."""
    word = (1 << 64) - 1
    z = (state + 0x9E3779B97F4A7C15) & word
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & word
    z = (z ^ z >> 27) * 0x94D049BB133111EB & word
    return z ^ z >> 31


@dataclass(frozen=True)
class TwinRules:
    """Settings of one game; `tempos` holds (pause, reach, carry, draw) in ms for each seat (of one mind: each pile)."""

    seats: int
    stock: int
    ring: bool
    calls: bool
    one_mind: bool
    tick_ms: int
    clock_ms: int | None
    tempos: tuple[tuple[int, int, int, int], ...]


@dataclass(slots=True)
class Hand:
    """What a seat's hand does; `place` and `pile` are -1 where they mean nothing."""

    phase: int = FREE
    place: int = -1
    pile: int = -1
    left: int = 0

    def start(self, phase: int, left: int, place: int = -1, pile: int = -1) -> None:
        self.phase, self.left, self.place, self.pile = phase, left, place, pile


class Twin:
    """One game in either form: `tick` moves the real-time table, `command` the one mind."""

    def __init__(self, rules: TwinRules, deck: Sequence[int], tie_seed: int) -> None:
        self.rules = rules
        self.deck = [int(card) for card in deck]
        self.tie_seed = int(tie_seed)
        self._check_settings()
        self.durations = [tuple(ticks(ms, rules.tick_ms) for ms in tempo) for tempo in rules.tempos]
        if max(map(max, self.durations)) > LONGEST_DURATION:
            raise ValueError(f"a duration takes more than {LONGEST_DURATION} ticks")
        self.clock = None if rules.clock_ms is None else ticks(rules.clock_ms, rules.tick_ms)
        self.call_life = ticks(CALL_MS, rules.tick_ms)
        self.orders = list(permutations(range(rules.seats)))  # lexicographic
        self._deal()

    def _check_settings(self) -> None:
        rules = self.rules
        if len(rules.tempos) != rules.seats:
            raise ValueError("one tempo for each seat")
        if rules.stock < 2 or PLACES + rules.seats * rules.stock > 52:
            raise ValueError("a stock has two cards at least, and no more than there are")
        if sorted(self.deck) != list(range(52)):
            raise ValueError("a deck is each of the 52 cards once")

    def _deal(self) -> None:
        seats = range(self.rules.seats)
        self.present = set(range(PLACES))
        self.tops = [self.deck[PLACES + seat * self.rules.stock] for seat in seats]
        self.stocks = [self.rules.stock - 1 for _ in seats]
        self.hands = [Hand() for _ in seats]
        self.calls = [(0, 0) for _ in seats]
        self.ticks_gone = self.streak = self.longest = 0
        self.status = RUNNING
        self.return_ended = False  # in this tick
        self.unseen = [4] * 13
        self.events: Counter[str] = Counter()
        for card in self.deck[18:PLACES] + self.tops:
            self._see(card)

    def copy(self) -> "Twin":
        """An independent game in the same state, with events counted from zero."""
        twin = object.__new__(Twin)
        twin.__dict__.update(self.__dict__)
        twin.present = set(self.present)
        twin.tops = list(self.tops)
        twin.stocks = list(self.stocks)
        twin.hands = [Hand(hand.phase, hand.place, hand.pile, hand.left) for hand in self.hands]
        twin.calls = list(self.calls)
        twin.unseen = list(self.unseen)
        twin.events = Counter()
        return twin

    # What can be asked at any time.

    def free(self) -> set[int]:
        """Places whose card is not yet placed while both cards that covered it are; cards in hands included."""
        return {place for place in self.present if self.present.isdisjoint(COVERS[place])}

    def state(self) -> dict[str, object]:
        return {
            "present": tuple(sorted(self.present)),
            "tops": tuple(self.tops),
            "stocks": tuple(self.stocks),
            "hands": tuple((hand.phase, hand.place, hand.pile, hand.left) for hand in self.hands),
            "calls": tuple(self.calls),
            "tick": self.ticks_gone,
            "streak": self.streak,
            "longest": self.longest,
            "status": self.status,
            "unseen": tuple(self.unseen),
        }

    def score(self) -> int:
        return sum(self.stocks) if self.status == WON else 0

    def mask(self, seat: int) -> list[int]:
        """0 or 1 for each flat action of the seat; all ones when the game is over."""
        piles = self.rules.seats
        always = 0 if self.rules.one_mind else 1 + (CALLS if self.rules.calls else 0)
        if self.status != RUNNING:
            return [1] * (29 * piles + always)
        mask = [0] * (29 * piles) + [1] * always
        if self.hands[seat].phase not in (FREE, REACHING):
            return mask
        lying = self.free() - self._held()
        for k in range(piles):
            pile = (seat + k) % piles
            for place in lying:
                mask[28 * k + place] = int(self._fits(self.deck[place], pile))
            if k == 0 or self.rules.one_mind:
                mask[28 * piles + k] = int(self.stocks[pile] > 0)
        return mask

    def _fits(self, card: int, pile: int) -> bool:
        apart = abs(card // 4 - self.tops[pile] // 4)
        return apart == 1 or (self.rules.ring and apart == 12)

    def _pile_for(self, seat: int, card: int, named: int) -> int | None:
        """The named pile if the card fits there, else the first that fits: own pile first, then on to the left."""
        seats = self.rules.seats
        for pile in [named] + [(seat + k) % seats for k in range(seats)]:
            if self._fits(card, pile):
                return pile
        return None

    def _held(self) -> set[int]:
        return {hand.place for hand in self.hands if hand.phase in (CARRYING, RETURNING)}

    # Part 1: commands.

    def refusal(self, seat: int, action: int) -> int:
        """The first reason not to do this, 0 if there is none. Raises ValueError for what is no action at all."""
        piles = self.rules.seats
        if not 0 <= action < 29 * piles + (0 if self.rules.one_mind else 1 + CALLS):
            raise ValueError(f"no action: {action}")
        if self.status != RUNNING:
            return GAME_OVER
        if action >= 29 * piles:
            is_call = action > 29 * piles
            return NO_TALK if is_call and not self.rules.calls else ACCEPTED
        if self.hands[seat].phase not in (FREE, REACHING):
            return HAND_BUSY
        if action >= 28 * piles:
            return self._draw_refusal(seat, action - 28 * piles)
        return self._play_refusal(action % 28, (seat + action // 28) % piles)

    def _draw_refusal(self, seat: int, k: int) -> int:
        if k > 0 and not self.rules.one_mind:
            return NOT_YOUR_STOCK
        return ACCEPTED if self.stocks[(seat + k) % self.rules.seats] > 0 else STOCK_EMPTY

    def _play_refusal(self, place: int, pile: int) -> int:
        if place not in self.present:
            return PLACE_EMPTY
        covers_left = sum(cover in self.present for cover in COVERS[place])
        if covers_left > 0:
            return FACE_DOWN if covers_left == 2 else STILL_COVERED
        if place in self._held():
            return IN_A_HAND
        return ACCEPTED if self._fits(self.deck[place], pile) else NOT_ONE_RANK_AWAY

    def command(self, action: int) -> int:
        """One command of the one mind; the reason of its refusal, or 0."""
        reason = self.refusal(0, action)
        if reason == ACCEPTED:
            piles = self.rules.seats
            if action >= 28 * piles:
                self._turn_from_stock(action - 28 * piles)
            else:
                self._put(action % 28, action // 28)
            self._end()
        return reason

    def tick(self, commands: Sequence[int]) -> list[int]:
        """One tick of the real-time table with one command per seat; the reasons of their refusals, or 0."""
        if len(commands) != self.rules.seats:
            raise ValueError("one command for each seat")
        reasons = [self.refusal(seat, action) for seat, action in enumerate(commands)]
        if self.status != RUNNING:
            return reasons
        self.ticks_gone += 1
        self.return_ended = False
        self._age_calls()
        for seat, action in enumerate(commands):
            if reasons[seat] == ACCEPTED:
                self._obey(seat, action)
        self._move()
        self._end()
        return reasons

    def _age_calls(self) -> None:
        for seat, (call, age) in enumerate(self.calls):
            if call > 0:
                self.calls[seat] = (call, age + 1) if age + 1 < self.call_life else (0, 0)

    def _obey(self, seat: int, action: int) -> None:
        piles = self.rules.seats
        hand = self.hands[seat]
        _, reach, _, draw = self.durations[seat]
        if action >= 29 * piles:
            if action > 29 * piles:
                self.calls[seat] = (action - 29 * piles, 0)
            return
        place, pile = action % 28, (seat + action // 28) % piles
        is_draw = action >= 28 * piles
        if hand.phase == REACHING and not is_draw and place == hand.place:
            self._note("same-place re-aim")
            hand.pile = pile
            return
        self._note("let-go reach", hand.phase == REACHING)
        if is_draw:
            hand.start(DRAWING, draw)
        else:
            hand.start(REACHING, reach, place, pile)

    # Part 2: motion.

    def tie_order(self) -> tuple[int, ...]:
        """The order in which the seats take their turns in this tick."""
        h = mix((self.tie_seed + self.ticks_gone * 0xD1342543DE82EF95) % (1 << 64))
        return self.orders[h % len(self.orders)]

    def _move(self) -> None:
        for hand in self.hands:
            if hand.phase != FREE:
                hand.left -= 1
        order = self.tie_order()
        others = self._other_outcomes(order)
        self._take_turns(order)
        if others:
            mine = self.state()
            self._note("tie order changed the outcome", any(other != mine for other in others))

    def _other_outcomes(self, order: tuple[int, ...]) -> list[dict[str, object]]:
        # The end of a pause concerns nobody else, so it needs no comparison.
        ending = sum(hand.left <= 0 for hand in self.hands if hand.phase not in (FREE, PAUSING))
        if ending < 2:
            return []
        twins = [(self.copy(), other) for other in self.orders if other != order]
        for twin, other in twins:
            twin._take_turns(other)
        return [twin.state() for twin, _ in twins]

    def _take_turns(self, order: tuple[int, ...]) -> None:
        for seat in order:
            hand = self.hands[seat]
            # A first phase of zero ticks stands at -1 here, a later one at 0.
            while hand.phase != FREE and hand.left <= 0:
                self._end_phase(seat, hand)

    def _end_phase(self, seat: int, hand: Hand) -> None:
        if hand.phase == REACHING:
            self._touch(seat, hand)
        elif hand.phase == CARRYING:
            self._placement(seat, hand)
        elif hand.phase == RETURNING:
            self.return_ended = True
            self._pause(seat, hand)
        elif hand.phase == DRAWING:
            self._draw_ends(seat, hand)
        else:
            hand.start(FREE, 0)

    def _pause(self, seat: int, hand: Hand) -> None:
        hand.start(PAUSING, self.durations[seat][0])

    def _touch(self, seat: int, hand: Hand) -> None:
        # A card that was free at the command is free still, or gone, or in a hand.
        lies_there = hand.place in self.present and hand.place not in self._held()
        pile = self._pile_for(seat, self.deck[hand.place], hand.pile) if lies_there else None
        if pile is None:
            self._note("miss")
            self._note("lost touch", not lies_there)
            self._pause(seat, hand)
        else:
            self._note("redirect at touch", pile != hand.pile)
            hand.start(CARRYING, self.durations[seat][2], hand.place, pile)

    def _placement(self, seat: int, hand: Hand) -> None:
        pile = self._pile_for(seat, self.deck[hand.place], hand.pile)
        if pile is None:
            self._note("return")
            hand.start(RETURNING, self.durations[seat][2], hand.place, hand.pile)
        else:
            self._note("redirect at placement", pile != hand.pile)
            self._put(hand.place, pile)
            self._pause(seat, hand)

    def _draw_ends(self, seat: int, hand: Hand) -> None:
        self._turn_from_stock(seat)
        self._pause(seat, hand)
        carried_for = [other.pile for other in self.hands if other.phase == CARRYING]
        self._note("draw under a carried card", seat in carried_for)

    # What both forms do to the table.

    def _note(self, event: str, happened: bool = True) -> None:
        if happened:
            self.events[event] += 1

    def _see(self, card: int) -> None:
        self.unseen[card // 4] -= 1

    def _put(self, place: int, pile: int) -> None:
        self.present.remove(place)
        self.tops[pile] = self.deck[place]
        self.streak += 1
        self.longest = max(self.longest, self.streak)
        for under in LIES_ON[place]:
            if self.present.isdisjoint(COVERS[under]):
                self._see(self.deck[under])

    def _turn_from_stock(self, pile: int) -> None:
        drawn = self.rules.stock - self.stocks[pile]
        self.tops[pile] = self.deck[PLACES + pile * self.rules.stock + drawn]
        self.stocks[pile] -= 1
        self.streak = 0
        self._see(self.tops[pile])

    # Part 3: ends.

    def _end(self) -> None:
        if not self.present:
            self.status = WON
            self._note("win in the last tick", self.ticks_gone == self.clock)
        elif self.clock is not None and self.ticks_gone >= self.clock:
            self.status = CLOCK_OUT
            self._note("clock out with a card in hand", bool(self._held()))
        elif self._is_stuck():
            self.status = STUCK
            self._note("stuck at a return", self.return_ended)

    def _is_stuck(self) -> bool:
        # A card being drawn still counts as stock, so empty stocks leave no draw under way.
        if any(self.stocks) or self._held():
            return False
        piles = range(self.rules.seats)
        return not any(self._fits(self.deck[place], pile) for place in self.free() for pile in piles)
