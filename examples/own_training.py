"""A training loop of your own, of the parts that `meeple train` is made of: tic-tac-toe."""

import numpy as np

from meeple.learn.config import parse_config
from meeple.learn.selfplay.play import play_wave
from meeple.learn.selfplay.replay import ReplayBuffer
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from meeple.nets.training import Recipe, train_step

CHANGES = ('game.name="gomoku"', "game.options={size=3, in_a_row=3}", 'search.mode="alphazero"')


def learn(waves, changes=CHANGES):
    """A network after so many waves of self-play, and its loss after each."""
    config = parse_config("", changes)
    game, rng = config.make_game(), np.random.default_rng(1)
    network = ActorNetwork(config.architecture(game), seed=1)
    recipe = Recipe("adam", learning_rate=0.01)
    optimizer = recipe.make_optimizer(network.parameters())
    predict, memory, losses = Predictor(network.weights), ReplayBuffer(game, 5000), []
    for first in range(0, waves * config.selfplay.games, config.selfplay.games):
        wave = play_wave(game, config, [predict], range(first, first + config.selfplay.games))
        for trajectory in wave.trajectories:
            memory.add(trajectory)
        batches = [memory.sample(64, rng) for _ in range(8)]
        steps = [train_step(network, optimizer, batch, recipe) for batch in batches]
        losses.append(np.mean([step["loss"] for step in steps]))
        predict.refresh()
    return network, losses


if __name__ == "__main__":
    for number, loss in enumerate(learn(20)[1]):
        print(f"wave {number}: loss {loss:.3f}")
