"""TCP keep-alive: detects within a minute that the other end of a connection is gone."""

import socket
from typing import Any

_OPTIONS = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""Seconds before the first probe, seconds between probes, and the number of lost probes."""


def keep_alive(wire: Any) -> None:
    """Enable keep-alive probes of a TCP socket, where available, and disable send delays."""
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _OPTIONS.items():
        if hasattr(socket, name):
            wire.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
