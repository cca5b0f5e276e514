"""A page that needs nothing beside it: parts with texts, tables and pictures, which lie beside it as PNGs too."""

import base64
import html
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gipfelsturm.agents.whole_file import write_asked

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gipfelsturm: report</title>
<style>
body {{ font: 16px/1.45 sans-serif; max-width: 80em; margin: 2em auto; padding: 0 1em; color: #1f2f28 }}
img {{ max-width: 100%; display: block; margin: 1em 0 }}
table {{ border-collapse: collapse; display: block; overflow-x: auto; margin: 1em 0; font-size: .875em }}
td, th {{ padding: 0.25em 0.8em; text-align: right; white-space: nowrap; border-bottom: 1px solid #d3e2d9 }}
td:first-child, th:first-child {{ text-align: left }}
</style>
<h1>Gipfelsturm: report</h1>
{parts}
</html>
"""


class Part(NamedTuple):
    """A part of the page."""

    title: str
    text: str  # above the pictures, as plain text
    pictures: Mapping[str, bytes]  # PNGs, by a short name for their files
    tables: Sequence[str] = ()  # of `table`


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as HTML, from plain text."""
    lines = [_line("th", head), *(_line("td", row) for row in rows)]
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def _line(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def page(parts: Sequence[Part]) -> str:
    """The page."""
    return _PAGE.format(parts="\n".join(map(_section, parts)))


def _section(part: Part) -> str:
    title, text = html.escape(part.title), html.escape(part.text)
    shown = [_picture(part.title, picture) for picture in part.pictures.values()]
    return "\n".join([f"<h2>{title}</h2>", f"<p>{text}</p>", *shown, *part.tables])


def _picture(title: str, picture: bytes) -> str:
    source = base64.b64encode(picture).decode()
    return f'<img src="data:image/png;base64,{source}" alt="{html.escape(title)}">'


def write_page(out: Path, parts: Sequence[Part]) -> list[Path]:
    """Write the page and its pictures, as NAME-PICTURE.png for the page NAME.html; returns where all of them are.

    Raises:
        ValueError: for a file that cannot be written.
    """
    files = {out.with_name(f"{out.stem}-{name}.png"): png for part in parts for name, png in part.pictures.items()}
    files[out] = page(parts).encode()
    for path, content in files.items():
        write_asked(path, content)
    return list(files)
