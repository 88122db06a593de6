"""Files of perceptrons: the weights, and the game that the network was trained for."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from meeple.errors import CheckpointError
from meeple.games.contract.game import Game
from meeple.studies.perceptron import ACTIVATIONS, Perceptron, number_of_weights
from meeple.tensor_file import PathLike, SavedWeights, Tensors, read_tensors

KIND = "Meeple perceptron"
_SCALE, _WEIGHTS = "scale", "weights"


@dataclass(frozen=True)
class SavedPerceptron:
    """A network, its game and options, and the writer's own data."""

    network: Perceptron
    game: str
    options: dict[str, Any]
    extra: dict[str, Any] = field(default_factory=dict)
    tensors: Tensors = field(default_factory=dict)  # float32, besides the network's


def save_perceptron(path: PathLike, saved: SavedPerceptron) -> None:
    """Write a file atomically. Raises CheckpointError if a weight is not finite, or on failure."""
    network = saved.network
    tensors = {**saved.tensors, _SCALE: network.scale, _WEIGHTS: network.weights}
    SavedWeights(tensors, saved.game, saved.options, saved.extra).write(
        path,
        KIND,
        widths=network.widths.tolist(),
        activation=ACTIVATIONS[network.activation],
    )


def load_perceptron(path: PathLike) -> SavedPerceptron:
    """Read a network. Raises CheckpointError if the file is not a complete perceptron."""
    about, tensors = read_tensors(path, KIND)
    match about:
        case {
            "game": str() as game,
            "options": dict() as options,
            "widths": [int(), int(), *_] as widths,
            "activation": str() as word,
            "extra": dict() as extra,
        } if word in ACTIVATIONS and all(isinstance(one, int) and one > 0 for one in widths):
            network = Perceptron(
                tensors.pop(_SCALE, np.zeros(0, np.float32)).copy(),
                np.array(widths, dtype=np.int64),
                tensors.pop(_WEIGHTS, np.zeros(0, np.float32)).copy(),
                ACTIVATIONS.index(word),
            )
        case _:
            raise CheckpointError(f"{path} is corrupt: its metadata lacks a field")
    shapes = network.scale.shape, network.weights.shape
    if shapes != ((widths[0],), (number_of_weights(network.widths),)):
        raise CheckpointError(f"{path} is corrupt: its arrays are not of the widths {widths}")
    return SavedPerceptron(network, game, options, extra, tensors)


def perceptron_for(path: PathLike, game: Game) -> Perceptron:
    """Read a network for a game. Raises CheckpointError if it is of another game."""
    saved = load_perceptron(path)
    if saved.game != game.name:
        raise CheckpointError(f"{path} was trained for {saved.game}, not for {game.name}")
    return saved.network
