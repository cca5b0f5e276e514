"""`gipfelsturm play` as its users call it."""

import asyncio
import contextlib
import http.client
import json
import logging
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from gipfelsturm.envs.rules.transcript_text import read_transcript
from gipfelsturm.play import launch
from gipfelsturm.play.connections import AT_ONCE, MOST_CONNECTIONS, OTHER_FILES, allow_connections
from gipfelsturm.play.table_offer import PARTNERS

GIPFELSTURM = Path(sys.executable).with_name("gipfelsturm")


def environment(home: Path, **more: str) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"XDG_DATA_HOME": str(home)} | more


def play(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [GIPFELSTURM, "play", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment(home, **more), check=False)


@contextlib.contextmanager
def started(home: Path, *arguments: str | Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server of its own, and its port."""
    command: list[str | Path] = [GIPFELSTURM, "play", "--no-browser", "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(home)) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(
            r"TriPeaks and Gipfelsturm are on the table at http://127\.0\.0\.1:(\d+) - end with Ctrl\+C\n", line
        )
        assert found, line
        yield process, int(found[1])


def ask(port: int, message: object, path: str = "/api/tripeaks", host: str = "127.0.0.1") -> dict[str, Any]:
    """The answer to a message."""
    connection = http.client.HTTPConnection(host, port, timeout=60)
    connection.request("POST", path, json.dumps(message), {"content-type": "application/json"})
    answer: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def get(port: int, path: str) -> dict[str, Any]:
    """The answer to a question."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
        told: dict[str, Any] = json.loads(answer.read())
    return told


def test_it_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    with started(tmp_path) as (process, port):
        assert ask(port, {"kind": "sit", "table": ""})["kind"] == "seated"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    assert (tmp_path / "gipfelsturm" / "results.sqlite3").is_file()


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = play(tmp_path, "--no-browser", "--port", port)
    fault = f"gipfelsturm: port {port} is taken: end what uses it, or name another one with --port\n"
    assert (done.returncode, done.stderr, done.stdout) == (2, fault, "")


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_that_is_none_is_one_sentence(tmp_path: Path, port: str) -> None:
    done = play(tmp_path, "--no-browser", "--port", port)
    assert (done.returncode, done.stderr) == (2, f"gipfelsturm: port must be 0 to 65535, not {port}\n")


def test_results_that_cannot_be_kept_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "gipfelsturm").write_text("in the way")
    done = play(tmp_path, "--no-browser", "--port", "0")
    assert done.returncode == 2
    cure = "make it writable, or set XDG_DATA_HOME to a folder that is"
    assert re.fullmatch(rf"gipfelsturm: cannot keep results in .*; {cure}\n", done.stderr)


def test_without_a_server_it_says_what_to_install(tmp_path: Path) -> None:
    hidden = tmp_path / "sitecustomize.py"
    hidden.write_text("import sys; sys.modules['starlette'] = None\n")
    done = play(tmp_path, "--no-browser", PYTHONPATH=str(tmp_path))
    fault = "gipfelsturm: the table in the browser needs a server: pip install 'gipfelsturm[play]'\n"
    assert (done.returncode, done.stderr) == (2, fault)


def test_a_request_that_the_end_cuts_off_is_no_news() -> None:
    launch.configure(None)
    (heard,) = logging.getLogger("uvicorn.error").filters
    for fault, told in ((asyncio.CancelledError(), False), (RuntimeError(), True)):
        record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "fault", None, (type(fault), fault, None))
        assert callable(heard) and heard(record) == told
    assert launch.is_news(logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "a line", None, None))


def test_the_system_is_asked_for_as_many_files_as_there_may_be_connections() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        connections = allow_connections()
        allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert allowed == hard or allowed > MOST_CONNECTIONS
        assert connections <= allowed - OTHER_FILES
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(
    ("soft", "hard", "connections"),
    [(256, 600, 400), (600, 600, 400), (256, 300, 150), (256, -1, MOST_CONNECTIONS), (-1, -1, MOST_CONNECTIONS)],
)
def test_where_few_files_may_be_open_there_are_fewer_connections(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, connections: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: None)
    assert allow_connections() == connections
    assert launch.configure(None, connections).limit_concurrency == connections
    assert launch.configure(None).backlog == AT_ONCE < OTHER_FILES


