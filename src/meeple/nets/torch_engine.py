"""Towers in PyTorch, where OpenVINO is not installed."""

import numpy as np
import torch
from numpy.typing import NDArray

from meeple.nets.network import ActorNetwork
from meeple.nets.weights import Weights, without_subnormals

Array = NDArray[np.float32]


class TorchEngine:
    """A network of its own with the same weights, in float32 or bfloat16."""

    def __init__(self, weights: Weights, *, bfloat16: bool) -> None:
        self._weights = weights
        self._dtype = torch.bfloat16 if bfloat16 else torch.float32
        self._network = ActorNetwork(weights.architecture, seed=0).to(self._dtype)
        self.refresh()

    def __call__(self, observations: Array) -> tuple[Array, Array | None]:
        """Logits of policy [B, A] and value [B, P] of observations [B, *observation_shape]."""
        with torch.inference_mode():
            planes = torch.from_numpy(np.ascontiguousarray(observations)).to(self._dtype)
            policy, value = self._network(planes)
            return policy.float().numpy(), None if value is None else value.float().numpy()

    def refresh(self) -> None:
        """Take over the network's present weights."""
        tensors = self._weights.tensors
        self._network.set_weights({name: without_subnormals(tensors[name]) for name in tensors})
