"""A network without the library that trained it: its architecture and its weights as arrays."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.nets.architecture import Architecture
from meeple.tensor_file import Tensors


class Weights(NamedTuple):
    """What a network is, for an engine to compute and a file to keep."""

    architecture: Architecture
    tensors: Tensors
    """Float32 arrays by name, of the shapes that `graph.weight_shapes` gives. Those of a network in
    training are views of its weights, and change with them."""


def without_subnormals(tensor: NDArray[Any]) -> NDArray[Any]:
    """An array of any shape with zeros for numbers below 1.2e-38, in the shape [...] it had.

    Weight decay leaves a trained network many of them, and a processor takes a hundred times as
    long for a product with such a number: networks that ship were computed up to ten times slower.
    """
    return np.where(np.abs(tensor) < np.finfo(np.float32).tiny, np.float32(0), tensor)
