"""The description of a network: small, frozen, and all that is needed to build it again."""

import math
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from meeple.errors import UsageError

Activation = Literal["linear", "sigmoid", "tanh", "relu"]  # the names of activation functions

MAX_PARAMETERS = 100_000_000  # 400 MB of float32; a larger network is a mistake or an attack
MAX_EXTRA_ACTIONS = 8  # beside one action per cell: pass, swap, ...

Width = Annotated[int, Field(ge=1, le=65_536)]  # of a layer
Extent = Annotated[int, Field(ge=1, le=1_000_000)]  # a length of observations or policies


class Architecture(BaseModel):
    """What a network looks like; a wrong field is a UsageError that names it.

    `hidden` is read by kinds "mlp" and "classic", `channels` and `blocks` by kind "conv" alone.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["mlp", "conv", "classic"] = "mlp"
    """mlp: dense layers on the flattened observation; conv: a residual 3x3 tower on its planes;
    classic: plain 3x3 convolutions and dense heads, as imported networks have them."""
    hidden: Annotated[tuple[Width, ...], Field(max_length=64)] = (128,)
    """Widths of the mlp's hidden layers (none makes a linear network), or of the classic's
    convolutions."""
    channels: Annotated[int, Field(ge=4, le=1024)] = 32
    """Planes inside the tower; cost grows with the square."""
    blocks: Annotated[int, Field(ge=0, le=64)] = 4
    """Residual blocks of two convolutions each; each reaches two cells further."""
    activation: Activation = "relu"
    """Between the layers; outputs are always softmax."""
    critic: bool = False
    """Whether a second head predicts every player's share of the win."""
    ownership: bool = False
    """Whether a third head, used in training alone, predicts who will own each cell."""
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
                f"kind '{self.kind}' needs observations of (planes, rows, columns), and these are "
                f"{self.observation_shape}; use kind 'mlp'"
            )
        if self.ownership and self.kind != "conv":
            raise ValueError("ownership needs kind 'conv'")
        return self

    @property
    def observation_size(self) -> int:
        """Numbers in one observation."""
        return math.prod(self.observation_shape)

    @property
    def played(self) -> "Architecture":
        """The same without the head that only training asks."""
        return self.model_copy(update={"ownership": False})

    @property
    def extra_actions(self) -> int | None:
        """Actions beyond one per cell, when the first rows x columns actions are the cells.

        That is taken to be so when there are as many actions as cells or up to
        `MAX_EXTRA_ACTIONS` more; None when the policy does not follow the board, as it never does
        in the other kinds.
        """
        if self.kind != "conv":
            return None
        extra = self.num_actions - self.observation_shape[1] * self.observation_shape[2]
        return extra if 0 <= extra <= MAX_EXTRA_ACTIONS else None

    def resized(self, observation_shape: tuple[int, ...], num_actions: int) -> "Architecture":
        """The same for a board of another size, with the same weights.

        Raises UsageError, whose message goes on from "it", where the weights cannot serve both: the
        policy must be one logit a cell, with the same actions beside them and the same planes.
        """
        if self.extra_actions is None:
            raise UsageError(f"is of kind '{self.kind}' with a policy for boards of one size alone")
        new = self.model_copy(
            update={"observation_shape": observation_shape, "num_actions": num_actions}
        )
        alike = len(observation_shape) == 3 and observation_shape[0] == self.observation_shape[0]
        if not alike or new.extra_actions != self.extra_actions:
            raise UsageError(
                f"sees {self.observation_shape[0]} planes and has {self.extra_actions} actions "
                "beside the cells, which here are other numbers"
            )
        return new


def _sentence(error: ValidationError) -> str:
    """Pydantic's findings in one line: field, complaint and the value it had."""
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
