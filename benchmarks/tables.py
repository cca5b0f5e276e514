"""How many real-time tables one server carries: how late ticks are, how long a tap takes to be seen, and the memory.

`python benchmarks/tables.py` opens 500 tables on a server in a process of its own. At each sits a simulated person, on
a websocket, who plays the card that turns up most cards about once a second, beside a `lookahead` agent, or whom
`--agent learned --tables 200` names. It prints

- how long after its time on the grid a group of tables had ticked,
- how long it took a person from the tap to the message that shows it, or says why not,
- the processor time that the server took, as a share of one core, and the most memory, in MB.

Other work on the same cores makes ticks late; the server's own share of a core hardly changes by it.
"""

import asyncio
import contextlib
import multiprocessing
import resource
import secrets
import tempfile
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
import numpy as np
import tyro
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from gipfelsturm.envs.rules.table import COVERS, LIES_ON
from gipfelsturm.play.advice import Adviser
from gipfelsturm.play.agent_pool import AgentPool
from gipfelsturm.play.keeper import Keeper
from gipfelsturm.play.launch import HOST, clock, configure, listen, new_deal, new_token
from gipfelsturm.play.realtime_messages import Draw, Go, Over, PageMessage, Refused, State, Tap
from gipfelsturm.play.realtime_results import GameResults
from gipfelsturm.play.realtime_tables import RealTimeTables
from gipfelsturm.play.server import make_app
from gipfelsturm.play.table_plan import SeatPlan, TablePlan
from gipfelsturm.play.tick_loop import TickLoop
from gipfelsturm.play.tripeaks_results import Results
from gipfelsturm.play.tripeaks_tables import TriPeaksTables

SETTLING_SECONDS = 5.0
"""After which the figures are taken."""
PAUSE_SECONDS = (0.6, 1.4)
"""Of a person between two actions."""
READER = msgspec.json.Decoder(PageMessage)


class TimedLoop(TickLoop):
    """Notes how late each group of tables was."""

    lateness: list[float]  # milliseconds

    def beat(self, phase: int, due: int) -> None:
        super().beat(phase, due)
        self.lateness.append(time.monotonic_ns() / 1e6 - due)


@contextlib.contextmanager
def parts(folder: Path, agent: str) -> Iterator[tuple[TriPeaksTables, TimedLoop, Keeper, list[str]]]:
    """What a server for tables with an agent is made of, and the tokens of its tables."""
    results, games = Results(folder / "results.sqlite3"), GameResults(folder / "results.sqlite3")
    keeper = Keeper(games)
    tables = RealTimeTables(keeper.keep, new_deal, new_token, agent)
    loop = TimedLoop(tables, AgentPool(secrets.randbits(63)), [agent], clock)
    loop.lateness = []
    yield TriPeaksTables(results, Adviser(), new_deal, clock), loop, keeper, []
    results.close()
    games.close()


