"""Solo games near their end, of which all is known but where the unseen cards lie."""

import numpy as np

from gipfelsturm.envs.rules.deals import EVALUATION_DEALS
from gipfelsturm.envs.rules.record import Games, deal_games
from gipfelsturm.envs.rules.settings import one_mind


def endgames(ranks: list[int], top: int, stock: int, count: int) -> Games:
    """Games of which some free cards are left and so many in the stock, which nobody has seen."""
    games = deal_games(one_mind(), range(EVALUATION_DEALS, EVALUATION_DEALS + count))
    places = list(range(18, 18 + len(ranks)))
    for game in games:
        shown = [4 * rank for rank in (*ranks, top)]
        rest = [card for card in game["deck"].tolist() if card not in shown]
        game["deck"][places], game["top"][0] = shown[:-1], shown[-1]
        game["deck"][52 - stock :] = rest[-stock:]
        game["unseen"] = np.bincount([card >> 2 for card in rest], minlength=13)
    games["present"], games["stock"][:, 0] = sum(1 << place for place in places), stock
    return games
