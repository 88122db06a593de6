"""Measure speed, also against other programs: `python -m bench`."""

import sys

from bench.speed.command import main
from meeple.cli.shared.streams import prepare_streams

if __name__ == "__main__":
    prepare_streams()
    words = [word for word in sys.argv[1:] if word != "--debug"]
    sys.exit(main(words, debug="--debug" in sys.argv))
