"""From the command line to a running server and an open page."""

import asyncio
import errno
import logging
import secrets
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from gipfelsturm.agents.scripted import POLICIES
from gipfelsturm.agents.whole_file import reason
from gipfelsturm.envs.rules.deals import DEALS, EVALUATION_DEALS
from gipfelsturm.play.advice import Adviser
from gipfelsturm.play.agent_pool import AgentPool
from gipfelsturm.play.connections import AT_ONCE, MOST_CONNECTIONS, HttpProtocol, allow_connections
from gipfelsturm.play.keeper import Keeper
from gipfelsturm.play.network import ANYBODY, code_for_terminal, own_address
from gipfelsturm.play.realtime_messages import MOST_BYTES
from gipfelsturm.play.realtime_results import GameResults
from gipfelsturm.play.realtime_sockets import SocketProtocol
from gipfelsturm.play.realtime_tables import RealTimeTables
from gipfelsturm.play.records import prepare_folder
from gipfelsturm.play.server import make_app
from gipfelsturm.play.table_offer import MEANWHILE, PARTNER, PARTNERS
from gipfelsturm.play.tick_loop import TickLoop
from gipfelsturm.play.tripeaks_results import Results
from gipfelsturm.play.tripeaks_tables import TriPeaksTables

HOST = "127.0.0.1"
RECEIVE_BYTES = 16384
USUAL_PORT = 80
PING_SECONDS = 10.0


def serve(port: int, results_file: Path, open_browser: bool, to_network: bool, records: Path | None) -> None:
    """Serve the table until interrupted; port 0 takes any free one.

    Args:
        to_network: to everybody in the same network, and not to this machine alone.
        records: folder for the records of finished games, None for keeping none.

    Raises:
        ValueError: if the port is taken, or the results or records cannot be kept.
    """
    if records is not None:
        prepare_folder(records)
    connections = allow_connections()
    friends = own_address() if to_network else ""
    results, games = Results(results_file), GameResults(results_file)
    with listen(port, ANYBODY if to_network else HOST) as listening:
        own = listening.getsockname()[1]
        names = [called(name, own) for name in (HOST, "localhost", friends) if name]
        network = f"http://{friends}:{own}" if friends else ""
        app = assemble(results, Keeper(games, records), names, network)
        print(f"TriPeaks and Gipfelsturm are on the table at http://{HOST}:{own} - end with Ctrl+C", flush=True)
        if network:
            print(f"For friends in the same network: {network}\n{code_for_terminal(network)}", flush=True)
        if open_browser:  # beside the server, since some browsers come back only when they are closed
            threading.Thread(target=show, args=(f"http://{HOST}:{own}",), daemon=True).start()
        uvicorn.Server(configure(app, connections)).run(sockets=[listening])
    results.close()
    games.close()


def assemble(results: Results, keeper: Keeper, names: list[str], network: str) -> Starlette:
    """The server with all its parts."""
    tripeaks = TriPeaksTables(results, Adviser(), new_deal, clock)
    tables = RealTimeTables(keeper.keep, new_deal, new_token, PARTNER)
    loop = TickLoop(tables, AgentPool(secrets.randbits(63)), in_order_of_compilation(), clock)
    return make_app(tripeaks, loop, keeper, names, network)


def in_order_of_compilation() -> list[str]:
    """All partners: first those that share their code with who plays meanwhile, then the one that is suggested."""
    quick = [MEANWHILE, *sorted({*POLICIES} - {MEANWHILE})]
    return [*quick, PARTNER, *sorted({*PARTNERS} - {*quick, PARTNER})]


def called(name: str, port: int) -> str:
    """How browsers call a server: they leave out the usual port."""
    return name if port == USUAL_PORT else f"{name}:{port}"


def show(address: str) -> None:
    """Open the page, or say that there is nothing to open it with."""
    if not webbrowser.open(address):
        print(f"gipfelsturm: no browser was found here: open {address} in yours", file=sys.stderr)


def configure(app: object, connections: int = MOST_CONNECTIONS) -> uvicorn.Config:
    """How uvicorn runs a server of ours: quiet, and with bounds on what a client can make it hold."""
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_max_size=5 * MOST_BYTES,  # somewhat more than is read, so that a fault can be named
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # messages are short, and a client could send what swells
        proxy_headers=False,  # by which whoever sends some could pass for anybody
        log_level="warning",
        server_header=False,
        limit_concurrency=connections,
        backlog=AT_ONCE,
        h11_max_incomplete_event_size=16384,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn.error").addFilter(is_news)
    return config


def is_news(record: logging.LogRecord) -> bool:
    """Whether a message is more than that a request was cut off by the server's end."""
    return record.exc_info is None or not isinstance(record.exc_info[1], asyncio.CancelledError)


def listen(port: int, host: str = HOST) -> socket.socket:
    """A socket that listens on a port; raises ValueError if it cannot be had."""
    if not 0 <= port < 2**16:
        raise ValueError(f"port must be 0 to {2**16 - 1}, not {port}")
    # asyncio sends at once only where the protocol is named: otherwise each answer waits 40 ms for the one before.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit this: nobody can have more than so much read, and parsed, before it is somebody else's turn.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
    try:
        listening.bind((host, port))
    except OSError as fault:
        listening.close()
        if fault.errno == errno.EADDRINUSE:
            raise ValueError(f"port {port} is taken: end what uses it, or name another one with --port") from None
        raise ValueError(f"cannot listen on port {port}: {reason(fault)}; name another one with --port") from None
    listening.listen()
    return listening


def new_deal() -> int:
    """A deal that nobody can foresee, out of those that are not for evaluation."""
    return EVALUATION_DEALS + secrets.randbelow(DEALS - EVALUATION_DEALS)


def new_token() -> str:
    """A name for a seat that nobody can guess."""
    return secrets.token_urlsafe(16)


def clock() -> int:
    """Milliseconds that never go back."""
    return time.monotonic_ns() // 1_000_000
