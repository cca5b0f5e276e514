"""Clients of real-time tables that mean no good: refused or cut off, and whoever plays beside them notices nothing."""

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from at_table import PERSON, Guest, on_server, open_table, partner, seated, span
from gipfelsturm.envs.rules.replay import replay
from gipfelsturm.play import realtime_routes, realtime_sockets
from gipfelsturm.play.keeper import Keeper
from gipfelsturm.play.launch import HOST, RECEIVE_BYTES
from gipfelsturm.play.messages import Tally
from gipfelsturm.play.realtime_messages import MOST_BYTES
from gipfelsturm.play.realtime_sockets import MOST_UNREAD_BYTES, REFUSED, TOO_SLOW, SocketLine
from gipfelsturm.play.room import FLOOD, FLOODING, NO_SUCH_SEAT, Line
from gipfelsturm.play.statistics import Statistics
from serving import JSON, Clock, Serving, serving
from test_realtime_evenings import FIELDS, VALUES


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("house") / "results.sqlite3", by_hand=True, clock=Clock()) as started:
        yield started


@pytest.fixture
def table(house: Serving) -> Iterator[tuple[str, Guest]]:
    """The token of somebody at a table, and somebody else there, who can play on afterwards."""
    tokens = open_table(house, PERSON, PERSON, clock=None)
    with seated(house, tokens[0]) as bystander:
        with seated(house, tokens[1]) as other:
            for guest in (bystander, other):
                guest.say("go")
        yield tokens[1], bystander
        bystander.listen()
        span(house, 3)
        bystander.say("draw")
        span(house, 3)
        assert bystander.last("state")["stocks"][0] == 10
        assert '"refused"' not in "".join(bystander.heard)


BAD = [
    "",
    "draw",
    "[]",
    "null",
    "{}",
    '{"type": "win"}',
    '{"type": "tap"}',
    '{"type": "tap", "place": 28}',
    '{"type": "tap", "place": -1}',
    '{"type": "tap", "place": "18"}',
    '{"type": "tap", "place": 1e99}',
    '{"type": "tap", "place": 18, "seat": 0}',
    '{"type": "call", "call": 0}',
    '{"type": "call", "call": 16}',
    '{"type": "replace"}',
    '{"type": "draw", "as": "admin"}',
    '{"type": "go"' + " " * MOST_BYTES + "}",
    "[" * MOST_BYTES,
    b'{"type": "draw"}',
    b"\xff\xfe",
]


@pytest.mark.parametrize("frame", BAD)
def test_a_message_that_is_none_ends_the_connection(
    house: Serving, table: tuple[str, Guest], frame: str | bytes
) -> None:
    token, _ = table
    with seated(house, token) as guest:
        guest.send(frame)
        assert guest.end() == REFUSED
        assert guest.socket.close_reason


def test_text_that_is_none_ends_the_connection_and_says_nothing_on_the_console(
    house: Serving, table: tuple[str, Guest], caplog: pytest.LogCaptureFixture
) -> None:
    with seated(house, table[0]) as guest:
        guest.socket.send(b"\xff\xfe", text=True)
        assert guest.end() == REFUSED
    with seated(house, table[0]) as guest:
        guest.socket.send([b"\xc3", b"\x28"], text=True)
        assert guest.end() == REFUSED
    assert caplog.records == []


def test_a_message_beyond_all_bounds_is_not_even_read(house: Serving, table: tuple[str, Guest]) -> None:
    with seated(house, table[0]) as guest:
        guest.send(" " * 100_000)
        assert guest.end() == 1009


@pytest.mark.parametrize("fields", [{"place": 0}, {"place": 18, "pile": 2}])
def test_what_the_table_refuses_is_said_to_that_person_alone(
    house: Serving, table: tuple[str, Guest], fields: dict[str, int]
) -> None:
    token, bystander = table
    with seated(house, token) as guest:
        span(house, 2)
        bystander.listen()
        guest.say("tap", **fields)
        assert guest.last("refused")["reason"] in ("face down", "not at this table")
        assert "refused" not in bystander.kinds()


def test_a_replayed_message_is_only_done_once(house: Serving, table: tuple[str, Guest]) -> None:
    token, _ = table
    with seated(house, token) as guest:
        guest.say("go")
        span(house, 2)
        for _ in range(5):
            guest.say("draw")
        span(house, 3)
        assert guest.last("state")["stocks"][1] >= 9


def test_a_flood_ends_the_connection(house: Serving, table: tuple[str, Guest]) -> None:
    token, _ = table
    with seated(house, token) as guest:
        span(house)
        guest.send(*['{"type":"tap","place":0}'] * (3 * FLOOD))
        assert guest.end() == FLOODING
        assert sum('"refused"' in message for message in guest.heard) <= 2


