"""The server over real sockets: pages, a game, what is kept, and hints beside a game that goes on."""

import http.client
import json
import queue
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from gipfelsturm.envs.rules.deals import deal_id
from gipfelsturm.envs.rules.settings import one_mind
from gipfelsturm.envs.session import Session
from gipfelsturm.play.advice import Advice, Adviser, Move, Question, question_about, warm_up
from gipfelsturm.play.launch import HOST
from gipfelsturm.play.messages import Draw, Worth
from gipfelsturm.play.page_files import FRAME_FILE, read_page
from gipfelsturm.play.tripeaks_results import Results
from gipfelsturm.play.tripeaks_table import TriPeaksTable
from playing import LOST
from serving import JSON, Clock, Serving, serving
from sessions import codes


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    warm_up()
    with serving(tmp_path_factory.mktemp("server") / "results.sqlite3") as started:
        yield started


# Pages


@pytest.mark.parametrize("path", ["/", "/tripeaks", "/tripeaks/000-0YG-J00", "/page/style.css", "/page/tripeaks.js"])
def test_pages_are_sent_and_allow_nothing_from_outside(server: Serving, path: str) -> None:
    status, headers, body = server.request("GET", path)
    assert status == 200 and body
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_a_page_that_the_browser_has_is_not_sent_again(server: Serving) -> None:
    _, headers, _ = server.request("GET", "/page/style.css")
    status, _, body = server.request("GET", "/page/style.css", headers={"if-none-match": headers["etag"]})
    assert (status, body) == (304, b"")


def test_the_page_is_small_and_asks_nobody_else() -> None:
    page = read_page()
    assert sum(len(file.body) for file in page.values()) < 300_000
    for name, file in page.items():
        text = file.body.decode().replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text and "https:" not in text and "//cdn" not in text, name


def test_every_module_is_loaded_ahead() -> None:
    page = {name: file.body.decode() for name, file in read_page().items()}
    for start in (name for name in page if name.endswith(".html")):
        (first,) = re.findall(r'<script type="module" src="/page/([a-z_]+\.js)"', page[start])
        needed, found = {first}, [first]
        while found:
            new = set(re.findall(r'(?:from|import) "\./([a-z_]+\.js)"', page[found.pop()])) - needed
            needed |= new
            found += new
        ahead = re.findall(r'<link rel="modulepreload" href="/page/([a-z_]+\.js)"', page[start])
        assert sorted(ahead) == sorted(needed) and len(needed) > 8, start


def test_every_page_is_whole_and_the_frame_alone_is_none(server: Serving) -> None:
    page = {name: file.body.decode() for name, file in read_page().items()}
    assert FRAME_FILE not in page and server.request("GET", f"/page/{FRAME_FILE}")[0] == 404
    for text in (page[name] for name in page if name.endswith(".html")):
        for once in ("<!doctype html>", "<title>", "<body ", "<main>", "</main>", "<noscript>", "</body>", "</html>"):
            assert text.count(once) == 1, once
        assert text.startswith("<!doctype html>") and text.endswith("</html>\n")


# A game


def test_a_game_over_the_wire(server: Serving) -> None:
    seated = server.sit(deal_id(7))
    table, view = seated["table"], seated["view"]
    assert (seated["kind"], len(table) >= 20, view["cleared"], view["deal"]) == ("seated", True, 0, "")
    status, drawn = server.post({"kind": "draw", "table": table, "turn": view["turn"]})
    assert (status, drawn["kind"], drawn["stock"], drawn["moves"]) == (200, "view", 22, 1)
    _, back = server.post({"kind": "undo", "table": table, "turn": drawn["turn"]})
    assert (back["stock"], back["undos"]) == (23, 1)
    assert server.sit(table=table)["view"] == back


def test_everybody_has_a_table_of_their_own(server: Serving) -> None:
    one, other = server.sit(), server.sit()
    assert one["table"] != other["table"]
    server.post({"kind": "draw", "table": one["table"], "turn": 0})
    assert server.sit(table=other["table"])["view"]["moves"] == 0


def test_a_replayed_message_changes_nothing(server: Serving) -> None:
    table = server.sit()["table"]
    message = {"kind": "draw", "table": table, "turn": 0}
    answers = [server.post(message)[1] for _ in range(3)]
    assert [answer["refused"] for answer in answers] == ["", "out of turn", "out of turn"]
    assert answers[2]["stock"] == 22


