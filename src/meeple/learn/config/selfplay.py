"""The configuration of a training run: one TOML file, every field with its meaning and range.

A schedule is a number, or `[first, last]`, which goes from one to the other in a straight line
over the run's episodes.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from meeple.errors import ConfigError, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from
from meeple.kernels import OWNERSHIP
from meeple.learn.config.describe import Notation
from meeple.learn.config.sections import Positive, Probability, Section, parse_sections, read_config
from meeple.nets.architecture import Activation, Architecture
from meeple.nets.devices import WANTED
from meeple.nets.graph import numbers_per_position, weight_shapes
from meeple.search.mcts.classic import CLASSIC_PUCT, CLASSIC_UCT
from meeple.search.mcts.tree import Block, Node

Share = Probability | Annotated[list[Probability], Field(min_length=2, max_length=2)]
"""A probability, or its values at the first and the last episode."""
Rate = Positive | Annotated[list[Positive], Field(min_length=2, max_length=2)]
"""A positive number, or its values at the first and the last episode."""
MOST_EPISODES = 100_000_000  # of a run
MAX_PLY = 100_000  # number of a move that a field may name
MAX_BYTES = 100e9  # of memory for self-play or for learning; ready configurations take below 1e9
KEPT_MOVES = 3  # moves' worth of expansions that a tree has room for, as subtrees are kept
MAX_EXPANSIONS = 3000  # of a move, that a tree has room for
Device = Annotated[
    str, Field(pattern=f"^({WANTED})$"), Notation("auto, cpu, cuda, or cuda:1 and so on")
]
"""What computes a network, in the words of `devices.choose_device`."""
Width = Annotated[int, Field(ge=1, le=65_536)]  # of a layer
Stage = tuple[Annotated[int, Field(ge=0, le=MAX_PLY)], Annotated[int, Field(ge=2, le=1_000_000)]]
"""From this move of an episode on, so many simulations."""


class RunSection(Section):
    """How long the run is, and what it keeps."""

    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    """All randomness of the run comes from it; equal seeds give equal runs on a machine."""
    episodes: Annotated[int, Field(ge=1, le=MOST_EPISODES)] = 200
    """Games of self-play in all."""
    networks: Annotated[int, Field(ge=2, le=1000)] = 5
    """Networks kept, evenly over the run's episodes, or over its minutes where those pass sooner:
    the first untrained, the last at the end."""
    start: str | None = None
    """Begin with the weights of another network of this game, though of another size of board: its
    file, a run's folder, or the name of one that ships."""
    minutes: Positive | None = None
    """Stop training after this many minutes, if that comes first."""
    network_minutes: Positive | None = None
    """Keep a network every so many minutes, too."""


class GameSection(Section):
    """What is learned."""

    name: str
    """A game of `meeple games`."""
    options: dict[str, int | bool | str] = {}
    """Its options, such as `size = 5`."""


class NetworkSection(Section):
    """What learns."""

    kind: Literal["mlp", "conv", "classic"] = "mlp"
    """mlp: dense layers on the flattened observation; conv: a residual tower, for boards; classic:
    3x3 convolutions in a row, as networks of AlphaZero_Gomoku have them."""
    hidden: Annotated[tuple[Width, ...], Field(max_length=64)] = (128, 64)
    """Widths of an mlp's hidden layers, or planes of a classic network's convolutions, any number
    of them."""
    channels: Annotated[int, Field(ge=4, le=1024)] = 32
    """Planes inside a tower."""
    blocks: Annotated[int, Field(ge=0, le=64)] = 4
    """Residual blocks of a tower."""
    activation: Activation = "relu"
    """The function between the layers."""
    critic: bool = True
    """Whether it also learns to predict who wins. Needed where `sigma` is below 1."""


