"""How many connections there may be, and how they are shared among the addresses that they come from."""

import asyncio
import sys

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 2000
"""More than all tables have seats for people."""
OTHER_FILES = 200
"""Open ones beside connections, at most."""
AT_ONCE = 100
"""Connections that are taken before any of them is looked at: fewer than `OTHER_FILES`, since they are files too."""


class HttpProtocol(H11Protocol):
    """Uvicorn's, but no address has more connections than are left for all others, websockets among them."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or end it at once."""
        super().connection_made(transport)
        own = sum(_host(other) == _host(self) for other in self.connections)
        if own > (self.limit_concurrency or MOST_CONNECTIONS) - len(self.connections):
            transport.abort()


def _host(connection: object) -> str:
    client: tuple[str, int] | None = getattr(connection, "client", None)  # of HTTP and of websockets
    return client[0] if client else ""


def allow_connections() -> int:
    """Have the system allow as many open files as there may be connections, as far as it does that.

    Returns:
        How many connections there may be.
    """
    if sys.platform == "win32":  # which does not count them
        return MOST_CONNECTIONS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST_CONNECTIONS
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(allowed - OTHER_FILES, allowed // 2)
