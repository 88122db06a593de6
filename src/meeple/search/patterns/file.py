"""Saved pattern evaluations: weights with the game and options that they were learned for."""

from dataclasses import replace
from typing import Any

import numpy as np

from meeple.errors import CheckpointError, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.patterns import HasPatterns
from meeple.search.patterns.drawn import Drawn
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.tensor_file import PathLike, SavedWeights, read_weights

KIND = "Meeple pattern evaluation"
MEASURED = ("deviations", "tempo")  # tensors that a file may lack
DRAWN = "drawn"  # the field of patterns that the game does not declare
MAX_FILE_BYTES = 2**25


def save_patterns(path: PathLike, game: Game, evaluation: PatternEvaluation, **about: Any) -> None:
    """Write the weights, and what was measured of them, as float16, all or nothing.

    Args:
        path: the file.
        game: the game that they were learned for.
        evaluation: the weights.
        about: how they were learned, as JSON values.

    Raises:
        CheckpointError: the disk refuses, or a weight is not finite.
    """
    tensors = {"weights": evaluation.weights.astype(np.float16)}
    for name in MEASURED:
        if getattr(evaluation, name).any():
            tensors[name] = getattr(evaluation, name).astype(np.float16)
    if evaluation.drawn is not None:
        about[DRAWN] = evaluation.drawn.to_json()
    SavedWeights(tensors, game.name, dict(game.options), about).write(path, KIND)


def read_patterns(path: PathLike) -> SavedWeights:
    """Return the content of a file: "weights" and those of `MEASURED` that were measured.

    Raises:
        CheckpointError: the file is no whole pattern evaluation.
    """
    saved = read_weights(path, KIND, frozenset({"F16"}), MAX_FILE_BYTES)
    if "weights" not in saved.weights:
        raise CheckpointError(f"{path} is corrupt: it lacks a field")
    wide = {name: tensor.astype(np.float32) for name, tensor in saved.weights.items()}
    return replace(saved, weights=wide)


def load_patterns(path: PathLike, game: Game) -> PatternEvaluation:
    """Return the evaluation of a file, ready to evaluate states of a game.

    Raises:
        CheckpointError: the file is no whole pattern evaluation, or one of another game or board.
    """
    saved = read_patterns(path)
    options = {**game.unsaid, **saved.options}
    anywhere = isinstance(game, HasPatterns) and game.patterns().anywhere
    fixed = () if anywhere and DRAWN not in saved.extra else game.board_options
    board = [name for name in fixed if options.get(name) != game.options[name]]
    if saved.game != game.name or board:
        known = (f"{name}={options[name]}" for name in board if name in options)
        learned = ", ".join([saved.game, *known])
        raise CheckpointError(f"{path} was learned for {learned}, not for {game!r}")
    try:
        drawn = Drawn.from_json(saved.extra[DRAWN], game) if DRAWN in saved.extra else None
        evaluation = PatternEvaluation(game, saved.weights["weights"], drawn)
    except (UsageError, CheckpointError) as error:
        raise CheckpointError(f"{path}: {error}") from None
    for name in MEASURED:
        measured, target = saved.weights.get(name), getattr(evaluation, name)
        if measured is not None:
            if measured.shape != target.shape:
                raise CheckpointError(f"{path} is corrupt: its {name} have another shape")
            target[:] = measured
    return evaluation
