"""Attacks on the host of a tournament: no handshake, invalid tokens, doubled tokens."""

import contextlib
import resource
import time
from collections.abc import Callable
from typing import Any

from bench.chaos.attacker import Attacker
from bench.chaos.host_client import HostClient, free_cell

CONNECTIONS = 2600  # of one attacker before the TLS handshake
RIGHT_EVERY = 20  # wrong tokens to one right token of the same address
HELD_SECONDS = 3.0  # that the opponent thinks while the token comes again


def connect(attacker: Attacker, token: str) -> HostClient:
    """Connect from the attacker's address; raise OSError."""
    client = HostClient(attacker.connected(), token)
    attacker.done["connections"] += 1
    return client


def connections_without_handshake(attacker: Attacker) -> None:
    """Open connections that send nothing."""
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
    """Send invalid tokens, and now and then a valid one from the same address."""
    tries = 0
    while attacker.has_time:
        tries += 1
        is_right = bool(attacker.tokens) and tries % RIGHT_EVERY == 0
        token = attacker.tokens[0] if is_right else f"guess-{attacker.rng.random()}"
        try:
            client = connect(attacker, token)
        except OSError:
            attacker.done["no answer"] += 1
            time.sleep(0.05)
            continue
        try:
            client.receive()
            client.send(token)
            entered = client.receive()["topic"] != "error"
            answer = "accepted" if entered else "refused"
            attacker.done[f"{'right' if is_right else 'wrong'} tokens {answer}"] += 1
        except OSError:
            attacker.done["no answer"] += 1
        finally:
            client.leave()


def doubled_token(attacker: Attacker) -> None:
    """Connect twice with a token while its opponent is to move.

    The first connection answers nothing any more, not even the close_notify of TLS. Two tokens are
    needed: both players of a series are the attacker's.
    """
    with contextlib.ExitStack() as kept:
        while attacker.has_time:
            with contextlib.suppress(OSError):
                _double_once(attacker, kept)
            time.sleep(0.1)


def _double_once(attacker: Attacker, kept: contextlib.ExitStack) -> None:
    """Play until the second player is to move; connect the first again, and move. OSError."""
    first, second = (connect(attacker, token) for token in attacker.tokens[:2])
    kept.callback(first.leave)
    kept.callback(second.leave)
    for client in (first, second):
        client.receive_event()
    request = _request_of_second(attacker, first, second)
    if request is None:
        return
    again = connect(attacker, first.token)
    kept.callback(again.leave)
    with contextlib.suppress(TimeoutError):
        again.receive_event(HELD_SECONDS)
    attacker.done["tokens doubled"] += 1
    second.send(free_cell(request["state"]))
    time.sleep(HELD_SECONDS)


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
    "handshakes": connections_without_handshake,
    "wrong tokens": wrong_tokens,
    "doubled token": doubled_token,
}
