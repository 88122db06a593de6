"""The five agents of the Catan study and their settings."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from meeple.agents.agent import Agent
from meeple.agents.baselines import RandomAgent
from meeple.games.catan import reduced
from meeple.games.catan.rules.state import MAX_SEATS
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make
from meeple.options import Choice, Integer, Number, Option, OptionValue, Text
from meeple_studies.agent import StudyAgent, study_search
from meeple_studies.kind import EXPLORATION, HEURISTICS, LEAF, WEIGHT
from meeple_studies.perceptron import ACTIVATIONS, Perceptron, new_perceptron
from meeple_studies.regression import Descent, Schedule

SCHEDULES = {
    "epochs": (Descent(batch=100), Schedule(epochs=100, test=0.2, validation=0.2, patience=10)),
    "step": (Descent(), Schedule()),
}
"""How a network learns from a game: as in the publication, or by one step over all positions."""

LAYERS = 4  # most hidden layers
WIDEST = 1000  # most units of a hidden layer


def _widths(text: str) -> tuple[int, ...]:
    """Return the hidden layers of a text such as "64,32", which may be empty. Raises ValueError."""
    widths = tuple(int(word) for word in text.split(",")) if text else ()
    if len(widths) > LAYERS or not all(1 <= width <= WIDEST for width in widths):
        raise ValueError
    return widths


SETTINGS: dict[str, Option] = {
    "sims": Integer(300, 2, 1_000_000, "simulations a move (iterations); the study has 100 to 300"),
    "c": Number(EXPLORATION, 0, 100, "weight of exploration"),
    "d": Number(WEIGHT, 0, 100, "weight of the heuristic"),
    "heuristic": Choice(LEAF, HEURISTICS, "where it counts: in what a leaf is worth, or selection"),
    "limit": Integer(600, 0, 100_000, "actions after which a game ends by points; 0: none"),
    "hidden": Text(
        "20",
        f"at most {LAYERS} whole numbers from 1 to {WIDEST}, as 64,32",
        _widths,
        "units of each hidden layer",
    ),
    "activation": Choice("relu", ACTIVATIONS, "of hidden units"),
    "schedule": Choice(
        "epochs",
        tuple(SCHEDULES),
        "up to 100 epochs of a game with early stopping, or one step over its positions",
    ),
}
"""The study's settings; `sims`, `c`, `d` and `heuristic` are also keys of the agent spec."""


@dataclass(frozen=True)
class StudyTerms:
    """The checked settings: search, networks and training."""

    simulations: int
    c: float
    d: float
    heuristic: str
    limit: int
    hidden: tuple[int, ...]
    activation: str
    schedule: str


def terms_of(settings: Mapping[str, OptionValue], pace: float = 1.0) -> StudyTerms:
    """Return the checked settings; a pace below 1 reduces the simulations, to at least two."""
    return StudyTerms(
        simulations=max(2, round(int(settings["sims"]) * min(1.0, pace))),
        c=float(settings["c"]),
        d=float(settings["d"]),
        heuristic=str(settings["heuristic"]),
        limit=int(settings["limit"]),
        hidden=_widths(str(settings["hidden"])),
        activation=str(settings["activation"]),
        schedule=str(settings["schedule"]),
    )


@dataclass(frozen=True)
class AgentVariant:
    """One of the five agents."""

    name: str
    words: str
    network: bool = False
    pruned: bool = False


KINDS = (
    AgentVariant("network-pruned", "network, pruning", network=True, pruned=True),
    AgentVariant("network", "network, no pruning", network=True),
    AgentVariant("pruned", "no network, pruning", pruned=True),
    AgentVariant("plain", "no network, no pruning"),
    AgentVariant("random", "random"),
)
SEARCHES = KINDS[:-1]
LEARNERS = KINDS[:2]


def the_game(limit: int = 0) -> Game:
    """Return reduced Catan for four players; 0 means no limit of actions."""
    return make("catan-reduced", max_actions=limit)


def searcher(
    kind: AgentVariant, game: Game, terms: StudyTerms, network: Perceptron | None = None
) -> StudyAgent:
    """Create an agent that searches; `network` is ignored by kinds without one."""
    search = study_search(
        game,
        network if kind.network else None,
        c=terms.c,
        d=terms.d,
        heuristic=terms.heuristic,
        prune=kind.pruned,
    )
    agent = StudyAgent(search, simulations=terms.simulations, seconds=None)
    agent.spec = kind.name
    return agent


def player(
    kind: AgentVariant, game: Game, terms: StudyTerms, networks: Mapping[str, Perceptron]
) -> Agent:
    """Create an agent of any kind, with the network of its name."""
    if kind.name == "random":
        return RandomAgent()
    return searcher(kind, game, terms, networks.get(kind.name))


def untrained(seed: int, terms: StudyTerms) -> Perceptron:
    """A network that has learned nothing; each of its inputs is brought to 0..1."""
    largest = np.ones(reduced.OBSERVATION_LENGTH, dtype=np.float32)
    largest[:3] = MAX_SEATS - 1, 12, MAX_SEATS
    building = reduced.PER_PLAYER * (MAX_SEATS - 1) + reduced.CITY
    largest[reduced.FIRST_VERTEX : reduced.FIRST_EDGE] = building
    largest[reduced.FIRST_EDGE : reduced.FIRST_HAND] = MAX_SEATS
    largest[reduced.FIRST_HAND : reduced.FIRST_PORT] = 19
    largest[reduced.FIRST_PORT : reduced.ROLLED] = building
    return new_perceptron(np.float32(1) / largest, terms.hidden, MAX_SEATS, seed, terms.activation)
