"""Two readings of hidden cards: `python -m bench.catan_readings catan greedy states:catan`.

At positions of whole games, one seat's belief is read in two ways: by the network's shares in each
of 8 samples, averaged, and by the mean of what the network is given of the samples, so that it sees
expectations and chances where it would see cards. Each reading is judged by the network as it is,
and by copies that have learned from the results of most of the games: one from true cards, one from
the means. Printed for the other games: cross entropies of the results, and how much better or worse
than the first reading, with intervals over games.
"""

import argparse
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from meeple import kernels
from meeple.agents.networks import find_checkpoint
from meeple.agents.spec import agent
from meeple.arena.statistics import Z
from meeple.cli.arguments import open_game
from meeple.games.catan.rules import state as c
from meeple.games.contract.game import Game, Position
from meeple.kernels.table import caller
from meeple.learn.values.fitting import Fit, Fitting, batch_of, minibatches
from meeple.learn.values.module import ValueModule
from meeple.learn.values.shards import ValueExamples
from meeple.search.values.features import features_of
from meeple.search.values.file import load_network

SAMPLES = 8
SHARE = 0.04  # of quiet positions
HELD = 4  # each so many games one is held out

_features = caller("seat_features")
Parts = npt.NDArray[Any]  # records of features


class Seen(NamedTuple):
    """A position as one seat reads it."""

    number: int  # of the game
    true: Parts  # [1]
    samples: Parts  # [SAMPLES]


def parts_of(game: Game, rows: npt.NDArray[np.uint8]) -> Parts:
    """What the network is given of states [N, bytes]."""
    parts = np.zeros(len(rows), features_of(game))
    for row, part in zip(rows, parts, strict=True):
        place = part.__array_interface__["data"][0]
        _features(game.address_of(kernels.SEAT_FEATURES), row.ctypes.data, place)
    return parts


def read(position: Position, number: int, rng: Any) -> Seen:
    """The belief of the seat on turn, sampled."""
    belief = position.game.belief(int(position.state.on_turn))
    belief.follow(position)
    rows = np.tile(position.row, (SAMPLES, 1))
    for row in rows:
        belief.sample(row, rng)
    return Seen(number, parts_of(position.game, position.row[None]), parts_of(position.game, rows))


def play(game: Game, specs: Sequence[str], count: int) -> tuple[list[Seen], npt.NDArray[Any]]:
    """Positions of games between the agents, in all seats by turns, and the results [N, P]."""
    chosen, rng = np.random.default_rng(1), kernels.new_rng(1)
    players = [agent(specs[seat % len(specs)], game) for seat in range(game.players)]
    seen, results = [], []
    for number in range(count):
        for seat, player in enumerate(players):
            player.begin(game.players * number + seat)
        position = game.start(number)
        found = []
        while not position.is_over:
            seat = position.to_move
            if seat < 0:
                position.play_chance()
                continue
            if position.state.phase in (c.MAIN, c.ROLL) and chosen.random() < SHARE:
                found.append(read(position, number, rng))
            position.play(players[(seat + number) % game.players].choose(position))
        seen += found
        results += [position.payoffs] * len(found)
        if number % 100 == 99:
            print(f"{number + 1:,} games, {len(seen):,} positions", flush=True)
    return seen, np.array(results)


def means(parts: Parts) -> Parts:
    """The mean of records."""
    found = np.zeros(1, parts.dtype)
    for name in ("own", "sites", "table"):
        found[name] = parts[name].astype(np.float64).mean(axis=0)
    found["players"] = parts["players"][0]
    return found


def cases_of(parts: Parts, results: npt.NDArray[Any]) -> ValueExamples:
    """Positions with what came of them, each a decision of its own."""
    numbers = np.arange(len(parts), dtype=np.int32)
    players = results.shape[1]
    return ValueExamples(
        parts["own"][:, :players].astype(np.float16),
        parts["sites"][:, :players].astype(np.float16),
        parts["table"].astype(np.float16),
        np.full(len(parts), players, dtype=np.int8),
        results.astype(np.float32),
        numbers,
        np.zeros(len(parts), dtype=np.int8),
        numbers,
    )


