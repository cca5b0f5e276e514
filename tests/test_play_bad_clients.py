"""Clients that mean no good, or do not know better: each is refused, and nobody else is disturbed."""

import asyncio
import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gipfelsturm.play import tripeaks_tables
from gipfelsturm.play.advice import Adviser
from gipfelsturm.play.guard import MOST_BYTES
from gipfelsturm.play.launch import HOST
from gipfelsturm.play.messages import Hint, Hinted, Seated, Sit, Statistics, Tally, View, read_message
from gipfelsturm.play.tripeaks_results import Results
from gipfelsturm.play.tripeaks_tables import TriPeaksTables
from gipfelsturm.play.turns import MOST_WAITING
from serving import JSON, Clock, Serving, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "results.sqlite3") as started:
        yield started


@pytest.fixture
def bystander(server: Serving) -> Iterator[None]:
    """Somebody else's game, which has to be the same afterwards."""
    seated = server.sit()
    yield
    assert server.sit(table=seated["table"]) == seated


@pytest.mark.usefixtures("bystander")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"draw",
        b"[]",
        b"null",
        b'{"kind": "draw"}',
        b'{"kind": "win", "table": "", "turn": 0}',
        b'{"table": "", "turn": 0}',
        b'{"kind": "tap", "table": "", "turn": 0, "place": 28}',
        b'{"kind": "tap", "table": "", "turn": 0, "place": -1}',
        b'{"kind": "tap", "table": "", "turn": 0, "place": "18"}',
        b'{"kind": "tap", "table": "", "turn": 0, "place": 1e99}',
        b'{"kind": "draw", "table": "", "turn": -1}',
        b'{"kind": "draw", "table": "", "turn": 99999999999999999999}',
        b'{"kind": "draw", "table": "", "turn": 0, "as": "admin"}',
        b'{"kind": "sit", "table": 7}',
        b'{"kind": "sit", "table": "' + b"x" * 65 + b'"}',
        b'{"kind": "sit", "table": "", "deal": "' + b"0" * 41 + b'"}',
        b"\xff\xfe",
        b"[" * 1500,
        b'{"kind": "sit", "table": "\xed\xa0\x80"}',
    ],
)
def test_a_message_that_is_none_is_refused_in_a_sentence(server: Serving, body: bytes) -> None:
    status, answer = server.post(body)
    assert (status, answer["kind"]) == (400, "fault")
    assert answer["fault"].startswith("message cannot be read: ") and len(answer["fault"]) < 200


@pytest.mark.usefixtures("bystander")
def test_a_table_that_nobody_has_is_not_found(server: Serving) -> None:
    for table in ("", "guess", "../../../etc/passwd", "' OR 1=1 --"):
        assert server.post({"kind": "draw", "table": table, "turn": 0}) == (
            404,
            {"kind": "fault", "fault": "no such table"},
        )


@pytest.mark.usefixtures("bystander")
def test_a_long_message_is_refused(server: Serving) -> None:
    status, answer = server.post(b" " * (MOST_BYTES + 1))
    assert (status, answer["fault"]) == (400, f"message must be at most {MOST_BYTES} bytes")


@pytest.mark.usefixtures("bystander")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"content-type": "text/plain"}, 400),
        ({"content-type": "application/x-www-form-urlencoded"}, 400),
    ],
)
def test_pages_of_other_origins_are_refused(server: Serving, headers: dict[str, str], status: int) -> None:
    body = json.dumps({"kind": "sit", "table": ""}).encode()
    assert server.request("POST", "/api/tripeaks", body, JSON | headers)[0] == status


def test_the_own_origin_is_welcome(server: Serving) -> None:
    assert server.post({"kind": "sit", "table": ""}, JSON | {"origin": server.address})[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/page/../tripeaks_table.py",
        "/page/..%2ftripeaks_table.py",
        "/page/%2e%2e/server.py",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/style.css%00.html",
        "/page/",
        "/page",
        "//etc/passwd",
        "/../../../../etc/passwd",
        "/tripeaks/a/b",
        "/api/tripeaks/..",
    ],
)
def test_no_file_but_the_pages_own_can_be_had(server: Serving, path: str) -> None:
    status, _, body = server.request("GET", path)
    assert status == 404
    assert len(body) < 100 and b"import" not in body and b"root:" not in body


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/tripeaks"), ("POST", "/tripeaks"), ("DELETE", "/")])
def test_other_methods_are_refused(server: Serving, method: str, path: str) -> None:
    assert server.request(method, path)[0] == 405


