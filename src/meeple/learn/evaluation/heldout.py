"""How well a network knows games it has not learned from: each wave's, before it does.

Beside the losses of training, which are of games it has seen, these tell learning from learning by
heart.
"""

import numpy as np
import torch

from meeple.learn.selfplay.replay import Minibatch
from meeple.nets.network import ActorNetwork
from meeple.nets.training import cross_entropy


def judge_unseen(network: ActorNetwork, cases: Minibatch) -> dict[str, float]:
    """A network's figures on cases, by name; all logarithms are natural.

    - `unseen/policy`, `unseen/value`: the losses that training has, of these cases;
    - `unseen/policy_entropy`: of the network's policy; `unseen/search_entropy`: of what the search
      would have it be, below which `unseen/policy` cannot fall;
    - `unseen/agreement`: the share of positions where the policy's best action is the search's;
    - `unseen/value_explained`: 1 less the squared error of the mover's value, relative to the
      variance of what came out; 1 is foresight, 0 is no better than always saying the mean. It is
      absent where all came out alike.
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
    said = torch.softmax(found.value, dim=1)[:, 0].numpy()
    came = cases.values[:, 0]
    variance = float(np.var(came))
    if variance > 0:
        error = float(np.mean((came - said) ** 2))
        figures["unseen/value_explained"] = 1 - error / variance
    return figures