class SearchSection(Section):
    """The tree search that plays the episodes."""

    mode: Literal["on-policy", "alphazero"] = "on-policy"
    """on-policy: UCT whose leaves are judged by rollouts of the network (or its critic, see
    `sigma`); alphazero: PUCT with the network's policy as priors and its critic at the leaves."""
    simulations: (
        Annotated[int, Field(ge=2, le=1_000_000)]
        | Annotated[list[Stage], Field(min_length=1, max_length=100)]
    ) = 200
    """Descents of the tree for each move; or `[[0, 400], [10, 100]]`: 400 from an episode's first
    move, 100 from its move 10 on. Those kept from the move before come on top."""
    seconds: Positive | None = None
    """Search so many seconds for each move, of all episodes of a wave together, instead. The run
    then depends on the machine's speed."""
    root: Literal["gumbel", "puct"] = "gumbel"
    """alphazero: how a root shares out its simulations. gumbel: by sequential halving among a few
    actions drawn by the policy, which 16 improve already; puct: by the rule, with noise."""
    considered: Annotated[int, Field(ge=2, le=1024)] = 16
    """gumbel: the actions that it starts from; about as many as simulations, at most."""
    value_scale: Positive = 1.0
    """gumbel: weight of the values against the network's policy, in what is played and learned."""
    rule: Literal["puct", "improved"] = "puct"
    """alphazero: what chooses below the root. improved: visits follow the improved policy."""
    fast_simulations: Annotated[int, Field(ge=2, le=1_000_000)] | None = None
    """alphazero: simulations of a quick move, which is played but not learned from."""
    full_share: Annotated[float, Field(gt=0, le=1)] = 0.25
    """With fast_simulations: the share of moves that are searched in full, and learned from."""
    c: Annotated[float, Field(ge=0, le=100)] | Literal["classic"] = 0.5
    """Exploration: the constant of UCT or PUCT, for values in [0, 1]. classic: what programs take
    whose values are in [-1, 1], sqrt 2 in UCT and 5 in PUCT, and here half as much."""
    leaves: Annotated[int, Field(ge=1, le=256)] = 4
    """Descents of one tree before the network is called; 1 is exact, more makes larger batches."""
    solve: bool = True
    """Back up proven results, and learn no move that is proven to lose where another is not."""
    noise_alpha: Positive = 10.0
    """puct: Dirichlet noise at the root, each legal action with alpha / their number."""
    noise_fraction: Probability = 0.25
    """puct: the noise's weight in the root's priors."""

    @property
    def exploration(self) -> float:
        """`c` as a number."""
        if self.c != "classic":
            return self.c
        return CLASSIC_UCT if self.mode == "on-policy" else CLASSIC_PUCT


class SelfPlaySection(Section):
    """How episodes are played."""

    games: Annotated[int, Field(ge=1, le=4096)] = 8
    """Episodes played in lockstep; the network learns after each such wave."""
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    """Threads that share a wave's episodes."""
    epsilon: Share = 0.2
    """on-policy: chance of a random action in a rollout's move. A schedule."""
    sigma: Share = 1.0
    """on-policy: chance that a leaf is judged by a rollout rather than the critic. A schedule."""
    temperature: Annotated[float, Field(gt=0, le=10)] = 1.0
    """A move is drawn from visits ** (1 / temperature): below 1 bolder, above 1 more varied. At a
    gumbel root, the scale of its noise."""
    temperature_plies: Annotated[int, Field(ge=0, le=MAX_PLY)] = 10_000
    """Moves of an episode that are drawn so; those after are the search's best."""
    random_plies: Annotated[int, Field(ge=0, le=100)] = 0
    """Each episode opens with up to this many random moves, which are not learned."""
    format: Literal["auto", "float32", "bfloat16", "float16"] = "float32"
    """Number format of the network in self-play; auto: what is faster on this machine. float16 is
    for accelerators alone."""
    device: Device = "auto"
    """What computes the network in self-play. auto: an accelerator, where PyTorch sees one; the
    processor otherwise, and for an mlp. It takes the place of one that is not there."""


class ReplaySection(Section):
    """The memory that minibatches are drawn from."""

    capacity: Annotated[int, Field(ge=1, le=100_000_000)] = 20_000
    """Cases (positions) kept, the newest."""
    memory: Annotated[int, Field(ge=1, le=1_000_000)] = 4000
    """Megabytes of them that may be in memory; a larger buffer lies in a file in the folder for
    temporary files (TMPDIR)."""


class TrainingSection(Section):
    """How the network learns from the cases."""

    optimizer: Literal["adagrad", "sgd", "rmsprop", "adam"] = "adam"
    """The update rule."""
    learning_rate: Rate = 0.001
    """Step size. A schedule, over the run's minutes where those pass sooner than its episodes."""
    weight_decay: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Pull of the weights towards 0."""
    momentum: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Where the optimizer has one: sgd and rmsprop."""
    batch_size: Annotated[int, Field(ge=1, le=65_536)] = 128
    """Cases in a minibatch."""
    batches: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Minibatches after each episode, on average."""
    value_weight: Annotated[float, Field(ge=0, le=100)] = 1.0
    """Weight of the critic's loss beside the policy's."""
    ownership: Annotated[float, Field(ge=0, le=100)] = 0.0
    """Weight of the loss of a third head of a tower, which predicts who owns each cell at the end;
    0: no such head. Reversi and Hex have it."""
    search_value: Probability = 0.0
    """The critic learns this share of the search's value and the rest of the game's result."""
    discount: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Of the game's result that the critic learns, for each move to the end, towards even shares;
    1: none."""
    surprise: Probability = 0.0
    """Share of an episode's weight that goes to its positions by how far the search moved the
    policy; 0: all count alike."""
    max_gradient_norm: Positive = 5.0
    """Longer gradients are shortened to this."""
    symmetries: bool = True
    """Show each case in a random one of the game's symmetries."""
    threads: Annotated[int, Field(ge=0, le=64)] = 0
    """Threads that learn; 0: one, or as many as prove faster while it learns. With a number set,
    or an mlp, equal seeds give equal networks to the last bit."""
    device: Device = "auto"
    """What learns; as selfplay.device."""
    processes: Annotated[int, Field(ge=1, le=64)] = 1
    """Processes that share each minibatch: each with an accelerator of its own, from `device` on,
    or all on the processor."""
    format: Literal["auto", "float32", "bfloat16"] = "auto"
    """Number format of minibatches; bfloat16: mixed precision, of float32 weights. auto: what is
    faster on an accelerator, and float32 on the processor."""


