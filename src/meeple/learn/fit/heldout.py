"""Evaluates a network on held-out positions: those of a wave, before it is learned from.

A gap between these losses and those of training shows overfitting. The metrics are called
`unseen/...` in `metrics.jsonl`; the names stay, so that older runs can be shown.
"""

import numpy as np
import torch

from meeple.learn.selfplay.replay import ReplayBatch
from meeple.nets.network import ActorNetwork
from meeple.nets.training import cross_entropy


def evaluate_held_out(network: ActorNetwork, cases: ReplayBatch) -> dict[str, float]:
    """Return the metrics of a network on held-out positions, by name. Entropies are in nats.

    - `unseen/policy`, `unseen/value`: the losses of training, on these positions;
    - `unseen/policy_entropy`: mean entropy of the network's policy;
    - `unseen/search_entropy`: mean entropy of the search's policy, the minimum of `unseen/policy`;
    - `unseen/agreement`: share of positions where policy and search have the same best action;
    - `unseen/value_explained`: explained variance of the mover's result: 1 is a perfect
      prediction, 0 is no better than the mean. Missing if all results are equal.
    """
    with torch.no_grad():
        found = network.all_outputs(torch.from_numpy(cases.observations))
    policies = torch.from_numpy(cases.policies)
    logs = torch.log_softmax(found.policy, dim=1)
    best, searched = found.policy.argmax(dim=1), policies.argmax(dim=1)
    figures = {
        "unseen/policy": cross_entropy(found.policy, policies).item(),
        "unseen/policy_entropy": -(logs.exp() * logs).sum(dim=1).mean().item(),
        "unseen/search_entropy": torch.special.entr(policies).sum(dim=1).mean().item(),
        "unseen/agreement": (best == searched).double().mean().item(),
    }
    if found.value is None:
        return figures
    figures["unseen/value"] = cross_entropy(found.value, torch.from_numpy(cases.values)).item()
    predicted = torch.softmax(found.value, dim=1)[:, 0].numpy()
    results = cases.values[:, 0]
    variance = float(np.var(results))
    if variance > 0:
        error = float(np.mean((results - predicted) ** 2))
        figures["unseen/value_explained"] = 1 - error / variance
    return figures
