"""A picture of the table, read back from its SVG."""

from xml.etree import ElementTree

from gipfelsturm.envs.picture.drawing import table_svg
from gipfelsturm.envs.picture.layout import Spot
from gipfelsturm.envs.picture.scene import Scene, scene_of_game
from gipfelsturm.envs.rules.settings import Settings

SVG = "{http://www.w3.org/2000/svg}"


class Drawn:
    """Its elements by id, and what they say."""

    def __init__(self, scene: Scene, language: str = "en") -> None:
        self.text = table_svg(scene, language=language)
        self.root = ElementTree.fromstring(self.text)
        definitions = self.root.find(f"{SVG}defs")
        assert definitions is not None
        self.definitions = {element.attrib["id"] for element in definitions}
        every = [element for element in self.root.iter() if "id" in element.attrib]
        self.elements = {element.attrib["id"]: element for element in every if element not in list(definitions)}

    def __contains__(self, name: str) -> bool:
        return name in self.elements

    def __getitem__(self, name: str) -> ElementTree.Element:
        return self.elements[name]

    def shown(self, name: str) -> str | None:
        """The card that an element shows, None if it shows none."""
        return self[name].get("data-card")

    def classes(self, name: str) -> set[str]:
        return set(self[name].get("class", "").split())

    def words(self, name: str) -> str:
        """What an element says in glyphs."""
        names = [use.attrib["href"].removeprefix("#") for use in self[name].iter(f"{SVG}use")]
        return "".join(name.removeprefix("glyph-") for name in names if name.startswith("glyph-"))

    def spot(self, name: str) -> Spot:
        """Where a card lies."""
        return Spot(int(self[name].attrib["x"]), int(self[name].attrib["y"]))

    def last_spot(self, name: str) -> Spot:
        """Where the uppermost card of a heap lies."""
        cards = [
            use for use in self[name].iter(f"{SVG}use") if use.attrib["href"].startswith(("#card", "#back", "#gap"))
        ]
        return Spot(int(cards[-1].attrib["x"]), int(cards[-1].attrib["y"]))

    def icons(self, name: str) -> list[str]:
        names = [use.attrib["href"].removeprefix("#") for use in self[name].iter(f"{SVG}use")]
        return [name.removeprefix("icon-") for name in names if name.startswith("icon-")]

    def inside(self, name: str, class_: str) -> list[ElementTree.Element]:
        """The elements of a class within another."""
        return [element for element in self[name].iter() if element.get("class") == class_]


def drawn(settings: Settings, game: object, seat: int = 0, language: str = "en") -> Drawn:
    return Drawn(scene_of_game(settings, game, seat), language)  # type: ignore[arg-type]
