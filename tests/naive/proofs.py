"""UCT with proofs of results, in plain Python, for any number of players and with chance.

MCTS-Solver (Winands, Bjoernsson and Saito, "Monte-Carlo tree search solver", 2008) above the steps
of `examples/mcts.py`: a finished leaf is proven, a decision once one of its children is a proven
win or all are proven, a chance node once all are.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from examples import mcts
from meeple.kernels import CHANCE


@dataclass
class Node(mcts.Node):
    """A node of the tree, with an optional proof."""

    mover: int = 0
    selections: int = 0
    size: int = 0  # number of legal actions or outcomes, once expanded
    odds: Any = None  # by outcome, at a chance node
    proof: Any = None  # [players] proven shares
    children: dict[int, Any] = field(default_factory=dict)  # by action


class ProvingUct:
    """A search of one position."""

    def __init__(self, position, rng, c):
        self.position, self.rng, self.c = position, rng, c
        self.root = Node()

    def run(self, simulations):
        """Run simulations, until the root is proven."""
        while simulations and self.root.proof is None:
            self.simulate(self.position.copy())
            simulations -= 1

    def simulate(self, position):
        """Descend, evaluate, prove, backpropagate."""
        path = self.descend(position)
        leaf = path[-1]
        if position.is_over:
            leaf.proof = position.payoffs
        if leaf.proof is not None:
            shares = leaf.proof
            prove_upwards(path)
        else:
            shares = mcts.rollout(position, self.rng)
        for node in path:
            node.value_sum = node.value_sum + shares
            if node.proof is not None:
                node.value_sum = node.proof * node.visits  # the mean is exact

    def descend(self, position):
        """Return the nodes from the root to a leaf: finished, proven, or a new decision."""
        node, path = self.root, [self.root]
        while True:
            node.visits += 1
            node.mover = position.to_move
            if node.proof is not None or position.is_over:
                return path
            if position.to_move == CHANCE:
                outcomes, odds = (array.tolist() for array in position.chance_outcomes())
                node.size, node.odds = len(outcomes), dict(zip(outcomes, odds, strict=True))
                action = mcts.draw_outcome(position, self.rng)
            elif node.visits == 1 and len(path) > 1:
                return path
            else:
                action = self.select(node, position)
            position.play(action)
            node = node.children.setdefault(action, Node())
            path.append(node)

    def select(self, node, position):
        """Select untried actions first, at random, then by UCB1; proofs need no exploration."""
        node.selections += 1
        if node.untried is None:
            node.untried = position.legal_actions().tolist()
            node.size = len(node.untried)
        if node.untried:
            chosen = self.rng.below(len(node.untried))
            node.untried[0], node.untried[chosen] = node.untried[chosen], node.untried[0]
            return node.untried.pop(0)

        def score(action):
            child = node.children[action]
            if child.proof is not None:
                return child.proof[node.mover] or -1  # a proven loss comes last
            explore = self.c * math.sqrt(math.log(node.selections) / child.visits)
            return child.mean(node.mover) + explore

        return max(node.children, key=score)


def prove_upwards(path):
    """Prove the ancestors of a proven leaf where possible."""
    for node in reversed(path[:-1]):
        if node.proof is None:
            node.proof = proven_value(node)
        if node.proof is None:
            return


def proven_value(node):
    """Return the value that a node's children prove, or None."""
    sure = {action: child for action, child in node.children.items() if child.proof is not None}
    if node.mover != CHANCE:
        for child in sure.values():
            if child.proof[node.mover] == 1:
                return child.proof
    if len(sure) < node.size:
        return None
    if node.mover == CHANCE:
        return sum(node.odds[outcome] * child.proof for outcome, child in sure.items())
    return max((child.proof for child in sure.values()), key=lambda shares: shares[node.mover])
