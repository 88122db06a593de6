"""Levels: for each game and size a row of agents, the weakest first.

`bench/levels.py` plays each step against the one before, and saves the figures in
`bench/levels.json`; a test compares them with these ladders. No level is limited by the clock,
since its strength would depend on the machine.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from meeple.games.contract.game import Game
from meeple.options import OptionValue

NAMES = (
    *("Beginner", "Learner", "Casual", "Regular", "Club", "Tournament"),
    *("Expert", "Master", "Grandmaster", "Champion"),
)
"""The names of levels by strength; a game has some of them, in this order."""

Options = Mapping[str, OptionValue]


@dataclass(frozen=True)
class Level:
    """One of a game's levels."""

    name: str
    spec: str


@dataclass(frozen=True)
class Levels:
    """The levels of a game, or of some of its sizes, the weakest first."""

    name: str
    """Their name in `bench/levels.py`."""
    game: str
    """The game's name; "" stands for any."""
    steps: Mapping[str, str]
    """Specs by the names of levels, each measured to win 65 to 85 % against the one before."""
    fits: Mapping[str, Container[OptionValue]] = field(default_factory=dict)
    """The values of options that it fits; an option that is not named may have any value."""
    measured: tuple[Options, ...] = ()
    """The options of the games in its matches."""

    @property
    def levels(self) -> tuple[Level, ...]:
        """The steps."""
        return tuple(Level(name, spec) for name, spec in self.steps.items())

    @property
    def strongest(self) -> str:
        """The last step's spec."""
        return self.levels[-1].spec

    @property
    def beginner(self) -> Level:
        """The weakest, which a person who learns the game can beat."""
        return self.levels[0]

    def is_for(self, game: Game) -> bool:
        """Whether these are the levels of a game with its options."""
        named = self.game in ("", game.name)
        return named and all(game.options[key] in values for key, values in self.fits.items())


