"""UCT against perfect play on random rows of Ledge: `python bench/ledge_rows.py [SIMS]`.

25 rows of ten cells with two to five copper coins and the gold anywhere, 40 games each; prints the
share of games that UCT wins from the side that the exact solver says is won, the worst rows first.
"""

import random
import sys

import meeple

ROWS, CELLS, GAMES, SEED = 25, 10, 40, 5


def random_rows() -> list[str]:
    """The same rows at every call."""
    rng = random.Random(SEED)
    rows = []
    for _ in range(ROWS):
        cells = rng.sample(range(CELLS), rng.choice([2, 3, 4, 5]) + 1)
        row = ["0"] * CELLS
        for cell in cells[:-1]:
            row[cell] = "1"
        row[cells[-1]] = "2"
        rows.append("".join(row))
    return rows


def share_held(row: str, simulations: int) -> float:
    """The share of games that UCT wins from the winning side."""
    game = meeple.make("ledge", row=row)
    winner = int(meeple.solve(game.start()).payoffs.argmax())
    agents = [f"uct:sims={simulations}", "perfect"]
    return meeple.match(game, agents, games=GAMES, seed=3, workers=1).agents[0].seats[winner].share


def main() -> None:
    """Play, and print a line a row and the mean."""
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    held = sorted((share_held(row, simulations), row) for row in random_rows())
    for share, row in held:
        print(f"{row}  {share:.0%}")
    print(f"mean of {ROWS} rows at {simulations} simulations: {sum(s for s, _ in held) / ROWS:.1%}")


if __name__ == "__main__":
    main()