def test_every_partner_is_compiled_once_and_the_suggested_one_early() -> None:
    order = launch.in_order_of_compilation()
    assert sorted(order) == sorted(PARTNERS)
    assert order[:5] == ["lookahead", "careful", "random", "uncover", "learned"]


def test_browsers_leave_out_the_usual_port() -> None:
    assert [launch.called("localhost", port) for port in (80, 8080)] == ["localhost", "localhost:8080"]


def test_without_a_browser_it_says_what_to_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    launch.show("http://127.0.0.1:8028")
    assert capsys.readouterr().err == "gipfelsturm: no browser was found here: open http://127.0.0.1:8028 in yours\n"


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    with started(tmp_path) as (process, port):
        table = ask(port, {"kind": "sit", "table": ""})["table"]
        for turn, kind in enumerate(("draw", "deal", "draw", "draw")):
            view = ask(port, {"kind": kind, "table": table, "turn": turn})
            assert view["refused"] == ""
        process.kill()
    with started(tmp_path) as (process, port):
        again = ask(port, {"kind": "sit", "table": table})["view"]
        tally = ask(port, {"kind": "statistics", "table": table})
        process.kill()
    assert (again["stock"], again["peaks"], again["top"]) == (21, view["peaks"], view["top"])
    assert (tally["deals"], tally["won"]) == (1, 0)


# Gipfelsturm


def play_until_over(port: int) -> dict[str, Any]:
    """A game of half a second; what was told of its end."""
    table = ask(port, {"seats": [{}, {"agent": "lookahead"}], "clock": 0.5}, "/api/tables")
    address = f"ws://127.0.0.1:{port}/ws/{table['seats'][0]['token']}"
    with connect(address, proxy=None) as table_socket:
        table_socket.send('{"type":"go"}')
        for text in table_socket:
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "over":
                return message
    raise AssertionError("the server ended the connection")


def test_a_server_that_is_killed_at_once_has_kept_the_game(tmp_path: Path) -> None:
    records = tmp_path / "records"
    with started(tmp_path, "--record", records) as (process, port):
        assert get(port, "/api/partners")["recording"]
        over = play_until_over(port)
        process.kill()
    with started(tmp_path) as (process, port):
        (row,) = get(port, "/api/statistics")["rows"]
        assert not get(port, "/api/partners")["recording"]
        process.kill()
    assert (row["partners"], row["games"], row["won"], row["longest"]) == (["lookahead"], 1, 0, over["longest"])
    (file,) = records.iterdir()
    assert file.name.startswith(over["deal"])
    assert read_transcript(file.read_text()).ticks == over["ticks"] == 5


def test_records_that_cannot_be_kept_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = play(tmp_path, "--no-browser", "--port", "0", "--record", str(tmp_path / "file"))
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"gipfelsturm: cannot keep records in .*; name another folder with --record\n", done.stderr)


def test_friends_are_told_the_address_and_may_come_by_it(tmp_path: Path) -> None:
    with started(tmp_path, "--host") as (process, port):
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(rf"For friends in the same network: (http://([\d.]+):{port})\n", line)
        assert found, line
        assert "█" in process.stdout.readline() + process.stdout.readline()
        table = ask(port, {"seats": [{}, {}]}, "/api/tables", host=found[2])
        assert get(port, "/api/partners")["address"] == found[1]
        assert [seat["link"].startswith(f"{found[1]}/gipfelsturm/") for seat in table["seats"]] == [True, True]
        process.kill()
    with launch.listen(0) as alone, pytest.raises(ConnectionRefusedError):
        ask(alone.getsockname()[1], {}, host=found[2])