def test_a_hint_names_a_place_or_the_stock(server: Serving) -> None:
    seated = server.sit()
    _, hinted = server.post({"kind": "hint", "table": seated["table"], "turn": 0})
    assert (hinted["kind"], hinted["hopeless"], 18 <= hinted["action"] <= 28) == ("hinted", False, True)
    assert server.sit(table=seated["table"])["view"]["hints"] == 1


def test_no_answer_waits_for_the_other_side(server: Serving) -> None:
    table = server.sit()["table"]
    connection = http.client.HTTPConnection(HOST, server.port, timeout=20)
    begin = time.perf_counter()
    for _ in range(50):
        connection.request("POST", "/api/tripeaks", json.dumps({"kind": "replay", "table": table}), JSON)
        connection.getresponse().read()
    connection.close()
    assert time.perf_counter() - begin < 50 * 0.04, "a packet that is held back for an acknowledgement takes 40 ms"


# What is kept


def leave_one(server: Serving) -> str:
    """The token of a table where one deal was touched and left, and one move made in the next."""
    table: str = server.sit()["table"]
    for turn, kind in enumerate(("draw", "deal", "draw")):
        assert server.post({"kind": kind, "table": table, "turn": turn})[1]["refused"] == ""
    return table


def test_a_new_server_goes_on_where_the_old_one_stopped(tmp_path: Path) -> None:
    file, clock = tmp_path / "deep" / "results.sqlite3", Clock()
    deals = iter([5_000_000, 6_000_000])
    with serving(file, clock=clock, new_deal=lambda: next(deals)) as server:
        table = leave_one(server)
        clock.now = 4000
        server.post({"kind": "show", "table": table, "shown": False})
        view = server.sit(table=table)["view"]
    with serving(file, new_deal=lambda: 1_234_567) as server:
        assert server.sit(table=table)["view"] == view
        _, tally = server.post({"kind": "statistics", "table": table})
    assert (view["moves"], view["elapsed"]) == (1, 4000)
    assert (tally["deals"], tally["won"], tally["fastest"]) == (1, 0, None)


