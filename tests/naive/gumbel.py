"""The Gumbel root as in its paper, above the PUCT tree of `examples/mcts.py`.

Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel", 2022:
sequential halving (algorithm 2), completed values (equation 10) with the mixed value of appendix D,
on the scale (50 + most visits) * scale.
"""

import math
from functools import partial

from examples import mcts


def halving(considered, budget):
    """Return the required visits of each simulation's action, by a plain simulation of phases."""
    if considered <= 1:
        return list(range(budget))
    visits = dict.fromkeys(range(considered), 0)
    running, phases = considered, math.ceil(math.log2(considered))
    found: list[int] = []
    while len(found) < budget:
        for _ in range(max(1, budget // (phases * running))):
            found.extend(visits[action] for action in range(running))
            for action in range(running):
                visits[action] += 1
        running = max(2, running // 2)
    return found[:budget]


class NaiveGumbel:
    """A search of a new tree; `noise` is a number for each action."""

    def __init__(self, position, judge, c, scale, noise, considered):
        self.position, self.judge, self.c = position, judge, c
        self.scale, self.noise, self.considered = scale, noise, considered
        self.own = judge(position)[1][position.to_move]
        self.root, self.level = mcts.Node(), None

    def run(self, simulations):
        self._simulate()  # expands the root
        legal = len(self.root.children)
        for level in halving(min(self.considered, legal), simulations - 1):
            self.level = level
            self._simulate()
        return {action: child.visits for action, child in self.root.children.items()}

    def _simulate(self):
        mcts.simulate(
            self.root,
            self.position.copy(),
            self._select,
            partial(mcts.expand_by_policy, judge=self.judge),
            rng=None,
        )

    def _select(self, node, position):
        if node is not self.root:
            return mcts.select_by_puct(node, position, self.c)
        logits = self.logits(position.to_move)
        able = [a for a, child in node.children.items() if child.visits == self.level]
        return max(able, key=lambda action: self.noise[action] + logits[action])

    def logits(self, mover):
        children = self.root.children
        seen = {action: child for action, child in children.items() if child.visits}
        total = sum(child.visits for child in seen.values())
        mixed = self.own
        if total:
            weight = sum(child.prior for child in seen.values())
            mean = sum(child.prior * child.mean(mover) for child in seen.values()) / weight
            mixed = (self.own + total * mean) / (1 + total)
        most = max(child.visits for child in children.values())
        return {
            action: math.log(child.prior)
            + self.scale * (50 + most) * (child.mean(mover) if child.visits else mixed)
            for action, child in children.items()
        }

    def policy(self):
        """Return the improved policy, by action."""
        logits = self.logits(self.position.to_move)
        top = max(logits.values())
        weights = {action: math.exp(logit - top) for action, logit in logits.items()}
        return {action: w / sum(weights.values()) for action, w in weights.items()}

    def chosen(self):
        """Return the action to play."""
        logits = self.logits(self.position.to_move)
        children = self.root.children
        most = max(child.visits for child in children.values())
        able = [action for action, child in children.items() if child.visits == most]
        return max(able, key=lambda action: self.noise[action] + logits[action])
