"""Makes the evaluated network of a run of self-play: its policy alone, and with search."""

from collections.abc import Callable

from meeple.agents.networks import checkpoint_files, load_predictor
from meeple.arena.lockstep import BatchPlayer, NetworkPlayer, NetworkSearchPlayer
from meeple.learn.evaluation.matches import EvaluatedNetwork
from meeple.learn.evaluation.pairing import ALONE, SEARCH
from meeple.learn.run.run import NetworkRun
from meeple.search.evaluators import Predict


def evaluated_network(run: NetworkRun, predict: Predict) -> EvaluatedNetwork:
    """Return the network of a run for its matches; `predict` evaluates with current weights."""
    game, seed = run.game, run.config.run.seed
    ways: dict[str, Callable[[int], BatchPlayer]] = {ALONE: lambda games: NetworkPlayer(predict)}
    simulations = run.config.matches.simulations
    if simulations > 0 and run.config.network.critic:
        ways[SEARCH] = lambda games: NetworkSearchPlayer(game, predict, simulations, games, seed)

    def start() -> BatchPlayer:
        _, file = checkpoint_files(run.folder.path)[0]
        return NetworkPlayer(load_predictor(file, game))

    return EvaluatedNetwork(game, seed, ways, start)
