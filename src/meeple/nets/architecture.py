"""The architecture of a network, from which it can be built, and its weights as arrays."""

import math
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from meeple.errors import UsageError
from meeple.tensor_file import Tensors

Activation = Literal["linear", "sigmoid", "tanh", "relu"]  # names of activation functions

MAX_PARAMETERS = 100_000_000  # 400 MB of float32; a larger network is a mistake or an attack
MAX_EXTRA_ACTIONS = 8  # in addition to one action a cell: pass, swap, ...

AUXILIARY = "a head that only training uses"
"""Marks the flags of such heads in `Architecture`. Their layers and losses are in `graph.HEADS`."""

Width = Annotated[int, Field(ge=1, le=65_536)]  # of a layer
Extent = Annotated[int, Field(ge=1, le=1_000_000)]  # a length of observations or policies


class NetworkFields(BaseModel):
    """The fields of an architecture that a configuration sets."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    kind: Literal["mlp", "conv", "classic"] = "mlp"
    """mlp: dense layers on the flattened observation. conv: a residual tower, for games with a
    board. classic: 3x3 convolutions in sequence, as in AlphaZero_Gomoku."""
    hidden: Annotated[tuple[Width, ...], Field(max_length=64)] = (128, 64)
    """mlp: width of each hidden layer. classic: channels of each convolution."""
    channels: Annotated[int, Field(ge=4, le=1024)] = 32
    """conv: number of channels."""
    blocks: Annotated[int, Field(ge=0, le=64)] = 4
    """conv: number of residual blocks."""
    activation: Activation = "relu"
    """Activation function between the layers."""
    critic: bool = True
    """Whether the network has a value head, which predicts each player's share of the win. The mode
    alphazero needs it, and so does a `sigma` below 1."""


class Architecture(NetworkFields):
    """The kind, sizes, inputs and outputs of a network.

    Raises:
        UsageError: a field is wrong; the message names it.
    """

    hidden: Annotated[tuple[Width, ...], Field(max_length=64)] = (128,)
    critic: bool = False
    ownership: Annotated[bool, AUXILIARY] = False
    """Whether an auxiliary head predicts the owner of each cell at the end of the game."""
    observation_shape: Annotated[tuple[Extent, ...], Field(min_length=1, max_length=4)]
    """(features,) or (planes, rows, columns)."""
    num_actions: Extent
    """Length of the policy."""
    players: Annotated[int, Field(ge=1, le=16)]
    """Length of the value."""

    def __init__(self, /, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise UsageError(f"network architecture: {_sentence(error)}") from None

    @model_validator(mode="after")
    def _check_planes(self) -> Self:
        if self.kind != "mlp" and len(self.observation_shape) != 3:
            raise ValueError(
                f"kind '{self.kind}' needs observations of shape (planes, rows, columns), not "
                f"{self.observation_shape}; use kind 'mlp'"
            )
        for name in self.auxiliary:
            if self.kind != "conv":
                raise ValueError(f"{name} needs kind 'conv'")
        return self

    @property
    def observation_size(self) -> int:
        """Number of values in one observation."""
        return math.prod(self.observation_shape)

    @property
    def auxiliary(self) -> tuple[str, ...]:
        """Names of the heads that only training uses."""
        return tuple(name for name in AUXILIARY_HEADS if getattr(self, name))

    @property
    def heads(self) -> tuple[str, ...]:
        """Names of all heads, in the order of their weights."""
        return ("policy", *(("value",) if self.critic else ()), *self.auxiliary)

    @property
    def without_auxiliary(self) -> "Architecture":
        """This architecture without the heads that only training uses."""
        return self.model_copy(update=dict.fromkeys(AUXILIARY_HEADS, False))

    @property
    def extra_actions(self) -> int | None:
        """Number of actions in addition to one a cell, if actions stand for cells.

        The first rows x columns actions stand for the cells if the number of actions is that of
        the cells or at most `MAX_EXTRA_ACTIONS` higher. None for other policies, and always for
        kinds other than "conv".
        """
        if self.kind != "conv":
            return None
        extra = self.num_actions - self.observation_shape[1] * self.observation_shape[2]
        return extra if 0 <= extra <= MAX_EXTRA_ACTIONS else None

    def resized(self, observation_shape: tuple[int, ...], num_actions: int) -> "Architecture":
        """Return the architecture with the same weights for a board of another size.

        Raises:
            UsageError: the weights do not fit both sizes; the policy must have one logit a cell,
                and the planes and the extra actions must be the same. The message continues a
                sentence whose subject is "it".
        """
        if self.extra_actions is None:
            raise UsageError(f"is of kind '{self.kind}' with a policy for boards of one size only")
        new = self.model_copy(
            update={"observation_shape": observation_shape, "num_actions": num_actions}
        )
        alike = len(observation_shape) == 3 and observation_shape[0] == self.observation_shape[0]
        if not alike or new.extra_actions != self.extra_actions:
            raise UsageError(
                f"needs {self.observation_shape[0]} planes and {self.extra_actions} actions "
                "in addition to the cells, and this game has other numbers"
            )
        return new


AUXILIARY_HEADS = tuple(
    name for name, field in Architecture.model_fields.items() if AUXILIARY in field.metadata
)
"""Names of the heads that only training uses."""


class Weights(NamedTuple):
    """A network as an engine computes it and a file stores it."""

    architecture: Architecture
    tensors: Tensors
    """Float32 arrays by name, with the shapes of `graph.weight_shapes`. Those of a network in
    training are views of its parameters, and change with them."""

    def without_subnormals(self) -> Tensors:
        """Return copies of the arrays, with zeros for numbers below 1.2e-38.

        Weight decay produces many such numbers, and a product with one takes a processor a hundred
        times as long: shipped networks were computed up to ten times slower.
        """
        tiny, zero = np.finfo(np.float32).tiny, np.float32(0)
        return {name: np.where(np.abs(t) < tiny, zero, t) for name, t in self.tensors.items()}


def _sentence(error: ValidationError) -> str:
    """Return Pydantic's errors in one line: field, value and complaint."""
    findings = []
    for finding in error.errors():
        where = ".".join(str(part) for part in finding["loc"])
        message = finding["msg"].removeprefix("Value error, ")
        if not where:
            findings.append(message)
        elif finding["type"] == "extra_forbidden":
            known = ", ".join(Architecture.model_fields)
            findings.append(f"unknown field '{where}' (known: {known})")
        elif finding["type"] == "missing":
            findings.append(f"'{where}' is missing")
        else:
            findings.append(f"'{where}' is {finding['input']!r:.60}: {message}")
    return "; ".join(findings)
