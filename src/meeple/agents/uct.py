"""The agent of the spec `uct`: tree search with random rollouts, or over information sets."""

from collections.abc import Callable, Mapping
from typing import Any

from meeple.agents.network_files import PATTERNS, VALUES, check_kind
from meeple.agents.search_agent import SearchAgent, limits_of
from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.search.determinization import searched_by_determinization
from meeple.search.mcts.information_set import HEURISTIC_EXPLORATION, InformationSetUct
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from meeple.search.patterns.file import load_patterns
from meeple.search.qtable import file as qtable_file
from meeple.search.qtable.warm_start import WarmStart
from meeple.search.values.file import compiled


def make_uct(game: Game, options: Mapping[str, Any], seed: int) -> SearchAgent:
    """Make the agent of `uct:sims=N`, `uct:seconds=T`, or both limits.

    Raises:
        UsageError: the game does not allow the options.
        CheckpointError: the Q-table or network cannot be read, or is of another game.
    """
    limits = limits_of("uct:", options)
    make: Callable[[Game, Mapping[str, Any], int], TreeSearch[Any]]
    by_sets = searched_by_determinization(game) or "network" in options
    make = _by_information_sets if by_sets else _by_position
    search = make(game, options, seed)
    return SearchAgent(search, simulations=limits.simulations, seconds=limits.seconds)


def _by_position(game: Game, options: Mapping[str, Any], seed: int) -> TreeSearch[OpenUct]:
    """Return the search of a game that hides nothing."""
    given = {key: options[key] for key in UctSettings._fields if key in options}
    patterns = None
    if options.get("eval") is not None:
        check_kind(options["eval"], PATTERNS)
        patterns = load_patterns(options["eval"], game)
        given = {"c": HEURISTIC_EXPLORATION, **given}
    rule = OpenUct(game, UctSettings(**given), threads=options["threads"], patterns=patterns)
    phases = []
    if "qtable" in options:
        phases.append(WarmStart(qtable_file.load(options["qtable"], game), options["trust"]))
    return TreeSearch(
        rule, phases=phases, decisive=options["decisive"], loss=options["loss"], seed=seed
    )


def _by_information_sets(
    game: Game, options: Mapping[str, Any], seed: int
) -> TreeSearch[InformationSetUct]:
    """Return the search of a game that hides something, or of any with a value network.

    Raises UsageError for keys it cannot follow, CheckpointError for a network that cannot be read.
    """
    if "qtable" in options or options["threads"] != 1:
        why = "with a network" if "network" in options else "it is searched by determinization"
        raise UsageError(f"{game.name} takes no qtable or threads: {why}")
    if options["discount"] < 1 or options["prune"]:
        raise UsageError("discount and prune are for games without secrets, by rollouts")
    if "eval" in options:
        raise UsageError("patterns evaluate leaves of games without secrets")
    network = options.get("network")
    if network is not None:
        check_kind(network, VALUES)
    given = {key: options[key] for key in ("c", "guided", "plies") if key in options}
    evaluator = None if network is None else compiled(network, game)
    rule = InformationSetUct(game, network=evaluator, **given)
    return TreeSearch(rule, decisive=options["decisive"], loss=options["loss"], seed=seed)
