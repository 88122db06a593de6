"""Principal variation search as in its papers, recursive, with dictionaries as tables.

Marsland and Campbell, "Parallel search of strongly ordered game trees", 1982; killer moves by Akl
and Newborn, 1977; the history heuristic by Schaeffer, 1989. For two players, who may move several
times in a row. Scores are integers, as in the compiled search.
"""

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field

PLIES = 2**16
SHARE = 2**24 * PLIES  # the score of a full share, before its plies are subtracted
WIN = SHARE - PLIES
INFINITE = 2 * SHARE
LINE = 16
SORTED_FROM = 4  # remaining plies from which children are evaluated before they are searched

EXACT, LOWER, UPPER = "exact", "lower", "upper"


@dataclass
class Root:
    """The result of a search for the root's actions."""

    order: list[int]  # in the order of the search
    nodes: Counter[int] = field(default_factory=Counter)  # by action
    scores: dict[int, int] = field(default_factory=dict)  # by action, for exact scores only
    line: list[int] = field(default_factory=list)


@dataclass
class Found:
    """The result of a search for a node, for the player to move there."""

    score: int
    known: bool  # every relevant line was searched to its end
    line: list[int] = field(default_factory=list)


def at_ply(score, ply):
    """Convert a score `ply` plies deeper to this node: closer to 0."""
    return int(math.copysign(abs(score) - ply, score)) if score else 0


def score_of(share, ply, most):
    """Return the score of a share found `ply` plies below the root."""
    units = math.floor((2 * share - 1) * 2**24 + 0.5)
    return at_ply(max(-most, min(units * PLIES, most)), ply)


class Table:
    """A transposition table: two adjacent places for a key, chosen by its last bits.

    The first holds the deeper search until a later search replaces it; the second holds the others.
    """

    def __init__(self, slots):
        self.slots, self.age = slots, 0
        self.entries = {}  # by place: key, age, and entry

    def get(self, key):
        """Return score, action, depth and bound, or None."""
        for place in (key % self.slots, key % self.slots ^ 1):
            if place in self.entries and self.entries[place][0] == key:
                return self.entries[place][2]
        return None

    def keep(self, key, known):
        """Store score, action, depth and bound."""
        place = key % self.slots
        if place in self.entries:
            other, age, (_, _, depth, _) = self.entries[place]
            if other != key and age == self.age and depth > known[2]:
                place ^= 1
        self.entries[place] = key, self.age, known


class PrincipalVariationSearch:
    """`judge(position)` returns shares; `result(position)` returns exact ones, or None.

    `key(position)` is equal for states that the table treats as equal.
    """

    def __init__(self, judge, result, key, slots=2**20):
        self.judge, self.result, self.key, self.table = judge, result, key, Table(slots)

    def run(self, position, order, depth, bonus=lambda action: 0):
        """Deepen to `depth` plies; return the last iteration's root, with nodes of all iterations.

        `bonus(action)` is added to an inexact score of a root action.
        """
        self.killers: defaultdict[int, list[int]] = defaultdict(lambda: [-1, -1])
        self.history: Counter[tuple[int, int]] = Counter()
        self.table.age += 1
        self.bonus = bonus
        nodes: Counter[int] = Counter()
        for plies in range(1, depth + 1):
            self.nodes, self.root = 0, Root(order)
            self.hint = order[0] if plies > 1 else -1
            self.root.line = self.search(position, 0, plies, -INFINITE, INFINITE).line
            nodes += self.root.nodes
            best = self.root.line[0]
            order = [best, *(action for action in self.root.order if action != best)]
        self.root.nodes = nodes
        return self.root

    def search(self, position, ply, remaining, alpha, beta):
        """Return a node's score within the window, or a bound beyond it."""
        bottom, key, hint = alpha, self.key(position), self.hint if ply == 0 else -1
        entry = self.table.get(key) if ply > 0 else None
        if entry:
            score, hint, depth, bound = entry
            score = at_ply(score, ply)
            beyond = (bound != UPPER and score >= beta) or (bound != LOWER and score <= alpha)
            if depth >= remaining and beta - alpha == 1 and beyond:
                return Found(score, known=depth == math.inf)
        actions = self.root.order if ply == 0 else position.legal_actions().tolist()
        ranks = {action: self.rank(position, ply, remaining, action, hint) for action in actions}
        best, chosen, known, line = -INFINITE, -1, True, []
        for place in range(len(actions)):
            first = max(range(place, len(actions)), key=lambda other: ranks[actions[other]])
            actions[place], actions[first] = actions[first], actions[place]
            action, before = actions[place], self.nodes
            bonus = self.bonus(action) if ply == 0 else 0
            found = self.child(position, ply, remaining, action, alpha - bonus, beta, place == 0)
            score, known = found.score, known and found.known
            if ply == 0:
                self.root.nodes[action] = self.nodes - before
                if score > alpha - bonus:
                    self.root.scores[action] = score
            if bonus and not found.known and abs(score) <= WIN:
                score = min(score + bonus, WIN)
            if score > best:
                best, chosen = score, action
            if score > alpha:
                if beta - alpha > 1:
                    line = [action, *found.line][:LINE]
                alpha = score
            if score >= beta:
                known = found.known or score > WIN  # regardless of the other children
                self.remember_cut(position.to_move, ply, remaining, action)
                break
        if ply > 0:
            bound = LOWER if best >= beta else EXACT if best > bottom else UPPER
            depth = math.inf if known else remaining
            self.table.keep(key, (at_ply(best, -ply), chosen, depth, bound))
        return Found(best, known, line)

    def child(self, position, ply, remaining, action, alpha, beta, first):
        """Return an action's value for its player: by a null window, and again if that fails.

        The first child is searched with the full window.
        """
        after = position.copy()
        after.play(action)
        self.nodes += 1
        mover, shares = position.to_move, self.result(after)
        if shares is not None:
            return Found(score_of(shares[mover], ply + 1, SHARE), known=True)
        if remaining == 1:
            return Found(score_of(self.judge(after)[mover], ply + 1, WIN), known=False)
        if not first and beta - alpha > 1:
            found = self.turned(after, mover, ply + 1, remaining - 1, alpha, alpha + 1)
            if not alpha < found.score < beta:
                return found
            self.nodes += 1  # the action is played again
        return self.turned(after, mover, ply + 1, remaining - 1, alpha, beta)

    def turned(self, after, mover, ply, remaining, alpha, beta):
        """Search with `mover`'s window; return the score for them, whichever player moves."""
        if after.to_move == mover:
            return self.search(after, ply, remaining, alpha, beta)
        found = self.search(after, ply, remaining, -beta, -alpha)
        return Found(-found.score, found.known, found.line)

    def rank(self, position, ply, remaining, action, hint):
        """Return the search priority: the table's action, then estimates, killers, cuts.

        Near the leaves, evaluating all children would cost more than it saves.
        """
        mover, share = position.to_move, 0
        if remaining >= SORTED_FROM:
            after = position.copy()
            after.play(action)
            shares = self.result(after)
            share = math.floor((self.judge(after) if shares is None else shares)[mover] * 2**20)
        killers = self.killers[ply]
        killer = 2 if action == killers[0] else 1 if action == killers[1] else 0
        # The table's action is not evaluated.
        return (True,) if action == hint else (False, share, killer, self.history[mover, action])

    def remember_cut(self, mover, ply, remaining, action):
        """Store the last two different actions that cut at this ply."""
        if self.killers[ply][0] != action:
            self.killers[ply] = [action, self.killers[ply][0]]
        self.history[mover, action] += remaining**2
