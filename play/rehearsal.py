"""Short games before the first one, so that no game waits for the compiler."""

import gc
import threading
from collections.abc import Sequence
from concurrent.futures import Future

from gipfelsturm.play.advice import warm_up
from gipfelsturm.play.agent_pool import AgentPool
from gipfelsturm.play.realtime_messages import Draw, Go
from gipfelsturm.play.realtime_table import RealTimeTable
from gipfelsturm.play.table_plan import SeatPlan, TablePlan

TICKS = 5
YOUNG, MIDDLE, OLD = 700, 10, 1000
"""When the collector looks at what is how old; at what is old, a hundred times less often than Python would.

That takes a tenth of a second with 500 tables, which all tables would feel every few seconds.
"""


def begin_rehearsals(partners: Sequence[str], prepared: set[str]) -> Future[None]:
    """Rehearse with one partner after another, in a thread that holds nobody up who wants to end the program.

    Args:
        partners: one at least.
        prepared: gets the name of each, once that is done.

    Returns:
        What is done, or failed, with the first partner.
    """
    first: Future[None] = Future()
    threading.Thread(target=_rehearse_all, args=(partners, prepared, first), name="rehearsal", daemon=True).start()
    return first


def rehearse(partner: str) -> None:
    """Play a few ticks with a partner; takes seconds where nothing is compiled yet."""
    plan = TablePlan(seats=(SeatPlan(), SeatPlan(partner, "instant")))
    table = RealTimeTable(0, plan, iter([0]), lambda: "rehearsal", partner, {partner}, 0)
    pool = AgentPool(0)
    table.arrive("rehearsal")
    table.receive("rehearsal", Go())
    for tick in range(TICKS):
        table.receive("rehearsal", Draw())
        for answer in pool.answer(table.tick(tick).asks):
            table.answer(answer)


def _rehearse_all(partners: Sequence[str], prepared: set[str], first: Future[None]) -> None:
    try:
        rehearse(partners[0])
    except Exception as fault:  # for whoever waits
        first.set_exception(fault)
        return
    prepared.add(partners[0])
    first.set_result(None)
    warm_up()
    for partner in partners[1:]:
        rehearse(partner)
        prepared.add(partner)
    _spare_the_collector()


def _spare_the_collector() -> None:
    """Have it look no more at what stays for good, and seldom at what is old: its pauses delay ticks."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
