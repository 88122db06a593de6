"""The actor network, whole: an mlp or convolutions, a policy head and an optional critic.

Shapes in comments: B batch, A actions, P players, C channels, R x K the board's rows and columns.
"""

import itertools
import math

import torch
from torch import Tensor, nn

from meeple.errors import UsageError
from meeple.nets.architecture import MAX_PARAMETERS, Activation, Architecture

POLICY_CHANNELS = 32  # planes in the tower's policy head
VALUE_WIDTH = 64  # hidden units in a value head over planes
CLASSIC_POLICY, CLASSIC_VALUE = 4, 2  # planes in the heads of the kind "classic"
POOL_EVERY = 3  # every third block and the last sees the whole board

ACTIVATIONS: dict[Activation, type[nn.Module]] = {
    "linear": nn.Identity,
    "sigmoid": nn.Sigmoid,
    "tanh": nn.Tanh,
    "relu": nn.ReLU,
}

GAINS: dict[Activation, float] = {
    "linear": 1.0,
    "sigmoid": 4.0,
    "tanh": 5 / 3,
    "relu": math.sqrt(2),
}
"""Keeps a signal's size from layer to layer (Glorot and Bengio 2010; He et al. 2015 for relu)."""


class ActorNetwork(nn.Module):
    """Maps observations to policy logits and, with a critic, to value logits.

    softmax(policy logits) is the policy over all actions, legal or not; softmax(value logits) the
    expected share of the win of each player. Convolution weights are stored channels-last, the
    faster layout on processors at every size measured.
    """

    def __init__(self, architecture: Architecture, *, seed: int | None) -> None:
        """Build and initialise; the same seed gives the same weights, and no global state is used.

        Seed None makes a network of shapes alone (device "meta"), to be compared with a file.
        UsageError when it would have more than `MAX_PARAMETERS` parameters.
        """
        super().__init__()
        self.architecture = architecture
        self.body = BODIES[architecture.kind](architecture)
        count = sum(parameter.numel() for parameter in self.parameters())
        if count > MAX_PARAMETERS:
            raise UsageError(
                f"the network would have {count:,} parameters; "
                f"at most {MAX_PARAMETERS:,} are allowed"
            )
        if seed is not None:
            self._allocate()
            initialise(self, seed)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor | None]:
        """[B, *observation_shape] float32 -> policy logits [B, A], value logits [B, P] or None."""
        logits: tuple[Tensor, Tensor | None] = self.body(observations)
        return logits

    def with_ownership(self, observations: Tensor) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """The same and logits [B, R*K] that the mover will own each cell, or None."""
        if isinstance(self.body, Tower):
            return self.body.with_ownership(observations)
        return *self(observations), None

    def _allocate(self) -> None:
        # Layers are built without storage (see `dense`), so that PyTorch's own initialisation,
        # which draws from the global generator, never runs.
        storage = {name: torch.empty(value.shape) for name, value in self.state_dict().items()}
        self.load_state_dict(storage, assign=True)
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # missing in torch's stubs
        self.requires_grad_(True)


class Mlp(nn.Module):
    """Dense layers on the flattened observation, then one dense layer per head."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        widths = (architecture.observation_size, *architecture.hidden)
        self.hidden = nn.ModuleList(dense(a, b) for a, b in itertools.pairwise(widths))
        self.activation = ACTIVATIONS[architecture.activation]()
        self.policy = dense(widths[-1], architecture.num_actions)
        self.value = dense(widths[-1], architecture.players) if architecture.critic else None

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor | None]:
        x = observations.flatten(1)  # [B, features]
        for layer in self.hidden:
            x = self.activation(layer(x))  # [B, width]
        return self.policy(x), None if self.value is None else self.value(x)


class Tower(nn.Module):
    """A residual tower in the manner of AlphaZero, without normalisation layers.

    In their place the second convolution of each block starts at zero and the first is scaled
    down with depth (Fixup: Zhang, Dauphin and Ma 2019), so every block starts as the identity:
    faster on a processor, and no result depends on the rest of the batch.
    """

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        planes, rows, columns = architecture.observation_shape
        channels, blocks = architecture.channels, architecture.blocks
        self.activation = ACTIVATIONS[architecture.activation]()
        self.entry = convolution(planes, channels, 3)
        self.blocks = nn.ModuleList(
            Block(channels, self.activation, pooled=(i + 1) % POOL_EVERY == 0 or i + 1 == blocks)
            for i in range(blocks)
        )
        extra = architecture.extra_actions
        self.policy = (
            DensePolicy(channels, rows * columns, architecture.num_actions, self.activation)
            if extra is None
            else BoardPolicy(channels, extra, self.activation)
        )
        self.value = (
            nn.Sequential(
                dense(2 * channels, VALUE_WIDTH),
                self.activation,
                dense(VALUE_WIDTH, architecture.players),
            )
            if architecture.critic
            else None
        )
        self.ownership = convolution(channels, 1, 1) if architecture.ownership else None

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor | None]:
        policy, value, _ = self._judge(observations)
        return policy, value

    def with_ownership(self, observations: Tensor) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Logits of policy [B, A], value [B, P] and ownership [B, R*K], of those there are."""
        policy, value, x = self._judge(observations)
        return policy, value, None if self.ownership is None else self.ownership(x).flatten(1)

    def _judge(self, observations: Tensor) -> tuple[Tensor, Tensor | None, Tensor]:
        """Logits of policy and value, and the tower's planes [B, C, R, K]."""
        x = observations.contiguous(memory_format=torch.channels_last)  # [B, planes, R, K]
        x = self.entry(x)  # [B, C, R, K]
        for block in self.blocks:
            x = block(x)  # [B, C, R, K]
        x = self.activation(x)
        pooled = pool(x)  # [B, 2C]
        return self.policy(x, pooled), None if self.value is None else self.value(pooled), x


