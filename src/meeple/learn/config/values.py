"""The configuration of a run that learns values, which says so: `run.mode = "values"`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from meeple.errors import ConfigError, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from
from meeple.learn.config.sections import (
    Positive,
    Probability,
    Section,
    parse_sections,
    read_config,
    read_toml,
)
from meeple.learn.config.selfplay import GameSection, MatchesSection, Rate
from meeple.search.values.features import features_of
from meeple.search.values.network import Widths, weight_shapes

MODE = "values"
Moves = Annotated[int, Field(ge=0, le=100_000)]
Horizon = Moves | Annotated[list[Moves], Field(min_length=2, max_length=2)]
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]


class RunSection(Section):
    """How long the run is, and what it begins with."""

    mode: Literal["values"] = "values"
    """A value network, from siblings labelled by playouts."""
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    """All randomness of the run comes from it."""
    rounds: Count = 20
    """Rounds after the first: labels, fitting, and games that decide whether the network stays."""
    minutes: Positive | None = None
    """Begin no round after so many minutes."""
    start: str | None = None
    """A value network to begin with, in place of the first round: a file, a run, or one that
    ships."""


class VariedGameSection(GameSection):
    """What is learned."""

    variants: Annotated[list[dict[str, int | bool | str]], Field(max_length=64)] = []
    """Options of variants of the game that the network learns too, such as [{players = 3}]: each
    has as many games as the game itself."""


class NetworkSection(Section):
    """What learns: units of each layer, see `meeple.search.values.network`."""

    site: Annotated[int, Field(ge=1, le=1024)] = 32
    """Of the encoder of a place to settle."""
    seat: Annotated[int, Field(ge=1, le=1024)] = 64
    """Of the encoder of a seat."""
    first: Annotated[int, Field(ge=1, le=1024)] = 64
    """Of the first layer that sees all seats."""
    second: Annotated[int, Field(ge=1, le=1024)] = 32
    """Of the last layer."""


class LabelsSection(Section):
    """The positions that are learned from, and what they are worth."""

    results: Count = 8000
    """Games of the first round, whose results alone are learned. Quick players play them: greedy by
    the game's heuristic, or without one by the weights of prune, or at random."""
    results_share: Probability = 0.25
    """Share of their decisions that are learned."""
    games: Count = 2000
    """Games of each later round."""
    share: Probability = 0.06
    """Share of their decisions that are labelled."""
    siblings: Annotated[int, Field(ge=2, le=64)] = 10
    """Actions of a decision that are labelled, at most."""
    playouts: Annotated[int, Field(ge=1, le=1000)] = 2
    """Of each of them."""
    horizon: Horizon = 40
    """Moves of a playout before the network judges where it has got to, if it is not over yet: a
    number, or [first, last] over the run."""
    lookahead: bool = False
    """Whether the network judges there by its best action, chance weighed by its odds, rather than
    the position as it stands: labels vary less, and take longer."""
    quick_rounds: Annotated[int, Field(ge=0, le=1_000_000_000)] = 1
    """Rounds in which quick players play them, in all seats; after those the network does."""
    network_seats: Probability = 0.3
    """Chance that a seat of a game is the network's; others are mostly quick players."""
    past_seats: Probability = 0.0
    """Chance that a seat is a past network's, one of those that were let in, another each round."""
    weighted_seats: Probability = 0.1
    """Chance that a seat draws by weights."""
    slips: Probability = 0.08
    """Chance of a weighted draw instead of what a seat would do."""
    shard: Annotated[int, Field(ge=1, le=100_000)] = 40
    """Games whose labels make a file: what a killed run can lose."""
    rounds: Count = 3
    """Newest rounds whose labels are learned from."""


class TrainingSection(Section):
    """How the network learns from the labels."""

    learning_rate: Rate = 5e-4
    """Step size of Adam, without weight decay: a number, or [first, last] over the run. Within a
    round it falls to a tenth of that, in a straight line."""
    epochs: Count = 4
    """Times that each label is seen in a round."""
    batch: Annotated[int, Field(ge=1, le=65_536)] = 1024
    """Labels in a minibatch, about: decisions stay whole."""
    siblings: Annotated[float, Field(ge=0, le=10_000)] = 30.0
    """Weight of what siblings differ by, beside the cross entropy of who wins."""
    averaging: Annotated[float, Field(ge=0, lt=1)] = 0.999
    """What the averaged weights keep in each step; they are what plays."""
    draws: Annotated[int, Field(ge=1, le=16)] = 1
    """Fits of a round, in different orders, whose weights are averaged."""
    held: Annotated[int, Field(ge=2, le=1000)] = 12
    """Each so many files of labels one is held out, to judge the fit."""


class GateSection(Section):
    """The matches that a new network must not lose: one seat, with an opponent in all others."""

    games: Annotated[int, Field(ge=0, le=1_000_000_000)] = 1600
    """Pairs of games against each opponent, at most: with all cards open, one ahead. 0: every
    network plays on."""
    gain: Annotated[float, Field(gt=0, le=0.5)] = 0.02
    """What it should win by: the test is between this and half as much less."""
    error: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """Chance that the test decides wrongly."""
    past: Annotated[int, Field(ge=0, le=100)] = 0
    """Past networks among the opponents, beside quick players and the incumbent: as far apart as
    can be among those that were let in."""


class ValuesConfig(Section):
    """A whole run."""

    unit: ClassVar[str] = "round"  # what the run counts

    run: RunSection = RunSection()
    game: VariedGameSection
    network: NetworkSection = NetworkSection()
    labels: LabelsSection = LabelsSection()
    training: TrainingSection = TrainingSection()
    gate: GateSection = GateSection()
    matches: MatchesSection = MatchesSection()

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        labels = self.labels
        if labels.network_seats + labels.weighted_seats + labels.past_seats > 1:
            raise ValueError(
                "labels.network_seats, labels.weighted_seats and labels.past_seats are more than "
                "all"
            )
        return self

    def make_game(self) -> Game:
        """The game of the run. Raises OptionError."""
        return make_from(self.game.name, self.game.options)

    def make_games(self) -> tuple[Game, ...]:
        """The game of the run, then its variants. Raises OptionError."""
        options = [{}, *self.game.variants]
        return tuple(make_from(self.game.name, self.game.options | own) for own in options)

    @property
    def widths(self) -> Widths:
        """Of the network."""
        return Widths(**self.network.model_dump())


def learns_values(text: str) -> bool:
    """Whether a configuration is of this kind, by its mode."""
    try:
        run = read_toml(text).get("run")
    except ValueError:
        return False
    return isinstance(run, dict) and run.get("mode") == MODE


def load_values_config(path: str | Path, changes: Iterable[str] = ()) -> ValuesConfig:
    """Read a configuration file of a run that learns values.

    Raises ConfigError that names the file or field and what is allowed.
    """
    config = parse_sections(ValuesConfig, read_config(path), changes, str(path))
    try:
        games = config.make_games()
    except UsageError as error:
        raise ConfigError(f"{path}: {error}") from None
    first, *others = (weight_shapes(features_of(game), config.widths) for game in games)
    for variant, shapes in zip(config.game.variants, others, strict=True):
        if shapes != first:
            raise ConfigError(
                f"{path}: game.variants has {variant}, of which a network sees other numbers than "
                "of the game itself: one network cannot learn both"
            )
    return config
