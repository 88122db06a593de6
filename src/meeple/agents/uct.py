"""The agent of the spec `uct`: tree search with random rollouts, or over information sets."""

from collections.abc import Mapping
from typing import Any

from meeple.agents.networks import find_checkpoint
from meeple.agents.search_agent import SearchAgent, limits_of
from meeple.errors import SpecError, UsageError
from meeple.games.contract.game import Game
from meeple.search.determinization import searched_by_determinization
from meeple.search.mcts.information_set import InformationSetSearch
from meeple.search.mcts.uct import UctOptions, UctSearch
from meeple.search.mcts.uct_kernels import EXPLORATION
from meeple.search.qtable import file as qtable_file
from meeple.search.values.file import compiled


def make_uct(game: Game, options: Mapping[str, Any], seed: int) -> SearchAgent:
    """`uct:sims=N`, `uct:seconds=T`, or both: whichever limit comes first.

    Raises SpecError for what cannot be done in the game, CheckpointError where its Q-table or
    network cannot be read or is of another game.
    """
    limits = limits_of("uct:", options)
    by_sets = searched_by_determinization(game) or "network" in options
    make = _information_set_search if by_sets else _uct_search
    try:
        search = make(game, options, seed)
    except UsageError as error:
        raise SpecError(f"uct: {error}") from None
    return SearchAgent(search, simulations=limits.simulations, seconds=limits.seconds)


def _uct_search(game: Game, options: Mapping[str, Any], seed: int) -> UctSearch:
    """The search of a game without secrets."""
    return UctSearch(
        game,
        UctOptions(
            exploration=options.get("c", EXPLORATION),
            guided=options.get("guided", 0.0),
            plies=options.get("plies", 0),
            discount=options["discount"],
            prune=options["prune"],
        ),
        threads=options["threads"],
        qtable=qtable_file.load(options["qtable"], game) if "qtable" in options else None,
        trust=options["trust"],
        seed=seed,
    )


def _information_set_search(
    game: Game, options: Mapping[str, Any], seed: int
) -> InformationSetSearch:
    """The search of a game that hides something, or of any by a value network.

    Raises UsageError for keys it cannot follow, CheckpointError for a network that cannot be read.
    """
    if "qtable" in options or options["threads"] != 1:
        why = "with a network" if "network" in options else "it is searched by determinization"
        raise UsageError(f"{game.name} takes no qtable or threads: {why}")
    if options["discount"] < 1 or options["prune"]:
        raise UsageError("discount and prune are for games without secrets, by rollouts")
    network = options.get("network")
    return InformationSetSearch(
        game,
        exploration=options.get("c"),
        guided=options.get("guided", 1.0),
        plies=options.get("plies"),
        network=None if network is None else compiled(find_checkpoint(network), game),
        seed=seed,
    )
