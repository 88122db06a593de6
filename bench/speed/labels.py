"""Benchmark of labels: playouts of Catan by the network that ships."""

import time

import numpy as np

from bench.speed.measuring import Figures, best_and_median
from bench.speed.subjects import BenchOptions, about
from meeple.agents.networks import shipped_networks
from meeple.search.values.file import compiled
from meeple.search.values.labels import GREEDY, NETWORK, Labeller, Settings

GAMES = 4  # in a repeat
SETTINGS = Settings(share=0.06, siblings=10, playouts=2, horizon=16, policy=NETWORK, slips=0.08)


def labels(options: BenchOptions) -> Figures:
    """`python -m bench labels`.

    Measure labels a second of processor time: two playouts of 16 moves by the network in all seats,
    in games of one seat of it and other seats of quick players.
    """
    game = options.open("catan")
    labeller = Labeller(game, compiled(shipped_networks()["catan"], game))
    policies = np.full(game.players, GREEDY, dtype=np.int8)
    policies[0] = NETWORK
    labeller.label_game(0, policies, SETTINGS)
    rates = []
    for repeat in range(options.times):
        began, count = time.process_time(), 0
        for seed in range(1 + repeat * GAMES, 1 + (repeat + 1) * GAMES):
            count += labeller.label_game(seed, policies, SETTINGS).size
        rates.append(count / (time.process_time() - began))
    return about(game) | best_and_median("labels_per_second", rates)
