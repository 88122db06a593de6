"""Monte Carlo tree search as in the textbook: UCT, PUCT and information sets, in plain Python.

For every game of the contract: any number of players, chance nodes, payoffs as shares of the win.
`python examples/mcts.py` shows a search; tests hold the compiled search to it, visit for visit.
Randomness is an argument, `rng`: it has `below(n)`, a whole number in 0..n-1, and `uniform()`.
"""

import math
import random
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import meeple


@dataclass
class Node:
    """A position in the tree, and what the simulations through it have found."""

    visits: int = 0
    value_sum: Any = 0.0  # [players] shares
    children: dict[int, "Node"] = field(default_factory=dict)  # by action
    untried: list[int] | None = None  # UCT: actions without a child; None before its expansion
    prior: float = 1.0  # PUCT: the policy's share of the action that leads here
    available: int = 0  # information sets: how often the action that leads here was legal

    def mean(self, player):
        """A player's mean share in the simulations so far."""
        return self.value_sum[player] / self.visits


# ---------------------------------------------------------------- one simulation


def simulate(root, position, select, evaluate, rng):
    """Descend to a leaf, evaluate it, and backpropagate. Plays on `position`."""
    path = descend(root, position, select, rng)
    shares = position.payoffs if position.is_over else evaluate(path[-1], position)
    backpropagate(path, shares)


def descend(root, position, select, rng):
    """The nodes from the root to a leaf: the game's end, or a decision met for the first time."""
    node, path = root, [root]
    node.visits += 1
    while not position.is_over:
        if position.to_move == meeple.CHANCE:
            action = draw_outcome(position, rng)
        elif node.visits == 1:
            break
        else:
            action = select(node, position)
        position.play(action)
        node = node.children.setdefault(action, Node())
        node.visits += 1
        path.append(node)
    return path


def backpropagate(path, shares):
    """Add a result to every node of a path."""
    for node in path:
        node.value_sum = node.value_sum + shares


def rollout(position, rng):
    """The payoffs after uniformly random actions to the end. Plays on `position`."""
    while not position.is_over:
        if position.to_move == meeple.CHANCE:
            position.play(draw_outcome(position, rng))
        else:
            legal = position.legal_actions().tolist()
            position.play(legal[rng.below(len(legal))])
    return position.payoffs


def draw_outcome(position, rng):
    """An outcome of a chance node, by its probabilities."""
    outcomes, probabilities = (array.tolist() for array in position.chance_outcomes())
    mark = rng.uniform()
    for outcome, probability in zip(outcomes, probabilities, strict=True):
        mark -= probability
        if mark < 0:
            return outcome
    return outcomes[-1]


# ---------------------------------------------------------------- UCT


def uct(position, simulations, rng, c=1.4):
    """The root after a search whose leaves are judged by rollouts."""
    root = Node(visits=1)  # the first simulation already goes on from here
    select = partial(select_by_ucb1, rng=rng, c=c)
    for _ in range(simulations):
        simulate(root, position.copy(), select, lambda _, leaf: rollout(leaf, rng), rng)
    return root


def expand(node, position):
    """List the legal actions, which become children when they are first tried."""
    node.untried = position.legal_actions().tolist()


def select_by_ucb1(node, position, rng, c):
    """Untried actions first, at random; then Q + c sqrt(ln N / n) (Kocsis, Szepesvari, 2006).

    N counts the choices made at the node, this one included.
    """
    if node.untried is None:
        expand(node, position)
    if node.untried:
        chosen = rng.below(len(node.untried))
        node.untried[0], node.untried[chosen] = node.untried[chosen], node.untried[0]
        return node.untried.pop(0)
    mover, explore = position.to_move, c * math.sqrt(math.log(node.visits - 1))

    def score(action):
        child = node.children[action]
        return child.mean(mover) + explore / math.sqrt(child.visits)

    return max(node.children, key=score)


# ---------------------------------------------------------------- PUCT


def puct(position, simulations, rng, judge, c=1.0):
    """The root after a search with `judge(position)`: a policy by action, and shares by player."""
    root = Node()
    select, evaluate = partial(select_by_puct, c=c), partial(expand_by_policy, judge=judge)
    for _ in range(simulations):
        simulate(root, position.copy(), select, evaluate, rng)
    return root


def expand_by_policy(leaf, position, judge):
    """Give a leaf all its children at once, with their priors; returns its shares."""
    policy, shares = judge(position)
    for action in position.legal_actions().tolist():
        leaf.children[action] = Node(prior=policy[action])
    return shares


def select_by_puct(node, position, c):
    """Q + c P sqrt(N) / (1 + n) (Silver et al., 2017), N as in UCB1.

    Q of an untried action is the node's own mean, less as more of the policy has been tried: 0.1 is
    in shares (Wu, "Accelerating self-play learning in Go", 2019, section 4).
    """
    mover, finished = position.to_move, node.visits - 1  # without the visit under way
    explore, mean = c * math.sqrt(finished), node.value_sum[mover] / finished
    tried = sum(child.prior for child in node.children.values() if child.visits)
    untried = max(0.0, mean - 0.1 * math.sqrt(tried))

    def score(action):
        child = node.children[action]
        q = child.mean(mover) if child.visits else untried
        return q + explore * child.prior / (1 + child.visits)

    return max(node.children, key=score)


# ---------------------------------------------------------------- information sets


def information_set_uct(determinizations, simulations, rng, c=1.4):
    """SO-ISMCTS (Cowling, Powley and Whitehouse, 2012): each simulation in another determinization.

    `determinizations` yields positions that the player to move cannot tell apart, all in one tree.
    """
    root = Node(visits=1)
    select = partial(select_by_availability, rng=rng, c=c)
    for _ in range(simulations):
        simulate(root, next(determinizations), select, lambda _, leaf: rollout(leaf, rng), rng)
    return root


def select_by_availability(node, position, rng, c):
    """As UCB1, among the actions legal here and now; N counts how often each was legal."""
    mover, legal = position.to_move, position.legal_actions().tolist()
    children = {action: node.children.setdefault(action, Node()) for action in legal}
    fresh, chosen = 0, None
    for action, child in children.items():
        child.available += 1
        if child.visits == 0:
            fresh += 1
            if rng.below(fresh) == 0:  # each of them is as likely in the end
                chosen = action

    def score(action):
        child = children[action]
        return child.mean(mover) + c * math.sqrt(math.log(child.available) / child.visits)

    return max(legal, key=score) if chosen is None else chosen


# ---------------------------------------------------------------- to look at


class Generator:
    """Random numbers of Python's own."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def below(self, bound):
        return self.random.randrange(bound)

    def uniform(self):
        return self.random.random()


def main():
    """Search tic-tac-toe after a corner and an edge, which wins for player 1."""
    position = meeple.make("gomoku", size=3, in_a_row=3).start()
    for name in ("a1", "b1"):
        position.play(position.parse_action(name))
    root = uct(position, 2000, Generator(1))
    print(position, "\n\naction visits  mean share")
    for action, child in sorted(root.children.items(), key=lambda pair: -pair[1].visits):
        print(f"{position.action_name(action):6} {child.visits:6} {child.mean(0):11.2f}")


if __name__ == "__main__":
    main()
