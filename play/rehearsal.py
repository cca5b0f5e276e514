"""A short game before the first one, so that nobody waits for the compiler."""

from gipfelsturm.play.agent_pool import AgentPool
from gipfelsturm.play.realtime_messages import Draw, Go
from gipfelsturm.play.realtime_table import RealTimeTable
from gipfelsturm.play.table_plan import SeatPlan, TablePlan

TICKS = 5


def rehearse(partner: str) -> None:
    """Play a few ticks with a partner; takes seconds where nothing is compiled yet."""
    plan = TablePlan(seats=(SeatPlan(), SeatPlan(partner, "instant")))
    table = RealTimeTable(0, plan, iter([0]), lambda: "rehearsal", partner, 0)
    pool = AgentPool(0)
    table.arrive("rehearsal")
    table.receive("rehearsal", Go())
    for tick in range(TICKS):
        table.receive("rehearsal", Draw())
        for answer in pool.answer(table.tick(tick).asks):
            table.answer(answer)
