"""How structs leave the server."""

import msgspec
from starlette.responses import Response

from gipfelsturm.play.messages import Fault


def as_json(answer: msgspec.Struct, status: int = 200) -> Response:
    """An answer that no browser keeps."""
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(answer), status, headers, media_type="application/json")


def refusal(fault: object, status: int = 400) -> Response:
    """A sentence in the place of an answer."""
    return as_json(Fault(str(fault)), status)
