"""Configuration of a run that trains a value network: `run.mode = "values"`.

A round plays games, labels the actions of some of their decisions by playouts, fits a network to
the labels, and lets it play matches that decide whether it replaces the current network.
"""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from meeple.agents.spec_syntax import write
from meeple.errors import ConfigError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from
from meeple.learn.config.sections import (
    ConfigSection,
    GameSection,
    MatchesSection,
    Method,
    MovesSchedule,
    Positive,
    Probability,
    RateSchedule,
    RoundsConfiguration,
)
from meeple.search.values.features import features_of
from meeple.search.values.network import Widths, weight_shapes

Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
CountOrZero = Annotated[int, Field(ge=0, le=1_000_000_000)]
Units = Annotated[int, Field(ge=1, le=1024)]


class ValuesRunSection(ConfigSection):
    """Length of the run, its random seed, and the network that it starts from."""

    mode: Literal["values"] = "values"
    """Train a value network on the actions of decisions, labelled by playouts."""
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    """Seed of all random numbers of the run."""
    rounds: Count = 20
    """Number of rounds after the first one, each of labels, a fit, and matches that decide whether
    the new network replaces the current one."""
    minutes: Positive | None = None
    """Start no round after this many minutes."""
    start: str | None = None
    """Value network to start from, instead of the first round: a file, the folder of a run, or the
    name of a shipped network. One with fewer units in a layer is widened."""


class VariedGameSection(GameSection):
    """The game to learn."""

    variants: Annotated[list[dict[str, int | bool | str]], Field(max_length=64)] = []
    """Options of variants of the game that the network learns too, such as [{players = 3}]. Each
    variant gets as many games as the game itself."""


class ValuesNetworkSection(ConfigSection):
    """Units of each layer of the network, see `meeple.search.values.network`."""

    site: Units = 32
    """Units of the encoder of a site, a place where a player can settle."""
    seat: Units = 64
    """Units of the encoder of a seat."""
    first: Units = 64
    """Units of the first layer that combines all seats."""
    second: Units = 32
    """Units of the last hidden layer."""


class LabelsSection(ConfigSection):
    """The positions that the network is trained on, and how their values are estimated."""

    results: Count = 8000
    """Games of the first round, which are labelled by their results alone. Quick players play them:
    greedy by the game's heuristic; in a game without one, by the weights of its `prune` kernel, or
    at random."""
    results_share: Probability = 0.25
    """Share of the decisions of these games that is labelled."""
    games: Count = 2000
    """Games of each later round."""
    share: Probability = 0.06
    """Share of the decisions of these games that is labelled."""
    siblings: Annotated[int, Field(ge=2, le=64)] = 10
    """Maximum number of actions of a decision that are labelled."""
    playouts: Annotated[int, Field(ge=1, le=1000)] = 2
    """Playouts of each labelled action; the label is their mean."""
    horizon: MovesSchedule = 40
    """Moves of a playout before the network evaluates its position, unless the game ends earlier.
    [first, last]: linear over the run."""
    lookahead: bool = False
    """Whether that evaluation is the value of the network's best action, averaged over chance,
    instead of the value of the position: labels vary less and take longer."""
    quick_rounds: CountOrZero = 1
    """Number of later rounds in which quick players play the playouts, in all seats; the network
    plays those of the other rounds."""
    network_seats: Probability = 0.3
    """Probability that the network plays a seat of a game; quick players play most other seats."""
    past_seats: Probability = 0.0
    """Probability that a past network plays a seat: one of the accepted ones, another each
    round."""
    weighted_seats: Probability = 0.1
    """Probability that a seat is played by weighted random draws."""
    slips: Probability = 0.08
    """Probability that a weighted random draw replaces the action that a seat's player chose."""
    shard: Annotated[int, Field(ge=1, le=100_000)] = 40
    """Games per file of labels. A run that is killed loses at most the games of unfinished
    files."""
    rounds: Count = 3
    """Number of newest rounds whose labels are trained on."""


class ValuesTrainingSection(ConfigSection):
    """How the network is fitted to the labels of a round."""

    learning_rate: RateSchedule = 5e-4
    """Step size of Adam, without weight decay. [first, last]: linear over the run. Within a round
    it decreases linearly to a tenth."""
    epochs: Count = 4
    """Passes over the labels per round."""
    batch: Annotated[int, Field(ge=1, le=65_536)] = 1024
    """Approximate number of labels in a minibatch; the labels of a decision stay together."""
    siblings: Annotated[float, Field(ge=0, le=10_000)] = 30.0
    """Weight of the loss on differences between the actions of a decision; the cross entropy of
    the winner has weight 1."""
    averaging: Annotated[float, Field(ge=0, lt=1)] = 0.999
    """Factor per step of the exponential moving average of the weights. The averaged weights are
    the network."""
    draws: Annotated[int, Field(ge=1, le=16)] = 1
    """Fits per round, each with the labels in another order; their weights are averaged."""
    held: Annotated[int, Field(ge=2, le=1000)] = 12
    """One in this many files of labels is held out, to evaluate the fit."""


class GateSection(ConfigSection):
    """Matches that decide whether a new network replaces the current one.

    It plays one seat, an opponent plays all others.
    """

    games: CountOrZero = 1600
    """Maximum number of pairs of games against each opponent, with all cards open and a lookahead
    of one action. 0: every network is accepted."""
    gain: Annotated[float, Field(gt=0, le=0.5)] = 0.02
    """Improvement of the share of the win that the test looks for: it decides between this much
    better and half as much worse than the current network."""
    error: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """Probability that the test decides wrongly."""
    past: Annotated[int, Field(ge=0, le=100)] = 0
    """Number of accepted past networks among the opponents, spread over the rounds as far as
    possible; quick players and the current network are always among them."""


class ValuesConfig(RoundsConfiguration):
    """The whole configuration of a run that trains a value network."""

    method: ClassVar[Method] = "values"
    mode: ClassVar[str] = "values"
    planned_networks: ClassVar[None] = None
    """Unknown before the run: only accepted networks are saved."""

    run: ValuesRunSection = ValuesRunSection()
    game: VariedGameSection
    network: ValuesNetworkSection = ValuesNetworkSection()
    labels: LabelsSection = LabelsSection()
    training: ValuesTrainingSection = ValuesTrainingSection()
    gate: GateSection = GateSection()
    matches: MatchesSection = MatchesSection()

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        labels = self.labels
        if labels.network_seats + labels.weighted_seats + labels.past_seats > 1:
            raise ValueError(
                "the sum of labels.network_seats, labels.weighted_seats and labels.past_seats "
                "must be at most 1"
            )
        return self

    def make_games(self) -> tuple[Game, ...]:
        """Make the game of the run, then its variants. Raises OptionError."""
        options = [{}, *self.game.variants]
        return tuple(make_from(self.game.name, self.game.options | own) for own in options)

    def check(self) -> None:
        first, *others = (
            weight_shapes(features_of(game), self.widths) for game in self.make_games()
        )
        for variant, shapes in zip(self.game.variants, others, strict=True):
            if shapes != first:
                raise ConfigError(
                    f"game.variants has {variant}, whose features have other shapes than those of "
                    "the game itself: one network cannot learn both"
                )

    @property
    def length(self) -> int:
        """Rounds of the complete run, with the first one."""
        return self.run.rounds + 1

    def agent_spec(self, network: str) -> str:
        """Return the spec of the agent that plays with a network of the run."""
        return write("states", network)

    @property
    def widths(self) -> Widths:
        """Units of each layer of the network."""
        return Widths(**self.network.model_dump())
