"""Networks in PyTorch, where they learn; what they compute is described in `graph.py`."""

import math
from typing import cast

import torch
from torch import Tensor, nn

from meeple.nets.architecture import Activation, Architecture
from meeple.nets.graph import BLOCKS, Outputs, outputs, weight_shapes
from meeple.nets.weights import Weights
from meeple.tensor_file import Tensors

ACTIVATIONS: dict[Activation, nn.Module] = {
    "linear": nn.Identity(),
    "sigmoid": nn.Sigmoid(),
    "tanh": nn.Tanh(),
    "relu": nn.ReLU(),
}
"""The activation functions of an architecture, by name."""

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

    def __init__(self, architecture: Architecture, *, seed: int) -> None:
        """Build and initialise; the same seed gives the same weights, and no global state is used.

        UsageError when it would have more than `MAX_PARAMETERS` parameters.
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
        """A network with a copy of these weights."""
        network = ActorNetwork(weights.architecture, seed=0)
        network.set_weights(weights.tensors)
        return network

    @property
    def weights(self) -> Weights:
        """Views of its weights: they change as it learns."""
        tensors = {name: value.numpy() for name, value in self.state_dict().items()}
        return Weights(self.architecture, tensors)

    def set_weights(self, tensors: Tensors) -> None:
        """Copy weights of the right names and shapes into the network, in place."""
        self.load_state_dict({name: torch.from_numpy(value) for name, value in tensors.items()})

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor | None]:
        """[B, *observation_shape] float32 -> policy logits [B, A], value logits [B, P] or None."""
        found = self.all_outputs(observations)
        return found.policy, found.value

    def all_outputs(self, observations: Tensor) -> Outputs[Tensor]:
        """Compute the logits of every head for observations [B, *observation_shape] float32."""
        if observations.ndim == 4:
            observations = observations.contiguous(memory_format=torch.channels_last)
        return outputs(self.architecture, TorchLayers(self), observations)

    def _allocate(self) -> None:
        # Layers are built without storage (see `_layer`), so that PyTorch's own initialisation,
        # which draws from the global generator, never runs.
        storage = {name: torch.empty(value.shape) for name, value in self.state_dict().items()}
        self.load_state_dict(storage, assign=True)
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # missing in torch's stubs
        self.requires_grad_(True)


def _layer(shape: tuple[int, ...]) -> nn.Linear | nn.Conv2d:
    """A dense layer, or a convolution that keeps the board's size, without storage yet."""
    if len(shape) == 2:
        return nn.Linear(shape[1], shape[0], device="meta")
    return nn.Conv2d(shape[1], shape[0], shape[2], padding=shape[2] // 2, device="meta")


def _add(module: nn.Module, name: str, layer: nn.Module) -> None:
    """Make a layer part of a module under a name with dots, so that its weights are saved by it."""
    *path, last = name.split(".")
    for part in path:
        if part not in dict(module.named_children()):
            module.add_module(part, nn.Module())
        module = module.get_submodule(part)
    module.add_module(last, layer)


class TorchLayers:
    """Layers as PyTorch computes and differentiates them."""

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
    """Normal weights of variance gain^2 / inputs, zero biases, and Fixup's rule in the blocks."""
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