class Block(nn.Module):
    """x + conv(act(conv(act(x)))); a pooled one also tells every cell about the whole board.

    There a quarter of the inner planes is pooled over the board and added to the others as a bias
    (Wu 2019, "Accelerating Self-Play Learning in Go", section 3.3).
    """

    def __init__(self, channels: int, activation: nn.Module, *, pooled: bool) -> None:
        super().__init__()
        self.activation = activation
        self.first = convolution(channels, channels, 3)
        self.watchers = channels // 4 if pooled else 0
        self.bias = dense(2 * self.watchers, channels - self.watchers) if pooled else None
        self.second = convolution(channels - self.watchers, channels, 3)

    def forward(self, x: Tensor) -> Tensor:
        inner: Tensor = self.first(self.activation(x))  # [B, C, R, K]
        if self.bias is not None:
            watched = self.activation(inner[:, : self.watchers])  # [B, C/4, R, K]
            inner = inner[:, self.watchers :] + self.bias(pool(watched))[:, :, None, None]
        inner = self.second(self.activation(inner))  # [B, C, R, K]
        return x + inner


class BoardPolicy(nn.Module):
    """One logit per cell from that cell's features and the pooled board, then the extra actions."""

    def __init__(self, channels: int, extra: int, activation: nn.Module) -> None:
        super().__init__()
        self.activation = activation
        self.local = convolution(channels, POLICY_CHANNELS, 1)
        self.overall = dense(2 * channels, POLICY_CHANNELS)
        self.cells = convolution(POLICY_CHANNELS, 1, 1)
        self.extra = dense(2 * channels, extra) if extra else None

    def forward(self, x: Tensor, pooled: Tensor) -> Tensor:
        mixed = self.local(x) + self.overall(pooled)[:, :, None, None]  # [B, 32, R, K]
        cells: Tensor = self.cells(self.activation(mixed)).flatten(1)  # [B, R*K], row by row
        if self.extra is None:
            return cells
        return torch.cat([cells, self.extra(pooled)], dim=1)  # [B, A]


class DensePolicy(nn.Module):
    """Logits for actions that are not cells: few planes, flattened, and the pooled board."""

    def __init__(self, channels: int, cells: int, actions: int, activation: nn.Module) -> None:
        super().__init__()
        self.activation = activation
        planes = min(channels, POLICY_CHANNELS)
        self.local = convolution(channels, planes, 1)
        self.actions = dense(planes * cells + 2 * channels, actions)

    def forward(self, x: Tensor, pooled: Tensor) -> Tensor:
        local = self.activation(self.local(x)).flatten(1)  # [B, planes*R*K]
        logits: Tensor = self.actions(torch.cat([local, pooled], dim=1))  # [B, A]
        return logits


class Classic(nn.Module):
    """3x3 convolutions in a row, then for each head few planes, flattened, and dense layers.

    The network of AlphaZero_Gomoku (Song 2017); it plays one size of board.
    """

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        planes, rows, columns = architecture.observation_shape
        cells, widths = rows * columns, (planes, *architecture.hidden)
        activation = ACTIVATIONS[architecture.activation]()
        self.trunk = nn.Sequential()
        for inputs, outputs in itertools.pairwise(widths):
            self.trunk.extend([convolution(inputs, outputs, 3), activation])
        self.policy = nn.Sequential(
            convolution(widths[-1], CLASSIC_POLICY, 1),
            activation,
            nn.Flatten(),
            dense(CLASSIC_POLICY * cells, architecture.num_actions),
        )
        self.value = (
            nn.Sequential(
                convolution(widths[-1], CLASSIC_VALUE, 1),
                activation,
                nn.Flatten(),
                dense(CLASSIC_VALUE * cells, VALUE_WIDTH),
                activation,
                dense(VALUE_WIDTH, architecture.players),
            )
            if architecture.critic
            else None
        )

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor | None]:
        x = observations.contiguous(memory_format=torch.channels_last)  # [B, planes, R, K]
        x = self.trunk(x)  # [B, C, R, K]
        return self.policy(x), None if self.value is None else self.value(x)


BODIES: dict[str, type[Mlp | Tower | Classic]] = {"mlp": Mlp, "conv": Tower, "classic": Classic}


def pool(x: Tensor) -> Tensor:
    """Mean and maximum over the board: [B, C, R, K] -> [B, 2C]."""
    return torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)


def dense(inputs: int, outputs: int) -> nn.Linear:
    """A dense layer without storage yet."""
    return nn.Linear(inputs, outputs, device="meta")


def convolution(inputs: int, outputs: int, size: int) -> nn.Conv2d:
    """A convolution that keeps the board's size, without storage yet."""
    return nn.Conv2d(inputs, outputs, size, padding=size // 2, device="meta")


def initialise(network: ActorNetwork, seed: int) -> None:
    """Normal weights of variance gain^2 / inputs, zero biases, and Fixup's rule in the blocks."""
    generator = torch.Generator().manual_seed(seed)
    gain = GAINS[network.architecture.activation]
    with torch.no_grad():
        for module in network.modules():
            if isinstance(module, nn.Linear | nn.Conv2d):
                inputs = module.weight[0].numel()
                module.weight.normal_(0.0, gain / math.sqrt(inputs), generator=generator)
                if module.bias is not None:
                    module.bias.zero_()
        for module in network.modules():
            if isinstance(module, Block):
                module.first.weight.mul_(network.architecture.blocks**-0.5)
                module.second.weight.zero_()
