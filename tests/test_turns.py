"""Turns with what serves one at a time: fair among askers, one request a table, and no more than a bound."""

import asyncio
from collections.abc import Coroutine

import pytest

from gipfelsturm.play import turns
from gipfelsturm.play.turns import Turns


async def begun(turns: Turns, *requests: tuple[str, str]) -> list[asyncio.Task[bool]]:
    """Requests of askers for tables, one after another; each has come as far as it can."""
    tasks = []
    for asker, table in requests:
        tasks.append(asyncio.create_task(turns.begin(asker, table)))
        await asyncio.sleep(0)
    return tasks


async def served(turns: Turns, tasks: list[asyncio.Task[bool]]) -> list[int]:
    """The order in which requests get a turn, each of which ends at once."""
    order: list[int] = []
    while fresh := [i for i, task in enumerate(tasks) if task.done() and task.result() and i not in order]:
        assert len(fresh) == 1, "one at a time"
        order += fresh
        turns.end()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    return order


def play(course: Coroutine[None, None, None]) -> None:
    asyncio.run(course)


def test_whoever_asks_at_many_tables_waits_behind_themselves() -> None:
    async def course() -> None:
        asked = Turns()
        flood = [("flooder", f"table {i}") for i in range(5)]
        tasks = await begun(asked, *flood, ("guest", "mine"), ("other", "theirs"))
        assert await served(asked, tasks) == [0, 1, 5, 6, 2, 3, 4]
        assert [task.result() for task in await begun(asked, ("late", "table"))] == [True]

    play(course())


def test_a_newer_request_for_a_table_takes_the_place_of_the_one_that_waits() -> None:
    async def course() -> None:
        asked = Turns()
        tasks = await begun(asked, ("a", "1"), ("a", "2"), ("a", "3"), ("a", "2"), ("a", "1"))
        assert tasks[1].done() and not tasks[1].result()
        assert await served(asked, tasks) == [0, 3, 2, 4]

    play(course())


def test_the_tables_of_one_asker_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_WAITING", 2)

    async def course() -> None:
        asked = Turns()
        tasks = await begun(asked, *[("a", f"{i}") for i in range(5)], ("b", "0"))
        assert [task.done() and not task.result() for task in tasks] == [False, False, False, True, True, False]
        assert await served(asked, tasks) == [0, 1, 5, 2]

    play(course())


def test_work_is_done_in_turn_and_gives_the_turn_back_whatever_comes_of_it() -> None:
    async def course() -> None:
        asked, done = Turns(), list[str]()

        async def work(name: str) -> str:
            assert not done or done[-1].endswith("!"), "one at a time"
            done.append(name)
            await asyncio.sleep(0)
            if name == "faulty":
                raise ValueError(name)
            done.append(f"{name}!")
            return name

        tasks = [
            asyncio.create_task(asked.take(asker, "table", lambda asker=asker: work(asker)))  # type: ignore[misc]
            for asker in ("a", "b", "b", "c")
        ]
        assert await asyncio.gather(*tasks) == ["a", None, "b", "c"]
        assert done == ["a", "a!", "b", "b!", "c", "c!"]
        with pytest.raises(ValueError, match="faulty"):
            await asked.take("a", "table", lambda: work("faulty"))
        done.clear()
        assert await asked.take("a", "table", lambda: work("later")) == "later"

    play(course())


def test_who_gives_up_waiting_is_passed_over() -> None:
    async def course() -> None:
        asked = Turns()
        tasks = await begun(asked, ("a", "1"), ("b", "2"), ("c", "3"))
        tasks.pop(1).cancel()
        await asyncio.sleep(0)
        assert await served(asked, tasks) == [0, 1]

    play(course())
