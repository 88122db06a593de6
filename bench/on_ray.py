"""A tournament of 10,000 small games here and on Ray, with a worker killed in the middle.

Run: python -m bench.on_ray [GAMES]. Says whether both tables are identical, and the seconds of
each; that on Ray has the start of a cluster and of the new worker in it.
"""

import json
import sys
import time

import psutil

import meeple
from meeple.arena.tournament import Tournament, play_tournament
from meeple.executors.place import Place

SPECS = ("random", "uct:sims=10", "uct:sims=20", "uct:sims=40", "uct:sims=80")  # ten pairs
WORKERS = 2


def table(result: Tournament) -> str:
    return json.dumps([result.standings.to_json(), result.standings.matrix_json()])


def kill_one_worker() -> bool:
    for process in psutil.Process().children(recursive=True):
        if "RayActor" in "".join(process.cmdline()):
            process.kill()
            return True
    return False


def main(games: int) -> None:
    game = meeple.make("nim")
    killed = False

    def watch(done: int, of: int) -> None:
        nonlocal killed
        if not killed and done >= of // 2:
            killed = kill_one_worker()

    started = time.perf_counter()
    here = play_tournament(game, SPECS, games // 10, workers=WORKERS)
    middle = time.perf_counter()
    place = Place(say=print)
    there = play_tournament(game, SPECS, games // 10, workers=WORKERS, on=place, progress=watch)
    ended = time.perf_counter()
    same = table(here) == table(there) and here.standings.entries == there.standings.entries
    print(
        f"{len(here.outcomes)} games here {middle - started:.1f} s, on Ray {ended - middle:.1f} s"
    )
    print(f"A worker was killed: {killed}. Tables are identical: {same}.")
    sys.exit(0 if same and killed else 1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
