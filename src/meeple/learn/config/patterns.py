"""Configuration of a run that learns the weights of patterns: `run.mode = "patterns"`.

A round plays games of the evaluation against itself, one ply deep, and learns from each by
temporal differences. After these rounds, each stage may have one more, which fits its weights to
positions that deeper searches of the evaluation label.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from meeple.agents.spec_syntax import write
from meeple.errors import ConfigError
from meeple.games.contract.game import Game
from meeple.games.contract.patterns import HasPatterns
from meeple.games.contract.registry import make_from
from meeple.learn.config.sections import (
    ConfigSection,
    GameSection,
    MatchesSection,
    Method,
    Positive,
    Probability,
    RoundsConfiguration,
)
from meeple.search.determinization import searched_by_determinization
from meeple.search.patterns.contents import BOTH_SEATS
from meeple.search.patterns.layout import layout_of

Count = Annotated[int, Field(ge=1, le=1_000_000)]


class PatternsRunSection(ConfigSection):
    """Length of the run, its random seed, and the weights that it starts from."""

    mode: Literal["patterns"] = "patterns"
    """Learn the weights of patterns: those that the game declares, or drawn ones."""
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    """Seed of all random numbers of the run."""
    rounds: Count = 200
    """Number of rounds of games."""
    minutes: Positive | None = None
    """Start no round after this many minutes."""
    start: str | None = None
    """Weights to start from: a file, the folder of a run, or the name of a shipped file."""


class PatternsTrainingSection(ConfigSection):
    """How games are played and learned from, see `meeple.search.patterns.temporal_differences`."""

    drawn: bool = False
    """Draw lines and random walks as patterns, even if the game declares patterns."""
    games: Count = 10_000
    """Games of a round."""
    step: Positive = 4.0
    """Change of a position's logit per unit of error, before temporal coherence makes it smaller
    for weights whose changes cancel out. With 4 an even position is corrected by its error."""
    decay: Probability = 0.7
    """The lambda of TD(lambda): weight of later positions in what a position learns."""
    exploration: Probability = 0.1
    """Probability of a random move. What follows a random move is not learned by the positions
    before it."""
    opening: Annotated[int, Field(ge=0, le=1000)] = 10
    """Maximum number of random moves at the beginning of a game."""
    threads: Annotated[int, Field(ge=1, le=64)] = 1
    """Threads that play and learn at once; with more than one, equal seeds give other weights."""
    options: dict[str, int | bool | str] = {}
    """Options of the game, such as its payoff, that are different in games of training. The saved
    weights predict payoffs of the game itself: their logits are multiplied by fitted factors."""
    probes: Annotated[int, Field(ge=0, le=10_000)] = 0
    """Positions of each stage on which the run, at its end, measures by how much shallow and deep
    searches differ; alpha-beta with these weights then uses Multi-ProbCut. 0: it does not."""
    saved: Count = 20
    """Rounds between two saved files of weights."""


class PatternsLabelsSection(ConfigSection):
    """Regression on positions of games that deeper searches label.

    It follows the rounds of games, one more round for each stage from the last to the first, so
    that searches of a stage end in positions of stages that are fitted already.
    """

    positions: Annotated[int, Field(ge=0, le=100_000_000)] = 0
    """Maximum number of positions of each stage, one in ten of which evaluates the fit. 0: no
    regression."""
    depth: Annotated[int, Field(ge=1, le=60)] = 4
    """Plies of the search that labels a position."""
    exact: Annotated[int, Field(ge=0, le=1000)] = 14
    """Maximum number of empty cells of a position that the game's solver labels with its exact
    result, if the game has one."""
    smoothing: Positive = 20.0
    """Occurrences in even positions that a weight before the fit counts as: rare weights change
    little."""
    steps: Count = 20
    """Passes over the positions in each of three steps of Newton's method."""


class PatternsConfig(RoundsConfiguration):
    """The whole configuration of a run that learns the weights of patterns."""

    method: ClassVar[Method] = "patterns"
    mode: ClassVar[str] = "patterns"

    run: PatternsRunSection = PatternsRunSection()
    game: GameSection
    training: PatternsTrainingSection = PatternsTrainingSection()
    labels: PatternsLabelsSection = PatternsLabelsSection()
    matches: MatchesSection = MatchesSection()

    def training_game(self) -> Game:
        """Make the game that games of training are played with. Raises OptionError."""
        return make_from(self.game.name, {**self.game.options, **self.training.options})

    def check(self) -> None:
        game, training = self.make_game(), self.training_game()
        if self.draws(game):
            same = game.observation_shape == training.observation_shape
        else:
            same = layout_of(game).groups == layout_of(training).groups
        if not same:
            raise ConfigError("training.options change the board")
        searched = game.players == BOTH_SEATS and not searched_by_determinization(game)
        if not searched and (self.labels.positions or self.training.probes):
            raise ConfigError(
                "labels.positions and training.probes must be 0: they are measured by alpha-beta, "
                "which is for games of two players without hidden information"
            )

    def draws(self, game: Game) -> bool:
        """Return whether the run draws patterns."""
        return self.training.drawn or not isinstance(game, HasPatterns)

    @property
    def length(self) -> int:
        """Rounds of the complete run: of games, then of labels."""
        if self.labels.positions == 0:
            return self.run.rounds
        game = self.make_game()
        stages = game.patterns().stages if isinstance(game, HasPatterns) else 1
        return self.run.rounds + (1 if self.draws(game) else stages)

    @property
    def planned_networks(self) -> int:
        """Files of weights that the complete run saves."""
        return 1 + -(-self.length // self.training.saved)

    def games_after(self, rounds: int) -> int:
        """Return the games that were learned from after a number of rounds of either kind."""
        return min(rounds, self.run.rounds) * self.training.games

    def agent_spec(self, network: str) -> str:
        """Return the spec of the agent that plays with weights of the run."""
        return write("minimax", None, {"eval": network, "depth": 4})
