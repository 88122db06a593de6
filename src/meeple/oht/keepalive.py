"""Connections whose other end has gone without a word are noticed within a minute."""

import socket
from typing import Any

_OPTIONS = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""Seconds before the first probe, seconds between probes, and how many may be lost."""


def keep_alive(wire: Any) -> None:
    """Have the system probe a TCP socket that is silent, as far as it can; and send at once."""
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _OPTIONS.items():
        if hasattr(socket, name):
            wire.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
