"""A client of the host of a tournament: blocking, over TLS, in the dialect of frames."""

import contextlib
import json
import socket
import ssl
import struct
from typing import Any

_HEAD = struct.Struct("<i")  # the length of a message, before it


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

    def receive(self, seconds: float | None = 10.0) -> Any:
        """Return the next message; raise OSError, or TimeoutError after `seconds`."""
        self.line.settimeout(seconds)
        (length,) = _HEAD.unpack(self._read(_HEAD.size))
        return json.loads(self._read(length))

    def send(self, value: Any) -> None:
        """Send a message; raise OSError."""
        content = json.dumps(value).encode()
        self.line.sendall(_HEAD.pack(len(content)) + content)

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

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.line.recv(count - len(data))
            if not more:
                raise ConnectionError("closed")
            data += more
        return data


def free_cell(state: list[int]) -> tuple[int, int]:
    """Return the first free cell of a board of Hex in the host's own form."""
    size = int((len(state) - 1) ** 0.5)
    return divmod(state.index(0, 1) - 1, size)
