"""The networks, described once: what each kind computes, by the layers that an engine supplies.

PyTorch trains them by this description, and OpenVINO and NumPy compute them. The names and shapes
of all weights follow from it, too. Shapes in comments: B batch, A actions, P players, C channels,
R x K the board's rows and columns.
"""

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from meeple.errors import UsageError
from meeple.nets.architecture import MAX_PARAMETERS, Architecture

POLICY_CHANNELS = 32  # planes in the tower's policy head
VALUE_WIDTH = 64  # hidden units in a value head over planes
CLASSIC_POLICY, CLASSIC_VALUE = 4, 2  # planes in the heads of the kind "classic"
POOL_EVERY = 3  # every third block, and the last, pools over the board
BLOCKS = "body.blocks."  # prefix of the names of the tower's blocks

Shape = tuple[int, ...]
"""The shape of an array."""
Shapes = dict[str, Shape]
"""The shapes of weights, by name."""
X = TypeVar("X")  # input and output of a layer: a batch of planes or features


class Layers(Protocol[X]):
    """The layers of an engine. Their inputs X are planes [B, C, R, K] or features [B, F].

    The weights of a layer are saved under its name, with `.weight` and `.bias`.
    """

    def dense(self, name: str, x: X, outputs: int) -> X:
        """[B, F] -> [B, outputs], by weights [outputs, F] and a bias [outputs]."""

    def convolution(self, name: str, x: X, outputs: int, size: int) -> X:
        """[B, C, R, K] -> [B, outputs, R, K], by weights [outputs, C, size, size] and a bias."""

    def activate(self, x: X) -> X:
        """Apply the architecture's activation function to each number."""

    def add(self, x: X, y: X) -> X:
        """Add two inputs of the same shape."""

    def add_to_cells(self, x: X, y: X) -> X:
        """Add a number to all cells of each plane: [B, C, R, K] and [B, C]."""

    def split(self, x: X, first: int) -> tuple[X, X]:
        """Return the first planes, and the others."""

    def pool(self, x: X) -> X:
        """Return the mean and the maximum of each plane: [B, C, R, K] -> [B, 2C]."""

    def join(self, x: X, y: X) -> X:
        """Concatenate features: [B, F] and [B, G] -> [B, F+G]."""

    def flatten(self, x: X) -> X:
        """[B, ...] -> [B, F], cells row by row."""


def outputs(architecture: Architecture, layers: Layers[X], observations: X) -> dict[str, X]:
    """Compute the logits of every head of a network, by name in the order of `heads`.

    Args:
        architecture: of the network.
        layers: of the engine.
        observations: [B, *observation_shape].

    Returns:
        - policy [B, A]: softmax gives the policy over all actions, legal or not;
        - value [B, P], with a critic: softmax gives the expected share of the win of each player;
        - the auxiliary heads, see `HEADS`.
    """
    if architecture.kind == "mlp":
        return _mlp(architecture, layers, observations)
    if architecture.kind == "conv":
        return _tower(architecture, layers, observations)
    return _classic(architecture, layers, observations)


def _mlp(architecture: Architecture, layers: Layers[X], x: X) -> dict[str, X]:
    """Dense layers on the flattened observation, then one dense layer a head."""
    x = layers.flatten(x)
    for i, width in enumerate(architecture.hidden):
        x = layers.activate(layers.dense(f"body.hidden.{i}", x, width))
    found = {"policy": layers.dense("body.policy", x, architecture.num_actions)}
    if architecture.critic:
        found["value"] = layers.dense("body.value", x, architecture.players)
    return found


