"""Catan in lockstep with catanatron: `python bench/catan_lockstep.py --games N [--seed S]`.

Plays random games here and there at once, compares them after every ply, and prints how often
catanatron departed from the official rules, and how. Any other difference ends the run with its
game, and exit status 1.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

CASES = (  # players, points that win, style; in turns
    (4, 10, "uniform"),
    (4, 10, "building"),
    (4, 10, "rival"),
    (3, 10, "uniform"),
    (4, 6, "rival"),
    (2, 10, "building"),
    (4, 10, "hoarding"),
    (3, 10, "rival"),
)


def main() -> int:
    """Play, and print the counts; 1 where a game differed."""
    sys.path.insert(0, str(ROOT))  # the comparison belongs to the tests
    from tests.games.catan.rules.catanatron_lockstep import DEPARTURES, Lockstep

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    chosen = parser.parse_args()
    counts: Counter[str] = Counter()
    games: Counter[str] = Counter()
    plies, began = 0, time.perf_counter()
    for seed in range(chosen.seed, chosen.seed + chosen.games):
        case = CASES[seed % len(CASES)]
        game = Lockstep(seed, *case)
        try:
            game.play_out()
        except AssertionError as difference:
            print(f"seed {seed}, {case}, ply {game.plies}: {difference}")
            return 1
        plies += game.plies
        counts += game.departures
        games.update(name for name, count in game.departures.items() if count)
    seconds = time.perf_counter() - began
    print(f"{chosen.games:,} games, {plies:,} plies compared in {seconds:.0f} s; departures:")
    for name, meaning in DEPARTURES.items():
        print(f"{counts[name]:8,} in {games[name]:5,} games  {name}: {meaning}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
