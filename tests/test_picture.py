"""The picture of the table: it shows all that is seen, where it lies, and nothing that nobody has seen."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from decks import code
from drawn import SVG, Drawn, drawn
from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.picture.drawing import table_svg
from gipfelsturm.envs.picture.layout import LAYOUTS, Spot
from gipfelsturm.envs.picture.scene import scene_of, scene_of_game
from gipfelsturm.envs.rules.actions import CALLS
from gipfelsturm.envs.rules.cards import PLACES, card_text
from gipfelsturm.envs.rules.record import (
    CARRYING,
    DRAWING,
    PHASES,
    RETURNING,
    RUNNING,
    STATUSES,
    STUCK,
    TIME_OUT,
    WON,
    deal_games,
)
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from random_play import begin, commands, covered, every_form, unseen_cards
from readme_picture import FILE, readme_picture
from tables import ANNA, BEN, for_two

HELD = (CARRYING, RETURNING)
SEATS = {"one seat": 1, "two seats": 2, "three seats": 3}


def some_games() -> Iterator[tuple[Settings, GipfelsturmBatch]]:
    """Tables of every form at moments of random games."""
    dice = np.random.default_rng(5)
    for settings in every_form(3, 2):
        batch = begin(settings, 2)
        while not batch.terminated.all() and batch.games["tick"][0] < 150:
            yield settings, batch
            batch.step(commands(batch, dice))
            if settings.one_mind and dice.random() < 0.02:
                break
        yield settings, batch


# What is shown


def test_everything_that_is_seen_is_drawn_as_it_is() -> None:
    phases, calls = set[int](), set[int]()
    for number, (settings, batch) in enumerate(some_games()):
        game = batch.games[number % 2]
        seat = number % batch.viewers
        picture = drawn(settings, game, seat)
        check_peaks(picture, game)
        check_piles(picture, game, seat)
        if settings.one_mind:
            assert not [name for name in picture.elements if name.startswith(("hand", "call", "carry", "clock"))]
        else:
            check_hands(picture, game, seat)
            phases |= {int(phase) for phase in game["phase"]}
            calls |= {int(call) for call in game["call"]}
    assert phases == set(range(len(PHASES))) and calls == set(range(len(CALLS) + 1))


def check_peaks(picture: Drawn, game: np.void) -> None:
    present = int(game["present"])
    held = {int(game["place"][seat]) for seat in range(3) if game["phase"][seat] in HELD}
    for place in range(PLACES):
        name = f"place-{place}"
        assert (name in picture) == bool(present >> place & 1)
        if name not in picture:
            continue
        free = not covered(present, place)
        state = "lifted" if place in held else "free" if free else "down"
        assert picture.classes(name) == {"place", state}
        assert picture.spot(name) == LAYOUTS[bool(game["one_mind"]), int(game["seats"])].places[place]
        assert picture.shown(name) == (card_text(int(game["deck"][place])) if state == "free" else None)
    assert picture.words("counter-peaks") == f"{28 - present.bit_count()}/28"
    assert picture.words("counter-streak") == str(game["streak"])
    assert picture.words("counter-longest") == str(game["longest"])


def check_piles(picture: Drawn, game: np.void, seat: int) -> None:
    seats = int(game["seats"])
    layout = LAYOUTS[bool(game["one_mind"]), seats]
    for k in range(seats):
        pile = (seat + k) % seats
        assert picture.shown(f"pile-{k}") == card_text(int(game["top"][pile]))
        assert picture[f"stock-{k}"].get("data-cards") == picture.words(f"stock-{k}") == str(game["stock"][pile])
        spots = layout.seats[k]
        assert picture.last_spot(f"pile-{k}") == spots.pile and picture.last_spot(f"stock-{k}") == spots.stock
    assert f"pile-{seats}" not in picture


def check_hands(picture: Drawn, game: np.void, seat: int) -> None:
    seats = int(game["seats"])
    for k in range(seats):
        other = (seat + k) % seats
        phase, call = int(game["phase"][other]), int(game["call"][other])
        assert picture.classes(f"hand-{k}") == {"hand", PHASES[phase], f"seat{other}"}
        assert picture.words(f"hand-{k}")[-1] == str(other + 1)
        carried = f"carry-{k}"
        assert (carried in picture) == (phase in (*HELD, DRAWING))
        if phase in HELD:
            assert picture.shown(carried) == card_text(int(game["deck"][game["place"][other]]))
        elif carried in picture:
            assert picture.shown(carried) is None and picture[carried].get("href") == "#back"
        assert (f"call-{k}" in picture) == bool(call)
        if call:
            assert picture[f"call-{k}"].get("data-call") == CALLS[call - 1]


@pytest.mark.parametrize("seats", SEATS.values(), ids=SEATS)
def test_every_card_can_lie_on_a_pile_and_in_the_peaks(seats: int) -> None:
    settings = one_mind("normal", piles=seats)
    shown = set[str]()
    for game in deal_games(settings, range(40)):
        picture = drawn(settings, game)
        shown |= {str(picture.shown(f"place-{place}")) for place in range(18, 28)}
        shown |= {str(picture.shown("pile-0"))}
    assert shown == {card_text(card) for card in range(52)}


def test_a_picture_can_be_drawn_from_the_observation_alone() -> None:
    for settings, batch in some_games():
        for seat in range(batch.viewers):
            told = scene_of(settings, batch.observations[1, seat], int(batch.games[1]["status"]))
            assert told == scene_of_game(settings, batch.games[1], seat)


# What is not (pitfall 10)


def test_unseen_cards_change_no_picture() -> None:
    dice = np.random.default_rng(1)
    compared = 0
    for settings, batch in some_games():
        game = batch.games[0]
        mixed = batch.games[:1].copy()[0]
        unseen = unseen_cards(game)
        mixed["deck"][unseen] = dice.permutation(game["deck"][unseen])
        mixed["tie_seed"] += 1
        for seat in range(batch.viewers):
            seen, other = scene_of_game(settings, game, seat), scene_of_game(settings, mixed, seat)
            assert table_svg(seen) == table_svg(other)
        compared += mixed["deck"].tobytes() != game["deck"].tobytes()
    assert compared > 500


def test_a_seen_card_does_change_it() -> None:
    settings = one_mind()
    game, other = deal_games(settings, [3, 3])
    other["deck"][18], other["top"][0] = other["top"][0], other["deck"][18]
    assert drawn(settings, game).text != drawn(settings, other).text


# Hands on their way


def aim(picture: Drawn, k: int) -> Spot:
    """The card that a hand has framed."""
    (frame,) = picture.inside(f"hand-{k}", "aim")
    return Spot(int(frame.attrib["x"]), int(frame.attrib["y"]))


def way(picture: Drawn, k: int) -> list[Spot]:
    """The corners of a hand's dotted line."""
    (line,) = picture.inside(f"hand-{k}", "route")
    return [Spot(*map(int, point.split(","))) for point in line.attrib["points"].split()]


