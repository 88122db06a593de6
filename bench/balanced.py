"""Write balanced openings: `python -m bench.balanced GAME --judge SPEC > BOOK`.

An agent (`--moves`, random play if not given) plays the first moves, and the opening is kept if
the judge gives the player to move 40 to 60 % of the win. Each line has the moves of one opening,
for `meeple match --book BOOK`. Equal seeds give equal books if the judge has no limit of time.
"""

import argparse
from collections.abc import Iterator

from meeple.agents.spec import agent as make_agent
from meeple.cli.shared.arguments import open_game
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position

MARGIN = 0.1  # of the winning chance around one half


def balanced(game: Game, judge: str, moves: str, plies: int, seed: int) -> Iterator[Position]:
    """Yield different positions after `plies` plies that the judge evaluates as balanced."""
    agent, referee = make_agent(moves, game), make_agent(judge, game)
    found = set()
    while True:
        position = game.start()
        agent.begin(seed)
        referee.begin(seed)
        seed += 1
        for _ in range(plies):
            if not position.is_over:
                position.play(agent.choose(position))
        if position.is_over or position.row.tobytes() in found:
            continue
        found.add(position.row.tobytes())
        referee.choose(position)
        analysis = referee.analysis
        if analysis is None or analysis.value is None:
            raise UsageError(f"{judge} does not evaluate positions")
        if abs(float(analysis.value[position.to_move]) - 0.5) <= MARGIN:
            yield position


def main() -> None:
    """Print openings as they are found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("-o", "--option", action="append", metavar="KEY=VALUE", default=[])
    parser.add_argument("--judge", required=True, metavar="SPEC")
    parser.add_argument("--moves", default="random", metavar="SPEC")
    parser.add_argument("--plies", type=int, default=5)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    game = open_game(given.game, given.option)
    found = balanced(game, given.judge, given.moves, given.plies, given.seed)
    for _, position in zip(range(given.count), found, strict=False):
        walk, names = game.start(), []
        for action in position.actions:
            names.append(walk.action_name(action))
            walk.play(action)
        print(" ".join(names), flush=True)


if __name__ == "__main__":
    main()