def learned(weights: Any, cases: ValueExamples, epochs: int) -> ValueModule:
    """A copy that has learned further from results."""
    module, rng = ValueModule(weights), np.random.default_rng(2)
    fitting = Fitting(module, Fit(learning_rate=3e-4, siblings=0.0), epochs * cases.size // 256)
    for _ in range(epochs):
        for batch in minibatches(cases, 256, rng):
            fitting.step(batch)
    return fitting.averaged


@torch.no_grad()
def shares_of(module: ValueModule, cases: ValueExamples) -> npt.NDArray[np.float64]:
    """[N, P]."""
    batch = batch_of(cases, np.arange(cases.size))
    logits = module(batch.own, batch.sites, batch.table, batch.taken)
    return torch.softmax(logits, dim=1).numpy().astype(np.float64)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each way to read."""
    parser = argparse.ArgumentParser(prog="python -m bench.catan_readings", description=__doc__)
    parser.add_argument("network", help="a file, a run's folder, or the name of one that ships")
    parser.add_argument("specs", nargs="+", help="who plays, in turns around the table")
    parser.add_argument("--option", "-o", action="append", default=[], help="of the game")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--epochs", type=int, default=3)
    chosen = parser.parse_args(arguments)
    game = open_game("catan", chosen.option)
    weights = load_network(find_checkpoint(chosen.network)).weights
    seen, results = play(game, chosen.specs, chosen.games)
    numbers = np.array([one.number for one in seen])
    held = numbers % HELD == HELD - 1
    true = np.concatenate([one.true for one in seen])
    mean = np.concatenate([means(one.samples) for one in seen])
    samples = np.concatenate([one.samples for one in seen])
    repeated = np.repeat(results, SAMPLES, axis=0)
    plain = ValueModule(weights)
    by_cards = learned(weights, cases_of(true[~held], results[~held]), chosen.epochs)
    by_means = learned(weights, cases_of(mean[~held], results[~held]), chosen.epochs)
    sampled = cases_of(samples, repeated)
    found = {
        "as it is, mean of 8 samples": _averaged(plain, sampled, game.players),
        "as it is, one sample": shares_of(plain, sampled)[::SAMPLES],
        "as it is, means as inputs": shares_of(plain, cases_of(mean, results)),
        "as it is, true cards": shares_of(plain, cases_of(true, results)),
        "learned from true cards, mean of 8 samples": _averaged(by_cards, sampled, game.players),
        "learned from means, means as inputs": shares_of(by_means, cases_of(mean, results)),
    }
    first = None
    for words, shares in found.items():
        losses = -(results * np.log(np.maximum(shares, 1e-12))).sum(axis=1)[held]
        first = losses if first is None else first
        more, width = _paired(losses - first, numbers[held])
        print(f"{words}: {losses.mean():.4f} nats, {more:+.4f} (+- {width:.4f})")


def _averaged(module: ValueModule, sampled: ValueExamples, players: int) -> npt.NDArray[np.float64]:
    shares = shares_of(module, sampled).reshape(-1, SAMPLES, players)
    return np.asarray(shares.mean(axis=1))


def _paired(
    differences: npt.NDArray[np.float64], numbers: npt.NDArray[np.int64]
) -> tuple[float, float]:
    """Their mean and the width of its interval, whole games being what is drawn."""
    sums = np.array([differences[numbers == one].sum() for one in np.unique(numbers)])
    counts = np.array([(numbers == one).sum() for one in np.unique(numbers)])
    mean = float(sums.sum() / counts.sum())
    spread = float(np.sqrt(((sums - mean * counts) ** 2).sum()) / counts.sum())
    return mean, Z * spread if math.isfinite(spread) else math.inf


if __name__ == "__main__":
    main()
