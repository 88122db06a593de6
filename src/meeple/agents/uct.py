"""The agent of the spec `uct`: tree search with random rollouts, or over information sets."""

from collections.abc import Mapping
from typing import Any

from meeple.agents.search_agent import SearchAgent, limits_of
from meeple.errors import SpecError, UsageError
from meeple.games.contract.game import Game
from meeple.search.determinization import searched_by_determinization
from meeple.search.mcts.information_set import InformationSetSearch
from meeple.search.mcts.uct import UctOptions, UctSearch
from meeple.search.mcts.uct_kernels import EXPLORATION
from meeple.search.qtable import file as qtable_file


def make_uct(game: Game, options: Mapping[str, Any], seed: int) -> SearchAgent:
    """`uct:sims=N`, `uct:seconds=T`, or both: whichever limit comes first.

    Raises SpecError for what cannot be done in the game, CheckpointError where its Q-table cannot
    be read or is of another game.
    """
    limits = limits_of("uct:", options)
    make = _information_set_search if searched_by_determinization(game) else _uct_search
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
        ),
        threads=options["threads"],
        qtable=qtable_file.load(options["qtable"], game) if "qtable" in options else None,
        trust=options["trust"],
        seed=seed,
    )


def _information_set_search(
    game: Game, options: Mapping[str, Any], seed: int
) -> InformationSetSearch:
    """The search of a game that hides something. Raises UsageError for keys it cannot follow."""
    if "qtable" in options or options["threads"] != 1:
        raise UsageError(
            f"{game.name} takes no qtable or threads: it is searched by determinization"
        )
    return InformationSetSearch(
        game,
        exploration=options.get("c"),
        guided=options.get("guided", 1.0),
        plies=options.get("plies"),
        seed=seed,
    )
