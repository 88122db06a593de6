"""Networks that players of a run on a cluster were told, on disk: the newest, for whoever asks what
it was that played a game. Those to keep for good are checkpoints.
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
KEPT = 20  # of them


class Generations:
    """Keeps the newest networks of a run."""

    def __init__(self, run: Path, game: Game) -> None:
        """Raises RunError where the folder cannot be made."""
        self._folder, self._game = run / GENERATIONS, game
        try:
            self._folder.mkdir(exist_ok=True)
            remove_leftovers(self._folder)
        except OSError as error:
            raise RunError(f"cannot make {self._folder}: {error.strerror or error}") from None
        self._files = deque(sorted(self._folder.glob(f"*{SUFFIX}")))

    def keep(self, weights: Weights, episodes: int) -> None:
        """Write a network down that has learned from so many episodes. Raises CheckpointError."""
        path = self._folder / file_after(episodes)
        about = {"episodes": episodes}
        options = dict(self._game.options)
        checkpoint.save(path, weights, game=self._game.name, options=options, extra=about)
        if path not in self._files:
            self._files.append(path)
        while len(self._files) > KEPT:
            with contextlib.suppress(OSError):
                self._files.popleft().unlink()
