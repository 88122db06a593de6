"""Measure training on a Ray cluster: `python -m bench.scale --on ray://HOST:PORT`."""

import argparse
import json
import sys
from pathlib import Path

from bench.scale.measure import REPEATS, SECONDS, measure
from bench.speed.command import lines
from meeple.cli.playing import place_asked
from meeple.errors import MeepleError


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--config", type=Path, help="a training configuration")
    parser.add_argument("--on", default="ray", help="the place, as of `meeple train`")
    parser.add_argument("--without-token", action="store_true", help="as of `meeple train`")
    parser.add_argument("--workers", type=int, help="at most; by default one a processor")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="duration of a session")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="sessions of each pair")
    parser.add_argument("--json", action="store_true", help="print an object of JSON")
    given = parser.parse_args(words)
    try:
        place = place_asked(given.on, given.without_token)
        assert place is not None, "a default is given"
        figures = measure(place, given.config, given.workers, given.seconds, given.repeats)
    except MeepleError as error:
        parser.exit(2, f"{error}\n")
    print(json.dumps(figures) if given.json else "\n".join(lines(figures)))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
