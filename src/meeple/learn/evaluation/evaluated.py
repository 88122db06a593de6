"""The network of a run of self-play, as its matches know it: alone, and with a little search."""

from collections.abc import Callable

from meeple.agents.networks import checkpoint_files, load_predictor
from meeple.arena.lockstep import BatchPlayer, NetworkPlayer, NetworkSearchPlayer
from meeple.learn.evaluation.matches import Contender
from meeple.learn.evaluation.pairing import ALONE, SEARCH
from meeple.learn.run.run import Run
from meeple.search.evaluators import Predict


def contender_of(run: Run, predict: Predict) -> Contender:
    """A run of self-play; `predict`: the network in training."""
    game, seed = run.game, run.config.run.seed
    ways: dict[str, Callable[[int], BatchPlayer]] = {ALONE: lambda games: NetworkPlayer(predict)}
    simulations = run.config.matches.simulations
    if simulations > 0 and run.config.network.critic:
        ways[SEARCH] = lambda games: NetworkSearchPlayer(game, predict, simulations, games, seed)

    def start() -> BatchPlayer:
        _, file = checkpoint_files(run.folder.path)[0]
        return NetworkPlayer(load_predictor(file, game))

    return Contender(game, seed, ways, start)
