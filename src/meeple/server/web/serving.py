"""Serves an application by uvicorn, with the limits of its connections; compresses responses."""

import uvicorn
from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware

from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.web.connections import OpenConnections, protocol

MIN_COMPRESSED = 1000  # bytes of the shortest response that is compressed
COMPRESSION = 5  # of 9: nearly as small as 9, in half the time


def compress_responses(app: FastAPI) -> None:
    """Send long responses compressed to clients that accept it."""
    app.add_middleware(GZipMiddleware, minimum_size=MIN_COMPRESSED, compresslevel=COMPRESSION)


def http_server(
    app: FastAPI, max_connections: int, limits: ServerLimits = LIMITS
) -> uvicorn.Server:
    """Return a server for HTTP and WebSockets; `max_connections`: open ones of an address."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=protocol(OpenConnections(max_connections, limits)),
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=limits.game_json.max_bytes,
            proxy_headers=False,  # limits count by address, which a header could forge
            ws_per_message_deflate=False,  # it took 10 % of the time of a busy server
            timeout_graceful_shutdown=2,
            server_header=False,
        )
    )