def middle(card: Spot) -> Spot:
    return Spot(card.x + 50, card.y + 70)


def test_a_hand_reaches_and_carries() -> None:
    table = for_two()
    places, seats = LAYOUTS[False, 2].places, LAYOUTS[False, 2].seats
    table.act({ANNA: "play 20 1"})  # brisk: two ticks each of reaching, carrying and the pause
    for seat, k, other in ((ANNA, 0, 1), (BEN, 1, 0)):
        picture = drawn(table.settings, table.game, seat)
        assert picture.classes(f"hand-{k}") == {"hand", "reaching", "seat0"}
        assert aim(picture, k) == places[20] and picture.inside(f"hand-{k}", "rest") == []
        tip, rest = way(picture, k)[0], seats[k].rest  # halfway to the card
        assert 0 < 2 * tip.x - rest.x - places[20].x < 100 and 0 < 2 * tip.y - rest.y - places[20].y < 140
        assert way(picture, k)[1:] == [middle(places[20]), middle(seats[other].pile)]
        assert picture.inside(f"hand-{other}", "aim") == []
    table.act({})
    picture = drawn(table.settings, table.game)
    assert picture.classes("hand-0") == {"hand", "carrying", "seat0"}
    assert aim(picture, 0) == seats[1].pile and way(picture, 0)[1:] == [middle(seats[1].pile)]
    assert picture.spot("carry-0") == places[20]
    table.act({})
    halfway = drawn(table.settings, table.game).spot("carry-0")
    assert abs(2 * halfway.y - places[20].y - seats[1].pile.y) <= 2
    assert abs(2 * halfway.x - places[20].x - seats[1].pile.x) <= 2
    table.act({})
    assert "place-20" not in drawn(table.settings, table.game)


