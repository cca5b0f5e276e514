"""Pieces of SVG text."""

from gipfelsturm.envs.picture.glyphs import GLYPH_HEIGHT, GLYPHS

GLYPH_GAP = 8


def use(name: str, x: float, y: float, **attributes: str) -> str:
    """A copy of a definition, moved by (x, y); `class_` stands for `class`, `data_card` for `data-card`."""
    return f'<use href="#{name}" x="{x:g}" y="{y:g}"{_written(attributes)}/>'


def group(content: str, **attributes: str) -> str:
    """A group of elements, with attributes as in `use`."""
    return f"<g{_written(attributes)}>{content}</g>"


def _written(attributes: dict[str, str]) -> str:
    return "".join(f' {name.rstrip("_").replace("_", "-")}="{value}"' for name, value in attributes.items())


def moved(x: float, y: float, scale: float = 1.0) -> str:
    """The value of `transform` that moves by (x, y), and scales what is moved."""
    return f"translate({x:g} {y:g})" + ("" if scale == 1 else f" scale({scale:g})")


def glyphs(text: str, x: float, y: float, height: float, class_: str) -> str:
    """A word of `GLYPHS` of this height, its upper left corner at (x, y)."""
    pieces, at = "", 0
    for character in text:
        pieces += use(f"glyph-{character}", at, 0)
        at += GLYPHS[character][0] + GLYPH_GAP
    return group(pieces, class_=class_, transform=moved(x, y, round(height / GLYPH_HEIGHT, 3)))


def glyphs_width(text: str, height: float) -> float:
    """How wide a word of `GLYPHS` of this height is."""
    width = sum(GLYPHS[character][0] for character in text) + GLYPH_GAP * (len(text) - 1)
    return width * height / GLYPH_HEIGHT
