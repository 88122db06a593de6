"""The agent of the spec `puct`: tree search with a network."""

from collections.abc import Mapping
from typing import Any

from meeple.agents.networks import load_predictor
from meeple.agents.search_agent import SearchAgent, limits_of
from meeple.games.contract.game import Game
from meeple.search.evaluators import AveragedEvaluator, NetworkEvaluator
from meeple.search.mcts.decisive import DecisiveMoves
from meeple.search.mcts.puct import NetworkSearch

MOST_ROOM = 200_000  # expansions a network's tree has room for at most: some 0.5 GB on Hex 7x7
MOST_NODES = 80_000_000  # that it has room for in games with more actions, at 55 bytes each


def make_puct(game: Game, path: str, options: Mapping[str, Any], seed: int) -> SearchAgent:
    """`puct:PATH,sims=N`: a network file or run folder, by simulations or seconds a move.

    By simulations alone the same seed gives the same game, so the network computes in float32; by
    the clock in whichever format is faster.
    """
    limits = limits_of("puct:PATH,", options)
    leaves = options["leaves"]
    most = min(MOST_ROOM, MOST_NODES // min(game.max_moves, game.num_actions + 1))
    number_format = "float32" if limits.seconds is None else "auto"
    network = NetworkEvaluator(load_predictor(path, game, number_format, batch=leaves))
    search = NetworkSearch(
        game,
        AveragedEvaluator(network, game) if options["symmetries"] == "all" else network,
        exploration=options["c"],
        leaves=leaves,
        room=min(4 * (limits.simulations or most), most),
        seed=seed,
    )
    return SearchAgent(
        search,
        simulations=limits.simulations,
        seconds=limits.seconds,
        decisive=DecisiveMoves(game, seed=seed) if options["decisive"] else None,
    )
