"""Real-time tables over real sockets: opened, played at, left, come back to, and remembered."""

import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from at_table import PERSON, Guest, open_table, partner, pass_time, seated, span
from evening import sensible
from gipfelsturm.envs.rules.replay import replay
from gipfelsturm.envs.rules.transcript_text import read_transcript
from gipfelsturm.play import realtime_tables, server
from gipfelsturm.play.page_files import PageFile, read_page
from gipfelsturm.play.realtime_messages import State
from gipfelsturm.play.room import NO_SUCH_SEAT, TAKEN_OVER
from gipfelsturm.play.seats import GONE_MS
from random_play import unseen_cards
from serving import JSON, Clock, Serving, serving


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("house") / "results.sqlite3", by_hand=True, clock=Clock()) as started:
        yield started


def get(house: Serving, path: str) -> Any:  # noqa: ANN401
    status, _, body = house.request("GET", path)
    assert status == 200
    return json.loads(body)


# Opening


def test_what_can_be_chosen_is_offered_and_can_be_opened(house: Serving) -> None:
    offer = get(house, "/api/partners")
    assert (offer["kind"], offer["recording"], offer["address"]) == ("offer", False, "")
    assert offer["partner"] in offer["partners"] and offer["pace"] in offer["paces"]
    for preset in offer["presets"]:
        for name in offer["partners"]:
            (token,) = open_table(house, PERSON, partner(name, "matching"), preset=preset["name"])
            with seated(house, token) as guest:
                settings = guest.last("welcome")["settings"]
            assert settings["stock"] == preset["stocks"][0]
            assert settings["clock_ms"] == 1000 * preset["clock"]
            assert settings["ring"] == preset["ring"]


def test_the_trained_partner_is_suggested_as_soon_as_it_can_be_asked(house: Serving) -> None:
    assert get(house, "/api/partners")["partner"] == "learned"
    house.loop.tables.prepared.discard("learned")
    assert get(house, "/api/partners")["partner"] == "lookahead"
    house.loop.tables.prepared.add("learned")


def test_every_person_has_a_link_of_their_own(house: Serving) -> None:
    body = json.dumps({"seats": [partner(), PERSON, PERSON]}).encode()
    status, _, text = house.request("POST", "/api/tables", body, JSON)
    answer = json.loads(text)
    assert (status, answer["kind"], [seat["seat"] for seat in answer["seats"]]) == (200, "opened", [1, 2])
    tokens = [seat["token"] for seat in answer["seats"]]
    assert len(set(tokens)) == 2 and all(len(token) >= 20 for token in tokens)
    assert [seat["link"] for seat in answer["seats"]] == [f"{house.address}/gipfelsturm/{token}" for token in tokens]


def test_a_link_can_be_photographed(house: Serving) -> None:
    (token,) = open_table(house, PERSON, partner())
    status, headers, body = house.request("GET", f"/api/qr/{token}")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert body.startswith(b"<svg") and b"script" not in body
    assert house.request("GET", "/api/qr/guess")[0] == 404


def test_a_page_stands_under_every_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = PageFile(b"<!doctype html>", "text/html", '"x"')
    names = ("gipfelsturm.html", "statistics.html")
    monkeypatch.setattr(server, "read_page", lambda: read_page() | dict.fromkeys(names, file))
    with serving(tmp_path / "results.sqlite3", by_hand=True) as started:
        for path in ("/gipfelsturm", "/gipfelsturm/anything", "/statistics"):
            assert started.request("GET", path)[0] == 200


