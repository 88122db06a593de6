"""Levels: for each game and size a row of agents, the weakest first.

`bench/levels.py` plays each step against the one before, and saves the figures in
`bench/levels.json`; a test compares them with these ladders. No level is limited by the clock,
since its strength would depend on the machine.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from meeple.games.contract.game import Game
from meeple.options import OptionValue

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
    """Specs by the names of levels, each measured to win 60 % or more against the one before."""
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
        """The step after the weakest, which a person who learns the game can beat."""
        return self.levels[1]

    def is_for(self, game: Game) -> bool:
        """Whether these are the levels of a game with its options."""
        named = self.game in ("", game.name)
        return named and all(game.options[key] in values for key, values in self.fits.items())


LEVELS: tuple[Levels, ...] = (
    Levels(
        "nim-heap",
        "nim",
        {"Anything goes": "random", "Beginner": "uct:sims=5", "Very strong": "uct:sims=3000"},
        fits={"heaps": ("",)},
        measured=({},),
    ),
    Levels(
        "nim-heaps",
        "nim",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=5",
            "Casual": "uct:sims=20",
            "Very strong": "uct:sims=3000",
        },
        measured=({"heaps": "1,3,5,7", "take": 7},),
    ),
    Levels(
        "ledge",
        "ledge",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=5",
            "Casual": "uct:sims=20",
            "Practised": "uct:sims=100",
            "Very strong": "uct:sims=3000",
        },
        measured=({},),
    ),
    Levels(
        "hex-small",
        "hex",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=20",
            "Casual": "uct:sims=100",
            "Very strong": "uct:sims=3000",
        },
        fits={"size": range(3, 7)},
        measured=({"size": 5},),
    ),
    Levels(
        "hex-7",
        "hex",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=20",
            "Casual": "uct:sims=100",
            "Practised": "uct:sims=1000",
            "Strong": "uct:sims=20000",
            "Very strong": "puct:hex7,sims=200",
        },
        fits={"size": (7,), "swap": (False,)},
        measured=({"size": 7},),
    ),
    Levels(
        "hex-large",
        "hex",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=20",
            "Casual": "uct:sims=200",
            "Practised": "uct:sims=3000",
            "Strong": "policy:hex7",
            "Very strong": "puct:hex7,sims=200",
        },
        fits={"size": range(8, 20), "swap": (False,)},
        measured=({"size": 11},),
    ),
    Levels(
        "hex-swap",
        "hex",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=20",
            "Casual": "uct:sims=100",
            "Practised": "uct:sims=1000",
            "Very strong": "uct:sims=20000",
        },
        measured=({"size": 7, "swap": True}, {"size": 11, "swap": True}),
    ),
    Levels(
        "gomoku-3",
        "gomoku",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=5",
            "Casual": "uct:sims=20",
            "Very strong": "puct:tictactoe,sims=200",
        },
        fits={"size": (3,), "rule": ("freestyle",), "opening": ("none",)},
        measured=({"size": 3, "in_a_row": 3},),
    ),
    Levels(
        "gomoku-6",
        "gomoku",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=20",
            "Casual": "uct:sims=200",
            "Practised": "uct:sims=5000",
            "Very strong": "puct:gomoku6,sims=200",
        },
        fits={"size": (6,), "in_a_row": (4,), "rule": ("freestyle",), "opening": ("none",)},
        measured=({"size": 6, "in_a_row": 4},),
    ),
    Levels(
        "gomoku-8",
        "gomoku",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=100",
            "Casual": "uct:sims=1000",
            "Practised": "uct:sims=10000",
            "Very strong": "puct:gomoku8,sims=200",
        },
        fits={"size": (8,), "in_a_row": (5,), "rule": ("freestyle",), "opening": ("none",)},
        measured=({"size": 8},),
    ),
    Levels(
        "gomoku-small",
        "gomoku",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=20",
            "Casual": "uct:sims=200",
            "Very strong": "uct:sims=20000",
        },
        fits={"size": range(3, 9)},
        measured=({"size": 7}, {"size": 5, "in_a_row": 4}),
    ),
    Levels(
        "gomoku-9",
        "gomoku",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=100",
            "Casual": "uct:sims=1000",
            "Practised": "uct:sims=10000",
            "Very strong": "minimax:depth=3",
        },
        fits={"size": range(9, 13)},
        measured=({"size": 9},),
    ),
    Levels(
        "gomoku-15",
        "gomoku",
        {
            "Anything goes": "random",
            "Beginner": "uct:sims=100",
            "Casual": "uct:sims=1000",
            "Practised": "uct:sims=10000",
            "Strong": "greedy",
            "Very strong": "minimax:depth=3",
        },
        measured=({},),
    ),
    Levels(
        "reversi-8",
        "reversi",
        {
            "Anything goes": "random",
            "Beginner": "minimax:depth=1",
            "Casual": "minimax:depth=2",
            "Practised": "minimax:depth=4",
            "Strong": "minimax:depth=6",
            "Very strong": "puct:reversi8,sims=400",
        },
        fits={"size": (8,), "payoff": ("win",)},
        measured=({},),
    ),
    Levels(
        "reversi",
        "reversi",
        {
            "Anything goes": "random",
            "Beginner": "minimax:depth=1",
            "Casual": "minimax:depth=2",
            "Practised": "minimax:depth=4",
            "Strong": "minimax:depth=6",
        },
        measured=({"size": 6}, {"size": 10}),
    ),
    Levels(
        "catan",
        "catan",
        {
            "Anything goes": "random",
            "Beginner": "weighted",
            "Casual": "greedy",
            "Strong": "uct:sims=200",
            "Very strong": "states:catan",
        },
        measured=({},),
    ),
    Levels(
        "catan-reduced",
        "catan-reduced",
        {
            "Anything goes": "random",
            "Beginner": "weighted",
            "Casual": "greedy",
            "Strong": "states:catan-reduced",
        },
        measured=({},),
    ),
)
"""The levels of all games; a game has the first that fit."""

BY_RULES = Levels(
    "rules",
    "",
    {
        "Anything goes": "random",
        "Beginner": "uct:sims=20",
        "Casual": "uct:sims=100",
        "Strong": "uct:sims=5000",
    },
)
"""The levels of every other game."""


def levels_for(game: Game) -> Levels:
    """Return the levels of a game with its options."""
    return next((levels for levels in LEVELS if levels.is_for(game)), BY_RULES)