@pytest.mark.usefixtures("bystander")
@pytest.mark.parametrize(
    "raw",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(300),
        b"GET / HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n",
        b"GET /" + b"a" * 100_000,
        b"POST /api/tripeaks HTTP/1.1\r\nhost: HOST\r\ncontent-type: application/json\r\ncontent-length: -1\r\n\r\n",
        b"POST /api/tripeaks HTTP/1.1\r\nhost: HOST\r\ncontent-type: application/json\r\n"
        b"transfer-encoding: chunked\r\n\r\nFFFFFFFFFFFF\r\n",
    ],
)
def test_what_is_no_request_ends_the_connection_or_waits_alone(server: Serving, raw: bytes) -> None:
    with socket.create_connection((HOST, server.port), timeout=10) as connection:
        connection.sendall(raw.replace(b"HOST", f"{HOST}:{server.port}".encode()))
        answer = b""
        with contextlib.suppress(OSError):  # the server may have ended the connection by now
            connection.shutdown(socket.SHUT_WR)
            answer = connection.recv(12)
    assert answer in (b"", b"HTTP/1.1 400", b"HTTP/1.1 403")


def test_ten_thousand_random_messages_leave_the_table_unharmed(tmp_path: Path) -> None:
    dice = np.random.default_rng(6)
    results = Results(tmp_path / "results.sqlite3")
    tables = TriPeaksTables(results, Adviser(50, 10), lambda: 5_000_000, Clock())

    async def play() -> View:
        seated = await tables.answer(Sit(""))
        assert isinstance(seated, Seated)
        view = seated.view
        for _ in range(10_000):
            try:
                message = read_message(json.dumps(random_message(dice, seated.table, view.turn)).encode())
            except ValueError:
                continue
            answer = await tables.answer(message)
            view = answer if isinstance(answer, View) else view
        return view

    view = asyncio.run(play())
    tables.close()
    results.close()
    assert view.turn > 100
    assert (view.cleared, view.moves) == (view.peaks.count(""), view.cleared + 23 - view.stock)


@pytest.mark.usefixtures("bystander")
def test_a_flood_over_one_connection_is_answered_one_by_one(server: Serving) -> None:
    table = server.sit()["table"]
    with socket.create_connection((HOST, server.port), timeout=20) as connection:
        connection.sendall(as_request(server, {"kind": "draw", "table": table, "turn": 0}) * 200)
        connection.shutdown(socket.SHUT_WR)
        answers = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answers.count(b'"refused":""') <= 1
    assert server.sit(table=table)["view"]["stock"] == 22


def random_message(dice: np.random.Generator, table: str, turn: int) -> object:
    """Mostly a message that could be one, at times with a field that is none."""
    kinds = ("tap", "draw", "undo", "again", "deal", "show", "sit", "replay", "statistics", "hints", "")
    message: dict[str, object] = {"kind": str(dice.choice(kinds)), "table": table}
    if message["kind"] in ("tap", "draw", "undo", "again", "deal"):
        message["turn"] = turn + int(dice.random() < 0.1)
    if message["kind"] == "tap":
        message["place"] = int(dice.integers(-2, 30))
    if message["kind"] == "show":
        message["shown"] = bool(dice.integers(2))
    if dice.random() < 0.05:
        message[str(dice.choice(["turn", "place", "table", "deal", "x"]))] = [None, "", -1, 2**70, {}][dice.integers(5)]
    return message


def as_request(server: Serving, message: object) -> bytes:
    body = json.dumps(message).encode()
    head = f"POST /api/tripeaks HTTP/1.1\r\nhost: {HOST}:{server.port}\r\ncontent-type: application/json\r\n"
    return head.encode() + f"content-length: {len(body)}\r\n\r\n".encode() + body


def test_whoever_opens_tables_without_end_disturbs_nobody(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tripeaks_tables, "MOST_IN_MEMORY", 20)
    played, looked_at = server.sit()["table"], server.sit()
    for turn in range(2):
        server.post({"kind": "draw", "table": played, "turn": turn})
    for _ in range(40):
        server.post({"kind": "draw", "table": server.sit()["table"], "turn": 0})
    assert len(server.tables) == 20
    assert played in server.tables
    assert server.sit(table=looked_at["table"]) == looked_at, "it comes back from the file"
    assert server.sit(table=played)["view"]["moves"] == 2


