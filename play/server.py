"""The server: a thin shell that hands messages to the tables and files to the page."""

import contextlib
from collections.abc import AsyncIterator, Collection

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from gipfelsturm.play.guard import Guard, read_body
from gipfelsturm.play.messages import Fault, read_message
from gipfelsturm.play.page_files import read_page, send
from gipfelsturm.play.tripeaks_tables import TriPeaksTables


def make_app(tables: TriPeaksTables, hosts: Collection[str]) -> Starlette:
    """The whole server, for callers that name one of these hosts, such as `127.0.0.1:8028`."""
    page = read_page()

    async def show_start(request: Request) -> Response:
        return send(page["start.html"], request)

    async def show_tripeaks(request: Request) -> Response:
        return send(page["tripeaks.html"], request)

    async def show_file(request: Request) -> Response:
        file = page.get(request.path_params["name"])
        return Response("There is no such file.", 404) if file is None else send(file, request)

    async def answer_tripeaks(request: Request) -> Response:
        try:
            message = read_message(await read_body(request))
        except ValueError as fault:
            return _json(Fault(str(fault)), 400)
        except ClientDisconnect:
            return Response(status_code=400)
        answer = await tables.answer(message)
        return _json(answer, 404 if isinstance(answer, Fault) else 200)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        tables.close()

    routes = [
        Route("/", show_start),
        Route("/tripeaks", show_tripeaks),
        Route("/tripeaks/{deal}", show_tripeaks),
        Route("/page/{name}", show_file),
        Route("/api/tripeaks", answer_tripeaks, methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, hosts=hosts)], lifespan=lifespan)


def _json(answer: msgspec.Struct, status: int) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(answer), status, headers, media_type="application/json")
