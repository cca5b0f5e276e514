"""Playouts: games of one mind played to their ends by a quick policy, on cards that lie as they may."""

import numpy as np

from gipfelsturm.agents.compact import draw_on, free_bits, place_on, turns_left_and_right
from gipfelsturm.agents.counting import NOTHING, PILE_STEP, best_draw, best_play
from gipfelsturm.agents.network import best_move, carry_out, chance, write_moves
from gipfelsturm.envs.rules.chance import GOLDEN, below, mix
from gipfelsturm.envs.rules.jit import compiled, inlined, lowest_bit_number
from gipfelsturm.envs.rules.table import count

UNCOVER, COUNTING, LEARNED = range(3)
POLICIES = {"uncover": UNCOVER, "counting": COUNTING}


@inlined
def play_out(policy: int, depth: int, p: np.void, t: np.void, n: np.void, random: np.uint64) -> float:
    """1 if a policy wins from a position, else 0; the position moves on.

    Args:
        depth: after how many moves LEARNED tells the chance of winning instead of playing on.
    """
    if policy == LEARNED:
        return play_out_learned(depth, p, t, n)
    return float(play_out_uncover(p, t, random) if policy == UNCOVER else play_out_counting(p, t, random))


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
def play_out_counting(p: np.void, t: np.void, random: np.uint64) -> int:
    """Play on by `gipfelsturm.agents.counting`."""
    while p["board"]:
        random += GOLDEN
        choice = best_play(p, t, random)
        if choice != NOTHING:
            place_on(p, t, choice % PILE_STEP, choice // PILE_STEP)
            continue
        pile = best_draw(p, t)
        if pile == NOTHING:
            return 0
        draw_on(p, t, pile)
    return 1


@compiled
def play_out_uncover(p: np.void, t: np.void, random: np.uint64) -> int:
    """Play on by the rule `uncover` (rules.md section 5): everything in registers, since it counts card by card."""
    board = p["board"]
    top0, top1, top2 = p["top"][0], p["top"][1], p["top"][2]
    left0, left1, left2 = p["left"][0], p["left"][1], p["left"][2]
    while board:
        free = free_bits(board)
        fit0, fit1 = free & t["fit"][top0], free & t["fit"][top1]
        fitting = fit0 | fit1 | (free & t["fit"][top2])
        if fitting:
            left, right = turns_left_and_right(board)
            best = fitting & left & right
            best = best if best else fitting & (left | right)
            best = best if best else fitting
            if best & (best - 1):
                random += GOLDEN
                best = _any_of(best, random)
            bit = best & -best
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
                return 0
            top0 = t["stock"][0, t["dealt"] - left0]
            left0 -= 1
        elif left1 >= left2:
            top1 = t["stock"][1, t["dealt"] - left1]
            left1 -= 1
        else:
            top2 = t["stock"][2, t["dealt"] - left2]
            left2 -= 1
    return 1


@inlined
def _any_of(bits: int, random: np.uint64) -> int:
    """A mask whose lowest bit is any of these, each as likely."""
    for _ in range(below(mix(random), count(bits & 0xFFFFFFF) + count(bits >> 28))):
        bits &= bits - 1
    return bits
