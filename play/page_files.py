"""The page's files, read once: nothing else on this machine can be asked for."""

import hashlib
from importlib.resources import files
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from gipfelsturm.envs.picture.glyphs import GLYPH_HEIGHT, GLYPHS, SUITS
from gipfelsturm.envs.picture.svg import GLYPH_GAP

GLYPHS_FILE = "glyphs.js"
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


class PageFile(NamedTuple):
    """One file as it is sent."""

    body: bytes
    media_type: str
    tag: str  # changes with the contents


def read_page() -> dict[str, PageFile]:
    """All files of the page by name; the shapes of ranks and suits are those of every other picture."""
    folder = files("gipfelsturm.play") / "page"
    page = {file.name: _page_file(file.name, file.read_bytes()) for file in folder.iterdir()}
    return page | {GLYPHS_FILE: _page_file(GLYPHS_FILE, _glyphs())}


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
