"""External sampling as a recursion over positions, with dictionaries."""

import numpy as np

from meeple import kernels
from meeple.kernels import CHANCE


class Naive:
    """Draws the same random numbers as `meeple.search.exact.mccfr`, in the same order."""

    def __init__(self, game, seed):
        self.game, self.rng = game, kernels.new_rng(seed)
        self.regrets, self.totals, self.examples = {}, {}, {}

    def run(self, iterations):
        """Run iterations from the start of the game."""
        memories = [(seat,) for seat in range(self.game.players)]
        for _ in range(iterations):
            for seat in range(self.game.players):
                self._value(self.game.start(), seat, memories)

    @property
    def averages(self):
        """The average strategies, by the actions that lead to a position of each set."""
        return {
            self.examples[key]: total / total.sum()
            for key, total in self.totals.items()
            if total.sum() > 0
        }

    def _value(self, position, seat, memories):
        """Return the share of a seat whose actions are all tried."""
        if position.is_over:
            return position.payoffs[seat]
        if position.to_move == CHANCE:
            outcomes, chances = position.chance_outcomes()
            return self._after(position, outcomes[self._drawn(chances)], seat, memories)
        mover, legal = position.to_move, position.legal_actions()
        key = (*memories[mover], position.observation(mover).tobytes())
        regrets = self.regrets.setdefault(key, np.zeros(len(legal)))
        self.examples.setdefault(key, position.actions)
        total = self.totals.setdefault(key, np.zeros(len(legal)))
        positive = np.maximum(regrets, 0.0)
        uniform = np.full(len(legal), 1 / len(legal))
        strategy = positive / positive.sum() if positive.sum() > 0 else uniform

        def follow(index):
            later = list(memories)
            later[mover] = (*key, int(legal[index]))
            return self._after(position, legal[index], seat, later)

        if mover != seat:
            if mover == (seat + 1) % self.game.players:
                total += strategy
            return follow(self._drawn(strategy))
        values = np.array([follow(index) for index in range(len(legal))])
        value = float(strategy @ values)
        regrets += values - value
        return value

    def _after(self, position, action, seat, memories):
        twin = position.copy()
        twin.play(int(action))
        return self._value(twin, seat, memories)

    def _drawn(self, weights):
        """Return the index at which the cumulated weights pass a random number."""
        mark = kernels.uniform(self.rng[0])
        for index, weight in enumerate(weights[:-1]):
            mark -= float(weight)
            if mark < 0.0:
                return index
        return len(weights) - 1
