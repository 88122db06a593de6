"""The newest networks that were published to the players of a cluster, on disk.

They show which network played a game. Networks to be saved for good are checkpoints.
"""

import contextlib
from collections import deque
from pathlib import Path

from meeple.errors import RunError
from meeple.files import remove_leftovers
from meeple.games.contract.game import Game
from meeple.learn.run.schema import SUFFIX, file_after
from meeple.nets import checkpoint
from meeple.nets.architecture import Weights

GENERATIONS = "generations"  # the folder in a run's folder
MAX_GENERATIONS = 20  # networks on disk; the oldest are deleted


class Generations:
    """Saves the newest networks of a run."""

    def __init__(self, run: Path, game: Game) -> None:
        """Make the folder. Raises RunError if that fails."""
        self._folder, self._game = run / GENERATIONS, game
        try:
            self._folder.mkdir(exist_ok=True)
            remove_leftovers(self._folder)
        except OSError as error:
            raise RunError(f"cannot make {self._folder}: {error.strerror or error}") from None
        self._files = deque(sorted(self._folder.glob(f"*{SUFFIX}")))

    def keep(self, weights: Weights, episodes: int) -> None:
        """Save a network after `episodes` episodes of training. Raises CheckpointError."""
        path = self._folder / file_after(episodes)
        about = {"episodes": episodes}
        options = dict(self._game.options)
        checkpoint.save(path, weights, game=self._game.name, options=options, extra=about)
        if path not in self._files:
            self._files.append(path)
        while len(self._files) > MAX_GENERATIONS:
            with contextlib.suppress(OSError):
                self._files.popleft().unlink()
