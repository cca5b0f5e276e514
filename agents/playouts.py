"""Playouts: games of one mind played on by a quick policy, on cards that lie as they may.

A playout that is broken off before its end is worth what is thought of the position: by a network its chance of
winning, else the share of the peaks' cards that are gone.
"""

import numpy as np

from gipfelsturm.agents.compact import draw_on, free_bits, place_on, turns_left_and_right
from gipfelsturm.agents.counting import NOTHING, PILE_STEP, best_draw, best_play
from gipfelsturm.agents.network import best_move, carry_out, chance, write_moves
from gipfelsturm.envs.rules.cards import PLACES
from gipfelsturm.envs.rules.chance import GOLDEN, below, mix
from gipfelsturm.envs.rules.jit import compiled, count_bits, inlined, lowest_bit_number

UNCOVER, COUNTING, LEARNED = range(3)
POLICIES = {"uncover": UNCOVER, "counting": COUNTING}
TO_THE_END = 52
"""A depth that no game has: each move takes a card."""


@inlined
def play_out(policy: int, depth: int, p: np.void, t: np.void, n: np.void, random: np.uint64) -> float:
    """1 if a policy wins from a position, 0 if it loses; the position moves on.

    Args:
        depth: after how many moves the playout is broken off.
    """
    if policy == LEARNED:
        return play_out_learned(depth, p, t, n)
    return play_out_uncover(depth, p, t, random) if policy == UNCOVER else play_out_counting(depth, p, t, random)


@inlined
def _share_gone(board: int) -> float:
    """The share of the peaks' cards that are gone."""
    return 1 - count_bits(board) / PLACES


@compiled
def play_out_learned(depth: int, p: np.void, t: np.void, n: np.void) -> float:
    """Play on by what a network thinks best."""
    while p["board"]:
        found = write_moves(p, t, n)
        if found == 0:
            return 0.0
        chosen = 0
        if found > 1 or depth == 0:
            chosen, logit = best_move(p, t, n, found)
            if depth == 0:
                return chance(logit)
        carry_out(p, t, n["moves"][chosen])
        depth -= 1
    return 1.0


@compiled
def play_out_counting(depth: int, p: np.void, t: np.void, random: np.uint64) -> float:
    """Play on by `gipfelsturm.agents.counting`."""
    while p["board"] and depth:
        depth -= 1
        random += GOLDEN
        choice = best_play(p, t, random)
        if choice != NOTHING:
            place_on(p, t, choice % PILE_STEP, choice // PILE_STEP)
            continue
        pile = best_draw(p, t)
        if pile == NOTHING:
            return 0.0
        draw_on(p, t, pile)
    return _share_gone(p["board"])


@inlined
def play_out_uncover(depth: int, p: np.void, t: np.void, random: np.uint64) -> float:
    """Play on by the rule `uncover` (rules.md section 5): everything in registers, since it counts card by card."""
    return _uncover_alone(depth, p, t, random) if t["piles"] == 1 else _uncover_together(depth, p, t, random)


@compiled
def _uncover_alone(depth: int, p: np.void, t: np.void, random: np.uint64) -> float:
    """The rule on one pile: draws follow each other in a loop of their own, which a processor foresees better."""
    board, top, left = p["board"], p["top"][0], p["left"][0]
    while board and depth:
        free = free_bits(board)
        fitting = free & t["fit"][top]
        while fitting == 0 and depth:
            if left == 0:
                return 0.0
            top, left, depth = t["stock"][0, t["dealt"] - left], left - 1, depth - 1
            fitting = free & t["fit"][top]
        if depth:
            random, bit = _uncovering(fitting, board, random)
            top, board, depth = t["rank"][lowest_bit_number(bit)], board ^ bit, depth - 1
    return _share_gone(board)


@compiled
def _uncover_together(depth: int, p: np.void, t: np.void, random: np.uint64) -> float:
    """The rule on several piles."""
    board = p["board"]
    top0, top1, top2 = p["top"][0], p["top"][1], p["top"][2]
    left0, left1, left2 = p["left"][0], p["left"][1], p["left"][2]
    for _ in range(depth):
        if board == 0:
            break
        free = free_bits(board)
        fit0, fit1 = free & t["fit"][top0], free & t["fit"][top1]
        fitting = fit0 | fit1 | (free & t["fit"][top2])
        if fitting:
            random, bit = _uncovering(fitting, board, random)
            rank = t["rank"][lowest_bit_number(bit)]
            board ^= bit
            if bit & fit0:
                top0 = rank
            elif bit & fit1:
                top1 = rank
            else:
                top2 = rank
        elif left0 >= left1 and left0 >= left2:
            if left0 == 0:
                return 0.0
            top0, left0 = t["stock"][0, t["dealt"] - left0], left0 - 1
        elif left1 >= left2:
            top1, left1 = t["stock"][1, t["dealt"] - left1], left1 - 1
        else:
            top2, left2 = t["stock"][2, t["dealt"] - left2], left2 - 1
    return _share_gone(board)


@inlined
def _uncovering(fitting: int, board: int, random: np.uint64) -> tuple[np.uint64, int]:
    """One of the fitting places that turn up the most cards, as a bit; and the random state after it."""
    left, right = turns_left_and_right(board)
    best = fitting & left & right
    best = best if best else fitting & (left | right)
    best = best if best else fitting
    if best & (best - 1):
        random += GOLDEN
        best = _any_of(best, random)
    return random, best & -best


@inlined
def _any_of(bits: int, random: np.uint64) -> int:
    """A mask whose lowest bit is any of these, each as likely."""
    chosen = below(mix(random), count_bits(bits))
    once = bits & (bits - 1)
    bits = once if chosen else bits  # mostly one of two: without a branch, which would be foreseen wrongly
    for _ in range(chosen - 1):
        bits &= bits - 1
    return bits
