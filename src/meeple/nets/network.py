"""Networks in PyTorch, for training; `graph.py` describes what they compute."""

import math
from typing import cast

import torch
from torch import Tensor, nn

from meeple.nets.architecture import Activation, Architecture, Weights
from meeple.nets.graph import BLOCKS, outputs, weight_shapes
from meeple.tensor_file import Tensors

ACTIVATIONS: dict[Activation, nn.Module] = {
    "linear": nn.Identity(),
    "sigmoid": nn.Sigmoid(),
    "tanh": nn.Tanh(),
    "relu": nn.ReLU(),
}
"""Activation functions by the names that architectures use."""

GAINS: dict[Activation, float] = {
    "linear": 1.0,
    "sigmoid": 4.0,
    "tanh": 5 / 3,
    "relu": math.sqrt(2),
}
"""Factors that keep a signal's size from layer to layer.

Source: Glorot and Bengio 2010; He et al. 2015 for relu.
"""


class ActorNetwork(nn.Module):
    """Maps observations to policy logits and, with a critic, to value logits.

    softmax(policy logits) is the policy over all actions, legal or not; softmax(value logits) is
    each player's expected share of the win. Convolution weights are stored channels-last, the
    fastest layout on processors at every size measured.
    """

    def __init__(self, architecture: Architecture, *, seed: int) -> None:
        """Build the network; equal seeds give equal weights, without global random state.

        Raises UsageError if it would have more than `MAX_PARAMETERS` parameters.
        """
        super().__init__()
        self.architecture = architecture
        self.layers: dict[str, nn.Linear | nn.Conv2d] = {}
        for name, shape in weight_shapes(architecture).items():
            if name.endswith(".weight"):
                layer = name.removesuffix(".weight")
                self.layers[layer] = _layer(shape)
                _add(self, layer, self.layers[layer])
        self._allocate()
        initialise(self, seed)

    @staticmethod
    def of(weights: Weights) -> "ActorNetwork":
        """Build a network with a copy of these weights."""
        network = ActorNetwork(weights.architecture, seed=0)
        network.set_weights(weights.tensors)
        return network

    @property
    def weights(self) -> Weights:
        """Views of the parameters, which change during training."""
        tensors = {name: value.numpy() for name, value in self.state_dict().items()}
        return Weights(self.architecture, tensors)

    def set_weights(self, tensors: Tensors) -> None:
        """Copy weights with the network's names and shapes into its parameters, in place."""
        self.load_state_dict({name: torch.from_numpy(value) for name, value in tensors.items()})

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return policy logits [B, A] and value logits [B, P] of [B, *observation_shape]."""
        logits = self.all_outputs(observations)
        return logits["policy"], logits.get("value")

    def all_outputs(self, observations: Tensor) -> dict[str, Tensor]:
        """Compute the logits of every head for observations [B, *observation_shape] float32."""
        if observations.ndim == 4:
            observations = observations.contiguous(memory_format=torch.channels_last)
        return outputs(self.architecture, TorchLayers(self), observations)

    def _allocate(self) -> None:
        # `_layer` builds layers without storage, so that PyTorch's initialisation, which uses the
        # global random state, does not run.
        storage = {name: torch.empty(value.shape) for name, value in self.state_dict().items()}
        self.load_state_dict(storage, assign=True)
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # missing in torch's stubs
        self.requires_grad_(True)


def _layer(shape: tuple[int, ...]) -> nn.Linear | nn.Conv2d:
    """Build a dense layer, or a convolution that preserves the board's size, without storage."""
    if len(shape) == 2:
        return nn.Linear(shape[1], shape[0], device="meta")
    return nn.Conv2d(shape[1], shape[0], shape[2], padding=shape[2] // 2, device="meta")


def _add(module: nn.Module, name: str, layer: nn.Module) -> None:
    """Register a layer in a module under a dotted name, which names its weights in files."""
    *path, last = name.split(".")
    for part in path:
        if part not in dict(module.named_children()):
            module.add_module(part, nn.Module())
        module = module.get_submodule(part)
    module.add_module(last, layer)


class TorchLayers:
    """Layers that PyTorch computes and differentiates."""

    def __init__(self, network: ActorNetwork) -> None:
        self._layers = network.layers
        self._activation = ACTIVATIONS[network.architecture.activation]

    def dense(self, name: str, x: Tensor, outputs: int) -> Tensor:
        return cast(Tensor, self._layers[name](x))

    def convolution(self, name: str, x: Tensor, outputs: int, size: int) -> Tensor:
        return cast(Tensor, self._layers[name](x))

    def activate(self, x: Tensor) -> Tensor:
        return cast(Tensor, self._activation(x))

    def add(self, x: Tensor, y: Tensor) -> Tensor:
        return x + y

    def add_to_cells(self, x: Tensor, y: Tensor) -> Tensor:
        return x + y[:, :, None, None]

    def split(self, x: Tensor, first: int) -> tuple[Tensor, Tensor]:
        return x[:, :first], x[:, first:]

    def pool(self, x: Tensor) -> Tensor:
        return torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)

    def join(self, x: Tensor, y: Tensor) -> Tensor:
        return torch.cat([x, y], dim=1)

    def flatten(self, x: Tensor) -> Tensor:
        return x.flatten(1)


def initialise(network: ActorNetwork, seed: int) -> None:
    """Set normal weights of variance gain^2 / inputs and zero biases.

    In residual blocks, Fixup scales down the first convolution and sets the second to zero.

    Source: Zhang, Dauphin and Ma, "Fixup initialization", 2019.
    """
    generator = torch.Generator().manual_seed(seed)
    gain = GAINS[network.architecture.activation]
    with torch.no_grad():
        for name, layer in network.layers.items():
            inputs = layer.weight[0].numel()
            layer.weight.normal_(0.0, gain / math.sqrt(inputs), generator=generator)
            if layer.bias is not None:
                layer.bias.zero_()
            if name.startswith(BLOCKS) and name.endswith(".first"):
                layer.weight.mul_(network.architecture.blocks**-0.5)
            if name.startswith(BLOCKS) and name.endswith(".second"):
                layer.weight.zero_()