def test_a_card_goes_back_to_its_place() -> None:
    table = for_two(("brisk", "instant"))
    places, seats = LAYOUTS[False, 2].places, LAYOUTS[False, 2].seats
    table.act({ANNA: "play 18 0"}, then_wait=2)
    table.game["top"][:2] = code("KS")  # now it fits nowhere
    table.act({})
    picture = drawn(table.settings, table.game)
    assert picture.classes("hand-0") == {"hand", "returning", "seat0"}
    assert aim(picture, 0) == places[18] and way(picture, 0)[1:] == [middle(places[18])]
    assert picture.spot("carry-0") == seats[0].pile and picture.classes("place-18") == {"place", "lifted"}


@pytest.mark.parametrize(("seat", "k"), [(ANNA, 0), (BEN, 1)])
def test_a_card_is_drawn_face_down_from_stock_to_pile(seat: int, k: int) -> None:
    table = for_two()
    spots = LAYOUTS[False, 2].seats[k]
    table.act({ANNA: "draw 0"})
    seen = [drawn(table.settings, table.game, seat).spot(f"carry-{k}").x]
    for _ in range(2):
        table.act({})
        seen.append(drawn(table.settings, table.game, seat).spot(f"carry-{k}").x)
    width = spots.pile.x - spots.stock.x
    assert seen == [spots.stock.x + width * quarter // 4 for quarter in (1, 2, 3)]
    table.act({})
    picture = drawn(table.settings, table.game, seat)
    assert picture.shown(f"pile-{k}") == "QS" and f"carry-{k}" not in picture


def test_a_pause_dwindles() -> None:
    table = for_two("steady")
    table.act({ANNA: "draw 0"}, then_wait=4)
    left = []
    while table.phase(ANNA) == "pausing":
        picture = drawn(table.settings, table.game)
        left.append([int(disc.attrib["stroke-dasharray"].split()[0]) for disc in picture.inside("hand-0", "rest")])
        table.act({})
    assert left == [[44], [38], [31], [25], [19], [13], [6]]
    assert drawn(table.settings, table.game).inside("hand-0", "rest") == []


@pytest.mark.parametrize(("phase", "column"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 0)])
def test_each_phase_is_done_at_its_own_hands_tempo(phase: int, column: int) -> None:
    ticks = [(2, 3, 4, 5), (6, 7, 8, 9), (10, 11, 12, 13)]  # pause, reach, carry, draw
    tempos = ["/".join(str(200 * n) for n in each) for each in ticks]
    settings = real_time("normal", seats=3, tempo=tempos)
    game = deal_games(settings, [1])[0]
    game["phase"][:] = phase
    for own in range(3):
        for left in (2, 1):
            game["left"][:] = left
            done = [seat.hand.done for seat in scene_of_game(settings, game, own).seats if seat.hand is not None]
            assert done == [1 - left / ticks[(own + k) % 3][column] for k in range(3)]


@pytest.mark.parametrize("seats", SEATS.values(), ids=SEATS)
@pytest.mark.parametrize("phase", range(len(PHASES)), ids=PHASES)
def test_fingertips_stay_in_the_picture(seats: int, phase: int) -> None:
    settings = real_time("normal", seats=seats, tempo="200/200/200/200")
    layout = LAYOUTS[False, seats]
    game = deal_games(settings, [1])[0]
    game["phase"][:seats] = phase
    game["left"][:seats] = phase > 0
    for place in range(18, 28):
        for pile in range(seats):
            game["place"][:seats], game["pile"][:seats] = place, pile
            for x, y in tips(drawn(settings, game), seats):
                assert 0 <= x <= layout.width and 0 <= y <= layout.height


def tips(picture: Drawn, seats: int) -> Iterator[tuple[float, float]]:
    for k in range(seats):
        moved = next(part.attrib["transform"] for part in picture[f"hand-{k}"] if part.tag == f"{SVG}g")
        x, y = moved.removeprefix("translate(").split(")")[0].split()
        yield float(x), float(y)


# Calls, clock and end


@pytest.mark.parametrize("call", range(len(CALLS)), ids=CALLS)
@pytest.mark.parametrize(("language", "court"), [("en", "JQK"), ("de", "BDK")])
def test_every_call_is_a_bubble(call: int, language: str, court: str) -> None:
    ranks = ["A", *map(str, range(2, 11)), *court]
    settings = real_time("normal", seats=3)
    game = deal_games(settings, [1])[0]
    game["call"][2] = call + 1
    picture = drawn(settings, game, seat=1, language=language)
    assert [name for name in picture.elements if name.startswith("call")] == ["call-1"]
    assert picture.icons("call-1") == [CALLS[call].split()[0]]
    assert picture.words("call-1") == (ranks[call] if call < 13 else "")


