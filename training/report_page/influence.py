"""Which visible card counts: by how much the predicted chance of winning changes if it is exchanged for an unseen one.

A visible card and an unseen one of another rank change places, as far as anybody can see: the rank of the one becomes
that of the other, and so do the counts of unseen cards. The influence of a card is the mean size of the change over all
unseen cards of other ranks that it could be exchanged for. Suits never matter.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.belief import rebuild_game
from gipfelsturm.agents.compact import POSITION, TABLE, lay_known, read_position
from gipfelsturm.agents.learned import LearnedAgent
from gipfelsturm.agents.network import best_move, chance, write_moves
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.options import most_steps
from gipfelsturm.envs.rules.cards import EMPTY, PLACES
from gipfelsturm.envs.rules.jit import compiled
from gipfelsturm.envs.rules.record import Games
from gipfelsturm.envs.rules.settings import Settings

STAGES = {"the opening": 0, "the middle": 12, "the end": 20}
"""Peak cards that are gone when a game comes to a stage."""
DEALS = 40
"""From deal 0 on, among which positions are looked for."""


class Card(NamedTuple):
    """A visible card, by its place, or PLACES + the number of the pile on which it is the top."""

    spot: int
    influence: float  # 0..1
    best: tuple[int, float]  # the rank 0..12 that would raise the chance most, and the change; it may be negative
    worst: tuple[int, float]


class Influence(NamedTuple):
    """A position, and what its cards count."""

    stage: str
    deal: int
    game: Games  # (1,) as everybody sees it: unseen cards are EMPTY
    chance: float
    cards: list[Card]  # the one that counts most first


def influence(network: NDArray[np.void], settings: Settings, observation: NDArray[np.int8]) -> tuple[float, list[Card]]:
    """The predicted chance at a position of one mind (size,), and its visible cards, the one that counts most first.

    Cards that count alike stand by their spot.
    """
    game = rebuild_game(settings, observation)
    spots = _visible(game)
    ranks = [_other_ranks(game, spot) for spot in spots]
    changed = np.concatenate([game, *(_exchanged(game, spot, ranks[i]) for i, spot in enumerate(spots))])
    now, *others = np.split(_chances(network, changed), np.cumsum([1, *map(len, ranks)])[:-1])
    cards = [_card(game, spot, ranks[i], others[i] - now[0]) for i, spot in enumerate(spots) if len(ranks[i])]
    return float(now[0]), sorted(cards, key=lambda card: (-card.influence, card.spot))


def _visible(game: Games) -> list[int]:
    """The spots of face-up cards, and of the tops of the piles."""
    present, deck = int(game["present"][0]), game["deck"][0]
    peaks = [place for place in range(PLACES) if present >> place & 1 and deck[place] != EMPTY]
    return [*peaks, *(PLACES + pile for pile in range(int(game["seats"][0])))]


def _rank(game: Games, spot: int) -> int:
    code = game["deck"][0, spot] if spot < PLACES else game["top"][0, spot - PLACES]
    return int(code) >> 2


def _other_ranks(game: Games, spot: int) -> NDArray[np.int64]:
    """The ranks of unseen cards, but for the card's own."""
    unseen = game["unseen"][0].nonzero()[0]
    ranks: NDArray[np.int64] = unseen[unseen != _rank(game, spot)]
    return ranks


def _exchanged(game: Games, spot: int, ranks: NDArray[np.int64]) -> Games:
    """The position with the card of a spot exchanged for an unseen one of each of these ranks."""
    games = np.repeat(game, len(ranks))
    at = np.arange(len(ranks))
    games["unseen"][:, _rank(game, spot)] += 1
    games["unseen"][at, ranks] -= 1
    if spot < PLACES:
        games["deck"][:, spot] = 4 * ranks
    else:
        games["top"][:, spot - PLACES] = 4 * ranks
    return games


def _card(game: Games, spot: int, ranks: NDArray[np.int64], changes: NDArray[np.float64]) -> Card:
    """A card, from the change of the chance by each rank; a rank counts as often as it is unseen."""
    weights = game["unseen"][0, ranks].astype(np.float64)
    up, down = int(changes.argmax()), int(changes.argmin())
    return Card(
        spot=spot,
        influence=float(np.average(np.abs(changes), weights=weights)),
        best=(int(ranks[up]), float(changes[up])),
        worst=(int(ranks[down]), float(changes[down])),
    )


def _chances(network: NDArray[np.void], games: Games) -> NDArray[np.float64]:
    chances = np.zeros(len(games))
    _judge_all(network, games, np.zeros(1, POSITION), np.zeros(1, TABLE), chances)
    return chances


@compiled
def _judge_all(
    networks: NDArray[np.void],
    games: Games,
    positions: NDArray[np.void],
    tables: NDArray[np.void],
    chances: NDArray[np.float64],
) -> None:
    """Write the chance of each game as one mind that takes what is best: 1 where it is won, 0 where nothing is left."""
    p, t, n = positions[0], tables[0], networks[0]
    for i in range(len(games)):
        read_position(games[i], p)
        lay_known(games[i], t)
        found = write_moves(p, t, n)
        if found:
            _, logit = best_move(p, t, n, found)
            chances[i] = chance(logit)
        else:
            chances[i] = p["board"] == 0


def instructive(network: NDArray[np.void], agent: LearnedAgent, settings: Settings) -> list[Influence]:
    """In each stage, of the first deals as the network plays them, the position in which one card counts most.

    Args:
        agent: plays by the network.
    """
    found = []
    for stage, observations in _stages(agent, settings).items():
        told = {deal: influence(network, settings, seen) for deal, seen in observations.items()}
        deal = max(told, key=lambda deal: told[deal][1][0].influence if told[deal][1] else -1.0)
        now, cards = told[deal]
        found.append(Influence(stage, deal, rebuild_game(settings, observations[deal]), now, cards))
    return found


def _stages(agent: LearnedAgent, settings: Settings) -> dict[str, dict[int, NDArray[np.int8]]]:
    """What is seen (size,) of each deal when it comes to each stage, if it does and is not over then."""
    batch = GipfelsturmBatch(settings, DEALS, autoreset="disabled", most_steps=most_steps(settings))
    batch.set_deals(range(DEALS))
    agent.reset(DEALS, range(1), 0, settings)
    seen: dict[str, dict[int, NDArray[np.int8]]] = {stage: {} for stage in STAGES}
    while not batch.terminated.all():
        observations = batch.observations[:, 0].copy()
        gone = (observations[:, :PLACES] == -1).sum(axis=1)
        for stage, least in STAGES.items():
            for deal in np.flatnonzero((gone >= least) & ~batch.terminated):
                seen[stage].setdefault(int(deal), observations[deal])
        batch.step(agent.act(batch.observations.copy(), batch.masks.copy()))
    return seen
