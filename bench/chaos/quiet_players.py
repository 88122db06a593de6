"""Quiet players of a tournament, a separate program: `python -m bench.chaos.quiet_players URL`.

The honest players of `programs.NAMES` play each other, and a newcomer connects every second. Prints
a line of JSON for each answer of the host: when it was requested, how long it took, and what was
wrong. An answer is the round trip of a move, or the time until a new connection is asked for its
token.
"""

import json
import os
import socket
import sys
import threading
import time
from urllib.parse import urlsplit

from bench.chaos.host_client import HostClient, free_cell
from bench.chaos.programs import NAMES, token_of
from bench.chaos.quiet import ADDRESS

THINK = 0.1  # seconds of a move of the honest players
PAUSE = 1.0  # seconds between two newcomers
PATIENCE = 60.0  # seconds until a newcomer gives up


def connect(port: int, name: str = "") -> HostClient:
    """Connect a player, or a newcomer without a name; raise OSError."""
    line = socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=(ADDRESS, 0))
    return HostClient(line, token_of(name))


def report(kind: str, asked: float, seconds: float, fault: str = "") -> None:
    """Print a line about an answer; end the program if nothing reads it."""
    answer = {"kind": kind, "at": asked, "seconds": seconds, "fault": fault}
    try:
        print(json.dumps(answer) + "\n", end="", flush=True)
    except BrokenPipeError:
        os._exit(0)


def newcomer(port: int) -> None:
    """Connect, and wait for the request for a token."""
    asked, began, fault = time.time(), time.perf_counter(), ""
    try:
        client = connect(port)
        topic = client.receive(PATIENCE)["topic"]
        fault = "" if topic == "authentication" else f"a newcomer was answered {topic!r}"
        client.leave()
    except TimeoutError:
        fault = f"a newcomer was not answered within {PATIENCE:.0f} s"
    except OSError as error:
        fault = f"a newcomer was refused: {error!r}"
    report("connection", asked, time.perf_counter() - began, fault)


def honest(name: str, port: int) -> None:
    """Play, and report the round trip of each move, without the time of the opponent."""
    sent = None
    try:
        client = connect(port, name)
        while (event := client.receive_event(None))["topic"] not in ("finish", "error"):
            if event["topic"] == "request_action":
                if sent is not None:
                    seconds = time.perf_counter() - sent - THINK
                    report("move", time.time() - seconds, seconds)
                time.sleep(THINK)
                client.send(free_cell(event["state"]))
                sent = time.perf_counter()
            elif event["topic"] in ("game_over", "game_start"):
                sent = None  # what comes next is another game
        fault = "ended its session"
    except OSError as error:
        fault = f"lost the connection: {error!r}"
    report("move", time.time(), 0.0, f"{name} {fault}")


def begin_league(port: int) -> None:
    """Let the other two players connect until one of their games has begun."""
    begun = threading.Event()

    def visit(guest: HostClient) -> None:
        try:
            while guest.receive_event(None)["topic"] != "request_action":
                pass
        except OSError:
            return
        begun.set()

    guests = [connect(port, name) for name in NAMES[1:3]]
    for guest in guests:
        threading.Thread(target=visit, args=(guest,), daemon=True).start()
    begun.wait()
    for guest in guests:
        guest.leave()


def main() -> None:
    port = urlsplit(sys.argv[1]).port or 0
    players = [
        threading.Thread(target=honest, args=(name, port), daemon=True)
        for name in (NAMES[0], NAMES[-1])
    ]
    for player in players:
        player.start()
    begin_league(port)
    while any(player.is_alive() for player in players):
        newcomer(port)
        time.sleep(PAUSE)


if __name__ == "__main__":
    main()