def _tower(architecture: Architecture, layers: Layers[X], x: X) -> dict[str, X]:
    """Residual tower as in AlphaZero, without normalisation layers.

    In their place the second convolution of each block starts at zero and the first is scaled
    down with depth, so that every block starts as the identity. This is faster on a processor, and
    no result depends on the rest of the batch.

    Source: Zhang, Dauphin and Ma, "Fixup initialization", 2019.
    """
    channels, blocks = architecture.channels, architecture.blocks
    x = layers.convolution("body.entry", x, channels, 3)
    for i in range(blocks):
        pooled_block = (i + 1) % POOL_EVERY == 0 or i + 1 == blocks
        x = block(layers, f"{BLOCKS}{i}", x, channels, channels // 4 if pooled_block else 0)
    x = layers.activate(x)  # [B, C, R, K]
    pooled = layers.pool(x)  # [B, 2C]
    return {
        name: HEADS[name].of_tower(architecture, layers, x, pooled) for name in architecture.heads
    }


def block(layers: Layers[X], name: str, x: X, channels: int, pooled_channels: int) -> X:
    """Return x + conv(act(conv(act(x)))), with global pooling if `pooled_channels` is not 0.

    Then this many of the inner planes are pooled over the board, and added to the others as a bias.

    Source: Wu, "Accelerating self-play learning in Go", 2019, section 3.3.
    """
    inner = layers.convolution(f"{name}.first", layers.activate(x), channels, 3)
    if pooled_channels:
        first, inner = layers.split(inner, pooled_channels)
        pooled = layers.pool(layers.activate(first))  # [B, 2 * pooled_channels]
        bias = layers.dense(f"{name}.bias", pooled, channels - pooled_channels)
        inner = layers.add_to_cells(inner, bias)
    return layers.add(x, layers.convolution(f"{name}.second", layers.activate(inner), channels, 3))


# ---------------------------------------------------------------- heads of the tower


def _policy(architecture: Architecture, layers: Layers[X], x: X, pooled: X) -> X:
    extra = architecture.extra_actions
    if extra is None:
        return _policy_of_actions(architecture, layers, x, pooled)
    return _policy_of_cells(layers, x, pooled, extra)


def _policy_of_cells(layers: Layers[X], x: X, pooled: X, extra: int) -> X:
    """One logit a cell from that cell's features and the pooled board, then the extra actions."""
    local = layers.convolution("body.policy.local", x, POLICY_CHANNELS, 1)
    overall = layers.dense("body.policy.overall", pooled, POLICY_CHANNELS)
    mixed = layers.activate(layers.add_to_cells(local, overall))  # [B, 32, R, K]
    cells = layers.flatten(layers.convolution("body.policy.cells", mixed, 1, 1))  # [B, R*K]
    if not extra:
        return cells
    return layers.join(cells, layers.dense("body.policy.extra", pooled, extra))


def _policy_of_actions(architecture: Architecture, layers: Layers[X], x: X, pooled: X) -> X:
    """Logits for actions that are not cells: few planes, flattened, and the pooled board."""
    planes = min(architecture.channels, POLICY_CHANNELS)
    local = layers.activate(layers.convolution("body.policy.local", x, planes, 1))
    features = layers.join(layers.flatten(local), pooled)
    return layers.dense("body.policy.actions", features, architecture.num_actions)


def _value(architecture: Architecture, layers: Layers[X], x: X, pooled: X) -> X:
    hidden = layers.activate(layers.dense("body.value.0", pooled, VALUE_WIDTH))
    return layers.dense("body.value.2", hidden, architecture.players)


class Head(NamedTuple):
    """The meaning of a head's outputs, and its layers in the tower.

    Only the tower has auxiliary heads. `of_tower` takes the architecture, the layers, the last
    planes [B, C, R, K], and their means and maxima [B, 2C]. It returns logits [B, N].
    """

    output: Literal["softmax", "sigmoid"]  # shares that sum to 1, or a chance of each output
    of_tower: Callable[[Architecture, Layers[Any], Any, Any], Any]


HEADS = {
    "policy": Head("softmax", _policy),
    "value": Head("softmax", _value),
    "ownership": Head(  # one logit a cell: that the player to move owns it at the end
        "sigmoid",
        lambda _, layers, x, pooled: layers.flatten(layers.convolution("body.ownership", x, 1, 1)),
    ),
}
"""All heads by name. The layers of a head have names that begin with "body.NAME"."""


ILLEGAL = -1.0
"""In a target of the policy: an action that is not legal, whose logit is not trained.

Else a network that is often in positions with one legal action learns to prefer it everywhere.
"""


class Batch(NamedTuple):
    """B positions with the targets that a network is trained to predict."""

    observations: NDArray[np.float32]  # [B, *observation_shape]
    targets: Mapping[str, NDArray[np.float32]]
    """[B, N] by head. Of a softmax: shares that sum to 1, or zeros, which add nothing to the loss;
    of the policy also ILLEGAL. Of a sigmoid: chances in [0, 1]. A head without a target is not
    trained."""

    def for_heads(self, heads: Iterable[str]) -> "Batch":
        """Return the batch with the targets of some heads only."""
        chosen = {name: self.targets[name] for name in heads if name in self.targets}
        return Batch(self.observations, chosen)


# ---------------------------------------------------------------- classic


def _classic(architecture: Architecture, layers: Layers[X], x: X) -> dict[str, X]:
    """3x3 convolutions in sequence; each head has a few planes, flattened, and dense layers.

    This is the network of AlphaZero_Gomoku (Song 2017), for one size of board. The numbers in names
    count activations and flattening, too.
    """
    for i, width in enumerate(architecture.hidden):
        x = layers.activate(layers.convolution(f"body.trunk.{2 * i}", x, width, 3))
    planes = layers.activate(layers.convolution("body.policy.0", x, CLASSIC_POLICY, 1))
    policy = layers.dense("body.policy.3", layers.flatten(planes), architecture.num_actions)
    found = {"policy": policy}
    if architecture.critic:
        planes = layers.activate(layers.convolution("body.value.0", x, CLASSIC_VALUE, 1))
        hidden = layers.activate(layers.dense("body.value.3", layers.flatten(planes), VALUE_WIDTH))
        found["value"] = layers.dense("body.value.5", hidden, architecture.players)
    return found


# ---------------------------------------------------------------- shapes


MAX_DESCRIBED = 256  # architectures whose shapes are cached


@functools.lru_cache(MAX_DESCRIBED)
def weight_shapes(architecture: Architecture) -> Shapes:
    """Return the shapes of a network's weights by name, in the order of the description.

    Raises UsageError if the network would have more than `MAX_PARAMETERS` parameters.
    """
    shapes = _describe(architecture)[0].shapes
    count = sum(math.prod(shape) for shape in shapes.values())
    if count > MAX_PARAMETERS:
        raise UsageError(
            f"the network would have {count:,} parameters; at most {MAX_PARAMETERS:,} are allowed"
        )
    return shapes


def numbers_per_position(architecture: Architecture) -> int:
    """Return how many numbers the layers compute for one position; training stores them all."""
    return _describe(architecture)[0].numbers


def products_per_position(architecture: Architecture) -> int:
    """Return how many multiplications by weights the layers compute for one position."""
    return _describe(architecture)[0].products


def head_widths(architecture: Architecture) -> dict[str, int]:
    """Return the number of logits of each head for one position, by name."""
    return {name: shape[0] for name, shape in _describe(architecture)[1].items()}


def _describe(architecture: Architecture) -> tuple["_ShapeLayers", Shapes]:
    """Return the layers with the shapes of all weights, and the shape of each head's logits."""
    layers = _ShapeLayers()
    return layers, outputs(architecture, layers, architecture.observation_shape)


class _ShapeLayers:
    """Layers that compute shapes only, without the batch: (C, R, K) or (F,)."""

    def __init__(self) -> None:
        self.shapes: Shapes = {}
        self.numbers = 0  # in the outputs of all layers
        self.products = 0  # multiplications by weights

    def dense(self, name: str, x: Shape, outputs: int) -> Shape:
        return self._weighted(name, (outputs, *x), (outputs,))

    def convolution(self, name: str, x: Shape, outputs: int, size: int) -> Shape:
        return self._weighted(name, (outputs, x[0], size, size), (outputs, *x[1:]))

    def _weighted(self, name: str, weights: Shape, found: Shape) -> Shape:
        self.shapes[f"{name}.weight"], self.shapes[f"{name}.bias"] = weights, weights[:1]
        self.products += math.prod(weights[1:]) * math.prod(found)
        return self._output(found)

    def _output(self, shape: Shape) -> Shape:
        self.numbers += math.prod(shape)
        return shape

    def activate(self, x: Shape) -> Shape:
        return self._output(x)

    def add(self, x: Shape, y: Shape) -> Shape:
        return self._output(x)

    add_to_cells = add

    def split(self, x: Shape, first: int) -> tuple[Shape, Shape]:
        return (first, *x[1:]), (x[0] - first, *x[1:])

    def pool(self, x: Shape) -> Shape:
        return (2 * x[0],)

    def join(self, x: Shape, y: Shape) -> Shape:
        return (x[0] + y[0],)

    def flatten(self, x: Shape) -> Shape:
        return (math.prod(x),)
