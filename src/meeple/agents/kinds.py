"""The table of agents: name, options and constructor of each; `spec.py` parses specs by it.

The modules of agents are imported on first use.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from meeple.options import Choice, File, Flag, Integer, Number, Option, Text
from meeple.plugins import PlugInTable
from meeple.search.checks import MAX_SECONDS, MAX_SIMULATIONS
from meeple.search.mcts.classic import CLASSIC_PUCT, CLASSIC_UCT
from meeple.search.mcts.information_set import HEURISTIC_EXPLORATION, PLIES
from meeple.search.mcts.puct import PLAIN as PLAIN_PUCT
from meeple.search.mcts.uct_kernels import EXPLORATION
from meeple.search.minimax.deepening import DEFAULT_MARGIN, HEURISTICS, MAX_DEPTH, PLAIN
from meeple.search.playouts import POLICIES, QUICK
from meeple.search.qtable.table import TRUST
from meeple.search.values.bargaining import GAIN, RULES
from meeple.search.values.states import DETERMINIZATIONS as STATES_DETERMINIZATIONS

CLASS = "FILE.py:NAME"  # the placeholder of a class
NETWORK_PATHS = ("PATH", "[PATH]")  # placeholders of paths that name a network
NETWORK_KEYS = ("network", "eval")  # keys whose values name a network
GREEDY_DETERMINIZATIONS = 8  # that `greedy` averages over
SIMULATIONS_BY_NETWORK = 100_000_000  # a move, at most


@dataclass(frozen=True)
class AgentKind:
    """An agent's options, and the function or class that makes it.

    `target` is "module:function", called as f(game, options, seed), or f(game, path, options,
    seed) if a spec may hold a path; of a named network it gets the file. `path` is its placeholder,
    in [] if it is optional (then it may be None). `options` has a value for every key with a
    default, and for the given keys. `words` is its method in words for people, with {} for "the
    network NAME", or "rollouts" without a path; "": its name.
    """

    target: str
    help: str
    path: str = ""
    keys: Mapping[str, Option] = field(default_factory=dict)
    words: str = ""

    def __post_init__(self) -> None:
        """Raise TypeError for a plug-in's record that no list of agents could show."""
        if not all(isinstance(one, str) for one in (self.target, self.help, self.path, self.words)):
            raise TypeError("the target, help, path and words of an agent must be texts")
        if not all(isinstance(option, Option) for option in dict(self.keys).values()):
            raise TypeError("the keys of an agent must be options by name, of meeple.options")

    def usage(self, name: str) -> str:
        """Return the form of its specs: "uct:sims=N,seconds=N"."""
        pairs = [f"{key}={option.placeholder}" for key, option in self.keys.items()]
        parts = [self.path] * bool(self.path) + pairs
        return f"{name}:{','.join(parts)}" if parts else name


SECONDS = Number(None, 0.001, MAX_SECONDS, "wall clock a move")
"""The key of every agent that searches by time."""


DECISIVE = Flag(
    True, "take a win in one and prevent a loss in one, whatever the search finds in its limits"
)
"""The key of agents that search a tree."""


LOSS = Number(
    0.0,
    0,
    10,
    "scale of the winning chances that its moves give away: a move that gives away d is chosen "
    "with a probability proportional to exp(-d / loss); 0: none",
)
"""The key of agents that choose by values (`search/lenient.py`)."""


def _determinizations(default: int) -> Integer:
    return Integer(default, 1, 1000, "determinizations of what is hidden")