def test_whoever_asks_for_hints_without_end_waits_behind_themselves(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.sqlite3")
    tables = TriPeaksTables(results, Adviser(50, 10), lambda: 5_000_000, Clock())
    heard: list[str] = []

    async def ask(asker: str, seated: Seated) -> None:
        answer = await tables.answer(Hint(seated.table, seated.view.turn), asker=asker)
        heard.append(asker if isinstance(answer, Hinted) else "refused")

    async def flood() -> None:
        askers = [*["flooder"] * 40, "guest"]
        seats = [await tables.answer(Sit("")) for _ in askers]  # all of them before the first hint is asked for
        async with asyncio.TaskGroup() as group:
            for asker, seated in zip(askers, seats, strict=True):
                assert isinstance(seated, Seated)
                group.create_task(ask(asker, seated))

    asyncio.run(flood())
    tables.close()
    results.close()
    served = [asker for asker in heard if asker != "refused"]
    assert served.index("guest") <= 2 and len(served) == 1 + MOST_WAITING + 1


def test_whoever_has_gone_by_their_turn_takes_no_hint(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.sqlite3")
    tables = TriPeaksTables(results, Adviser(50, 10), lambda: 5_000_000, Clock())

    async def ask() -> int:
        seated = await tables.answer(Sit(""))
        assert isinstance(seated, Seated)
        assert isinstance(await tables.answer(Hint(seated.table, 0), gone=lambda: True), View)
        assert isinstance(await tables.answer(Hint(seated.table, 0)), Hinted)
        view = await tables.answer(Hint(seated.table, 1))
        assert isinstance(view, View)
        return view.hints

    assert asyncio.run(ask()) == 1
    tables.close()
    results.close()


def test_whoever_asks_for_statistics_without_end_waits_behind_themselves(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.sqlite3")
    tables = TriPeaksTables(results, Adviser(50, 10), lambda: 5_000_000, Clock())
    heard: list[str] = []

    async def ask(asker: str, table: str) -> None:
        answer = await tables.answer(Statistics(table), asker=asker)
        heard.append(asker if isinstance(answer, Tally) else "refused")

    async def flood() -> None:
        await asyncio.gather(*[ask("flooder", f"{number}") for number in range(40)], ask("guest", ""))

    asyncio.run(flood())
    tables.close()
    results.close()
    served = [asker for asker in heard if asker != "refused"]
    assert served.index("guest") <= 2 and len(served) == 1 + MOST_WAITING + 1


def test_the_stopwatch_of_a_table_that_made_room_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tripeaks_tables, "MOST_IN_MEMORY", 2)
    clock = Clock()
    with serving(tmp_path / "results.sqlite3", clock=clock) as server:
        table = server.sit()["table"]
        server.post({"kind": "draw", "table": table, "turn": 0})
        clock.now = 60_000
        for _ in range(2):
            busier = server.sit()["table"]
            for turn in range(2):
                server.post({"kind": "draw", "table": busier, "turn": turn})
        assert table not in server.tables
        _, drawn = server.post({"kind": "draw", "table": table, "turn": 1})
        clock.now = 70_000
        _, later = server.post({"kind": "draw", "table": table, "turn": 2})
    assert (drawn["ticking"], drawn["elapsed"], later["elapsed"]) == (True, 60_000, 70_000)


def test_whoever_has_many_connections_leaves_some_for_all_others(tmp_path: Path) -> None:
    with serving(tmp_path / "results.sqlite3", connections=20) as server, contextlib.ExitStack() as end:
        for host, most in (("127.0.0.2", 10), ("127.0.0.3", 5)):
            opened = [
                end.enter_context(socket.create_connection((HOST, server.port), 10, (host, 0))) for _ in range(15)
            ]
            assert [connection.recv(1) for connection in opened[most:]] == [b""] * (15 - most), "ended at once"
            for connection in opened[:most]:
                connection.setblocking(False)
                with pytest.raises(BlockingIOError):
                    connection.recv(1)
        assert server.sit()["view"]["moves"] == 0


def test_connections_that_say_nothing_keep_nobody_out(server: Serving) -> None:
    idle = [socket.create_connection((HOST, server.port), timeout=10) for _ in range(100)]
    try:
        assert server.sit()["view"]["moves"] == 0
    finally:
        for connection in idle:
            connection.close()
