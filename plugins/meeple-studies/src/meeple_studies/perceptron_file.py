"""Files of perceptrons: the weights, and the game that the network was trained for."""

from dataclasses import replace

import numpy as np

from meeple.errors import CheckpointError
from meeple.games.contract.game import Game
from meeple.tensor_file import PathLike, SavedWeights, read_tensors
from meeple_studies.perceptron import ACTIVATIONS, Perceptron, number_of_weights

KIND = "Meeple perceptron"
_SCALE, _WEIGHTS = "scale", "weights"


def save_perceptron(path: PathLike, network: Perceptron, saved: SavedWeights) -> None:
    """Write a file atomically. Raises CheckpointError if a weight is not finite, or on failure.

    `saved` has the game, the options, the writer's own data, and arrays besides the network's.
    """
    tensors = {**saved.weights, _SCALE: network.scale, _WEIGHTS: network.weights}
    widths, activation = network.widths.tolist(), ACTIVATIONS[network.activation]
    replace(saved, weights=tensors).write(path, KIND, widths=widths, activation=activation)


def load_perceptron(path: PathLike) -> tuple[Perceptron, SavedWeights]:
    """Read what `save_perceptron` wrote; raise CheckpointError if it is no complete perceptron."""
    about, tensors = read_tensors(path, KIND)
    saved = SavedWeights.of(path, about, tensors)
    match about:
        case {"widths": [int(), int(), *_] as widths, "activation": str() as word} if (
            word in ACTIVATIONS and all(isinstance(one, int) and one > 0 for one in widths)
        ):
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
    return network, saved


def perceptron_for(path: PathLike, game: Game) -> Perceptron:
    """Read a network for a game. Raises CheckpointError if it is of another game."""
    network, saved = load_perceptron(path)
    if saved.game != game.name:
        raise CheckpointError(f"{path} was trained for {saved.game}, not for {game.name}")
    return network