OWN_AGENTS: dict[str, AgentKind] = {
    "random": AgentKind("meeple.agents.baselines:make_random", "any legal action, drawn uniformly"),
    "weighted": AgentKind(
        "meeple.agents.baselines:make_weighted",
        "sensible actions by their weights, in games that have weights",
    ),
    "greedy": AgentKind(
        "meeple.agents.baselines:make_greedy",
        "the best next position by the game's heuristic",
        keys={"determinizations": _determinizations(GREEDY_DETERMINIZATIONS), "loss": LOSS},
    ),
    "uct": AgentKind(
        "meeple.agents.uct:make_uct",
        "tree search with random rollouts, or a value network; needs sims, seconds or both",
        keys={
            "sims": Integer(None, 1, MAX_SIMULATIONS, "simulations a move"),
            "seconds": SECONDS,
            "c": Number(
                None,
                0,
                100,
                f"weight of exploration, on shares in [0, 1]; else {EXPLORATION:g}, or "
                f"{HEURISTIC_EXPLORATION:g} if a heuristic evaluates hidden games; classic: sqrt 2 "
                "on values in [-1, 1], here half of it",
                names=(("classic", CLASSIC_UCT),),
            ),
            "threads": Integer(1, 1, 64, "trees grown side by side"),
            "guided": Number(
                None,
                0,
                1,
                "chance of a rollout's move by the rule of thumb; else 0, or 1 in hidden games",
            ),
            "plies": Integer(
                None,
                0,
                100_000,
                "moves of a rollout before the game's heuristic evaluates; else 0, to the end, or "
                f"{PLIES} in hidden games",
            ),
            "discount": Number(
                1.0,
                None,
                1,
                "of a rollout's result, for each of its moves, towards even shares",
                above=0,
            ),
            "prune": Flag(False, "leave unlikely moves out of the tree, if the game lists them"),
            "network": File(
                "a value network that evaluates leaves, after `plies` moves or at once"
            ),
            "eval": File("tables of patterns that evaluate leaves, after `plies` moves or at once"),
            "qtable": File("what `meeple qtable` learned, to begin searches with"),
            "trust": Integer(TRUST, 1, 1_000_000, "visits taken over from it, at most"),
            "decisive": DECISIVE,
            "loss": LOSS,
        },
    ),
    "playouts": AgentKind(
        "meeple.agents.playouts:make_playouts",
        "every action by playouts on common dice and cards; needs sims, seconds or both",
        keys={
            "sims": Integer(None, 1, MAX_SIMULATIONS, "playouts a move"),
            "seconds": SECONDS,
            "policy": Choice(
                QUICK,
                (QUICK, *POLICIES),
                "plays the playouts: by the heuristic, by the weights of sensible actions, at "
                "random; quick: by the heuristic in hidden games, else by weights",
            ),
            "plies": Integer(
                None,
                0,
                100_000,
                "moves of a playout before the game's heuristic evaluates; else 0, to the end, or "
                f"{PLIES} in hidden games",
            ),
            "decisive": DECISIVE,
            "loss": LOSS,
        },
    ),
    "minimax": AgentKind(
        "meeple.agents.minimax:make_minimax",
        "alpha-beta by a heuristic, or expectimax; needs depth, seconds or both",
        keys={
            "depth": Integer(None, 1, MAX_DEPTH, "plies looked ahead"),
            "seconds": SECONDS,
            "heuristic": Choice(
                "game",
                HEURISTICS,
                "evaluation of unfinished positions: by the game, by its simplest count, or as "
                "equal shares",
            ),
            "eval": File("tables of patterns that evaluate positions instead"),
            "margin": Number(
                None,
                0,
                1,
                f"shares by which a random move may be worse; else {DEFAULT_MARGIN:g}, or 0 in "
                "games of hidden information",
            ),
            "selective": Flag(
                True,
                "search only the candidates that a game names, late ones less deep",
            ),
            "threads": Integer(1, 1, 64, "of alpha-beta, which share a table"),
            "loss": LOSS,
            "determinizations": _determinizations(PLAIN.determinizations),
        },
    ),
    "puct": AgentKind(
        "meeple.agents.puct:make_puct",
        "tree search with a network; needs sims, seconds or both",
        path="PATH",
        keys={
            "sims": Integer(None, 1, SIMULATIONS_BY_NETWORK, "simulations a move"),
            "seconds": SECONDS,
            "c": Number(
                PLAIN_PUCT.c,
                0,
                100,
                "weight of exploration, on shares in [0, 1]; classic: 5 on values in [-1, 1], "
                "here half of it",
                names=(("classic", CLASSIC_PUCT),),
            ),
            "leaves": Integer(PLAIN_PUCT.leaves, 1, 4096, "positions for the network at once"),
            "symmetries": Choice(
                "one",
                ("one", "random", "all"),
                "the network sees a position as it is, in a symmetry drawn for each, or in all "
                "symmetries, averaged",
            ),
            "decisive": DECISIVE,
            "loss": LOSS,
        },
    ),
    "policy": AgentKind(
        "meeple.agents.policy:make_policy",
        "a network alone, without search",
        path="PATH",
        keys={
            "epsilon": Number(0.0, 0, 1, "chance of a random action instead"),
            "temperature": Number(0.0, 0, 100, "0 the best action, 1 by probability"),
            "decisive": Flag(False, "take a win in one and prevent a loss in one"),
        },
    ),
    "states": AgentKind(
        "meeple.agents.states:make_states",
        "the best resulting state by a value network",
        path="PATH",
        keys={
            "sims": Integer(
                None, 1, MAX_SIMULATIONS, "playouts by the network a move, between the best plans"
            ),
            "seconds": Number(
                None, 0.001, MAX_SECONDS, "wall clock a move, for playouts where a move is in doubt"
            ),
            "depth": Integer(1, 1, 4, "actions of its turn that it looks ahead"),
            "determinizations": _determinizations(STATES_DETERMINIZATIONS),
            "loss": LOSS,
            "offers": Choice(
                GAIN,
                RULES,
                "trade with players: what gains most, by a model of who agrees or as quick players "
                "answer; what is fair by ranks; as others do; none",
            ),
        },
    ),
    "perfect": AgentKind(
        "meeple.agents.perfect:make_perfect",
        "the exact solver, where the game is small enough",
        keys={
            "limit": Integer(
                None,
                1,
                1_000_000_000,
                "maximum positions stored for a move, or nodes of a game with chance or hidden "
                "information",
            ),
        },
    ),
    "strategy": AgentKind(
        "meeple.agents.strategy:make_strategy",
        "a strategy that `meeple solve --method mccfr` saved",
        path="FILE",
    ),
    "agent": AgentKind(
        "meeple.agents.own:make_own",
        "a custom agent: a class of a Python file",
        path=CLASS,
    ),
    "engine": AgentKind(
        "meeple.agents.engine.agent:EngineAgent",
        "another program that speaks GTP, Piskvork's or NBoard's protocol, or JSON lines",
        path="COMMAND",
        keys={
            "protocol": Choice(
                "auto",
                ("auto", "gtp", "piskvork", "nboard", "json"),
                "its protocol; auto: gtp for Hex, piskvork for Gomoku, nboard for Reversi, json "
                "for all others",
            ),
            "seconds": Number(None, 0.001, MAX_SECONDS, "wall clock a move, sent to it"),
            "grace": Number(
                30.0, 0.1, MAX_SECONDS, "seconds beyond that, and for any other answer"
            ),
            "depth": Integer(None, 1, MAX_DEPTH, "plies to search, sent to it (nboard)"),
            "sims": Integer(
                None, 1, SIMULATIONS_BY_NETWORK, "simulations a move, sent to it (json)"
            ),
            "seeded": Choice(
                "off",
                ("on", "off"),
                "send the game's seed, by a command of Meeple's own (piskvork, nboard)",
            ),
            "name": Text(None, "a name", str, "its name in messages"),
        },
    ),
    "human": AgentKind("meeple.agents.human:make_human", "a person at the terminal"),
}
"""The agents of Meeple itself by name, in the order of the listing."""

AGENTS = PlugInTable("agents", AgentKind, OWN_AGENTS)
"""Every agent by name: first Meeple's own, then those of plug-ins."""
