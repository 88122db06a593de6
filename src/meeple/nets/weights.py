"""A network without the library that trained it: its architecture and its weights as arrays."""

from typing import NamedTuple

from meeple.nets.architecture import Architecture
from meeple.tensor_file import Tensors


class Weights(NamedTuple):
    """What a network is, for an engine to compute and a file to keep."""

    architecture: Architecture
    tensors: Tensors
    """Float32 arrays by name, of the shapes that `graph.weight_shapes` gives. Those of a network in
    training are views of its weights, and change with them."""
