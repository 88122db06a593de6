"""The agent `study` in the table of agents: its options and their defaults."""

from meeple.agents.kinds import SECONDS, AgentKind
from meeple.options import Choice, Flag, Integer, Number
from meeple.search.checks import MAX_SIMULATIONS

EXPLORATION, WEIGHT = 1.0, 3.0  # `c` and `d` of the study of Catan
HEURISTICS = LEAF, BIAS = ("leaf", "bias")  # where the search uses the game's heuristic

STUDY = AgentKind(
    "meeple_studies.agent:make_study",
    "the tree search of a study, with its network or rollouts; needs sims, seconds or both",
    path="[PATH]",
    keys={
        "sims": Integer(None, 1, MAX_SIMULATIONS, "simulations a move"),
        "seconds": SECONDS,
        "c": Number(EXPLORATION, 0, 100, "weight of exploration"),
        "d": Number(WEIGHT, 0, 100, "weight of the game's rules of thumb"),
        "heuristic": Choice(
            LEAF, HEURISTICS, "where they count: in what a leaf is worth, or in selection"
        ),
        "prune": Flag(True, "unlikely actions are left out of the tree"),
    },
    words="a study's tree search with {}",
)