def serve(tables: int, agent: str, pipe: Connection) -> None:
    """A server with so many tables, until the other side says so; tells the figures at the end."""
    plan = TablePlan(seats=(SeatPlan(), SeatPlan(agent, "brisk")))
    with tempfile.TemporaryDirectory() as folder, parts(Path(folder), agent) as (tripeaks, loop, keeper, tokens):
        loop.ready.result()
        for thread in threading.enumerate():  # until old objects are spared, as on a server that has run for a minute
            if thread.name == "rehearsal":
                thread.join()
        for number in range(tables):
            table = loop.tables.open(plan, clock(), f"person {number}")
            assert table is not None
            tokens.append(table.seats[0].token)
        with listen(0) as listening:
            port: int = listening.getsockname()[1]
            server = uvicorn.Server(configure(make_app(tripeaks, loop, keeper, [f"{HOST}:{port}"])))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
            thread.start()
            pipe.send((port, tokens))
            pipe.recv()
            loop.lateness.clear()
            begin, before = time.monotonic(), time.process_time()
            pipe.recv()
            lateness = loop.lateness.copy()
            share = (time.process_time() - before) / (time.monotonic() - begin)
            server.should_exit = True
            thread.join()
    pipe.send((lateness, share, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


class Person:
    """Plays one game after another, and notes how long each action took to be seen."""

    def __init__(self, socket: ClientConnection, seed: int) -> None:
        self.delays: list[tuple[float, float]] = []  # when it was seen, and after how many milliseconds
        self.games = 0
        self._socket, self._dice = socket, np.random.default_rng(seed)
        self._state: State | None = None
        self._given: Tap | Draw | None = None
        self._given_at = 0.0

    async def play(self) -> None:
        await asyncio.gather(self._watch(), self._act())

    async def _watch(self) -> None:
        await self._socket.send(msgspec.json.encode(Go()).decode())
        async for text in self._socket:
            message = READER.decode(text)
            if isinstance(message, State):
                self._state = message
            if isinstance(message, Over):
                self.games += 1
                self._state = self._given = None
                for _ in range(2):  # for the next game, and to begin it
                    await self._socket.send(msgspec.json.encode(Go()).decode())
            elif self._given and self._shows(message):
                now = time.perf_counter()
                self.delays.append((now, 1000 * (now - self._given_at)))
                self._given = None

    def _shows(self, message: PageMessage) -> bool:
        return isinstance(message, Refused) or (isinstance(message, State) and _busy(message))

    async def _act(self) -> None:
        while True:
            await asyncio.sleep(self._dice.uniform(*PAUSE_SECONDS))
            if self._state is None or self._given or _busy(self._state):
                continue
            self._given = choose(self._state)
            if self._given:
                self._given_at = time.perf_counter()
                await self._socket.send(msgspec.json.encode(self._given).decode())


def _busy(state: State) -> bool:
    return bool(state.hands) and state.hands[0].phase != "free"


def choose(state: State) -> Tap | Draw | None:
    """The card that turns up most cards, else a draw."""
    held = {hand.place for hand in state.hands if hand.phase in ("carrying", "returning")}
    fitting = [
        place for place, card in enumerate(state.peaks) if card > 0 and place not in held and _fits(card, state.tops)
    ]
    if fitting:
        return Tap(max(fitting, key=lambda place: _turns_up(state, place)))
    return Draw() if state.stocks[0] else None


def _fits(card: int, tops: tuple[int, ...]) -> bool:
    return any(abs((card - 1) // 4 - (top - 1) // 4) in (1, 12) for top in tops)


def _turns_up(state: State, place: int) -> int:
    return sum(all(state.peaks[cover] < 0 for cover in COVERS[below] if cover != place) for below in LIES_ON[place])


async def sit_down(port: int, tokens: list[str], seconds: float, pipe: Connection) -> list[Person]:
    """Everybody plays for so long."""
    async with contextlib.AsyncExitStack() as sockets:
        people = []
        for seed, token in enumerate(tokens):
            address = f"ws://{HOST}:{port}/ws/{token}"
            socket = await sockets.enter_async_context(connect(address, proxy=None, compression=None))
            people.append(Person(socket, seed))
        playing = [asyncio.create_task(person.play()) for person in people]
        await asyncio.sleep(SETTLING_SECONDS)
        begin = time.perf_counter()
        pipe.send("settled")
        await asyncio.sleep(seconds)
        pipe.send("enough")
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    for person in people:
        person.delays = [(seen, delay) for seen, delay in person.delays if seen >= begin]
    return people


def measure(tables: int = 500, seconds: float = 30.0, agent: str = "lookahead") -> None:
    """Play at many tables at once and print the figures.

    Args:
        tables: At once.
        seconds: To measure, after a few to settle.
        agent: The partner of each person.
    """
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(tables, agent, there))
    server.start()
    port, tokens = here.recv()
    people = asyncio.run(sit_down(port, tokens, seconds, here))
    lateness, share, memory = here.recv()
    server.join()
    delays = [delay for person in people for _, delay in person.delays]
    games = sum(person.games for person in people)
    print(f"{tables} tables with {agent}, {seconds:g} s, {len(delays)} actions, {games} games ended")
    for name, figures in (("tick lateness", lateness), ("tap to picture", delays)):
        p50, p99 = np.percentile(figures, (50, 99))
        print(f"{name}: p50 {p50:.1f} ms, p99 {p99:.1f} ms, worst {max(figures):.1f} ms")
    print(f"server: {share:.2f} of a core, {memory:.0f} MB")


if __name__ == "__main__":
    tyro.cli(measure)
