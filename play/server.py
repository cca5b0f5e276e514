"""The server: a thin shell that hands messages to the tables and files to the page."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gipfelsturm.play.guard import Guard, caller, leaving, read_body
from gipfelsturm.play.json_answer import as_json, refusal
from gipfelsturm.play.keeper import Keeper
from gipfelsturm.play.messages import Fault, read_message
from gipfelsturm.play.page_files import PageFile, read_page, send
from gipfelsturm.play.realtime_routes import realtime_routes
from gipfelsturm.play.tick_loop import TickLoop
from gipfelsturm.play.tripeaks_tables import TriPeaksTables

PAGES = {
    "/": "start.html",
    "/tripeaks": "tripeaks.html",
    "/tripeaks/{deal}": "tripeaks.html",
    "/gipfelsturm": "gipfelsturm.html",
    "/gipfelsturm/{token}": "gipfelsturm.html",
    "/statistics": "statistics.html",
}


def make_app(
    tripeaks: TriPeaksTables, loop: TickLoop, keeper: Keeper, hosts: Collection[str], address: str = ""
) -> Starlette:
    """The whole server.

    Args:
        hosts: the names by which it may be called, such as `127.0.0.1:8028`.
        address: what friends in the network call it, "" if they cannot reach it.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        loop.start()
        yield
        await loop.stop()
        keeper.close()
        tripeaks.close()

    routes = [*_page_routes(read_page()), _tripeaks_route(tripeaks), *realtime_routes(loop, keeper, tripeaks, address)]
    return Starlette(routes=routes, middleware=[Middleware(Guard, hosts=hosts)], lifespan=lifespan)


def _page_routes(page: dict[str, PageFile]) -> list[BaseRoute]:
    def sender(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def show(request: Request) -> Response:
            file = page.get(name or request.path_params["name"])
            return Response("There is no such file.", 404) if file is None else send(file, request)

        return show

    return [*(Route(path, sender(name)) for path, name in PAGES.items()), Route("/page/{name}", sender(""))]


def _tripeaks_route(tables: TriPeaksTables) -> BaseRoute:
    async def answer(request: Request) -> Response:
        try:
            message = read_message(await read_body(request))
        except ValueError as fault:
            return refusal(fault)
        except ClientDisconnect:
            return Response(status_code=400)
        async with leaving(request) as gone:
            answer = await tables.answer(message, gone, caller(request))
        return as_json(answer, 404 if isinstance(answer, Fault) else 200)

    return Route("/api/tripeaks", answer, methods=["POST"])
