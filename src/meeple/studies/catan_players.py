"""The five agents of the study of Catan: search with and without a network and pruning, and chance.

All four searches choose by UCT with c = 1 and a heuristic term of weight d = 3.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from meeple.agents.agent import Agent, Analysis
from meeple.agents.baselines import RandomAgent
from meeple.agents.search_agent import analysis_of
from meeple.games.catan import reduced
from meeple.games.catan.state import DESERT, SEATS
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import make
from meeple.search.mcts.biased import BiasedSearch
from meeple.search.perceptron import Perceptron, new_perceptron

EXPLORATION, BIAS = 1.0, 3.0  # c and d
KEEP = 0.1  # pruning leaves out actions below this part of the heaviest's weight, too
SIMULATIONS = 300  # a move
HIDDEN = 20


@dataclass(frozen=True)
class Kind:
    """One of the five."""

    name: str
    words: str
    network: bool = False
    pruned: bool = False


KINDS = (
    Kind("network-pruned", "network, pruning", network=True, pruned=True),
    Kind("network", "network, no pruning", network=True),
    Kind("pruned", "no network, pruning", pruned=True),
    Kind("plain", "no network, no pruning"),
    Kind("random", "random"),
)
SEARCHES = KINDS[:-1]
LEARNERS = KINDS[:2]


def the_game() -> Game:
    """The reduced game, for four."""
    return make("catan-reduced")


class Searcher:
    """Plays the most visited action of a search; where there is but one, without a search."""

    def __init__(self, search: BiasedSearch, simulations: int, spec: str) -> None:
        self.spec = spec
        self.analysis: Analysis | None = None
        self._search, self._simulations = search, simulations

    def begin(self, seed: int) -> None:
        """Forget the game before."""
        self.analysis = None
        self._search.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """A legal action."""
        actions = position.legal_actions()
        if len(actions) == 1:
            return int(actions[0])
        result = self._search.run(position, self._simulations, stop=stop)
        self.analysis = analysis_of(result)
        return result.best


def searcher(
    kind: Kind, game: Game, simulations: int, network: Perceptron | None = None, bias: float = BIAS
) -> Searcher:
    """A player of one of the kinds that search; with a network, those that have one."""
    search = BiasedSearch(
        game,
        exploration=EXPLORATION,
        bias=bias,
        keep=KEEP if kind.pruned else 0.0,
        network=network if kind.network else None,
    )
    return Searcher(search, simulations, kind.name)


def player(kind: Kind, game: Game, simulations: int, networks: Mapping[str, Perceptron]) -> Agent:
    """A player of any kind, with the network of its kind's name."""
    if kind.name == "random":
        return RandomAgent()
    return searcher(kind, game, simulations, networks.get(kind.name))


def untrained(seed: int) -> Perceptron:
    """A network that has learned nothing; each of its inputs is brought to 0..1."""
    largest = np.ones(reduced.LENGTH, dtype=np.float32)
    largest[[0, 1, 3]] = SEATS, 12, SEATS
    largest[reduced.FIRST_VERTEX : reduced.FIRST_EDGE] = reduced.PER_PLAYER * SEATS + reduced.CITY
    largest[reduced.FIRST_EDGE : reduced.FIRST_HAND] = SEATS
    largest[reduced.FIRST_HAND : reduced.FIRST_PORT] = 19
    largest[reduced.FIRST_PORT :] = 1 + DESERT
    return new_perceptron(np.float32(1) / largest, HIDDEN, SEATS, seed)
