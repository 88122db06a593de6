"""The client's end of a connection: blocking, in either dialect, over TLS or plain TCP."""

import contextlib
import socket
import ssl
from abc import ABC, abstractmethod
from collections.abc import Sequence

from meeple.errors import MeepleError
from meeple_oht.keepalive import keep_alive
from meeple_oht.wire import dialect2020 as old
from meeple_oht.wire.frames import MAX_SERVER_FRAME_BYTES, FrameReader, pack
from meeple_oht.wire.messages import ServerMessage, from_json

CONNECT_SECONDS = 10.0
READ_BYTES = 65_536  # most bytes of one read
NEW, OLD = "2023", "2020"
DIALECTS = (NEW, OLD)


class ConnectionEnded(MeepleError):
    """The server closed the connection, or the connection was lost."""


def connect(host: str, port: int, tls: ssl.SSLContext | None, dialect: str) -> "ServerConnection":
    """Connect to a server.

    Raises:
        ConnectionEnded: the server cannot be reached or does not speak TLS.
        MeepleError: its certificate is not the pinned one.
    """
    place = f"{host}, port {port}"
    try:
        plain = socket.create_connection((host, port), timeout=CONNECT_SECONDS)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConnectionEnded(f"cannot reach {place}: {reason}") from None
    keep_alive(plain)
    try:
        wire = plain if tls is None else tls.wrap_socket(plain)
    except ssl.SSLCertVerificationError:
        plain.close()
        raise MeepleError(f"{place} has another certificate than the given one") from None
    except OSError as error:
        plain.close()
        reason = error.strerror or str(error)
        raise ConnectionEnded(f"{place} does not use TLS: {reason}") from None
    return _Framed(wire) if dialect == NEW else _Unframed(wire)


class ServerConnection(ABC):
    """Receives the server's messages and sends the client's answers, by a connected socket."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        wire.settimeout(CONNECT_SECONDS)  # until the server's first message

    @abstractmethod
    def next(self) -> ServerMessage:
        """Wait for the next message and return it. Raises ConnectionEnded and WireError."""

    @abstractmethod
    def answer_text(self, text: str) -> None:
        """Send a name or a token."""

    @abstractmethod
    def answer_yes(self, yes: bool) -> None:
        """Send yes or no."""

    @abstractmethod
    def answer_action(self, action: Sequence[int] | None) -> None:
        """Send an action; None loses the game."""

    def receive(self) -> bytes:
        """Wait for bytes and return them."""
        try:
            data = self._wire.recv(READ_BYTES)
            self._wire.settimeout(None)
        except TimeoutError:
            raise ConnectionEnded("the server sends nothing: check whether it uses TLS") from None
        except OSError as error:
            raise ConnectionEnded(f"the connection has broken: {error.strerror or error}") from None
        if not data:
            raise ConnectionEnded("the server has closed the connection")
        return data

    def send(self, data: bytes) -> None:
        """Send all bytes."""
        try:
            self._wire.sendall(data)
        except OSError as error:
            raise ConnectionEnded(f"the connection has broken: {error.strerror or error}") from None

    def close(self) -> None:
        """End the connection."""
        with contextlib.suppress(OSError):
            self._wire.close()


class _Framed(ServerConnection):
    """The dialect of JSON frames."""

    def __init__(self, wire: socket.socket) -> None:
        super().__init__(wire)
        self._frames = FrameReader(MAX_SERVER_FRAME_BYTES)

    def next(self) -> ServerMessage:
        while (value := self._frames.next()) is None:
            self._frames.feed(self.receive())
        return from_json(value[0])

    def answer_text(self, text: str) -> None:
        self.send(pack(text))

    def answer_yes(self, yes: bool) -> None:
        self.send(pack(yes))

    def answer_action(self, action: Sequence[int] | None) -> None:
        self.send(pack(None if action is None else list(action)))


class _Unframed(ServerConnection):
    """The dialect of 2020."""

    def __init__(self, wire: socket.socket) -> None:
        super().__init__(wire)
        self._texts = old.Texts()

    def next(self) -> ServerMessage:
        while (message := self._texts.next()) is None:
            self._texts.feed(self.receive().decode(errors="replace"))
        return message

    def answer_text(self, text: str) -> None:
        self.send(text.encode())

    def answer_yes(self, yes: bool) -> None:
        self.send(b"y" if yes else b"n")

    def answer_action(self, action: Sequence[int] | None) -> None:
        self.send(repr(None if action is None else tuple(action)).encode())
