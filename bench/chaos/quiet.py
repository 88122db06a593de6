"""A quiet client, a program of its own: `python -m bench.chaos.quiet URL`.

Asks for the list of games a few times a second, now and then for a new game of Nim, and prints a
line of JSON for each answer: when it asked, how long it waited, and what was wrong. Connections
that are refused count as `down`: the server is being started again.
"""

import http.client
import itertools
import json
import sys
import time
from urllib.parse import urlsplit

PAUSE = 0.2  # seconds between two questions
PATIENCE = 60.0  # seconds until it gives up on an answer
GAMES = 5  # questions from one new game to the next
LIST = "/api/tables?limit=5"
SEATS = [{"kind": "me"}, {"kind": "agent", "spec": "random"}]
GAME = json.dumps({"game": "nim", "options": {"stones": 9}, "seats": SEATS})


def ask(host: str, port: int, game: bool) -> str:
    """One question, for a new `game` or a list; what was wrong with the answer, or empty."""
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        if game:
            connection.request("POST", "/api/tables", GAME, {"content-type": "application/json"})
        else:
            connection.request("GET", LIST)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        return "" if answer.status == 200 else f"{answer.status} {text[:120]}"
    except (ConnectionError, http.client.HTTPException):
        return "down"
    except OSError as error:
        return f"no answer: {error}"
    finally:
        connection.close()


def main() -> None:
    """Ask until the reader of the answers is gone."""
    parts = urlsplit(sys.argv[1])
    for number in itertools.count():
        at, began = time.time(), time.perf_counter()
        fault = ask(parts.hostname or "", parts.port or 80, number % GAMES == 0)
        waited = time.perf_counter() - began
        try:
            print(json.dumps({"at": at, "seconds": waited, "fault": fault}), flush=True)
        except BrokenPipeError:
            return
        time.sleep(PAUSE)


if __name__ == "__main__":
    main()