def test_a_full_house_says_so(house: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(realtime_tables.RealTimeTables, "open", lambda tables, plan, now, opener: None)
    body = json.dumps({"seats": [PERSON, partner()]}).encode()
    status, _, text = house.request("POST", "/api/tables", body, JSON)
    assert status == 503
    assert json.loads(text)["fault"].endswith("are taken: leave one, or try again in a minute")


# Playing


def play(house: Serving, guests: Sequence[Guest], seed: int, most_spans: int = 600) -> list[tuple[int, list[str]]]:
    """One game from the Go to its end: what each exchange brought, and the ticks of the game after it."""
    dice = np.random.default_rng(seed)
    (room,) = {id(room): room for room in house.loop.tables._rooms.values() if room.lines}.values()
    told = []
    for guest in guests:
        guest.say("go")
    for _ in range(most_spans):
        span(house)
        told.append((room.table._game.ticks, [message for guest in guests for message in guest.listen()]))
        if any('"type":"over"' in message for message in told[-1][1]):
            return told
        for guest in guests:
            state = msgspec.convert(guest.last("state"), State)
            message = sensible(state, guest.last("welcome")["seat"], dice)
            if message is not None:
                guest.send(msgspec.json.encode(message).decode())
    raise AssertionError("the game does not end")


def test_a_game_with_an_agent_from_beginning_to_end(house: Serving) -> None:
    (token,) = open_table(house, PERSON, partner(), clock=30)
    with seated(house, token) as guest:
        assert guest.kinds() == ["welcome", "roster", "state"]
        play(house, [guest], seed=0)
        over = guest.last("over")
        assert over["deal"] and over["status"] != "running"
        assert sum(card >= 0 for card in guest.last("state")["peaks"]) < 28


def test_a_tap_is_answered_at_once(house: Serving) -> None:
    (token,) = open_table(house, PERSON, partner(), clock=None)
    with seated(house, token) as guest:
        guest.say("go")
        span(house, 3)
        guest.listen()
        assert guest.say("draw").kinds() == ["state"]
        assert guest.last("state")["hands"][0]["phase"] == "drawing"
        span(house, 2)
        assert guest.say("tap", place=0).last("refused") == {"type": "refused", "reason": "face down", "place": 0}


def test_three_people_play_together(house: Serving) -> None:
    tokens = open_table(house, PERSON, PERSON, PERSON, clock=20)
    with contextlib.ExitStack() as open_sockets:
        guests = [open_sockets.enter_context(seated(house, token)) for token in tokens]
        play(house, guests, seed=3)
        assert len({json.dumps(guest.last("over")) for guest in guests}) == 1
        assert len({json.dumps(guest.last("state")) for guest in guests}) == 1
        assert min(guests[0].last("state")["stocks"]) < 7


def test_two_reach_for_the_same_card_and_one_gets_it(house: Serving) -> None:
    tokens = open_table(house, PERSON, PERSON, clock=None)
    with seated(house, tokens[0]) as one, seated(house, tokens[1]) as other:
        for guest in (one, other):
            guest.say("go")
        span(house, 2)
        guests = (one, other)
        place = next(p for p in range(18, 28) if fits_any(one, p))
        for guest in guests:
            guest.say("tap", place=place)
        span(house, 4)
        refused = [json.loads(m) for guest in guests for m in guest.listen() if '"refused"' in m]
        assert [message["place"] for message in refused] == [place]
        assert one.last("state")["peaks"][place] == -1


def fits_any(guest: Guest, place: int) -> bool:
    state = guest.last("state")
    ranks = [(card - 1) // 4 for card in (state["peaks"][place], *state["tops"])]
    return any(abs(ranks[0] - rank) in (1, 12) for rank in ranks[1:])


# Coming back


def test_a_reload_takes_the_seat_over(house: Serving) -> None:
    (token,) = open_table(house, PERSON, partner(), clock=None)
    with seated(house, token) as before:
        before.say("go")
        span(house, 5)
        with seated(house, token) as after:
            assert before.end() == TAKEN_OVER
            span(house, 20)
            assert after.last("roster")["stage"] == "running"
            assert after.last("state")["tick"] >= 15


def test_a_lost_connection_pauses_until_they_are_back(house: Serving) -> None:
    (token,) = open_table(house, PERSON, partner(), clock=None)
    with seated(house, token) as guest:
        guest.say("go")
        span(house, 5)
    span(house, 50)
    with seated(house, token) as guest:
        assert guest.last("roster")["stage"] == "paused"
        assert guest.last("state")["tick"] <= 6
        guest.say("go")
        span(house, 20)
        assert guest.last("state")["tick"] >= 20


def test_somebody_who_is_gone_is_replaced_and_may_come_back(house: Serving) -> None:
    tokens = open_table(house, PERSON, PERSON, clock=None)
    with seated(house, tokens[0]) as one:
        with seated(house, tokens[1]) as other:
            one.say("go")
            other.say("go")
            span(house, 5)
        pass_time(house, GONE_MS)
        span(house)
        assert one.last("roster")["players"][1]["replaceable"]
        one.say("replace", seat=1)
        assert one.last("roster")["players"][1]["agent"] == "careful"
        span(house, 40)
        with seated(house, tokens[1]) as other:
            assert one.last("roster")["players"][1]["agent"] == ""
            assert other.last("state")["tick"] > 40


def test_a_link_of_nowhere_is_told_so(house: Serving) -> None:
    with seated(house, "guess") as guest:
        assert guest.end() == NO_SUCH_SEAT
        assert guest.heard == []


# What is never told


@pytest.mark.parametrize("seats", [[PERSON, partner()], [PERSON, partner("random", "brisk"), PERSON]], ids=["2", "3"])
def test_unseen_cards_change_nothing_that_is_sent_until_the_first_of_them_turns_up(
    seats: list[dict[str, str]], tmp_path: Path
) -> None:
    dice = np.random.default_rng(5)
    decks: list[tuple[int, ...]] = [tuple(int(card) for card in dice.permutation(52))]
    records = tmp_path / "records"
    with serving(tmp_path / "results.sqlite3", by_hand=True, clock=Clock(), records=records) as house:
        house.loop.tables._new_deal = lambda: decks[-1]
        told = whole_game(house, seats)
        (file,) = records.iterdir()
        states = list(replay(read_transcript(file.read_text())))
        assert told[-1][0] == len(states) - 1
        for share in (0.0, 0.5, 1.0):
            tick = int(share * (len(states) - 1))
            deck = np.array(decks[0])
            unseen = unseen_cards(states[tick][0])
            deck[unseen] = dice.permutation(deck[unseen])
            decks.append(tuple(int(card) for card in deck))
            other = whole_game(house, seats)
            same = [messages for ticks, messages in told if ticks <= tick]
            assert [messages for ticks, messages in other if ticks <= tick][: len(same)] == same
            assert (other == told) == (share == 1.0)


def whole_game(house: Serving, seats: list[dict[str, str]]) -> list[tuple[int, list[str]]]:
    """Everything that is sent in a game on a table whose number, and so whose random agents, are always the same."""
    house.loop.tables._opened = 0
    house.loop._pool = type(house.loop._pool)(seed=0)
    with contextlib.ExitStack() as open_sockets:
        tokens = open_table(house, *seats, clock=12)
        guests = [open_sockets.enter_context(seated(house, token)) for token in tokens]
        return play(house, guests, seed=1)


# What is kept


def test_finished_games_are_counted_and_recorded(tmp_path: Path) -> None:
    records = tmp_path / "deep" / "records"
    with serving(tmp_path / "results.sqlite3", by_hand=True, clock=Clock(), records=records) as house:
        assert get(house, "/api/partners")["recording"] is True
        (token,) = open_table(house, PERSON, partner("uncover"), clock=5, games=2)
        with seated(house, token) as guest:
            play(house, [guest], seed=0)
            guest.say("go")
            play(house, [guest], seed=0)
            over, total = guest.last("over"), guest.last("roster")["total"]
        told = get(house, "/api/statistics")
        transcripts = [read_transcript(file.read_text()) for file in records.iterdir()]
    (row,) = told["rows"]
    assert (told["kind"], told["tripeaks"]["deals"]) == ("statistics", 0)
    assert (row["preset"], row["custom"], row["partners"], row["games"]) == ("normal", True, ["uncover"], 2)
    (hunt,) = told["hunts"]
    assert (hunt["games"], hunt["hunts"], hunt["best"]) == (2, 1, total)
    assert [point["games"] for point in told["course"]] == [1, 2]
    assert len(transcripts) == 2
    assert over["ticks"] in [transcript.ticks for transcript in transcripts]
    assert all(path.suffix == ".txt" for path in records.iterdir())
