"""One agent among copies of another, in every seat of each deal: its share of the win, paired.

`python -m bench.among examples/tricks.py states:runs/tricks uct:sims=20 --deals 500`. In games of
luck most of a result is the deal's. The mean over the seats of a deal varies much less than single
games do, so the interval is that of the means of deals. Also printed: milliseconds that a choice
took, where there was more than one action.
"""

import argparse
import math
import time
from collections.abc import Sequence

import numpy as np

from meeple.agents.agent import Agent
from meeple.agents.spec import agent
from meeple.arena.statistics import Z
from meeple.cli.shared.arguments import open_game
from meeple.games.contract.game import Game, Position


class Timed:
    """An agent, and how long its choices took."""

    def __init__(self, player: Agent) -> None:
        self.player = player
        self.seconds, self.choices = 0.0, 0

    def choose(self, position: Position) -> int:
        """Its action."""
        began = time.perf_counter()
        action = self.player.choose(position)
        if len(position.legal_actions()) > 1:
            self.seconds += time.perf_counter() - began
            self.choices += 1
        return action


def share_of(game: Game, deal: int, seat: int, players: Sequence[Timed]) -> float:
    """The first player's share of a deal in a seat; the others sit in theirs in order."""
    lineup = [*players[1 : seat + 1], players[0], *players[seat + 1 :]]
    for number, player in enumerate(players):
        player.player.begin(game.players * deal + number)
    position = game.start(deal)
    while not position.is_over:
        if position.to_move < 0:
            position.play_chance()
        else:
            position.play(lineup[position.to_move].choose(position))
    return float(position.payoffs[seat])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line."""
    parser = argparse.ArgumentParser(prog="python -m bench.among", description=__doc__)
    parser.add_argument("game", help="its name, or a file of Python")
    parser.add_argument("spec", help="the agent that is judged")
    parser.add_argument("others", help="the agent in all other seats")
    parser.add_argument("--option", "-o", action="append", default=[], help="of the game")
    parser.add_argument("--deals", type=int, default=500)
    chosen = parser.parse_args(arguments)
    game = open_game(chosen.game, chosen.option)
    specs = [chosen.spec, *[chosen.others] * (game.players - 1)]
    players = [Timed(agent(spec, game)) for spec in specs]
    means = [
        np.mean([share_of(game, deal, seat, players) for seat in range(game.players)])
        for deal in range(chosen.deals)
    ]
    width = Z * float(np.std(means, ddof=1)) / math.sqrt(chosen.deals)
    first, second = (1e3 * one.seconds / max(1, one.choices) for one in players[:2])
    print(
        f"{chosen.spec} among {chosen.others}: {100 * float(np.mean(means)):.2f} % (95 %: +- "
        f"{100 * width:.2f}; even is {100 / game.players:.2f}) of {chosen.deals} deals from each "
        f"seat; {first:.2f} and {second:.2f} ms a choice"
    )


if __name__ == "__main__":
    main()
