"""Serves an application by uvicorn, with the limits of its connections."""

import uvicorn
from fastapi import FastAPI

from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.web.connections import OpenConnections, protocol


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
