"""Saved pattern evaluations: weights with the game and options that they were learned for."""

from pathlib import Path
from typing import Any

import numpy as np

from meeple.errors import CheckpointError, UsageError
from meeple.files import version
from meeple.games.contract.game import Game
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.tensor_file import PathLike, read_tensors, write_tensors

KIND = "Meeple pattern evaluation"
MAX_FILE_BYTES = 2**25


def save_patterns(path: PathLike, game: Game, evaluation: PatternEvaluation, **about: Any) -> None:
    """Write the weights as float16, all or nothing.

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
    write_tensors(path, KIND, tensors, {**metadata, "meeple_version": version()})


def load_patterns(path: PathLike, game: Game) -> PatternEvaluation:
    """Return the evaluation of a file, ready to evaluate states of a game.

    Raises:
        CheckpointError: the file is no whole pattern evaluation, or one of another game or board.
    """
    about, tensors = read_tensors(
        Path(path), KIND, types=frozenset({"F16"}), max_bytes=MAX_FILE_BYTES
    )
    match about, tensors:
        case {"game": str() as name, "options": dict() as options}, {"weights": weights}:
            pass
        case _:
            raise CheckpointError(f"{path} is corrupt: it lacks a field")
    board = [option for option in game.board_options if options.get(option) != game.options[option]]
    if name != game.name or board:
        learned = ", ".join([name, *(f"{option}={options.get(option)}" for option in board)])
        raise CheckpointError(f"{path} was learned for {learned}, not for {game!r}")
    try:
        return PatternEvaluation(game, weights.astype(np.float32))
    except UsageError as error:
        raise CheckpointError(f"{path}: {error}") from None