LEVELS: tuple[Levels, ...] = (
    Levels(
        "nim-heap",
        "nim",
        {
            "Beginner": "uct:sims=20,loss=8",
            "Learner": "uct:sims=20,loss=0.47",
            "Club": "uct:sims=20,loss=0.17",
            "Expert": "uct:sims=3000",
        },
        fits={"heaps": ("",)},
        measured=({},),
    ),
    Levels(
        "nim-heaps",
        "nim",
        {
            "Beginner": "uct:sims=20,loss=8",
            "Learner": "uct:sims=20,loss=0.13",
            "Club": "uct:sims=200,loss=0.29",
            "Expert": "uct:sims=200,loss=0.12",
            "Master": "uct:sims=3000",
        },
        measured=({"heaps": "1,3,5,7", "take": 7},),
    ),
    Levels(
        "ledge",
        "ledge",
        {
            "Beginner": "uct:sims=20,loss=8",
            "Learner": "uct:sims=20,loss=0.66",
            "Casual": "uct:sims=20,loss=0.24",
            "Club": "uct:sims=200,loss=0.1",
            "Expert": "uct:sims=3000",
        },
        measured=({},),
    ),
    Levels(
        "hex-small",
        "hex",
        {
            "Beginner": "uct:sims=100,loss=1",
            "Casual": "uct:sims=100,loss=0.068",
            "Club": "uct:sims=500,loss=0.05",
            "Tournament": "uct:sims=3000,loss=0.05",
            "Expert": "uct:sims=3000",
        },
        fits={"size": range(3, 7)},
        measured=({"size": 5},),
    ),
    Levels(
        "hex-7",
        "hex",
        {
            "Beginner": "uct:sims=200,loss=0.15",
            "Learner": "uct:sims=1000,loss=0.077",
            "Casual": "uct:sims=1000,loss=0.039",
            "Regular": "uct:sims=1000,loss=0.0068",
            "Club": "policy:hex7,temperature=1.35,decisive=on",
            "Tournament": "policy:hex7,temperature=1.0,decisive=on",
            "Expert": "policy:hex7,decisive=on",
            "Master": "puct:hex7,sims=200",
        },
        fits={"size": (7,)},
        measured=({"size": 7}, {"size": 7, "swap": True}),
    ),
    Levels(
        "hex-large",
        "hex",
        {
            "Beginner": "uct:sims=300,loss=0.036",
            "Learner": "uct:sims=1000,loss=0.045",
            "Casual": "uct:sims=1000,loss=0.005",
            "Regular": "policy:hex11,temperature=1.65,decisive=on",
            "Club": "policy:hex11,temperature=1.28,decisive=on",
            "Tournament": "policy:hex11,temperature=1.01,decisive=on",
            "Expert": "policy:hex11,temperature=0.66,decisive=on",
            "Master": "puct:hex11,sims=16",
            "Grandmaster": "puct:hex11,sims=55",
            "Champion": "puct:hex11,sims=200",
        },
        fits={"size": range(8, 20)},
        measured=({"size": 11}, {"size": 11, "swap": True}),
    ),
    Levels(
        "gomoku-3",
        "gomoku",
        {
            "Beginner": "uct:sims=10,loss=8",
            "Expert": "puct:tictactoe,sims=200",
        },
        fits={"size": (3,), "rule": ("freestyle",), "opening": ("none",)},
        measured=({"size": 3, "in_a_row": 3},),
    ),
    Levels(
        "gomoku-6",
        "gomoku",
        {
            "Beginner": "uct:sims=20",
            "Learner": "greedy:loss=0.095",
            "Club": "greedy",
            "Expert": "minimax:depth=4,loss=0.34",
            "Master": "minimax:depth=6",
        },
        fits={"size": (6,), "in_a_row": (4,), "rule": ("freestyle",), "opening": ("none",)},
        measured=({"size": 6, "in_a_row": 4},),
    ),
    Levels(
        "gomoku-8",
        "gomoku",
        {
            "Beginner": "uct:sims=100",
            "Learner": "greedy:loss=0.18",
            "Casual": "greedy:loss=0.08",
            "Club": "greedy:loss=0.035",
            "Expert": "minimax:depth=2,loss=0.035",
            "Master": "minimax:depth=8",
        },
        fits={"size": (8,), "in_a_row": (5,), "rule": ("freestyle",), "opening": ("none",)},
        measured=({"size": 8},),
    ),
    Levels(
        "gomoku-7",
        "gomoku",
        {
            "Beginner": "uct:sims=100",
            "Learner": "greedy:loss=0.095",
            "Club": "greedy:loss=0.031",
            "Expert": "minimax:depth=6",
        },
        fits={"size": (7,), "in_a_row": (5,), "rule": ("freestyle",), "opening": ("none",)},
        measured=({"size": 7},),
    ),
    Levels(
        "gomoku-small",
        "gomoku",
        {
            "Beginner": "uct:sims=20",
            "Learner": "greedy:loss=0.095",
            "Club": "greedy:loss=0.017",
            "Expert": "minimax:depth=8",
        },
        fits={"size": range(3, 9)},
        measured=({"size": 5, "in_a_row": 4},),
    ),
    Levels(
        "gomoku-9",
        "gomoku",
        {
            "Beginner": "uct:sims=100",
            "Learner": "greedy:loss=0.18",
            "Casual": "greedy:loss=0.08",
            "Club": "greedy:loss=0.042",
            "Expert": "greedy:loss=0.0073",
            "Master": "minimax:depth=8",
        },
        fits={"size": range(9, 13)},
        measured=({"size": 9},),
    ),
    Levels(
        "gomoku-15",
        "gomoku",
        {
            "Beginner": "greedy:loss=0.31",
            "Learner": "greedy:loss=0.155",
            "Casual": "greedy:loss=0.062",
            "Regular": "greedy:loss=0.028",
            "Club": "greedy:loss=0.006",
            "Tournament": "minimax:depth=2,loss=0.036",
            "Expert": "minimax:depth=4,loss=0.026",
            "Master": "minimax:depth=6,loss=0.02",
            "Grandmaster": "minimax:depth=8,loss=0.02",
            "Champion": "minimax:depth=10",
        },
        measured=({},),
    ),
    Levels(
        "reversi-8",
        "reversi",
        {
            "Beginner": "minimax:depth=2,loss=0.2",
            "Learner": "minimax:depth=2,loss=0.1",
            "Casual": "minimax:depth=2,loss=0.053",
            "Regular": "minimax:depth=2,loss=0.022",
            "Club": "minimax:depth=4,loss=0.023",
            "Tournament": "minimax:depth=4",
            "Expert": "minimax:depth=6",
            "Master": "minimax:eval=reversi8-patterns,depth=5",
            "Grandmaster": "minimax:eval=reversi8-patterns,depth=7",
            "Champion": "minimax:eval=reversi8-patterns,depth=9",
        },
        fits={"size": (8,), "payoff": ("win",)},
        measured=({},),
    ),
    Levels(
        "reversi-10",
        "reversi",
        {
            "Beginner": "minimax:depth=2,loss=0.2",
            "Learner": "minimax:depth=2,loss=0.088",
            "Casual": "minimax:depth=2,loss=0.051",
            "Regular": "minimax:depth=2,loss=0.028",
            "Club": "minimax:depth=2,loss=0.012",
            "Tournament": "minimax:depth=4,loss=0.016",
            "Expert": "minimax:depth=4",
            "Master": "minimax:eval=reversi10-patterns,depth=5,loss=0.0085",
            "Grandmaster": "minimax:eval=reversi10-patterns,depth=5",
            "Champion": "minimax:eval=reversi10-patterns,depth=7",
        },
        fits={"size": (10,), "payoff": ("win",)},
        measured=({"size": 10},),
    ),
    Levels(
        "reversi-6",
        "reversi",
        {
            "Beginner": "minimax:depth=2,loss=0.3",
            "Learner": "minimax:depth=2,loss=0.097",
            "Casual": "minimax:depth=2,loss=0.017",
            "Club": "minimax:depth=4,loss=0.02",
            "Expert": "minimax:depth=6,loss=0.02",
            "Master": "minimax:eval=reversi6-patterns,depth=5",
            "Grandmaster": "minimax:eval=reversi6-patterns,depth=10",
        },
        fits={"size": (6,), "payoff": ("win",)},
        measured=({"size": 6},),
    ),
    Levels(
        "reversi-4",
        "reversi",
        {
            "Beginner": "minimax:depth=2,loss=0.5",
            "Expert": "minimax:depth=12",
        },
        fits={"size": (4,), "payoff": ("win",)},
        measured=({"size": 4},),
    ),
    Levels(
        "reversi-discs",
        "reversi",
        {
            "Beginner": "minimax:depth=2,loss=0.1",
            "Learner": "minimax:depth=2,loss=0.044",
            "Casual": "minimax:depth=2,loss=0.027",
            "Regular": "minimax:depth=2,loss=0.015",
            "Club": "minimax:depth=2,loss=0.0075",
            "Tournament": "minimax:depth=2",
            "Expert": "minimax:depth=4,loss=0.007",
            "Master": "minimax:depth=6,loss=0.0082",
            "Grandmaster": "minimax:depth=6",
            "Champion": "minimax:depth=8",
        },
        measured=({"payoff": "discs"},),
    ),
    Levels(
        "catan",
        "catan",
        {
            "Beginner": "weighted",
            "Learner": "greedy:loss=0.015",
            "Casual": "greedy:loss=0.006",
            "Regular": "greedy",
            "Club": "states:catan,loss=0.014",
            "Master": "states:catan",
        },
        measured=({},),
    ),
    Levels(
        "catan-reduced",
        "catan-reduced",
        {
            "Beginner": "weighted",
            "Learner": "greedy:loss=0.009",
            "Casual": "greedy:loss=0.002",
            "Regular": "greedy:loss=0.0008",
            "Expert": "states:catan-reduced",
        },
        measured=({},),
    ),
)
"""The levels of all games; a game has the first that fit."""

BY_RULES = Levels(
    "rules",
    "",
    {
        "Beginner": "uct:sims=50,loss=1",
        "Casual": "uct:sims=50,loss=0.093",
        "Club": "uct:sims=300,loss=0.05",
        "Expert": "uct:sims=5000",
    },
)
"""The levels of every other game."""


def levels_for(game: Game) -> Levels:
    """Return the levels of a game with its options."""
    return next((levels for levels in LEVELS if levels.is_for(game)), BY_RULES)
