"""Principal variation search as its papers read, recursive, with what it remembers in dictionaries.

Marsland and Campbell, "Parallel search of strongly ordered game trees", 1982; killer moves by Akl
and Newborn, 1977; the history heuristic by Schaeffer, 1989. For two players, who may move several
times in a row. Scores are whole numbers, as the compiled search has them.
"""

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field

PLIES = 2**16
SHARE = 2**24 * PLIES  # the score of a whole share, before the plies to it are taken off
WIN = SHARE - PLIES
INFINITE = 2 * SHARE
LINE = 16
SORTED_FROM = 3  # plies left from which on children are judged before they are searched

EXACT, LOWER, UPPER = "exact", "lower", "upper"


@dataclass
class Root:
    """What a search found of the root's actions."""

    order: list[int]  # as they were searched
    nodes: Counter[int] = field(default_factory=Counter)  # by action
    scores: dict[int, int] = field(default_factory=dict)  # by action, where they are no mere bounds
    line: list[int] = field(default_factory=list)


@dataclass
class Found:
    """What a search found of a node, for the player to move there."""

    score: int
    known: bool  # every line that counts was searched to its end
    line: list[int] = field(default_factory=list)


def at_ply(score, ply):
    """A score of a node so many plies deeper, seen from here: closer to 0."""
    return int(math.copysign(abs(score) - ply, score)) if score else 0


def score_of(share, ply, most):
    """The score of a share found so many plies below the root."""
    units = math.floor((2 * share - 1) * 2**24 + 0.5)
    return at_ply(max(-most, min(units * PLIES, most)), ply)


class Table:
    """What is known of states: two places side by side for a key, chosen by its last bits.

    The first is kept for the deeper search, until a later one comes; the second takes the rest.
    """

    def __init__(self, slots):
        self.slots, self.age = slots, 0
        self.entries = {}  # by place: key, age, and what is known

    def get(self, key):
        """Score, action, depth and bound, or None."""
        for place in (key % self.slots, key % self.slots ^ 1):
            if place in self.entries and self.entries[place][0] == key:
                return self.entries[place][2]
        return None

    def keep(self, key, known):
        """Keep score, action, depth and bound."""
        place = key % self.slots
        if place in self.entries:
            other, age, (_, _, depth, _) = self.entries[place]
            if other != key and age == self.age and depth > known[2]:
                place ^= 1
        self.entries[place] = key, self.age, known


class PrincipalVariationSearch:
    """`judge(position)` gives shares; `result(position)` gives those that are known, or None.

    `key(position)` is equal for states that are the same to the table.
    """

    def __init__(self, judge, result, key, slots=2**20):
        self.judge, self.result, self.key, self.table = judge, result, key, Table(slots)

    def run(self, position, order, depth, bonus=lambda action: 0):
        """Deepen to so many plies; the last iteration's root, with the nodes of all.

        `bonus(action)` is what an action of the root gets on top of a score that is not sure.
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
        """A node's score within the window, or a bound of it beyond."""
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
                known = found.known or score > WIN  # whatever the others are worth
                self.remember_cut(position.to_move, ply, remaining, action)
                break
        if ply > 0:
            bound = LOWER if best >= beta else EXACT if best > bottom else UPPER
            depth = math.inf if known else remaining
            self.table.keep(key, (at_ply(best, -ply), chosen, depth, bound))
        return Found(best, known, line)

    def child(self, position, ply, remaining, action, alpha, beta, first):
        """What an action is worth to its player: by a null window, and once more where that fails.

        The first child is searched by the whole window.
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
            self.nodes += 1  # it is played to once more
        return self.turned(after, mover, ply + 1, remaining - 1, alpha, beta)

    def turned(self, after, mover, ply, remaining, alpha, beta):
        """A search with the window of `mover`, and the score for them, whoever moves."""
        if after.to_move == mover:
            return self.search(after, ply, remaining, alpha, beta)
        found = self.search(after, ply, remaining, -beta, -alpha)
        return Found(-found.score, found.known, found.line)

    def rank(self, position, ply, remaining, action, hint):
        """The highest is searched first: the table's, then by what it seems worth, killers, cuts.

        Close to the leaves, judging all children would cost more than it saves.
        """
        mover, share = position.to_move, 0
        if remaining >= SORTED_FROM:
            after = position.copy()
            after.play(action)
            shares = self.result(after)
            share = math.floor((self.judge(after) if shares is None else shares)[mover] * 2**20)
        killers = self.killers[ply]
        killer = 2 if action == killers[0] else 1 if action == killers[1] else 0
        # The table's action is not judged.
        return (True,) if action == hint else (False, share, killer, self.history[mover, action])

    def remember_cut(self, mover, ply, remaining, action):
        """Killers are the last two different actions that cut at this ply."""
        if self.killers[ply][0] != action:
            self.killers[ply] = [action, self.killers[ply][0]]
        self.history[mover, action] += remaining**2
