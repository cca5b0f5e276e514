"""From the command line to a running server and an open page."""

import errno
import secrets
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path

import uvicorn

from gipfelsturm.envs.rules.deals import DEALS, EVALUATION_DEALS
from gipfelsturm.play.advice import Adviser, warm_up
from gipfelsturm.play.server import make_app
from gipfelsturm.play.tripeaks_results import Results
from gipfelsturm.play.tripeaks_tables import TriPeaksTables

HOST = "127.0.0.1"
MOST_CONNECTIONS = 500


def serve(port: int, results_file: Path, open_browser: bool) -> None:
    """Serve the table on this machine alone, until interrupted; port 0 takes any free one.

    Raises:
        ValueError: if the port is taken, or the results cannot be kept.
    """
    results = Results(results_file)
    with listen(port) as listening:
        own = listening.getsockname()[1]
        address = f"http://{HOST}:{own}"
        tables = TriPeaksTables(results, Adviser(), new_deal, clock)
        server = uvicorn.Server(configure(make_app(tables, (f"{HOST}:{own}", f"localhost:{own}"))))
        print(f"TriPeaks is on the table at {address} - end with Ctrl+C", flush=True)
        threading.Thread(target=warm_up, daemon=True).start()  # a daemon: whoever ends the server does not wait for it
        if open_browser:  # beside the server, since some browsers come back only when they are closed
            threading.Thread(target=show, args=(address,), daemon=True).start()
        server.run(sockets=[listening])
    results.close()


def show(address: str) -> None:
    """Open the page, or say that there is nothing to open it with."""
    if not webbrowser.open(address):
        print(f"gipfelsturm: no browser was found here: open {address} in yours", file=sys.stderr)


def configure(app: object) -> uvicorn.Config:
    """How uvicorn runs a server of ours: quiet, and with bounds on what a client can make it hold."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http="h11",
        ws="none",
        log_level="warning",
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=16384,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
    )


def listen(port: int) -> socket.socket:
    """A socket that listens on a port of this machine alone; raises ValueError if it cannot be had."""
    if not 0 <= port < 2**16:
        raise ValueError(f"port must be 0 to {2**16 - 1}, not {port}")
    # asyncio sends at once only where the protocol is named: otherwise each answer waits 40 ms for the one before.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as fault:
        listening.close()
        if fault.errno == errno.EADDRINUSE:
            raise ValueError(f"port {port} is taken: end what uses it, or name another one with --port") from None
        raise ValueError(f"cannot listen on port {port}: {fault}") from None
    listening.listen()
    return listening


def new_deal() -> int:
    """A deal that nobody can foresee, out of those that are not for evaluation."""
    return EVALUATION_DEALS + secrets.randbelow(DEALS - EVALUATION_DEALS)


def clock() -> int:
    """Milliseconds that never go back."""
    return time.monotonic_ns() // 1_000_000
