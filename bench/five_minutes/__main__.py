"""Learn board games by patterns in five minutes each: `python -m bench.five_minutes [NAME...]`.

Each game is learned from its rules alone, then plays 100 games against `uct` with 20 ms a move,
from random openings with both seats. Stopped work resumes from `--runs`. All minutes and
milliseconds are processor time of this process, so that other programs take none of it; with
`OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1` it is that of one core.
"""

import argparse
import json
import sys
import time
from pathlib import Path

time.perf_counter = time.process_time  # before the clocks of searches and training are made

from bench.five_minutes.measure import GAMES, measure, table  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.five_minutes", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(GAMES)}")
    parser.add_argument("--minutes", type=float, default=5.0, help="of learning a game")
    parser.add_argument("--games", type=int, default=100, help="of a match")
    parser.add_argument("--runs", type=Path, default=Path("runs") / "five-minutes")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each game")
    given = parser.parse_args()
    if unknown := set(given.names) - set(GAMES):
        parser.error(f"there is no game {min(unknown)}; games: {', '.join(GAMES)}")
    rows = []
    for name in given.names or GAMES:
        rows.append(measure(name, given.minutes, given.games, given.runs))
        if given.json:
            print(json.dumps(rows[-1]), flush=True)
    if not given.json:
        print(table(rows))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
