"""Attacks on the host of a tournament: connections without a handshake, tokens wrong or doubled."""

import contextlib
import json
import resource
import socket
import ssl
import struct
import time
from typing import Any

from bench.chaos.attacker import Attacker

HEAD = struct.Struct("<i")
CONNECTIONS = 2600  # of one attacker before the TLS handshake
RIGHT_EVERY = 20  # wrong tokens to one right token of the same address
HELD = 3.0  # seconds that the opponent thinks while the token comes again
HOST_KINDS = ("handshakes", "wrong tokens", "doubled token")


def attack_host(kind: str, attacker: Attacker) -> None:
    """One attack on the host, until its time is over."""
    if kind == "handshakes":
        connections_without_handshake(attacker)
    elif kind == "wrong tokens":
        wrong_tokens(attacker)
    else:
        doubled_token(attacker)


class Client:
    """A connection to the host over TLS, in the dialect of frames."""

    def __init__(self, attacker: Attacker, token: str) -> None:
        """Raises OSError."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        line = attacker.connected()
        try:
            self.line = context.wrap_socket(line)
        except OSError:
            line.close()
            raise
        self.token = token
        attacker.done["connections"] += 1

    def next(self, seconds: float = 10.0) -> Any:
        """The host's next message. Raises OSError, and TimeoutError after some seconds."""
        self.line.settimeout(seconds)
        (length,) = HEAD.unpack(self._read(HEAD.size))
        return json.loads(self._read(length))

    def send(self, value: Any) -> None:
        """Answer. Raises OSError."""
        content = json.dumps(value).encode()
        self.line.sendall(HEAD.pack(len(content)) + content)

    def enter(self, seconds: float = 10.0) -> Any:
        """Say the token, and yes to all questions; the first message after it. Raises OSError."""
        while True:
            message = self.next(seconds)
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


def connections_without_handshake(attacker: Attacker) -> None:
    """Connections that send nothing."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with contextlib.ExitStack() as lines:
        while attacker.has_time:
            if attacker.done["connections"] >= CONNECTIONS:
                time.sleep(0.1)
                continue
            with contextlib.suppress(OSError):
                lines.enter_context(attacker.connected())
                attacker.done["connections"] += 1


def wrong_tokens(attacker: Attacker) -> None:
    """Tokens of no player, and now and then a right one from the same address."""
    tries = 0
    while attacker.has_time:
        tries += 1
        is_right = bool(attacker.tokens) and tries % RIGHT_EVERY == 0
        token = attacker.tokens[0] if is_right else f"guess-{attacker.rng.random()}"
        try:
            client = Client(attacker, token)
        except OSError:
            attacker.done["no answer"] += 1
            time.sleep(0.05)
            continue
        try:
            client.next()
            client.send(token)
            entered = client.next()["topic"] != "error"
            answer = "accepted" if entered else "refused"
            attacker.done[f"{'right' if is_right else 'wrong'} tokens {answer}"] += 1
        except OSError:
            attacker.done["no answer"] += 1
        finally:
            client.leave()


def doubled_token(attacker: Attacker) -> None:
    """A token that connects twice while its opponent is to move.

    The first connection answers nothing any more, not even the close_notify of TLS. Two tokens are
    needed: both players of a series are the attacker's.
    """
    with contextlib.ExitStack() as kept:
        while attacker.has_time:
            with contextlib.suppress(OSError):
                _double_once(attacker, kept)
            time.sleep(0.1)


def _double_once(attacker: Attacker, kept: contextlib.ExitStack) -> None:
    """Play until the second player is to move, connect the first once more, and move. OSError."""
    first, second = (Client(attacker, token) for token in attacker.tokens[:2])
    kept.callback(first.leave)
    kept.callback(second.leave)
    for client in (first, second):
        client.enter()
    request = _request_of_second(attacker, first, second)
    if request is None:
        return
    again = Client(attacker, first.token)
    kept.callback(again.leave)
    with contextlib.suppress(TimeoutError):
        again.enter(HELD)
    attacker.done["tokens doubled"] += 1
    second.send(free_cell(request["state"]))
    time.sleep(HELD)


def _request_of_second(attacker: Attacker, first: Client, second: Client) -> Any:
    """Move for the first until the second is asked; the request. None when the time is over."""
    while attacker.has_time:
        for client in (second, first):
            with contextlib.suppress(TimeoutError):
                message = client.next(0.3)
                if message["topic"] == "request_action" and client is second:
                    return message
                if message["topic"] == "request_action":
                    client.send(free_cell(message["state"]))
                    attacker.done["moves"] += 1
    return None


def free_cell(state: list[int]) -> tuple[int, int]:
    """The first free cell of a board of Hex in the host's own form."""
    size = int((len(state) - 1) ** 0.5)
    return divmod(state.index(0, 1) - 1, size)
