"""Strategies of external sampling as files, from which sampling continues: safetensors."""

from typing import Any

import numpy as np

from meeple.errors import CheckpointError
from meeple.games.contract.game import Game
from meeple.search.exact.mccfr import TYPES, ExternalSampling, Sums
from meeple.tensor_file import PathLike, read_tensors, write_tensors

KIND = "Meeple strategy"  # in a file's metadata
STORED = frozenset({"U64", "I64", "F64"})  # in the words of safetensors


def save(path: PathLike, sampling: ExternalSampling) -> None:
    """Write the sums of a sampling run, all or nothing; CheckpointError when the disk refuses."""
    game = sampling.game
    metadata = {
        "game": game.name,
        "options": dict(game.options),
        "iterations": sampling.iterations,
        "generator": sampling.generator,
    }
    write_tensors(path, KIND, sampling.sums._asdict(), metadata)


def load(path: PathLike, game: Game) -> ExternalSampling:
    """Read a sampling run that `save` wrote; it continues as if it had not been interrupted.

    Raises:
        CheckpointError: the file is missing, corrupt, of another kind, or of another game.
    """
    metadata, arrays = read_tensors(path, KIND, STORED)
    _check_game(path, metadata, game)
    iterations, generator = metadata.get("iterations"), metadata.get("generator")
    if not (isinstance(iterations, int) and isinstance(generator, int) and iterations >= 0):
        raise CheckpointError(f"{path} is corrupt: it does not say how it was sampled")
    if not 0 <= generator < 1 << 64:
        raise CheckpointError(f"{path} is corrupt: its generator is {generator}")
    sampling = ExternalSampling(game)
    sampling.restore(_sums(path, arrays), iterations, generator)
    return sampling


def _check_game(path: PathLike, metadata: dict[str, Any], game: Game) -> None:
    name, options = metadata.get("game"), metadata.get("options")
    if not isinstance(name, str) or not isinstance(options, dict):
        raise CheckpointError(f"{path} is corrupt: it does not say which game it is of")
    if (name, options) != (game.name, dict(game.options)):
        raise CheckpointError(f"{path} is a strategy of {name}, {options}, not of {game!r}")


def _sums(path: PathLike, arrays: dict[str, Any]) -> Sums:
    """Return the arrays of a file, checked: kernels trust their ranges."""
    types = {name: array.dtype.name for name, array in arrays.items()}
    if types != TYPES:
        raise CheckpointError(f"{path} is corrupt: it holds {types}, not {TYPES}")
    sums = Sums(**arrays)
    slots = len(sums.regret)
    shapes = (sums.first.shape, sums.regret.shape, sums.total.shape)
    if sums.keys.ndim != 1 or shapes != (sums.keys.shape, (slots,), (slots,)):
        raise CheckpointError(f"{path} is corrupt: its columns differ in length")
    if (sums.keys == 0).any() or len(np.unique(sums.keys)) < len(sums.keys):
        raise CheckpointError(f"{path} is corrupt: an information set is stored twice")
    if ((sums.first < 0) | (sums.first >= slots)).any():
        raise CheckpointError(f"{path} is corrupt: an information set has no slots")
    if (sums.total < 0).any():
        raise CheckpointError(f"{path} is corrupt: a sum is negative")
    return sums
