"""How near players of three-player Coins are to max^n: python -m bench.coins SPEC... [--deals 200].

Every deal is solved exactly by max^n (Luckhardt and Irani, "An algorithmic solution of N-person
games", AAAI 1986): each player takes the coin after which he will have most. A player sits in each
seat in turn, the two others play exactly, and its points are compared with those of exact play.
"""

import argparse
import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from meeple.agents.agent import Agent
from meeple.agents.spec import agent
from meeple.arena.figures.statistics import Z
from meeple.games.contract.game import Game
from meeple.games.contract.registry import load_game_file

FILE = Path(__file__).resolve().parent.parent / "examples" / "coins.py"
LEFT, RIGHT = 0, 1
PLAYERS = 3

Points = tuple[int, int, int]  # of the mover and the two after him


class Exact:
    """Max^n on one row of coins."""

    def __init__(self, worth: Sequence[int]) -> None:
        self.worth = [int(value) for value in worth]
        self.ahead = functools.cache(self._ahead)

    def after(self, left: int, right: int, action: int) -> Points:
        """Points still to come if the mover takes that."""
        taken = self.worth[left] if action == LEFT else self.worth[right - 1]
        rest: Points = self.ahead(left + (action == LEFT), right - (action == RIGHT))
        return (taken + rest[2], rest[0], rest[1])

    def _ahead(self, left: int, right: int) -> Points:
        """The same under exact play; of two equal ones the left coin."""
        if left == right:
            return (0, 0, 0)
        return self.after(left, right, self.action(left, right))

    def action(self, left: int, right: int) -> int:
        """What exact play takes."""
        return max((LEFT, RIGHT), key=lambda action: self.after(left, right, action)[0])


def play(game: Game, deal: int, player: Agent | None, seat: int) -> tuple[float, int, int]:
    """The share of a player in one seat against exact others, and its choices: all, and exact ones.

    Without a player all play exactly.
    """
    position = game.start(deal)
    exact = Exact(position.state.worth[: position.state.coins].tolist())
    choices, right_ones = 0, 0
    while not position.is_over:
        left, right = int(position.state.left), int(position.state.right)
        action = exact.action(left, right)
        if position.to_move == seat and player is not None:
            if right - left > 1:
                chosen = player.choose(position)
                values = [exact.after(left, right, either)[0] for either in (LEFT, RIGHT)]
                choices += 1
                right_ones += values[chosen] == max(values)
                action = chosen
            else:
                action = LEFT
        elif right - left == 1:
            action = LEFT
        position.play(action)
    return float(position.payoffs[seat]), choices, right_ones


def main() -> None:
    """Judge players on the same deals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--coins", type=int, default=12)
    chosen = parser.parse_args()
    game = load_game_file(FILE)(coins=chosen.coins)
    games = [(chosen.seed + deal, seat) for deal in range(chosen.deals) for seat in range(PLAYERS)]
    exact = np.array([play(game, deal, None, seat)[0] for deal, seat in games])
    print(f"{len(games)} games; exact play has a share of {100 * exact.mean():.2f} %")
    for spec in chosen.specs:
        player = agent(spec, game)
        player.begin(chosen.seed)
        found = [play(game, deal, player, seat) for deal, seat in games]
        lost = exact - [share for share, _, _ in found]
        margin = Z * lost.std() / len(lost) ** 0.5
        choices, right_ones = (sum(one[index] for one in found) for index in (1, 2))
        print(
            f"{spec}: share {100 * (exact - lost).mean():.2f} %, which is {100 * lost.mean():.2f} "
            f"below exact play (+- {100 * margin:.2f}); {100 * right_ones / choices:.1f} % of "
            "choices exact"
        )


if __name__ == "__main__":
    main()
