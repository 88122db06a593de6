"""Import of networks of AlphaZero_Gomoku (Song 2017), from its pickled lists of parameters.

A file holds 16 arrays: weights and biases, in turn, of three 3x3 convolutions, of the policy's 1x1
convolution and dense layer, and of the value's 1x1 convolution and two dense layers. They differ
from those of Meeple in four points: kernels are for true convolution, dense weights are
[inputs, outputs], the policy counts rows from the bottom of the observed planes, and the value is
tanh(x) of one number.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from meeple.errors import CheckpointError, UsageError
from meeple.games.gomoku.lines import MAX_SIZE
from meeple.games.gomoku.rules import PLANES
from meeple.importers.array_pickle import read_arrays
from meeple.nets.architecture import Architecture, Weights
from meeple.nets.graph import CLASSIC_POLICY, CLASSIC_VALUE, VALUE_WIDTH
from meeple.tensor_file import PathLike, Tensors

Array = NDArray[np.float32]

LAYERS = {
    "first convolution": "body.trunk.0",
    "second convolution": "body.trunk.2",
    "third convolution": "body.trunk.4",
    "policy's convolution": "body.policy.0",
    "policy's dense layer": "body.policy.3",
    "value's convolution": "body.value.0",
    "value's first dense layer": "body.value.3",
    "value's second dense layer": "body.value.5",
}
"""The layers in the file's order, and their names in a network of kind "classic"."""


@dataclass(frozen=True)
class Imported:
    """An imported network and the size of its board."""

    weights: Weights
    size: int
    """Cells along a side."""


def read(path: PathLike) -> Imported:
    """Read a file of AlphaZero_Gomoku, such as best_policy_8_8_5.model.

    The file does not contain the number of stones in a row that win.

    Raises:
        CheckpointError: it is missing, damaged, malicious or has another layout.
    """
    arrays = read_arrays(path)
    architecture, size = _check_layout(path, arrays)
    return Imported(Weights(architecture, convert(arrays, size)), size)


def convert(arrays: list[Array], size: int) -> Tensors:
    """Convert the 16 arrays to the weights of a network of kind "classic", by name."""
    tensors: Tensors = {}
    for i, name in enumerate(LAYERS.values()):
        weights, bias = arrays[2 * i : 2 * i + 2]
        if weights.ndim == 4:
            # True convolution rotates its kernel by 180 degrees.
            weights = weights[:, :, ::-1, ::-1]
        else:
            weights = weights.T
        if name == "body.policy.3":
            weights, bias = _rows_from_top(weights, size), _rows_from_top(bias, size)
        if name == "body.value.5":
            # (1 + tanh x) / 2, the share of the player to move, is the first of softmax(x, -x).
            weights, bias = np.concatenate([weights, -weights]), np.concatenate([bias, -bias])
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = weights.copy(), bias.copy()
    return tensors


def _rows_from_top(array: Array, size: int) -> Array:
    """Reverse the rows of the leading axis, which are the cells row by row."""
    return array.reshape(size, size, -1)[::-1].reshape(array.shape)


def _check_layout(path: PathLike, arrays: list[Array]) -> tuple[Architecture, int]:
    """Return architecture and board size. Raises CheckpointError unless all shapes fit them."""
    if len(arrays) != 2 * len(LAYERS):
        raise CheckpointError(
            f"{path} holds {len(arrays)} arrays, and a network of AlphaZero_Gomoku has "
            f"{2 * len(LAYERS)}"
        )
    cells = arrays[9].size
    size = math.isqrt(cells)
    if size * size != cells or not 3 <= size <= MAX_SIZE:
        raise CheckpointError(
            f"{path} has a policy of {cells} cells; boards are square, from 3x3 to "
            f"{MAX_SIZE}x{MAX_SIZE}"
        )
    widths = tuple(arrays[i].size for i in (1, 3, 5))
    for i, (found, expected) in enumerate(zip(arrays, _shapes(widths, cells), strict=True)):
        if found.shape != expected:
            what = "biases" if i % 2 else "weights"
            raise CheckpointError(
                f"{path}: array {i}, the {what} of the {list(LAYERS)[i // 2]}, has shape "
                f"{found.shape}, but the layout needs {expected}"
            )
    try:
        architecture = Architecture(
            kind="classic",
            hidden=widths,
            critic=True,
            observation_shape=(PLANES, size, size),
            num_actions=cells,
            players=2,
        )
    except UsageError as error:
        raise CheckpointError(f"{path}: {error}") from None
    return architecture, size


def _shapes(widths: tuple[int, ...], cells: int) -> list[tuple[int, ...]]:
    """Return the shapes of the 16 arrays in the file's order."""
    first, second, third = widths
    weights: list[tuple[int, ...]] = [
        (first, PLANES, 3, 3),
        (second, first, 3, 3),
        (third, second, 3, 3),
        (CLASSIC_POLICY, third, 1, 1),
        (CLASSIC_POLICY * cells, cells),
        (CLASSIC_VALUE, third, 1, 1),
        (CLASSIC_VALUE * cells, VALUE_WIDTH),
        (VALUE_WIDTH, 1),
    ]
    outputs = [shape[0] if len(shape) == 4 else shape[1] for shape in weights]
    return [shape for pair in zip(weights, outputs, strict=True) for shape in (pair[0], (pair[1],))]
