"""Games that a network plays as one mind, in which each choice it had is played out a few moves on many shuffles.

All choices of a decision see the same shuffles: how they compare is told far more exactly than what each is worth.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.afterstate import FEATURES, MOST_FREE
from gipfelsturm.agents.compact import free_bits, lay, lay_deal, read_position
from gipfelsturm.agents.determinization import deal_pool, fill_pool, places_to_fill, shuffle
from gipfelsturm.agents.network import MOST_MOVES, best_move, carry_out, move_features, write_moves
from gipfelsturm.agents.playouts import play_out_learned
from gipfelsturm.envs.rules.chance import GOLDEN, below, mix
from gipfelsturm.envs.rules.jit import compiled, inlined, lowest_bit_number
from gipfelsturm.envs.rules.record import MOST_SEATS, Games
from gipfelsturm.training.self_play import LONGEST_GAME


def most_rows(piles: int) -> int:
    """Choices of one game, at most."""
    return LONGEST_GAME * (MOST_FREE + 1) * piles


@compiled
def compare_choices(
    games: Games,
    explore: float,
    playouts: int,
    depth: int,
    positions: NDArray[np.void],
    tables: NDArray[np.void],
    networks: NDArray[np.void],
    rows: NDArray[np.uint16],
    values: NDArray[np.float32],
    sizes: NDArray[np.int64],
) -> tuple[int, int]:
    """Play dealt games to their ends, and write what each choice on the way is worth.

    Args:
        explore: the share of decisions taken at random.
        playouts: of each choice.
        depth: of a playout, in moves.
        positions: room for two.
        tables: room for two.
        networks: one.
        rows: (`most_rows` * games, MOST_ACTIVE), for the features that hold, FEATURES where there are no more.
        values: (`most_rows` * games,), for the chances of winning.
        sizes: (LONGEST_GAME * games,), for how many choices each decision had.

    Returns:
        Decisions written, and games won.
    """
    p, q, t, seen, n = positions[0], positions[1], tables[0], tables[1], networks[0]
    pool, moves = np.zeros(52, np.int64), np.zeros(MOST_MOVES, np.int64)
    written, decisions, won = 0, 0, 0
    for i in range(len(games)):
        read_position(games[i], p)
        lay_deal(games[i], t)
        random = mix(games[i]["tie_seed"])
        while p["board"]:
            found = write_moves(p, t, n)
            if found == 0:
                break
            chosen = 0
            if found > 1:
                moves[:found] = n["moves"][:found]
                chosen, _ = best_move(p, t, n, found)
                _lay_seen(p, t, seen)
                end = written + found
                random += GOLDEN
                _play_out_all(p, q, seen, n, moves[:found], playouts, depth, mix(random), pool, values[written:end])
                for k in range(found):
                    active = move_features(p, t, moves[k], 0, rows[written + k])
                    rows[written + k, active:] = FEATURES
                sizes[decisions] = found
                written, decisions = end, decisions + 1
                random += GOLDEN
                if below(mix(random), 1000) < 1000 * explore:
                    random += GOLDEN
                    chosen = below(mix(random), found)
            else:
                moves[0] = n["moves"][0]
            carry_out(p, t, moves[chosen])
        won += p["board"] == 0
    return decisions, won


@inlined
def _lay_seen(p: np.void, t: np.void, seen: np.void) -> None:
    """Lay out the free cards of a table alone: the others may lie anywhere."""
    seen["dealt"], seen["piles"], seen["ring"] = t["dealt"], t["piles"], t["ring"]
    free = free_bits(p["board"])
    seen["hidden"] = p["board"] & ~free
    seen["fit"][:] = 0
    while free:
        number = lowest_bit_number(free)
        lay(seen, number, t["rank"][number])
        free &= free - 1
    seen["known_fit"][:] = seen["fit"]
    for pile in range(MOST_SEATS):
        seen["known_stock"][pile] = 0


@inlined
def _play_out_all(
    p: np.void,
    q: np.void,
    seen: np.void,
    n: np.void,
    moves: NDArray[np.int64],
    playouts: int,
    depth: int,
    random: np.uint64,
    pool: NDArray[np.int64],
    values: NDArray[np.float32],
) -> None:
    """Write what each move is worth on average over the same shuffles; q is room for a position."""
    cards, needed = fill_pool(p, seen, pool), places_to_fill(p, seen)
    values[:] = 0
    for _ in range(playouts):
        random = mix(random)
        shuffle(pool, cards, needed, random)
        deal_pool(p, seen, pool)
        for k in range(len(moves)):
            q["board"], q["unseen"] = p["board"], p["unseen"]
            q["top"][:] = p["top"]
            q["left"][:] = p["left"]
            carry_out(q, seen, moves[k])
            values[k] += play_out_learned(depth, q, seen, n)
    values /= playouts
