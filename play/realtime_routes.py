"""The addresses under which pages reach the real-time tables."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from gipfelsturm.play.guard import caller, read_body
from gipfelsturm.play.json_answer import as_json, refusal
from gipfelsturm.play.keeper import Keeper
from gipfelsturm.play.messages import TOO_BUSY
from gipfelsturm.play.network import code_as_svg
from gipfelsturm.play.realtime_sockets import serve_socket
from gipfelsturm.play.realtime_tables import GONE
from gipfelsturm.play.table_offer import PARTNERS, offer, opened, seat_link
from gipfelsturm.play.table_plan import read_plan
from gipfelsturm.play.tick_loop import TickLoop
from gipfelsturm.play.tripeaks_tables import TriPeaksTables
from gipfelsturm.play.turns import Turns


def realtime_routes(loop: TickLoop, keeper: Keeper, tripeaks: TriPeaksTables, address: str) -> list[BaseRoute]:
    """All of them; `address` is what friends in the network call the server, "" if they cannot reach it."""
    turns = Turns()  # with what takes long, and is done beside the ticks

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
        link = seat_link(address or _called(request), token)
        return await _in_turn(turns, request, lambda: _drawn(link))

    async def show_statistics(request: Request) -> Response:
        return await _in_turn(turns, request, lambda: _added_up(tripeaks, keeper))

    async def serve(socket: WebSocket) -> None:
        await serve_socket(socket, loop)

    return [
        Route("/api/partners", show_offer),
        Route("/api/tables", open_table, methods=["POST"]),
        Route("/api/qr/{token}", show_code),
        Route("/api/statistics", show_statistics),
        WebSocketRoute("/ws/{token}", serve),
    ]


async def _in_turn(turns: Turns, request: Request, work: Callable[[], Awaitable[Response]]) -> Response:
    done = await turns.take(caller(request), request.url.path, work)
    return refusal(TOO_BUSY, 503) if done is None else done


async def _drawn(link: str) -> Response:
    code = await asyncio.to_thread(code_as_svg, link)
    return Response(code, headers={"cache-control": "no-store"}, media_type="image/svg+xml")


async def _added_up(tripeaks: TriPeaksTables, keeper: Keeper) -> Response:
    return as_json(await keeper.statistics(await tripeaks.tally(), await tripeaks.course()))


def _called(request: Request) -> str:
    """The address by which the server was called, which the guard has seen to be its own."""
    return f"http://{request.headers['host']}"
