"""A quiet client, a separate program: `python -m bench.chaos.quiet URL [--login]`.

From a separate address it requests the list of games a few times a second, now and then a new game
of Nim, or with `--login` the login page. Prints a line of JSON for each answer: the time of the
request, the wait, and the fault. Refused connections count as `down`: the server is being
restarted.
"""

import http.client
import itertools
import json
import sys
import time
from urllib.parse import urlsplit

ADDRESS = "127.0.0.9"
PAUSE = 0.2  # seconds between two questions
PATIENCE = 60.0  # seconds until it gives up on an answer
GAMES = 5  # questions from one new game to the next
LIST = "/api/tables?limit=5"
SEATS = [{"kind": "me"}, {"kind": "agent", "spec": "random"}]
GAME = json.dumps({"game": "nim", "options": {"stones": 9}, "seats": SEATS})


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


def main() -> None:
    parts, login = urlsplit(sys.argv[1]), "--login" in sys.argv
    path = "/login" if login else LIST
    for number in itertools.count():
        at, began = time.time(), time.perf_counter()
        is_game = number % GAMES == 0 and not login
        fault = ask(parts.hostname or "", parts.port or 80, is_game, path)
        waited = time.perf_counter() - began
        try:
            print(json.dumps({"at": at, "seconds": waited, "fault": fault}), flush=True)
        except BrokenPipeError:
            return
        time.sleep(PAUSE)


if __name__ == "__main__":
    main()
