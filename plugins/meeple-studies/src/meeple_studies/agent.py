"""The agent of the spec `study:`: tree search with a small network or rollouts."""

from collections.abc import Callable, Mapping
from typing import Any

from meeple.agents.search_agent import SearchAgent, limits_of
from meeple.errors import SpecError, UsageError
from meeple.games.contract.game import Game, Position
from meeple.search.mcts.search import TreeSearch
from meeple.tensor_file import PathLike
from meeple_studies.biased import BiasedUct
from meeple_studies.kind import BIAS, EXPLORATION, LEAF, WEIGHT
from meeple_studies.perceptron import Perceptron
from meeple_studies.perceptron_file import perceptron_for

KEEP = 0.1  # leaves out actions below this fraction of the heaviest action's weight


class StudyAgent(SearchAgent):
    """Plays the most visited action of a search; a single legal action needs no search."""

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return a legal action."""
        actions = position.legal_actions()
        if len(actions) == 1 and self.seconds is None:
            self.analysis = None
            return int(actions[0])
        return super().choose(position, stop)


def study_search(
    game: Game,
    network: Perceptron | None = None,
    *,
    c: float = EXPLORATION,
    d: float = WEIGHT,
    heuristic: str = LEAF,
    prune: bool = True,
    seed: int = 0,
) -> TreeSearch[BiasedUct]:
    """Create the search of a study.

    Args:
        game: without hidden information.
        network: evaluates leaves; None means random rollouts.
        c: exploration.
        d: weight of the heuristic.
        heuristic: where the heuristic is used, `LEAF` or `BIAS`.
        prune: whether to omit actions of low weight; see `KEEP`.
        seed: of the search.

    Raises:
        UsageError: an argument does not fit the game.
    """
    rule = BiasedUct(
        game,
        exploration=c,
        leaf=d if heuristic == LEAF else 0.0,
        bias=d if heuristic == BIAS else 0.0,
        keep=KEEP if prune else 0.0,
        network=network,
    )
    return TreeSearch(rule, seed=seed)


def make_study(
    game: Game, path: PathLike | None, options: Mapping[str, Any], seed: int
) -> StudyAgent:
    """Create the agent of `study:PATH,sims=N`, or of `study:sims=N` with rollouts.

    Raises:
        SpecError: an option does not fit the game.
        CheckpointError: the file holds no perceptron of the game.
    """
    limits = limits_of("study:", options)
    network = None if path is None else perceptron_for(path, game)
    terms = {key: options[key] for key in ("c", "d", "heuristic", "prune")}
    try:
        search = study_search(game, network, seed=seed, **terms)
    except UsageError as error:
        raise SpecError(f"study: {error}") from None
    return StudyAgent(search, simulations=limits.simulations, seconds=limits.seconds)
