"""What it is worth to know hands: `python -m bench.catan_hands states:catan greedy --deals 200`.

The same value network judges in one seat, among three of another agent, with what is hidden sampled
from the exact belief (1, 4 and 8 samples), with the true hands, and with hands and cards guessed
from what the board shows alone, as one who has not followed the game. All play the same deals from
every seat; printed are shares of the win and their differences to 8 samples, paired by deals.
"""

import argparse
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.among import Timed, share_of
from meeple.agents.networks import find_checkpoint
from meeple.agents.spec import agent, parse
from meeple.agents.states import StatesAgent
from meeple.arena.statistics import Z
from meeple.cli.arguments import open_game
from meeple.games.contract.belief import Belief, StateBelief
from meeple.games.contract.game import Game, Position
from meeple.kernels import RESAMPLE
from meeple.search.determinization import Determinizer
from meeple.search.values.file import compiled
from meeple.search.values.states import StatesSearch

BASE = "8 samples"
READINGS = {"1 sample": 1, "4 samples": 4, BASE: 8, "true hands": 1, "guessed hands": 8}
"""How hidden cards are read, and how many states are judged."""


class TrueHands(Determinizer):
    """Cheats: the state as it is."""

    def fill(self, position: Position, rows: npt.NDArray[np.uint8], rng: Any) -> None:
        rows[:] = position.row


class GuessedHands(Determinizer):
    """Forgets what was seen: only sizes of hands, the bank and played cards are known."""

    def fill(self, position: Position, rows: npt.NDArray[np.uint8], rng: Any) -> None:
        rows[:] = position.row
        seat = position.to_move
        belief: Belief = StateBelief(seat, self.game.address_of(RESAMPLE))
        for row in rows:
            belief.sample(row, rng)


def player(game: Game, path: str, reading: str) -> StatesAgent:
    """The agent with a reading of hidden cards."""
    network = compiled(find_checkpoint(path), game)
    search = StatesSearch(game, network, determinizations=READINGS[reading])
    if reading == "true hands":
        search.determinizer = TrueHands(game)
    if reading == "guessed hands":
        search.determinizer = GuessedHands(game)
    return StatesAgent(search)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each reading."""
    parser = argparse.ArgumentParser(prog="python -m bench.catan_hands", description=__doc__)
    parser.add_argument("spec", help="states:PATH")
    parser.add_argument("others", help="the agent in all other seats")
    parser.add_argument("--option", "-o", action="append", default=[], help="of the game")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    chosen = parser.parse_args(arguments)
    game, path = open_game("catan", chosen.option), parse(chosen.spec).path or ""
    others = [Timed(agent(chosen.others, game)) for _ in range(game.players - 1)]
    shares = {}
    for reading in READINGS:
        players = [Timed(player(game, path, reading)), *others]
        shares[reading] = np.array(
            [
                np.mean([share_of(game, deal, seat, players) for seat in range(game.players)])
                for deal in range(chosen.first, chosen.first + chosen.deals)
            ]
        )
        mean, width = interval(shares[reading])
        ms = 1e3 * players[0].seconds / max(1, players[0].choices)
        print(f"{reading}: {mean:.2f} % (+- {width:.2f}), {ms:.2f} ms a choice", flush=True)
    for reading, found in shares.items():
        if reading != BASE:
            mean, width = interval(found - shares[BASE])
            print(f"{reading} against {BASE}: {mean:+.2f} points (+- {width:.2f})")


def interval(shares: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The mean and half the width of its 95 % interval, in percent."""
    width = Z * float(np.std(shares, ddof=1)) / math.sqrt(len(shares))
    return 100 * float(np.mean(shares)), 100 * width


if __name__ == "__main__":
    main()
