"""The agent of the spec `playouts`: the best action by playouts on common random numbers."""

from collections.abc import Mapping
from typing import Any

from meeple.agents.search_agent import SearchAgent, limits_of
from meeple.games.contract.game import Game
from meeple.kernels import HEURISTIC
from meeple.search.determinization import searched_by_determinization
from meeple.search.mcts.information_set import PLIES
from meeple.search.mcts.search import TreeSearch
from meeple.search.playouts import RootPlayouts


def make_playouts(game: Game, options: Mapping[str, Any], seed: int) -> SearchAgent:
    """Make the agent of `playouts:sims=N`, `playouts:seconds=T`, or both limits.

    Raises:
        SpecError: there is no limit.
        UsageError: the game has no heuristic, but the options need one.
    """
    limits, plies = limits_of("playouts:", options), options.get("plies")
    if plies is None:
        short = searched_by_determinization(game) and game.has(HEURISTIC)
        plies = PLIES if short else 0
    rule = RootPlayouts(game, policy=options["policy"], plies=plies)
    search = TreeSearch(rule, decisive=options["decisive"], loss=options["loss"], seed=seed)
    return SearchAgent(search, simulations=limits.simulations, seconds=limits.seconds)
