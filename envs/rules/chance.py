"""Chance that is the same on every platform: splitmix64 (Steele, Lea, Flood 2014) over plain 64-bit counters."""

import numpy as np

from gipfelsturm.envs.rules.jit import inlined, signed

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
TICK_STRIDE = np.uint64(0xD1342543DE82EF95)
# The six orders of three seats, in lexicographic order.
ORDERS = np.array([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)], np.int64)  # (orders, turns)


@inlined
def mix(state: np.uint64) -> np.uint64:
    """The 64 random bits that belong to a state; neighbouring states give unrelated bits."""
    z = np.uint64(state) + GOLDEN
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def nth_seed(seed: int, number: int) -> int:
    """A seed of its own for each of several things that one seed, modulo 2^64, stands for."""
    return int(mix(np.uint64((int(mix(np.uint64(seed % 2**64))) + number) % 2**64)))


@inlined
def below(bits: np.uint64, n: int) -> int:
    """A number in 0..n-1 from 64 random bits, for n far below 2^32 (its bias is n / 2^32 at most)."""
    return signed(((bits >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@inlined
def turn(tie_seed: np.uint64, tick: int, seats: int, place_in_order: int) -> int:
    """The seat whose turn it is in a tick (rules.md section 3, motion): a function of tie seed and tick alone."""
    if seats == 1:
        return 0
    bits = mix(tie_seed + np.uint64(tick) * TICK_STRIDE)
    if seats == 2:
        return (place_in_order + signed(bits & np.uint64(1))) & 1
    return signed(ORDERS[signed(bits % np.uint64(6)), place_in_order])