@pytest.mark.parametrize(
    ("clock", "tick", "gone", "shown", "bar"),
    [
        (180, 0.2, 0, "3:00", 180),
        (180, 0.2, 1, "3:00", 180),
        (180, 0.2, 5, "2:59", 179),
        (180, 0.2, 899, "0:01", 1),
        (180, 0.2, 900, "0:00", 0),
        (3600, 0.2, 0, "60:00", 180),
        (1, 0.33, 1, "0:01", 180),
        (None, 0.2, 4, "0:00", None),
        (None, 0.2, 305, "1:01", None),
        (None, 0.33, 1000, "5:30", None),
    ],
)
def test_the_clock(clock: float | None, tick: float, gone: int, shown: str, bar: int | None) -> None:
    settings = real_time("normal", clock=clock, tick=tick)
    game = deal_games(settings, [1])[0]
    game["tick"] = gone
    picture = drawn(settings, game)
    assert picture.words("clock") == shown
    bars = [int(line.attrib["width"]) for line in picture["clock"].iter(f"{SVG}rect")]
    assert bars == ([] if bar is None else [180, bar])


@pytest.mark.parametrize(
    ("status", "icons", "words"),
    [(WON, ["won", "stock"], "11"), (TIME_OUT, ["lost", "clock"], ""), (STUCK, ["lost", "stuck"], "")],
    ids=STATUSES[1:],
)
def test_the_end_is_told(status: int, icons: list[str], words: str) -> None:
    for settings in (one_mind("normal"), real_time("normal")):
        game = deal_games(settings, [1])[0]
        game["stock"][:2] = (4, 7)
        assert game["status"] == RUNNING and "verdict" not in drawn(settings, game)
        game["status"] = status
        picture = drawn(settings, game)
        assert picture.icons("verdict") == icons and picture.words("verdict") == words


def test_an_empty_stock_is_an_outline() -> None:
    settings = one_mind("normal")
    game = deal_games(settings, [1])[0]
    for cards, backs in ((11, 4), (2, 2), (1, 1), (0, 0)):
        game["stock"][0] = cards
        names = [use.get("href") for use in drawn(settings, game)["stock-0"].iter(f"{SVG}use")]
        assert names.count("#back") == backs and ("#gap" in names) == (cards == 0)


# As a document


def test_the_picture_in_readme_is_what_is_drawn() -> None:
    assert FILE.read_text(encoding="utf-8") == readme_picture()


def test_a_picture_is_small_and_stands_alone() -> None:
    sizes = []
    for settings, batch in islice(some_games(), 0, None, 5):
        picture = drawn(settings, batch.games[0], language="de")
        sizes.append(len(picture.text))
        uses = {use.attrib["href"] for use in picture.root.iter(f"{SVG}use")}
        assert {f"#{name}" for name in picture.definitions} == uses  # all there, and none that nobody needs
        ids = [element.attrib["id"] for element in picture.root.iter() if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        assert not {f"{SVG}text", f"{SVG}image", f"{SVG}script"} & {element.tag for element in picture.root.iter()}
        assert picture.text.count("http") == 1 and "url(" not in picture.text
    assert max(sizes) < 16_000


def test_a_class_that_is_drawn_has_a_style() -> None:
    addresses = {"place", "free", "down", "lifted", "pile", "stock", "hand", "call", *PHASES}
    for settings, batch in islice(some_games(), 0, None, 5):
        picture = drawn(settings, batch.games[0])
        style = picture.root.find(f"{SVG}style")
        assert style is not None and style.text is not None
        classes = {name for element in picture.root.iter() for name in element.get("class", "").split()}
        assert {name for name in classes - addresses if f".{name}{{" not in style.text.replace(",", "{")} == set()


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"language": "fr"}, "unknown language 'fr': use one of en, de"),
        ({"theme": "blue"}, "unknown theme 'blue': use one of light, dark"),
    ],
)
def test_unknown_names_are_refused(arguments: dict[str, str], fault: str) -> None:
    settings = one_mind()
    with pytest.raises(ValueError, match=fault):
        table_svg(scene_of_game(settings, deal_games(settings, [1])[0]), **arguments)