class RecordsSection(Section):
    """Where this section is there, the network learns from records of games, such as people have
    played, by `meeple train --from-records`, and not by self-play. An episode then is a game that
    is learned from, each once in an epoch; sections of search and self-play are left unused.
    """

    epochs: Annotated[int, Field(ge=1, le=10_000)] = 5
    """How often each game is learned from. It sets run.episodes."""
    held_out: Annotated[float, Field(gt=0, le=0.5)] = 0.1
    """Share of the games that are never learned from: the network is judged by them."""
    patience: Annotated[int, Field(ge=0, le=10_000)] = 2
    """The run ends after so many epochs without a lower loss on the games held out; 0: never."""
    smoothing: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of the policy to learn that is spread evenly over the legal actions; the rest is what
    was played."""
    reports: Annotated[int, Field(ge=1, le=1000)] = 20
    """Times in an epoch that figures are written, and all is saved."""


class MatchesSection(Section):
    """Matches against fixed opponents while the network learns: they show whether it does. What is
    learned does not depend on them.
    """

    minutes: Annotated[float, Field(ge=0, le=10_000)] = 5.0
    """Minutes of training from one round of matches to the next; 0: none. There is one at the end,
    too. A round takes about a tenth of the time since the last."""
    games: Annotated[int, Field(ge=2, le=10_000)] = 40
    """Games against each opponent in a round, at most."""
    opponents: Annotated[tuple[str, ...], Field(max_length=64)] = ()
    """Agents such as uct:sims=1000, and start: the network that the run began with. Without:
    random, uct:sims=100, start, and greedy where the game has a heuristic."""


class SearchedMatchesSection(MatchesSection):
    """Matches against fixed opponents while the network learns: they show whether it does. What is
    learned does not depend on them.
    """

    simulations: Annotated[int, Field(ge=0, le=100_000)] = 50
    """The network plays alone, and with a search of so many simulations a move; 0: alone only."""


class ToppSection(Section):
    """The tournament of progressive policies that closes a run: see `meeple topp`."""

    games: Annotated[int, Field(ge=2, le=100_000)] = 50
    """Games for each pair of networks."""
    policy: Literal["greedy", "epsilon", "sample"] = "greedy"
    """How the networks choose: the best action, now and then a random one, or by probability."""
    epsilon: Probability = 0.05
    """With policy = epsilon: the chance of a random action."""


class Config(Section):
    """A whole run."""

    run: RunSection = RunSection()
    game: GameSection
    network: NetworkSection = NetworkSection()
    search: SearchSection = SearchSection()
    selfplay: SelfPlaySection = SelfPlaySection()
    replay: ReplaySection = ReplaySection()
    training: TrainingSection = TrainingSection()
    matches: SearchedMatchesSection = SearchedMatchesSection()
    topp: ToppSection = ToppSection()
    records: RecordsSection | None = None

    @property
    def unit(self) -> str:
        """What the run counts: episodes of self-play, or games of records."""
        return "episode" if self.records is None else "game"

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        sigma = self.selfplay.sigma
        lowest = min(sigma) if isinstance(sigma, list) else sigma
        needs_critic = self.search.mode == "alphazero" or lowest < 1
        if needs_critic and not self.network.critic:
            raise ValueError("network.critic must be true for alphazero, or where sigma is below 1")
        if self.training.momentum and self.training.optimizer not in ("sgd", "rmsprop"):
            raise ValueError(f"training.momentum must be 0: {self.training.optimizer} has none")
        stages = self.search.simulations
        if isinstance(stages, list) and (
            stages[0][0] != 0 or [s[0] for s in stages] != sorted({s[0] for s in stages})
        ):
            raise ValueError("search.simulations must start at move 0 and go up")
        alphazero = self.search.mode == "alphazero"
        if self.search.fast_simulations and not alphazero:
            raise ValueError('search.fast_simulations needs search.mode = "alphazero"')
        if self.search.fast_simulations and self.search.seconds:
            raise ValueError("search.fast_simulations and search.seconds exclude each other")
        if self.search.seconds and alphazero and self.search.root == "gumbel":
            raise ValueError('search.seconds needs search.root = "puct"')
        if self.network.kind == "mlp" and self.selfplay.format == "bfloat16":
            raise ValueError("selfplay.format must be auto or float32: an mlp has no other")
        if self.run.networks > self.run.episodes + 1:
            raise ValueError(
                f"run.networks must be at most {self.run.episodes + 1}: "
                "one before the first episode, and one after each"
            )
        return self

    def make_game(self) -> Game:
        """The game of the run. Raises OptionError; ConfigError where it lacks what is learned."""
        game = make_from(self.game.name, self.game.options)
        if self.training.ownership and not game.has(OWNERSHIP):
            raise ConfigError(f"training.ownership must be 0: {game.name} has no owners of cells")
        return game

    def cells(self, game: Game) -> int:
        """The cells whose owners are learned."""
        return game.num_cells if self.training.ownership else 0

    def architecture(self, game: Game) -> Architecture:
        """What the network of the run looks like. Raises UsageError where it does not fit."""
        return Architecture(
            **self.network.model_dump(),
            ownership=self.training.ownership > 0,
            observation_shape=game.observation_shape,
            num_actions=game.num_actions,
            players=game.players,
        )

    def simulations_at(self, move: int) -> int:
        """Simulations for the move of this number, from 0."""
        stages = self.search.simulations
        if isinstance(stages, int):
            return stages
        return next(count for start, count in reversed(stages) if start <= move)

    @property
    def tree_expansions(self) -> int:
        """Expansions that the tree of an episode has room for."""
        wanted = MAX_EXPANSIONS if self.search.seconds else self.most_simulations
        return KEPT_MOVES * min(wanted, MAX_EXPANSIONS)

    @property
    def most_simulations(self) -> int:
        """The largest number of simulations of any move."""
        stages = self.search.simulations
        return stages if isinstance(stages, int) else max(count for _, count in stages)


def at_progress(schedule: float | Sequence[float], progress: float) -> float:
    """A schedule's value when this share (0..1) of the episodes is played."""
    if isinstance(schedule, int | float):
        return schedule
    return schedule[0] + (schedule[1] - schedule[0]) * min(max(progress, 0.0), 1.0)


