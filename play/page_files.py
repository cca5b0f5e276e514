"""The page's files, read once: nothing else on this machine can be asked for.

What all pages have in common stands in `frame.html` alone. Each gets it around it here, with a list of the modules
that its script imports, and those again: the browser then asks for all of them at once.
"""

import hashlib
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from gipfelsturm.envs.picture.glyphs import GLYPH_HEIGHT, GLYPHS, SUITS
from gipfelsturm.envs.picture.svg import GLYPH_GAP

FRAME_FILE, GLYPHS_FILE = "frame.html", "glyphs.js"
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


class PageFile(NamedTuple):
    """One file as it is sent."""

    body: bytes
    media_type: str
    tag: str  # changes with the contents


def read_page() -> dict[str, PageFile]:
    """All files of the page by name; the shapes of ranks and suits are those of every other picture."""
    folder = files("gipfelsturm.play") / "page"
    page = {file.name: file.read_bytes() for file in folder.iterdir()} | {GLYPHS_FILE: _glyphs()}
    before, after = page.pop(FRAME_FILE).split(b"<!-- page -->\n")
    page |= {
        name: before + _preload(body, page) + body + after for name, body in page.items() if name.endswith(".html")
    }
    return {name: _page_file(name, body) for name, body in page.items()}


def _preload(body: bytes, page: Mapping[str, bytes]) -> bytes:
    """A line for each module that the script of a page needs."""
    needed = re.findall(rb'<script type="module" src="/page/([a-z_]+\.js)"', body)
    for name in needed:  # which grows meanwhile
        imported = re.findall(rb'(?:from|import) "\./([a-z_]+\.js)"', page[name.decode()])
        needed += [module for module in dict.fromkeys(imported) if module not in needed]
    return b"".join(b'<link rel="modulepreload" href="/page/%s">\n' % name for name in needed)


def _glyphs() -> bytes:
    shapes = {"HEIGHT": GLYPH_HEIGHT, "GAP": GLYPH_GAP, "GLYPHS": GLYPHS, "SUITS": SUITS}
    return b"".join(
        b"export const %s = %s;\n" % (name.encode(), msgspec.json.encode(shape)) for name, shape in shapes.items()
    )


def _page_file(name: str, body: bytes) -> PageFile:
    return PageFile(body, TYPES[name.rpartition(".")[2]], f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def send(file: PageFile, request: Request) -> Response:
    """A file, or that the browser has it already: it asks each time, so that a new version is seen at once."""
    headers = {"cache-control": "no-cache", "etag": file.tag}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.body, media_type=file.media_type, headers=headers)
