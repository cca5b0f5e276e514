"""The addresses under which pages reach the real-time tables."""

import asyncio

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from gipfelsturm.play.guard import caller, read_body
from gipfelsturm.play.json_answer import as_json, refusal
from gipfelsturm.play.keeper import Keeper
from gipfelsturm.play.messages import Statistics, Tally
from gipfelsturm.play.network import code_as_svg
from gipfelsturm.play.realtime_sockets import serve_socket
from gipfelsturm.play.realtime_tables import GONE
from gipfelsturm.play.table_offer import PARTNERS, offer, opened, seat_link
from gipfelsturm.play.table_plan import read_plan
from gipfelsturm.play.tick_loop import TickLoop
from gipfelsturm.play.tripeaks_tables import TriPeaksTables


def realtime_routes(loop: TickLoop, keeper: Keeper, tripeaks: TriPeaksTables, address: str) -> list[BaseRoute]:
    """All of them; `address` is what friends in the network call the server, "" if they cannot reach it."""

    async def show_offer(request: Request) -> Response:
        return as_json(offer(keeper.folder is not None, address, loop.tables.prepared))

    async def open_table(request: Request) -> Response:
        try:
            plan = read_plan(await read_body(request), PARTNERS)
        except ValueError as fault:
            return refusal(fault)
        except ClientDisconnect:
            return Response(status_code=400)
        await asyncio.wrap_future(loop.ready)
        table = loop.tables.open(plan, loop.clock(), caller(request))
        if table is None:
            return refusal("all tables that you may open are taken: leave one, or try again in a minute", 503)
        return as_json(opened(table, address or _called(request)))

    async def show_code(request: Request) -> Response:
        token = request.path_params["token"]
        if token not in loop.tables:
            return refusal(GONE, 404)
        code = code_as_svg(seat_link(address or _called(request), token))
        return Response(code, headers={"cache-control": "no-store"}, media_type="image/svg+xml")

    async def show_statistics(request: Request) -> Response:
        tally = await tripeaks.answer(Statistics(""))
        assert isinstance(tally, Tally)
        return as_json(await keeper.statistics(tally, await tripeaks.course()))

    async def serve(socket: WebSocket) -> None:
        await serve_socket(socket, loop)

    return [
        Route("/api/partners", show_offer),
        Route("/api/tables", open_table, methods=["POST"]),
        Route("/api/qr/{token}", show_code),
        Route("/api/statistics", show_statistics),
        WebSocketRoute("/ws/{token}", serve),
    ]


def _called(request: Request) -> str:
    """The address by which the server was called, which the guard has seen to be its own."""
    return f"http://{request.headers['host']}"
