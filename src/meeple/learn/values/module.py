"""The value network in PyTorch, where it learns: the same weights by the same names."""

import numpy as np
import torch
from torch import Tensor, nn

from meeple.kernels import RecordType
from meeple.search.values.network import Weights, Widths, untrained

NO_SHARE = -1e9
"""A logit whose share is 0: finite, so that nothing times it is 0."""


class ValueModule(nn.Module):
    """What `search.values.network` describes, for batches."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self.weights = nn.ParameterDict(
            {name: nn.Parameter(torch.from_numpy(value.copy())) for name, value in weights.items()}
        )

    def forward(self, own: Tensor, sites: Tensor, table: Tensor, taken: Tensor) -> Tensor:
        """Logits of the shares [B, P], from own [B, P, F], sites [B, P, S, G] and table [B, T].

        `taken` [B, P]: whether a game has that seat; one that it has not gets NO_SHARE.
        """
        w = self.weights
        there = (sites[..., :1] != 0).to(sites.dtype)
        site = torch.relu(sites @ w["site_weights"] + w["site_bias"]) * there
        pooled = torch.cat([site.sum(dim=2), site.amax(dim=2)], dim=-1)
        seat = own @ w["own_weights"] + pooled @ w["pooled_weights"] + w["seat_bias"]
        seat = torch.relu(seat) * taken[..., None]
        common = seat.sum(dim=1) @ w["sum_weights"] + table @ w["table_weights"] + w["first_bias"]
        first = seat @ w["self_weights"] + most_of_others(seat) @ w["most_weights"]
        first = torch.relu(first + common[:, None])
        second = torch.relu(first @ w["second_weights"] + w["second_bias"])
        logits: Tensor = second @ w["last_weights"]
        return logits.masked_fill(~taken, NO_SHARE)


def most_of_others(seats: Tensor) -> Tensor:
    """For each of P seats the maximum over the others: [B, P, H]."""
    count = seats.shape[1]
    others = [[other for other in range(count) if other != seat] for seat in range(count)]
    return torch.stack([seats[:, other].amax(dim=1) for other in others], dim=1)


def new_module(features: RecordType, widths: Widths, seed: int) -> ValueModule:
    """An untrained network."""
    return ValueModule(untrained(features, widths, seed))


def weights_of(module: ValueModule) -> Weights:
    """Its weights as NumPy arrays of their own."""
    return {
        name: np.ascontiguousarray(value.detach().numpy()).copy()
        for name, value in module.weights.items()
    }
