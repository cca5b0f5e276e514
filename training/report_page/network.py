"""What a file of weights knows: the parts of the report on it."""

from pathlib import Path

from gipfelsturm.agents.learned import LearnedAgent
from gipfelsturm.agents.network import network_of
from gipfelsturm.agents.network_weights import read_network
from gipfelsturm.agents.weights import read_description
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.training.report_page.calibration import GAMES, calibration, calibration_part, judge_moves
from gipfelsturm.training.report_page.influence import instructive
from gipfelsturm.training.report_page.influence_part import influence_part
from gipfelsturm.training.report_page.page import Part
from gipfelsturm.training.report_page.pairs import short_name


def network_parts(path: Path) -> list[Part]:
    """Whether its chances are right, as one mind at each table it was trained for, and which cards count at the first.

    Raises:
        ValueError: for a file that `read_network` refuses.
    """
    weights = read_network(path)
    name = short_name(f"learned@{path}")
    network = network_of(weights)
    tables = {
        table: one_mind(piles=settings.seats, stock=settings.stock, ring=settings.ring)
        for table, settings in read_description(path).tables.items()
    }
    told = [(table, calibration(*judge_moves(network, settings, GAMES))) for table, settings in tables.items()]
    first = next(iter(tables.values()))
    found = instructive(network, LearnedAgent(weights), first)
    return [calibration_part(name, told, GAMES), influence_part(name, first, found)]
