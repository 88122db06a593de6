"""PUCT as its formula reads, on dictionaries: one tree, one leaf at a time, no proofs.

A child's score is Q + c P sqrt(N) / (1 + n), with N the selections so far at its parent, this one
included. An unvisited child's Q is the parent's own mean, where the descent under way counts as a
visit worth nothing, less 0.1 sqrt(the share of the policy that was tried), and never below 0.
"""

import math


class Node:
    def __init__(self, prior):
        self.prior = prior
        self.visits, self.selections = 0, 0
        self.sums = None
        self.children = {}

    def mean(self, player):
        return self.sums[player] / self.visits if self.sums else 0.0


class NaivePuct:
    """`judge(position)` gives (policy by action, value by player) of a decision."""

    def __init__(self, position, judge, c):
        self.position, self.judge, self.c = position, judge, c
        self.root = Node(1.0)

    def run(self, simulations):
        for _ in range(simulations):
            self._simulate()
        return {action: child.visits for action, child in self.root.children.items()}

    def _simulate(self):
        node, position, path = self.root, self.position.copy(), [self.root]
        node.visits += 1
        while node.children and not position.is_over:
            action = self._select(node, position.to_move)
            position.play(action)
            node = node.children[action]
            node.visits += 1
            path.append(node)
        if position.is_over:
            value = position.payoffs.tolist()
        else:
            policy, value = self.judge(position)
            node.children = {a: Node(policy[a]) for a in position.legal_actions().tolist()}
        for seen in path:
            seen.sums = [a + b for a, b in zip(seen.sums or [0] * len(value), value, strict=True)]

    def _select(self, node, mover):
        node.selections += 1
        tried = sum(child.prior for child in node.children.values() if child.visits)
        urgency = max(0.0, node.mean(mover) - 0.1 * math.sqrt(tried))

        def score(action):
            child = node.children[action]
            q = child.mean(mover) if child.visits else urgency
            return q + self.c * child.prior * math.sqrt(node.selections) / (1 + child.visits)

        return max(node.children, key=score)