def test_what_cannot_be_kept_at_once_is_kept_later(
    server: Serving, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    token = server.sit()["table"]
    before = server.post({"kind": "statistics", "table": ""})[1]["deals"]
    server.post({"kind": "draw", "table": token, "turn": 0})

    def locked(results: object) -> None:
        raise sqlite3.OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(server.tables._results, "add", locked)
        status, view = server.post({"kind": "deal", "table": token, "turn": 1, "deal": deal_id(5_000_123)})
    assert (status, view["moves"], view["turn"]) == (200, 0, 2)
    assert capsys.readouterr().err == "gipfelsturm: a game of TriPeaks could not be kept yet: database is locked\n"
    assert server.post({"kind": "statistics", "table": ""})[1]["deals"] == before
    server.post({"kind": "draw", "table": token, "turn": 2})
    assert server.post({"kind": "statistics", "table": ""})[1]["deals"] == before + 1


def test_what_could_not_be_kept_is_tried_once_more_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(results: object) -> None:
        raise sqlite3.OperationalError("database is locked")

    file = tmp_path / "results.sqlite3"
    with serving(file) as server:
        token = server.sit()["table"]
        server.post({"kind": "draw", "table": token, "turn": 0})
        with monkeypatch.context() as patch:
            patch.setattr(server.tables._results, "add", locked)
            server.post({"kind": "deal", "table": token, "turn": 1, "deal": deal_id(5_000_123)})
        assert server.post({"kind": "statistics", "table": ""})[1]["deals"] == 0
    results = Results(file)
    assert results.tally().deals == 1
    results.close()


def test_two_servers_may_share_a_file(tmp_path: Path) -> None:
    file = tmp_path / "results.sqlite3"
    deals = iter([5_000_000, 6_000_000, 5_000_000, 7_000_000])
    with serving(file, new_deal=lambda: next(deals)) as one, serving(file, new_deal=lambda: next(deals)) as other:
        leave_one(one)
        leave_one(other)
        tally = other.post({"kind": "statistics", "table": ""})[1]
    assert tally["deals"] == 1, "the same deal counts once"


# Hints take their time


class SlowAdviser(Adviser):
    """Answers when it is allowed to."""

    def __init__(self) -> None:
        super().__init__(playouts=20_000)
        self.asked = threading.Semaphore(0)
        self.allowed = threading.Semaphore(0)
        self.stopped: list[bool] = []

    def hint(self, question: Question, stop: Callable[[], bool] = lambda: False) -> Advice:
        self.asked.release()
        self.allowed.acquire(timeout=20)
        self.stopped.append(stop())
        return super().hint(question, stop)


def test_the_table_stays_playable_while_a_hint_is_sought(tmp_path: Path) -> None:
    warm_up()
    adviser = SlowAdviser()
    with serving(tmp_path / "results.sqlite3", adviser) as server:
        table = server.sit()["table"]
        answers: list[dict[str, object]] = []
        ask = {"kind": "hint", "table": table, "turn": 0}
        threads = [threading.Thread(target=lambda: answers.append(server.post(ask)[1])) for _ in range(3)]
        for thread in threads:
            thread.start()
        assert adviser.asked.acquire(timeout=20)
        assert server.post({"kind": "draw", "table": table, "turn": 0})[1]["stock"] == 22
        adviser.allowed.release(10)
        for thread in threads:
            thread.join()
        kinds = sorted(str(answer["kind"]) for answer in answers)
        assert kinds.count("hinted") >= 1
        assert all(answer["kind"] == "hinted" or answer["refused"] for answer in answers)
        assert all(answer.get("turn") == 0 for answer in answers if answer["kind"] == "hinted")
        assert adviser.stopped == [True] * kinds.count("hinted"), "nobody waits for it any more"


class PatientAdviser(Adviser):
    """Thinks until nobody waits for the answer any more."""

    def __init__(self) -> None:
        super().__init__(50, 50)
        self.asked = threading.Semaphore(0)
        self.dropped: queue.SimpleQueue[bool] = queue.SimpleQueue()

    def hint(self, question: Question, stop: Callable[[], bool] = lambda: False) -> Advice:
        self._wait_for(stop)
        return super().hint(question, stop)

    def weigh(self, moves: Iterable[Move], stop: Callable[[], bool] = lambda: False) -> tuple[Worth, ...]:
        self._wait_for(stop)
        return super().weigh(moves, stop)

    def _wait_for(self, stop: Callable[[], bool]) -> None:
        self.asked.release()
        until = time.monotonic() + 10
        while not stop() and time.monotonic() < until:
            time.sleep(0.01)
        self.dropped.put(stop())


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[tuple[Serving, PatientAdviser]]:
    """A server with a table named `lost`, where the game is, and one named `running`."""
    warm_up()
    adviser = PatientAdviser()
    with serving(tmp_path / "results.sqlite3", adviser) as server:
        server.sit()  # compiled by now
        for name, draws in (("running", 1), ("lost", 23)):
            table = TriPeaksTable(codes(LOST))
            for turn in range(draws):
                table.take(Draw(name, turn), 0, lambda: 0)
            server.tables._remember(name, table)
        yield server, adviser


@pytest.mark.parametrize(
    "question", [{"kind": "hint", "table": "running", "turn": 1}, {"kind": "replay", "table": "lost"}]
)
def test_what_was_asked_is_dropped_when_the_asker_has_gone(
    patient: tuple[Serving, PatientAdviser], question: dict[str, object]
) -> None:
    server, adviser = patient
    connection = http.client.HTTPConnection(HOST, server.port, timeout=20)
    connection.request("POST", "/api/tripeaks", json.dumps(question), JSON)
    assert adviser.asked.acquire(timeout=20)
    connection.close()
    assert adviser.dropped.get(timeout=20)


def test_a_replay_is_dropped_when_the_game_has_been_taken_up_again(patient: tuple[Serving, PatientAdviser]) -> None:
    server, adviser = patient
    films: list[dict[str, list[object]]] = []
    ask = threading.Thread(target=lambda: films.append(server.post({"kind": "replay", "table": "lost"})[1]))
    ask.start()
    assert adviser.asked.acquire(timeout=20)
    server.post({"kind": "undo", "table": "lost", "turn": 23})
    ask.join()
    assert adviser.dropped.get(timeout=20)
    assert (len(films[0]["actions"]), films[0]["worth"]) == (23, [])


def test_a_hint_tells_its_reason(server: Serving) -> None:
    seated = server.sit(deal_id(17))
    turn = seated["view"]["turn"]
    _, hinted = server.post({"kind": "hint", "table": seated["table"], "turn": turn})
    told = Adviser(400).hint(question_about(Session(one_mind(), 17)))
    assert told.reason
    assert hinted == {
        "kind": "hinted",
        "turn": turn,
        "action": told.action,
        "hopeless": False,
        "reason": told.reason,
        "cards": list(told.cards),
    }


def test_a_hint_of_a_finished_game_is_refused(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = server.sit()
    monkeypatch.setattr(TriPeaksTable, "ask_hint", lambda self, turn: "game over")
    _, answer = server.post({"kind": "hint", "table": seated["table"], "turn": 0})
    assert (answer["kind"], answer["refused"]) == ("view", "game over")
