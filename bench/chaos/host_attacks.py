"""Attacks on the host of a tournament: no handshake, invalid tokens, doubled tokens."""

import contextlib
import resource
import time
from collections.abc import Callable
from typing import Any

from bench.chaos.attacker import Attacker, hold
from bench.chaos.host_client import HostClient, free_cell

CONNECTIONS = 2600  # of one attacker before the TLS handshake
RIGHT_EVERY = 20  # wrong tokens to one right token of the same address
HELD_SECONDS = 3.0  # that the opponent thinks while the token comes again


def no_handshake(attacker: Attacker) -> None:
    """Open a connection that sends nothing."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    hold(CONNECTIONS, b"", attacker)


def wrong_tokens(attacker: Attacker) -> None:
    """Send an invalid token, and now and then a valid one from the same address."""
    number = attacker.done["connections"] + 1
    is_right = bool(attacker.tokens) and number % RIGHT_EVERY == 0
    token = attacker.tokens[0] if is_right else f"guess-{attacker.rng.random()}"
    try:
        client = HostClient(attacker.connected(), token)
    except OSError:
        attacker.done["no answer"] += 1
        time.sleep(0.05)
        return
    try:
        client.receive()
        client.send(token)
        answer = "refused" if client.receive()["topic"] == "error" else "accepted"
        attacker.done[f"{'right' if is_right else 'wrong'} tokens {answer}"] += 1
    except OSError:
        attacker.done["no answer"] += 1
    finally:
        client.leave()


def doubled_token(attacker: Attacker) -> None:
    """Play until the second player is to move; connect the first again, and move.

    The first connection answers nothing any more, not even the close_notify of TLS. Two tokens are
    needed: both players of a series are the attacker's.
    """
    try:
        first, second = (_connect(attacker, token) for token in attacker.tokens[:2])
        for client in (first, second):
            client.receive_event()
        request = _request_of_second(attacker, first, second)
        if request is None:
            return
        again = _connect(attacker, first.token)
        with contextlib.suppress(TimeoutError):
            again.receive_event(HELD_SECONDS)
        attacker.done["tokens doubled"] += 1
        second.send(free_cell(request["state"]))
        time.sleep(HELD_SECONDS)
    finally:
        time.sleep(0.1)


def _connect(attacker: Attacker, token: str) -> HostClient:
    """Return a connection that stays open until the end."""
    client = HostClient(attacker.connected(), token)
    attacker.held.callback(client.leave)
    return client


def _request_of_second(attacker: Attacker, first: HostClient, second: HostClient) -> Any:
    """Move for the first until the second gets a request; return it, or None at the time limit."""
    while attacker.has_time:
        for client in (second, first):
            with contextlib.suppress(TimeoutError):
                message = client.receive(0.3)
                if message["topic"] == "request_action" and client is second:
                    return message
                if message["topic"] == "request_action":
                    client.send(free_cell(message["state"]))
                    attacker.done["moves"] += 1
    return None


HOST_KINDS: dict[str, Callable[[Attacker], None]] = {
    "handshakes": no_handshake,
    "wrong tokens": wrong_tokens,
    "doubled token": doubled_token,
}
LONE_KINDS = ("handshakes", "doubled token")  # that an attacker makes in one thread
