"""How many complete playouts of `uncover` a core plays in a second.

Each of 1,000 deals of TriPeaks is played by `uncover` until 14 cards are cleared; playouts go on from there, each on a
determinization of its own. `python benchmarks/playouts.py` prints the figure with that of `counting` beside it: of the
quickest of some rounds, which is least disturbed by what else the machine does, and of the middle one.
"""

import time

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.compact import POSITION, TABLE, lay_known, read_position
from gipfelsturm.agents.counting import weights_for
from gipfelsturm.agents.determinization import deal_pool, fill_pool, places_to_fill, shuffle
from gipfelsturm.agents.network import NETWORK
from gipfelsturm.agents.playouts import POLICIES, TO_THE_END, play_out
from gipfelsturm.agents.scripted import ScriptedAgent
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.rules.cards import EMPTY, PLACES
from gipfelsturm.envs.rules.chance import mix
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import RUNNING, Games
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.envs.rules.table import free_places

DEALS = 1000
CLEARED = 14
PLAYOUTS = 400
"""A position and round."""
ROUNDS = 9


def positions() -> Games:
    """The deals in which `uncover` comes so far, with what it does not know blanked out."""
    settings = one_mind()
    batch = GipfelsturmBatch(settings, DEALS, autoreset="disabled")
    batch.set_deals(range(DEALS))
    agent = ScriptedAgent("uncover")
    agent.reset(DEALS, range(1), 0, settings)
    found = []
    while not batch.terminated.all():
        batch.advance(agent.act(batch.observations.copy(), batch.masks.copy()))
        cleared = PLACES - np.bitwise_count(batch.games["present"])
        here = (cleared == CLEARED) & (batch.games["status"] == RUNNING) & (batch.games["streak"] > 0)
        found.append(batch.games[here].copy())
    games = np.concatenate(found)
    for game in games:
        present = int(game["present"])
        down = present & ~int(free_places(present))
        game["deck"][:PLACES][[down >> place & 1 > 0 for place in range(PLACES)]] = EMPTY
        game["deck"][PLACES:] = EMPTY
    return games


@compiled
def playouts(
    policy: int, games: Games, room: NDArray[np.void], tables: NDArray[np.void], networks: NDArray[np.void], each: int
) -> float:
    """Play `each` games on from every position; returns how many were won. `room` is two of POSITION."""
    root, p, t, pool, won = room[0], room[1], tables[0], np.zeros(52, np.int64), 0.0
    for i in range(len(games)):
        read_position(games[i], root)
        lay_known(games[i], t)
        cards, needed, seed = fill_pool(root, t, pool), places_to_fill(root, t), mix(games[i]["tie_seed"])
        for _ in range(each):
            seed = mix(seed)
            shuffle(pool, cards, needed, seed)
            deal_pool(root, t, pool)
            room[1] = root
            won += play_out(policy, TO_THE_END, p, t, networks[0], seed)
    return won


def main() -> None:
    """Measure and print."""
    games, room, tables = positions(), np.zeros(2, POSITION), np.zeros(1, TABLE)
    tables["weights"] = weights_for(1, ring=True)
    networks = np.zeros(1, NETWORK)
    for name, policy in POLICIES.items():
        playouts(policy, games, room, tables, networks, 1)
        speeds = []
        for _ in range(ROUNDS):
            before = time.process_time()
            won = playouts(policy, games, room, tables, networks, PLAYOUTS)
            speeds.append(len(games) * PLAYOUTS / (time.process_time() - before) / 1e6)
        share = 100 * won / (len(games) * PLAYOUTS)
        print(
            f"{name}: {max(speeds):.2f} million playouts a second, {np.median(speeds):.2f} in the middle of {ROUNDS} "
            f"rounds; {share:.1f} % won"
        )


if __name__ == "__main__":
    main()
