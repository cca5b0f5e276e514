"""What pictures are put together from: cards, signs and hands as definitions, each under its id."""

import re
from functools import cache

from gipfelsturm.envs.picture.glyphs import GLYPHS, SUIT_SIZE, SUITS
from gipfelsturm.envs.picture.icons import HAND, ICONS
from gipfelsturm.envs.picture.layout import CARD_HEIGHT, CARD_RADIUS, CARD_WIDTH
from gipfelsturm.envs.picture.svg import glyphs, glyphs_width, group, moved, use
from gipfelsturm.envs.rules.cards import CARDS, RANKS, card_text

FACES = {"en": "JQK", "de": "BDK"}
"""The letters of jack, queen and king in each language."""
_RANK_HEIGHT, _WIDEST_RANK = 58, 66
_SUIT_HEIGHT = 54
_INSET = 13
_HREF = re.compile('href="#([^"]+)"')


def rank_text(rank: int, language: str) -> str:
    """How people write a rank 0..12: ten is 10, jack, queen and king have the language's letters.

    Raises:
        ValueError: for an unknown language.
    """
    if language not in FACES:
        raise ValueError(f"unknown language {language!r}: use one of {', '.join(FACES)}")
    if rank == RANKS.index("T"):
        return "10"
    return RANKS[rank] if rank < RANKS.index("J") else FACES[language][rank - RANKS.index("J")]


@cache
def definitions(language: str) -> dict[str, str]:
    """Every definition by its id: `glyph-8`, `suit-H`, `icon-clock`, `hand`, `back`, `card-8H` and so on.

    Raises:
        ValueError: for an unknown language.
    """
    return (
        {f"glyph-{name}": f'<path class="pen" d="{path}"/>' for name, (_, path) in GLYPHS.items()}
        | {f"suit-{name}": f'<path class="solid" d="{path}"/>' for name, path in SUITS.items()}
        | {f"icon-{name}": drawn for name, drawn in ICONS.items()}
        | {"hand": HAND, "paper": _paper(), "back": _back(), "gap": _sheet("gap")}
        | {f"card-{card_text(code)}": _face(code, language) for code in range(CARDS)}
    )


def sprite(language: str = "en") -> str:
    """All definitions as one `<defs>` element, for a page that puts cards together itself."""
    return _defs(definitions(language))


def defs_for(content: str, language: str) -> str:
    """A `<defs>` element with the definitions alone that some content uses, and those that they use."""
    known = definitions(language)
    wanted: set[str] = set()
    found = _HREF.findall(content)
    while found:
        name = found.pop()
        if name not in wanted:
            wanted.add(name)
            found += _HREF.findall(known[name])
    return _defs({name: drawn for name, drawn in known.items() if name in wanted})


def _defs(chosen: dict[str, str]) -> str:
    return "<defs>" + "".join(group(drawn, id=name) for name, drawn in chosen.items()) + "</defs>"


def _face(code: int, language: str) -> str:
    """A large rank and a large suit: what can still be read when a card is as wide as a fingertip."""
    text, suit = rank_text(code >> 2, language), card_text(code)[1]
    height = _RANK_HEIGHT * min(1.0, _WIDEST_RANK / glyphs_width(text, _RANK_HEIGHT))
    colour = "red" if suit in "DH" else "black"
    corner = moved(CARD_WIDTH - _SUIT_HEIGHT - _INSET, CARD_HEIGHT - _SUIT_HEIGHT - _INSET, _SUIT_HEIGHT / SUIT_SIZE)
    pip = group(use(f"suit-{suit}", 0, 0), class_=colour, transform=corner)
    return use("paper", 0, 0) + glyphs(text, _INSET, _INSET, round(height), colour) + pip


def _sheet(class_: str, inset: int = 0) -> str:
    """The shape of a card, or one that is smaller all round."""
    size = f'width="{CARD_WIDTH - 2 * inset}" height="{CARD_HEIGHT - 2 * inset}" rx="{CARD_RADIUS - inset}"'
    return f'<rect class="{class_}" x="{inset}" y="{inset}" {size}/>'


def _paper() -> str:
    """A card without a face. Its edge is a shape below it, which is drawn in half the time that a line takes."""
    size = f'width="{CARD_WIDTH + 2}" height="{CARD_HEIGHT + 4}" rx="{CARD_RADIUS + 1}"'
    return f'<rect class="edge" x="-1" y="-1" {size}/>' + _sheet("paper")


def _back() -> str:
    """Mountains, their tops where a covered card can be seen."""
    ridge = "M5 92L31 36L43 58L57 18L70 52L77 41L95 82V127Q95 135 87 135H13Q5 135 5 127Z"
    return _paper() + _sheet("back", 5) + f'<path class="ridge" d="{ridge}"/>'
