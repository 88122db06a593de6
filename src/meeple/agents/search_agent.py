"""Agents that search: UCT with random rollouts, PUCT with a network. See `meeple.search`."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from meeple.agents.agent import Analysis
from meeple.agents.networks import load_predictor
from meeple.agents.stopped import saved_if_stopped
from meeple.errors import SpecError, UsageError
from meeple.games.contract.game import Game, Position
from meeple.search.determinization import searched_by_worlds
from meeple.search.evaluators import AveragedEvaluator, NetworkEvaluator
from meeple.search.mcts.information_set import InformationSetSearch
from meeple.search.mcts.puct import NetworkSearch
from meeple.search.mcts.uct import UctSearch
from meeple.search.mcts.uct_kernels import EXPLORATION
from meeple.search.qtable import file as qtable_file
from meeple.search.result import SearchResult

MOST_ROOM = 200_000  # expansions a network's tree has room for at most: some 0.5 GB on Hex 7x7
MOST_NODES = 80_000_000  # that it has room for in games with more actions, at 55 bytes each


class SearchAgent:
    """Plays what a search favours, by simulations or seconds a move; its tree lasts all game."""

    def __init__(
        self,
        search: UctSearch | InformationSetSearch | NetworkSearch,
        *,
        simulations: int | None,
        seconds: float | None,
    ) -> None:
        """At least one of the limits must be given; with both, whichever comes first."""
        self.spec = "search"
        self.analysis: Analysis | None = None
        self.simulations = simulations
        self.seconds = seconds
        self._search = search

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        self.analysis = None
        self._search.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """The action that search favours: a proven win, or the most visited.

        Raises NetworkError, the game saved, where a network's output is not finite.
        """
        with saved_if_stopped(position, self.spec):
            result = self._search.run(position, self.simulations, self.seconds, stop)
        analysis = analysis_of(result)
        asked = isinstance(self._search, NetworkSearch)
        self.analysis = dataclasses.replace(analysis, prior=result.priors) if asked else analysis
        return result.best

    @property
    def begins_anew(self) -> bool:
        """Whether searching a position again begins with nothing, and does not go on."""
        return isinstance(self._search, InformationSetSearch)


def analysis_of(result: SearchResult) -> Analysis:
    """What a search found, as an agent reports it."""
    return Analysis(
        actions=result.actions,
        visits=result.visits,
        policy=result.policy.astype("float32"),
        value=result.value,
        principal_variation=tuple(result.principal_variation),
        simulations=result.simulations,
        seconds=result.seconds,
        action_values=result.values,
    )


def make_uct(game: Game, options: Mapping[str, Any], seed: int) -> SearchAgent:
    """`uct:sims=N`, `uct:seconds=T`, or both: whichever limit comes first.

    Raises CheckpointError where its Q-table cannot be read or is of another game.
    """
    simulations, seconds = _limits("uct", options)
    if searched_by_worlds(game):
        by_worlds = _information_set_search(game, options, seed)
        return SearchAgent(by_worlds, simulations=simulations, seconds=seconds)
    table = qtable_file.load(options["qtable"], game) if "qtable" in options else None
    try:
        search = UctSearch(
            game,
            exploration=options.get("c", EXPLORATION),
            threads=int(options["threads"]),
            guided=options.get("guided", 0.0),
            plies=int(options.get("plies", 0)),
            qtable=table,
            trust=int(options["trust"]),
            seed=seed,
        )
    except UsageError as error:
        raise SpecError(f"uct: {error}") from None
    return SearchAgent(search, simulations=simulations, seconds=seconds)


def _information_set_search(
    game: Game, options: Mapping[str, Any], seed: int
) -> InformationSetSearch:
    """The search of a game that hides something. Raises SpecError for keys it cannot follow."""
    if "qtable" in options or options["threads"] != 1:
        raise SpecError(f"uct: {game.name} takes no qtable or threads: it is searched by worlds")
    try:
        return InformationSetSearch(
            game,
            exploration=options.get("c"),
            guided=options.get("guided", 1.0),
            plies=int(options["plies"]) if "plies" in options else None,
            seed=seed,
        )
    except UsageError as error:
        raise SpecError(f"uct: {error}") from None


def make_puct(game: Game, path: str, options: Mapping[str, Any], seed: int) -> SearchAgent:
    """`puct:PATH,sims=N`: a network file or run folder, by simulations or seconds a move.

    By simulations alone the same seed gives the same game, so the network computes in float32; by
    the clock in whichever format is faster.
    """
    simulations, seconds = _limits("puct", options)
    leaves = int(options["leaves"])
    most = min(MOST_ROOM, MOST_NODES // min(game.max_moves, game.num_actions + 1))
    number_format = "float32" if seconds is None else "auto"
    network = NetworkEvaluator(load_predictor(path, game, number_format, batch=leaves))
    search = NetworkSearch(
        game,
        AveragedEvaluator(network, game) if options["views"] == "all" else network,
        exploration=options["c"],
        leaves=leaves,
        room=min(4 * (simulations or most), most),
        seed=seed,
    )
    return SearchAgent(search, simulations=simulations, seconds=seconds)


def _limits(name: str, options: Mapping[str, float]) -> tuple[int | None, float | None]:
    """Simulations and seconds a move; one of them at least."""
    if "sims" not in options and "seconds" not in options:
        start = "uct:" if name == "uct" else f"{name}:PATH,"
        raise SpecError(f"{name} needs a limit: write {start}sims=400 or {start}seconds=0.5")
    return int(options["sims"]) if "sims" in options else None, options.get("seconds")
