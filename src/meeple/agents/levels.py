"""Levels: for each game and size a row of agents, the weakest first; `levels.toml` has all.

`bench/levels.py` plays each step against the one before, and saves the figures in
`bench/levels.json`; a test compares them with these ladders. No level is limited by the clock,
since its strength would depend on the machine.
"""

import tomllib
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

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
    measured: Sequence[Options] = ()
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


_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
*_LEVELS, BY_RULES = (Levels(name, **table) for name, table in _TABLES.items())
"""The last are the levels of every game without others."""
LEVELS = tuple(_LEVELS)
"""The levels of all games; a game has the first that fit."""


def levels_for(game: Game) -> Levels:
    """Return the levels of a game with its options."""
    return next((levels for levels in LEVELS if levels.is_for(game)), BY_RULES)
