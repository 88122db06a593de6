"""Quiet clients, a separate program: `python -m bench.chaos.quiet URL [--login]`.

Of the server, a client requests from a separate address the list of games a few times a second, now
and then a new game of Nim, or with `--login` the login page; another plays against agents, and an
answer is the time of an agent's move without its own. Of the host of a tournament (an https
URL), the honest players of `NAMES` play each other, and a newcomer connects every second;
an answer is the round trip of a move, or the time until a new connection is asked for its token.

Prints a line of JSON for each answer: its kind, the time of the request, the wait, and the fault.
Refused connections to the server count as `down`: it is being restarted.
"""

import contextlib
import http.client
import itertools
import json
import os
import socket
import sys
import threading
import time
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect as connect_socket

from bench.chaos.host_client import NAMES, HostClient, free_cell, token_of

ADDRESS = "127.0.0.9"
PLAYER_ADDRESS = "127.0.0.8"  # of the client that plays against agents
AGENTS = (("random", 0.0), ("uct:seconds=0.5", 0.5))  # with the seconds of a move
BOARD = {"game": "hex", "options": {"size": 5}}
PAUSE = 0.2  # seconds between two requests to the server
PATIENCE = 60.0  # seconds until a client gives up on an answer
GAMES = 5  # requests from one new game to the next
LIST = "/api/tables?limit=5"
SEATS = [{"kind": "me"}, {"kind": "agent", "spec": "random"}]
GAME = json.dumps({"game": "nim", "options": {"stones": 9}, "seats": SEATS})
THINK = 0.1  # seconds of a move of the honest players
GONE = (OSError, TimeoutError, WebSocketException, http.client.HTTPException)
"""What a connection raises that was cut, or refused while the server starts again."""
NEWCOMER_PAUSE = 1.0  # seconds between two newcomers


def report(kind: str, at: float, seconds: float, fault: str = "") -> None:
    """Print a line about an answer; end the program if nothing reads it."""
    answer = {"kind": kind, "at": at, "seconds": seconds, "fault": fault}
    try:
        print(json.dumps(answer) + "\n", end="", flush=True)
    except BrokenPipeError:
        os._exit(0)


# ------------------------------------------------------------ the server


def ask(host: str, port: int, game: bool, path: str = LIST) -> str:
    """Request a new `game` or a `path`; return the fault of the answer, or an empty text."""
    connection = http.client.HTTPConnection(host, port, PATIENCE, (ADDRESS, 0))
    try:
        if game:
            connection.request("POST", "/api/tables", GAME, {"content-type": "application/json"})
        else:
            connection.request("GET", path)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        return "" if answer.status == 200 else f"{answer.status} {text[:120]}"
    except (ConnectionError, http.client.HTTPException):
        return "down"
    except OSError as error:
        return f"no answer: {error}"
    finally:
        connection.close()


def visit_server(host: str, port: int, *, login: bool) -> None:
    """Request without end."""
    path = "/login" if login else LIST
    for number in itertools.count():
        at, began = time.time(), time.perf_counter()
        fault = ask(host, port, number % GAMES == 0 and not login, path)
        report("request", at, time.perf_counter() - began, fault)
        time.sleep(PAUSE)


def play_agents(host: str, port: int) -> None:
    """Play against agents without end; a game that is cut off is left."""
    for spec, own in itertools.cycle(AGENTS):
        with contextlib.suppress(*GONE):
            _play_agent(host, port, spec, own)
        time.sleep(PAUSE)


def _play_agent(host: str, port: int, spec: str, own: float) -> None:
    """Play a game of first legal moves; report how long the agent's moves take."""
    wanted = json.dumps({**BOARD, "seats": [{"kind": "me"}, {"kind": "agent", "spec": spec}]})
    connection = http.client.HTTPConnection(host, port, PATIENCE, (PLAYER_ADDRESS, 0))
    with contextlib.closing(connection):
        connection.request("POST", "/api/tables", wanted, {"content-type": "application/json"})
        made = json.loads(connection.getresponse().read())
    if "id" not in made:
        return
    address = f"ws://{host}:{port}/ws/table"
    line = socket.create_connection((host, port), PATIENCE, source_address=(PLAYER_ADDRESS, 0))
    with connect_socket(address, sock=line, max_size=None) as page:
        tokens = [made["tokens"]["0"]]
        page.send(json.dumps({"type": "watch", "table": made["id"], "tokens": tokens}))
        at, began, sent = 0.0, 0.0, -1
        while True:
            view = json.loads(page.recv(PATIENCE))
            if view["type"] != "table":
                return
            if sent >= 0 and view["ply"] > sent + 1:
                report("agent", at, time.perf_counter() - began - own)
                sent = -1
            if view["status"] == "over":
                return
            if view["actions"] and sent < 0:
                at, began, sent = time.time(), time.perf_counter(), view["ply"]
                action = view["actions"][0]["id"]
                page.send(json.dumps({"type": "play", "ply": sent, "actions": [action]}))


# ------------------------------------------------------------ the host of a tournament


def connect(port: int, name: str = "") -> HostClient:
    """Connect a player, or a newcomer without a name; raise OSError."""
    line = socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=(ADDRESS, 0))
    return HostClient(line, token_of(name))


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


def play_at_host(port: int) -> None:
    """Play until the tournament ends."""
    players = [
        threading.Thread(target=honest, args=(name, port), daemon=True)
        for name in (NAMES[0], NAMES[-1])
    ]
    for player in players:
        player.start()
    begin_league(port)
    while any(player.is_alive() for player in players):
        newcomer(port)
        time.sleep(NEWCOMER_PAUSE)


if __name__ == "__main__":
    url = urlsplit(sys.argv[1])
    if url.scheme == "https":
        play_at_host(url.port or 0)
    else:
        server, login = (url.hostname or "", url.port or 80), "--login" in sys.argv
        if not login:
            threading.Thread(target=play_agents, args=server, daemon=True).start()
        visit_server(*server, login=login)
