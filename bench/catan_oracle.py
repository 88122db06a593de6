"""Catan against its naive oracle: `python bench/catan_oracle.py --games N [--seed S]`.

Plays random games under mixed options in the compiled rules and in the oracle of the tests at once,
compares all they show after every ply, and prints how often each kind of action and outcome was
played. A difference ends the run with its game, and exit status 1.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from meeple.games.contract.game import Position

ROOT = Path(__file__).resolve().parent.parent


def options_of(seed: int) -> dict[str, Any]:
    """Options of any kind, by the seed: one game in four is the official one."""
    rng = np.random.default_rng([seed, 1])
    if seed % 4 == 0:
        return {}
    options: dict[str, Any] = {
        "players": int(rng.integers(2, 5)),
        "board": str(rng.choice(["random", "balanced", "beginner"])),
        "victory_points": int(rng.integers(3, 13)),
        "discard_limit": int(rng.integers(5, 11)),
        "robber": bool(rng.random() < 0.8),
        "development_cards": bool(rng.random() < 0.8),
        "domestic_trade": bool(rng.random() < 0.5),
        "hidden_hands": bool(rng.random() < 0.5),
        "friendly_robber": bool(rng.random() < 0.5),
        "payoff": str(rng.choice(["win", "points"])),
        "max_turns": 1000 if rng.random() < 0.7 else int(rng.integers(1, 200)),
    }
    options["friendly_robber"] = options["friendly_robber"] and options["robber"]
    if not options["development_cards"]:
        options["victory_points"] = min(options["victory_points"], 15)
    return options


def main() -> int:
    """Play, and print the counts; 1 where a game differed."""
    sys.path.insert(0, str(ROOT))  # the comparison belongs to the tests
    from tests.games.catan.oracle_words import in_words
    from tests.games.catan.rules.test_oracle import play_both

    play_beside: Callable[[dict[str, Any], int], Position] = play_both

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    chosen = parser.parse_args()
    words: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    began = time.perf_counter()
    for seed in range(chosen.seed, chosen.seed + chosen.games):
        options = options_of(seed)
        try:
            last = play_beside(options, seed)
        except AssertionError as difference:
            print(f"seed {seed}, {options}: {difference}")
            return 1
        ends["by turns" if last.state.turns >= last.state.max_turns else "won"] += 1
        walk = last.game.start(last.seed)
        for action in last.actions:
            words[in_words(walk, action)[0]] += 1
            walk.play(action)
    seconds = time.perf_counter() - began
    print(f"{chosen.games:,} games, {words.total():,} plies agreed in {seconds:.0f} s")
    print("ended:", ", ".join(f"{count:,} {name}" for name, count in ends.most_common()))
    print("played:", ", ".join(f"{count:,} {name}" for name, count in words.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
