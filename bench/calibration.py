"""Calibration of a value network: `python -m bench.calibration catan PATH`.

The network plays all seats of whole games, one action ahead with all cards open. At some positions
its shares are recorded, with the result of the game. Prints the frequency of wins by the network's
share, and the temperature of the softmax that explains the results best. `--write FILE` saves a
copy of the network with that temperature, fitted to half of the games; the table is of the other
half. `--picture FILE` draws both.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from meeple.agents.networks import find_checkpoint
from meeple.cli.shared.arguments import open_game
from meeple.games.contract.game import Game
from meeple.kernels.table import caller
from meeple.search.values.file import SavedNetwork, compiled, load_network, save_network
from meeple.search.values.labels import NETWORK, Labeller, Settings
from meeple.search.values.network import ValueNetwork

BINS = 10
SHARE = 0.03  # of decisions whose positions are noted
Values = npt.NDArray[np.float64]

_judge = caller("evaluate_features")


def noted(game: Game, network: ValueNetwork, games: range) -> tuple[Values, Values]:
    """Return the network's shares and the results of positions of some games, each [N, players]."""
    labeller, seats = Labeller(game, network), np.full(game.players, NETWORK, dtype=np.int8)
    settings = Settings(SHARE, 1, 0, 0, NETWORK, 0.0)
    features, results = [], []
    for seed in games:
        labels = labeller.label_game(seed, seats, settings)
        features.append(labels.features)
        results.append(labels.shares)
    rows = np.concatenate(features)
    shares = np.zeros((len(rows), game.players))
    for row, found in zip(rows, shares, strict=True):
        _judge(network.kernel, network.address, row.ctypes.data, found.ctypes.data)
    return shares, np.concatenate(results).astype(np.float64)


def tempered(shares: Values, temperature: float) -> Values:
    logits = np.log(np.maximum(shares, 1e-12)) / temperature
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def entropy(shares: Values, results: Values) -> float:
    return float(-(results * np.log(np.maximum(shares, 1e-12))).sum(axis=1).mean())


def best_temperature(shares: Values, results: Values) -> float:
    """Return the temperature with the lowest cross entropy, to a hundredth."""
    tried = np.arange(0.5, 2.0, 0.01)
    return float(min(tried, key=lambda one: entropy(tempered(shares, one), results)))


def reliability(shares: Values, results: Values) -> list[tuple[float, float, int]]:
    """Return the mean share, the frequency of wins and the count, by tenths of the share."""
    said, won = shares.ravel(), results.ravel()
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    return [
        (float(said[places == b].mean()), float(won[places == b].mean()), int((places == b).sum()))
        for b in range(BINS)
        if (places == b).any()
    ]


def error(table: Sequence[tuple[float, float, int]]) -> float:
    """Return the mean distance of shares and frequencies, over all positions and seats."""
    return sum(n * abs(said - won) for said, won, n in table) / sum(n for _, _, n in table)


def draw(tables: dict[str, list[tuple[float, float, int]]], path: Path) -> None:
    """Draw a reliability curve for each table."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1)
    for words, table in tables.items():
        axes.plot([said for said, _, _ in table], [won for _, won, _ in table], "o-", label=words)
    axes.set(xlabel="chance that the network names", ylabel="share of the games won")
    axes.legend()
    figure.savefig(path, dpi=120)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.calibration", description=__doc__)
    parser.add_argument("game", help="its name, or a file of Python")
    parser.add_argument("network", help="a file, a run's folder, or the name of one that ships")
    parser.add_argument("--option", "-o", action="append", default=[], help="of the game")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--picture", type=Path)
    chosen = parser.parse_args(arguments)
    game, file = open_game(chosen.game, chosen.option), find_checkpoint(chosen.network)
    network, half = compiled(file, game), chosen.games // 2
    temperature = best_temperature(*noted(game, network, range(half)))
    shares, results = noted(game, network, range(half, chosen.games))
    tables = {
        "as it is": reliability(shares, results),
        f"temperature {temperature:.2f}": reliability(tempered(shares, temperature), results),
    }
    for words, table in tables.items():
        print(f"{words}: mean distance {100 * error(table):.2f} points")
        for said, won, count in table:
            print(f"  {100 * said:5.1f} % said, {100 * won:5.1f} % won, of {count:,}")
    before, after = entropy(shares, results), entropy(tempered(shares, temperature), results)
    print(f"cross entropy {before:.4f} as it is, {after:.4f} at temperature {temperature:.2f}")
    if chosen.picture:
        draw(tables, chosen.picture)
    if chosen.write:
        saved = load_network(file)
        weights = {**saved.weights, "last_weights": saved.weights["last_weights"] / temperature}
        weights["last_weights"] = weights["last_weights"].astype(np.float32)
        extra = {**saved.extra, "temperature": round(temperature, 2)}
        save_network(chosen.write, SavedNetwork(weights, saved.game, saved.options, extra))


if __name__ == "__main__":
    main()
