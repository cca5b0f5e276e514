"""The colours, and the style sheet that uses them."""

from collections.abc import Mapping
from string import Template

LIGHT = {
    "felt": "#d3e2d9",
    "line": "#8fa89b",  # tracks, and the outline of what is not there
    "ink": "#1f2f28",  # on the felt
    "quiet": "#4f645a",  # the signs beside it
    "paper": "#ffffff",
    "edge": "#93a59b",  # of paper
    "black": "#18202b",  # on paper
    "red": "#c01528",
    "good": "#17763f",
    "bad": "#b3261e",
    "back": "#2c5a76",
    "ridge": "#5b8aa5",
    "seat0": "#0b62c4",
    "seat1": "#a34706",
    "seat2": "#7b3fa0",
}
DARK = LIGHT | {
    "felt": "#16221d",
    "line": "#4a6156",
    "ink": "#e8efeb",
    "quiet": "#a5b8ae",
    "paper": "#f1f1ec",
    "edge": "#7d8d84",
    "seat0": "#5aa2f5",
    "seat1": "#f0954f",
    "seat2": "#c493e6",
}
THEMES: dict[str, Mapping[str, str]] = {"light": LIGHT, "dark": DARK}

# Paths take the colour of what they stand in; a class of their own says whether it fills them or draws their line.
_STYLE = Template(
    ".felt{fill:$felt}"
    ".pen{fill:none;stroke-width:9;stroke-linecap:round;stroke-linejoin:round}"
    ".thin{fill:none;stroke-width:5;stroke-linecap:round;stroke-linejoin:round}"
    ".solid,.edge,.paper,.back,.ridge,.skin{stroke:none}"
    ".black{fill:$black;stroke:$black}"
    ".red{fill:$red;stroke:$red}"
    ".ink{fill:$ink;stroke:$ink}"
    ".quiet{fill:$quiet;stroke:$quiet}"
    ".good{fill:$good;stroke:$good}"
    ".bad{fill:$bad;stroke:$bad}"
    ".white{stroke:$paper}"
    ".paper,.skin{fill:$paper}"
    ".edge{fill:$edge}"
    ".back{fill:$back}"
    ".ridge{fill:$ridge}"
    ".gap{fill:none;stroke:$line;stroke-width:3;stroke-dasharray:9 8}"
    ".track{fill:$line;fill-opacity:.5}"
    ".bubble{fill:$paper;stroke:$black;stroke-width:3}"
    ".outline{fill:$black;stroke:$black;stroke-width:7;stroke-linejoin:round}"
    ".crease{fill:none;stroke:$black;stroke-width:3;stroke-linecap:round}"
    ".number{fill:$felt;stroke:$felt}"
    ".rest{fill:none;stroke-width:14}"
    ".route,.halo{fill:none;stroke-width:6;stroke-dasharray:0 13;stroke-linecap:round}"
    ".halo{stroke:$paper;stroke-width:10}"
    ".aim{fill:none;stroke-width:6}"
    ".seat0{fill:$seat0;stroke:$seat0}"
    ".seat1{fill:$seat1;stroke:$seat1}"
    ".seat2{fill:$seat2;stroke:$seat2}"
)


def stylesheet(colours: Mapping[str, str]) -> str:
    """The style sheet in these colours, named as in `LIGHT`; in a page `var(--felt)` and so on do as well."""
    return _STYLE.substitute(colours)


def theme_named(name: str) -> Mapping[str, str]:
    """The colours of a theme; raises ValueError that lists the names."""
    if name not in THEMES:
        raise ValueError(f"unknown theme {name!r}: use one of {', '.join(THEMES)}")
    return THEMES[name]