def load_config(path: str | Path, changes: Iterable[str] = ()) -> Config:
    """Read a configuration file, with changes like "search.simulations=100" applied.

    Raises ConfigError that names the file or field and what is allowed.
    """
    return parse_config(read_config(path), changes, str(path))


def parse_config(text: str, changes: Iterable[str] = (), name: str = "configuration") -> Config:
    """The same from the file's text."""
    config = parse_sections(Config, text, changes, name)
    try:
        _check_size(config, config.make_game())
    except UsageError as error:
        raise ConfigError(f"{name}: {error}") from None
    return config


def _check_size(config: Config, game: Game) -> None:
    """Raise UsageError where a network, a batch or the trees would be too large for any machine."""
    architecture = config.architecture(game)
    try:
        weight_shapes(architecture)
    except UsageError as error:
        fields = "channels or network.blocks" if config.network.kind == "conv" else "hidden"
        raise ConfigError(f"lower network.{fields}: {error}") from None
    play, training = config.selfplay, config.training
    numbers = architecture.observation_size + numbers_per_position(architecture)
    widest = 1 + min(game.max_moves, game.num_actions + 1)
    node = Node.itemsize + Block.itemsize + 8 * game.players + 3 * 4
    needs = {  # bytes, by the fields to lower
        "training.batch_size, or choose a smaller network: a minibatch": (
            8 * numbers * training.batch_size  # outputs and gradients
        ),
        "selfplay.games or search.leaves, or choose a smaller network: a batch of positions": (
            4 * numbers * play.games * config.search.leaves
        ),
        "selfplay.games or search.simulations: the trees of a wave": (
            node * play.games * (config.tree_expansions + 1) * widest
        ),
    }
    for fields, size in needs.items():
        if size > MAX_BYTES:
            raise ConfigError(
                f"lower {fields} would take {size / 1e9:,.0f} GB of memory; at most "
                f"{MAX_BYTES / 1e9:,.0f} GB are allowed"
            )
