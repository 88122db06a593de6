"""The agent of the spec `puct`: tree search with a network."""

from collections.abc import Mapping
from typing import Any

from meeple.agents.networks import load_predictor
from meeple.agents.search_agent import SearchAgent, limits_of
from meeple.games.contract.game import Game
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.evaluators import Evaluator, NetworkEvaluator, SymmetricEvaluator
from meeple.search.mcts.lockstep_kernels import LockstepSettings
from meeple.search.mcts.puct import Puct
from meeple.search.mcts.search import TreeSearch
from meeple.tensor_file import PathLike

MAX_EXPANSIONS = 200_000  # of a network's tree: about 0.5 GB on Hex 7x7
MAX_NODES = 80_000_000  # of a network's tree in games with more actions, 55 bytes each


def make_puct(game: Game, path: PathLike, options: Mapping[str, Any], seed: int) -> SearchAgent:
    """Make the agent of `puct:PATH,sims=N`: a network file or run folder.

    If simulations are the only limit, equal seeds give equal games, so the network computes in
    float32; with seconds, in the fastest format.
    """
    limits = limits_of("puct:PATH,", options)
    most = min(MAX_EXPANSIONS, MAX_NODES // min(game.max_moves, game.num_actions + 1))
    number_format = "float32" if limits.seconds is None else "auto"
    network = NetworkEvaluator(load_predictor(path, game, number_format, batch=options["leaves"]))
    evaluator = _with_symmetries(network, game, options["symmetries"], seed)
    given = {key: options[key] for key in LockstepSettings._fields if key in options}
    room = min(4 * (limits.simulations or most), most)
    rule = Puct(game, evaluator, LockstepSettings(**given, room=room))
    search = TreeSearch(rule, decisive=options["decisive"], loss=options["loss"], seed=seed)
    return SearchAgent(search, simulations=limits.simulations, seconds=limits.seconds)


def _with_symmetries(network: NetworkEvaluator, game: Game, which: str, seed: int) -> Evaluator:
    if which == "one":
        return network
    rng = numpy_rng(seed) if which == "random" else None
    return SymmetricEvaluator(network, game, rng)