def test_somebody_who_does_not_read_is_cut_off(
    house: Serving, table: tuple[str, Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(realtime_sockets, "CLOSE_SECONDS", 0.05)
    token, bystander = table
    with raw_socket(house, token, receive_bytes=4096) as connection:
        assert b"101" in connection.recv(100)
        room = house.loop.tables._by_token[token]
        line = seated_line(house, token)
        transport = line._protocol.transport
        for _ in range(20_000):  # the system takes some megabytes
            on_server(house, post(line))
            assert transport.get_write_buffer_size() < MOST_UNREAD_BYTES + 2 * len(LONG)
            if line.verdict:
                break
        assert line.verdict == (TOO_SLOW, "too slow to read")
        while 1 in room.lines or not transport.is_closing():
            on_server(house, asyncio.sleep(0))
    assert list(room.lines) == [0]
    assert bystander.last("roster")["players"][0]["present"]


def test_pings_whose_answers_are_not_read_end_the_connection(house: Serving, table: tuple[str, Guest]) -> None:
    ping = b"\x89\xfd" + bytes(4) + b"x" * 125
    with raw_socket(house, table[0], receive_bytes=4096) as connection:
        assert b"101" in connection.recv(100)
        line = seated_line(house, table[0])
        with pytest.raises(OSError, match="reset|Broken pipe"):
            for _ in range(2000):
                connection.sendall(ping * 100)
                unread = line._protocol.transport.get_write_buffer_size()
                assert unread < MOST_UNREAD_BYTES + 2 * RECEIVE_BYTES


def seated_line(house: Serving, token: str) -> SocketLine:
    """The line of seat 1, once the server has seated who was let in."""
    lines = house.loop.tables._by_token[token].lines
    while 1 not in lines:
        on_server(house, asyncio.sleep(0))
    line = lines[1]
    assert isinstance(line, SocketLine)
    return line


LONG = b"x" * 1000


async def post(line: Line) -> None:
    line.post(LONG)


@contextlib.contextmanager
def raw_socket(house: Serving, token: str, receive_bytes: int) -> Iterator[socket.socket]:
    """A websocket by hand."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        connection.settimeout(20)
        connection.connect((HOST, house.port))
        connection.sendall(upgrade(house, f"/ws/{token}"))
        yield connection


def upgrade(house: Serving, path: str, **headers: str) -> bytes:
    lines = {
        "host": f"{HOST}:{house.port}",
        "connection": "Upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    } | headers
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"GET {path} HTTP/1.1\r\n{head}\r\n".encode()


# Who may come


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1"])
def test_pages_of_other_origins_open_no_websocket(house: Serving, table: tuple[str, Guest], origin: str) -> None:
    with pytest.raises(InvalidStatus, match="403"), seated(house, table[0], origin):
        pass


def test_the_own_origin_is_welcome(house: Serving, table: tuple[str, Guest]) -> None:
    with seated(house, table[0], house.address) as guest:
        span(house)
        assert guest.last("welcome")["seat"] == 1


def test_the_server_answers_to_no_other_name(house: Serving, table: tuple[str, Guest]) -> None:
    with socket.create_connection((HOST, house.port), timeout=20) as connection:
        connection.sendall(upgrade(house, f"/ws/{table[0]}", host="evil.example"))
        assert connection.recv(12) == b"HTTP/1.1 403"


@pytest.mark.parametrize("token", ["guess", "%2e%2e", "..%2f..%2fetc%2fpasswd", "'%20OR%201=1", "x" * 3000, "%00"])
def test_a_guessed_token_opens_nothing(house: Serving, table: tuple[str, Guest], token: str) -> None:
    with contextlib.suppress(ConnectionClosed, InvalidStatus), seated(house, token) as guest:
        assert guest.end() == NO_SUCH_SEAT
        assert guest.heard == []


@pytest.mark.parametrize("path", ["/ws", "/ws/", "/ws/a/b", "/api/tripeaks", "/", "/gipfelsturm/a"])
def test_a_websocket_elsewhere_is_refused(house: Serving, path: str) -> None:
    with socket.create_connection((HOST, house.port), timeout=20) as connection:
        connection.sendall(upgrade(house, path))
        assert connection.recv(12) in (b"HTTP/1.1 403", b"HTTP/1.1 404")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/ws/x", 404),
        ("GET", "/api/tables", 405),
        ("POST", "/api/partners", 405),
        ("DELETE", "/api/statistics", 405),
        ("GET", "/api/qr/..%2f..%2fsecret", 404),
        ("GET", "/gipfelsturm/../../etc/passwd", 404),
        ("GET", "/gipfelsturm/a/b", 404),
    ],
)
def test_other_methods_and_paths_are_refused(house: Serving, method: str, path: str, status: int) -> None:
    assert house.request(method, path)[0] == status


PLANS = [
    b"",
    b"[]",
    b'{"seats": []}',
    b'{"seats": [{}]}',
    b'{"seats": [{}, {}, {}, {}]}',
    b'{"seats": [{"agent": "random"}, {"agent": "random"}]}',
    b'{"seats": [{}, {"agent": "os:system"}]}',
    b'{"seats": [{}, {"agent": "search@9999999"}]}',
    b'{"seats": [{}, {"agent": "random", "pace": "fast"}]}',
    b'{"seats": [{}, {}], "preset": "impossible"}',
    b'{"seats": [{}, {}], "stock": 99}',
    b'{"seats": [{}, {}], "clock": -1}',
    b'{"seats": [{}, {}], "clock": 1e300}',
    b'{"seats": [{}, {}], "games": 101}',
    b'{"seats": [{}, {}], "deal": 17}',
    b'{"seats": [{}, {}]' + b" " * 1000 + b"}",
    b'{"seats": [{}, {}]' + b" " * 5000 + b"}",
    b"[" * 900,
]


@pytest.mark.parametrize("plan", PLANS)
def test_a_table_that_cannot_be_is_refused_in_a_sentence(house: Serving, plan: bytes) -> None:
    tables = len(house.loop.tables)
    status, _, body = house.request("POST", "/api/tables", plan, JSON)
    answer = json.loads(body)
    assert (status, answer["kind"]) == (400, "fault")
    assert answer["fault"] and "Traceback" not in answer["fault"]
    assert len(house.loop.tables) == tables


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}])
def test_no_other_page_opens_tables(house: Serving, headers: dict[str, str]) -> None:
    body = json.dumps({"seats": [PERSON, partner()]}).encode()
    assert house.request("POST", "/api/tables", body, JSON | headers)[0] == 403


# Who asks for too much


def test_nobody_passes_for_somebody_else_by_a_header(house: Serving) -> None:
    body = json.dumps({"seats": [PERSON, partner()]}).encode()
    forged = {"x-forwarded-for": "10.0.0.1", "forwarded": "for=10.0.0.1", "x-real-ip": "10.0.0.1"}
    house.loop.ready.result()
    token = json.loads(house.request("POST", "/api/tables", body, JSON | forged)[2])["seats"][0]["token"]
    assert house.loop.tables._by_token[token].opener == HOST


def test_no_tick_waits_for_codes_and_they_are_made_one_at_a_time(
    house: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = open_table(house, PERSON, PERSON, PERSON)
    going, seen, served = threading.Semaphore(0), list[bool](), list[int]()

    def slow(link: str) -> bytes:
        seen.append(making.acquire(blocking=False))
        going.acquire()
        making.release()
        return link.encode()

    making = threading.Lock()
    monkeypatch.setattr(realtime_routes, "code_as_svg", slow)
    askers = [
        threading.Thread(target=lambda token=token: served.append(house.request("GET", f"/api/qr/{token}")[0]))
        for token in tokens
    ]
    for asker in askers:
        asker.start()
    while not seen:
        span(house)  # it goes on though none is made yet
    for _ in tokens:
        going.release()
    for asker in askers:
        asker.join()
    assert (seen, served) == ([True] * 3, [200] * 3)


def test_statistics_are_added_up_for_one_after_another(house: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    arrived, inside, served = list[str](), list[int](), list[int]()
    whole = Keeper.statistics

    def new_caller(request: object) -> str:
        arrived.append(f"caller {len(arrived)}")
        return arrived[-1]

    async def slow(keeper: Keeper, tally: Tally, tripeaks: list[tuple[str, bool]]) -> Statistics:
        inside.append(len(inside) + 1 - len(served_inside))
        while len(arrived) < 3:
            await asyncio.sleep(0)
        told = await whole(keeper, tally, tripeaks)
        served_inside.append(1)
        return told

    served_inside = list[int]()
    monkeypatch.setattr(realtime_routes, "caller", new_caller)
    monkeypatch.setattr(Keeper, "statistics", slow)
    askers = [
        threading.Thread(target=lambda: served.append(house.request("GET", "/api/statistics")[0])) for _ in range(3)
    ]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert (inside, served) == ([1, 1, 1], [200, 200, 200])


# Nonsense in bulk


def test_ten_thousand_random_messages_leave_the_table_sound(house: Serving, table: tuple[str, Guest]) -> None:
    dice = np.random.default_rng(0)
    (token,) = open_table(house, PERSON, partner("uncover"), clock=3)
    sent = closed = 0
    while sent < 10_000:
        with seated(house, token) as guest:
            while sent < 10_000 and guest.socket.close_code is None:
                burst = [nonsense(dice) for _ in range(int(dice.integers(1, 100)))]
                guest.send(*burst)
                sent += len(burst)
                span(house, 2)
            closed += guest.socket.close_code is not None
    room = house.loop.tables._by_token[token]
    *_, last = replay(room.table.transcript())
    assert last.tobytes() == room.table._game._batch.games.tobytes()
    assert room.table._games_dealt >= 2
    assert closed > 10
    assert len(house.loop.tables._rooms) < 100 and not room._held


def nonsense(dice: np.random.Generator) -> str:
    """Mostly a message that means something."""
    kind = str(dice.choice(list(FIELDS)[:-1]))
    fields: dict[str, object] = {"type": kind}
    for name in FIELDS[kind]:
        fields[name] = int(dice.integers(28) if name == "place" else dice.integers(1, 3))
    if dice.random() < 0.004:
        fields[str(dice.choice(["type", "place", "pile", "x"]))] = VALUES[int(dice.integers(len(VALUES)))]
    return json.dumps(fields)
