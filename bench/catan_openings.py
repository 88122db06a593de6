"""Where to settle first: `python -m bench.catan_openings states:catan --islands 5`.

On each island every place of the first settlement is played out thousands of times by quick players
with dice in common, and judged by the network. Printed for each island: how the two orders agree
(Spearman's correlation), and what the network's favourite is worth by the playouts, beside the best
of them, the mean of all, and the favourite of the rule of thumb. Playouts are open and know no
trade but what quick players do.
"""

import argparse
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from meeple.agents.networks import find_checkpoint
from meeple.agents.spec import parse
from meeple.cli.arguments import open_game
from meeple.games.catan.strategy.heuristic import expected_cards_at
from meeple.kernels.table import caller
from meeple.search.values.file import compiled
from meeple.search.values.labels import GREEDY, WEIGHTED, Labeller, Settings

POLICIES = {"weighted": WEIGHTED, "greedy": GREEDY}

_judge = caller("evaluate_features")


def ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The place of each in ascending order."""
    return np.argsort(np.argsort(values)).astype(np.float64)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each island, and means."""
    parser = argparse.ArgumentParser(prog="python -m bench.catan_openings", description=__doc__)
    parser.add_argument("spec", help="states:PATH")
    parser.add_argument("--option", "-o", action="append", default=[], help="of the game")
    parser.add_argument("--islands", type=int, default=5)
    parser.add_argument("--playouts", type=int, default=10_000, help="for each place")
    parser.add_argument("--policy", choices=POLICIES, default="weighted", help="of the playouts")
    chosen = parser.parse_args(arguments)
    game = open_game("catan", chosen.option)
    network = compiled(find_checkpoint(parse(chosen.spec).path or ""), game)
    labeller = Labeller(game, network)
    settings = Settings(1.0, 64, chosen.playouts, 100_000, POLICIES[chosen.policy], 0.0)
    rows = []
    for seed in range(chosen.islands):
        position = game.start(seed)
        labels = labeller.label_position(position, settings, seed)
        shares = np.zeros((len(labels.actions), game.players))
        for features, found in zip(labels.features, shares, strict=True):
            _judge(network.kernel, network.address, features.ctypes.data, found.ctypes.data)
        seat = position.to_move
        played, judged = labels.shares[:, seat].astype(np.float64), shares[:, seat]
        thumb = np.array(
            [expected_cards_at(position.state, int(action)) for action in labels.actions]
        )
        agree = float(np.corrcoef(ranks(played), ranks(judged))[0, 1])
        worth = [played.max(), played[judged.argmax()], played[thumb.argmax()], played.mean()]
        rows.append([agree, *(100 * float(one) for one in worth)])
        print(f"island {seed}: {words(rows[-1])}", flush=True)
    print(f"mean: {words(np.mean(rows, axis=0).tolist())}")


def words(row: Sequence[float]) -> str:
    """A line of figures."""
    agree, best, own, thumb, mean = row
    return (
        f"orders agree {agree:.2f}; by playouts the best place wins {best:.1f} %, the network's "
        f"{own:.1f} %, the one of most cards {thumb:.1f} %, all {mean:.1f} %"
    )


if __name__ == "__main__":
    main()
