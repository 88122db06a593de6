"""Saved pattern evaluations: weights with the game and options that they were learned for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.errors import CheckpointError, UsageError
from meeple.files import version
from meeple.games.contract.game import Game
from meeple.games.contract.patterns import HasPatterns
from meeple.search.patterns.evaluation import PatternEvaluation, Weights
from meeple.tensor_file import PathLike, read_tensors, write_tensors

KIND = "Meeple pattern evaluation"
MAX_FILE_BYTES = 2**25


@dataclass(frozen=True)
class SavedPatterns:
    """The content of a file: weights, and the game and options that they were learned for."""

    weights: Weights
    deviations: npt.NDArray[np.float32] | None  # as in `PatternEvaluation`
    game: str
    options: dict[str, Any]


def save_patterns(path: PathLike, game: Game, evaluation: PatternEvaluation, **about: Any) -> None:
    """Write the weights, and deviations if there are any, as float16, all or nothing.

    Args:
        path: the file.
        game: the game that they were learned for.
        evaluation: the weights.
        about: how they were learned, as JSON values.

    Raises:
        CheckpointError: the disk refuses, or a weight is not finite.
    """
    metadata = {"game": game.name, "options": dict(game.options), "extra": about}
    tensors = {"weights": evaluation.weights.astype(np.float16)}
    if evaluation.deviations.any():
        tensors["deviations"] = evaluation.deviations.astype(np.float16)
    write_tensors(path, KIND, tensors, {**metadata, "meeple_version": version()})


def read_patterns(path: PathLike) -> SavedPatterns:
    """Return the content of a file.

    Raises:
        CheckpointError: the file is no whole pattern evaluation.
    """
    types = frozenset({"F16"})
    about, tensors = read_tensors(Path(path), KIND, types=types, max_bytes=MAX_FILE_BYTES)
    match about, tensors:
        case {"game": str() as game, "options": dict() as options}, {"weights": weights}:
            deviations = tensors.get("deviations")
            if deviations is not None:
                deviations = deviations.astype(np.float32)
            return SavedPatterns(weights.astype(np.float32), deviations, game, options)
    raise CheckpointError(f"{path} is corrupt: it lacks a field")


def load_patterns(path: PathLike, game: Game) -> PatternEvaluation:
    """Return the evaluation of a file, ready to evaluate states of a game.

    Raises:
        CheckpointError: the file is no whole pattern evaluation, or one of another game or board.
    """
    saved = read_patterns(path)
    options = {**game.unsaid, **saved.options}
    anywhere = isinstance(game, HasPatterns) and game.patterns().anywhere
    fixed = () if anywhere else game.board_options
    board = [name for name in fixed if options.get(name) != game.options[name]]
    if saved.game != game.name or board:
        learned = ", ".join([saved.game, *(f"{name}={options.get(name)}" for name in board)])
        raise CheckpointError(f"{path} was learned for {learned}, not for {game!r}")
    try:
        evaluation = PatternEvaluation(game, saved.weights)
    except UsageError as error:
        raise CheckpointError(f"{path}: {error}") from None
    if saved.deviations is not None:
        if saved.deviations.shape != evaluation.deviations.shape:
            raise CheckpointError(f"{path} is corrupt: its deviations have another shape")
        evaluation.deviations[:] = saved.deviations
    return evaluation
