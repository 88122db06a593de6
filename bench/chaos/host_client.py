"""The players of the tournament, and their client: blocking, over TLS, in the dialect of frames."""

import contextlib
import socket
import ssl
from typing import Any

from meeple_oht.wire.frames import MAX_SERVER_FRAME_BYTES, FrameReader, pack

READ_BYTES = 65_536  # most bytes of one read
NAMES = ("Ada", "Xan", "Yves", "Bob")
"""In this order the league begins with Ada against Bob, and Xan against Yves, who attack."""


def token_of(name: str) -> str:
    return f"token-of-{name}"


class HostClient:
    """One connection, which answers questions and sends one token."""

    def __init__(self, line: socket.socket, token: str = "") -> None:
        """Begin TLS on a connection. Raises OSError."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        try:
            self.line = context.wrap_socket(line)
        except OSError:
            line.close()
            raise
        self.token = token
        self._frames = FrameReader(MAX_SERVER_FRAME_BYTES)

    def receive(self, seconds: float | None = 10.0) -> Any:
        """Return the next message; raise OSError, or TimeoutError after `seconds`."""
        self.line.settimeout(seconds)
        while (message := self._frames.next()) is None:
            data = self.line.recv(READ_BYTES)
            if not data:
                raise ConnectionError("closed")
            self._frames.feed(data)
        return message[0]

    def send(self, value: Any) -> None:
        """Send a message; raise OSError."""
        self.line.sendall(pack(value))

    def receive_event(self, seconds: float | None = 10.0) -> Any:
        """Send the token, agree to questions, and return the next other message; raise OSError."""
        while True:
            message = self.receive(seconds)
            if message["topic"] == "authentication":
                self.send(self.token)
            elif message["topic"] == "question":
                self.send(True)
            else:
                return message

    def leave(self) -> None:
        """Close the connection without a close_notify."""
        with contextlib.suppress(OSError):
            self.line.shutdown(socket.SHUT_RDWR)
        self.line.close()


def free_cell(state: list[int]) -> tuple[int, int]:
    """Return the first free cell of a board of Hex in the host's own form."""
    size = int((len(state) - 1) ** 0.5)
    return divmod(state.index(0, 1) - 1, size)
