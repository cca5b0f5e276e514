"""What every request has to pass before it is looked at, and what every answer carries."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 2048
BODY_SECONDS = 5.0
ANSWER_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Refuses whoever calls the server by another name, and pages of other origins.

    Args:
        hosts: the names, with ports, under which the server may be called: others would let a page of somebody else's
            that renames this machine read along.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                MutableHeaders(scope=message).update(ANSWER_HEADERS)
            await send(message)

        fault = self._fault(Headers(scope=scope))
        app = PlainTextResponse(fault, 403) if fault else self._app
        await app(scope, receive, send_with_headers)

    def _fault(self, headers: Headers) -> str:
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self._hosts:
            return "This server does not answer to that name."
        if origin is not None and origin != f"http://{host}":
            return "This server does not answer to pages of other origins."
        return ""


def caller(request: Request) -> str:
    """The address that a request comes from: all that is known of whoever sent it."""
    return request.client.host if request.client else ""


async def read_body(request: Request) -> bytes:
    """The JSON that was posted.

    Raises:
        ValueError: if it is called something else, too long, or does not come.
    """
    if request.headers.get("content-type") != "application/json":
        raise ValueError("messages must be application/json")
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _read_short(request)
    except TimeoutError:
        raise ValueError(f"message did not come within {BODY_SECONDS:g} s") from None


@contextlib.asynccontextmanager
async def leaving(request: Request) -> AsyncIterator[Callable[[], bool]]:
    """Whether the client has gone by now, of a request whose body has been read; any thread may ask."""
    left = asyncio.create_task(_disconnected(request))
    try:
        yield left.done
    finally:
        left.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _read_short(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise ValueError(f"message must be at most {MOST_BYTES} bytes")
    return body
