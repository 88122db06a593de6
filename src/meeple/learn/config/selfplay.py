"""Configuration of a run that trains a network with a policy, by self-play or on game records."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from meeple.agents.spec_syntax import write
from meeple.errors import ConfigError, UsageError
from meeple.games.contract.game import Game
from meeple.learn.config.sections import (
    MAX_EPISODES,
    MAX_MOVES,
    ConfigSection,
    Configuration,
    Device,
    GameSection,
    MatchesSection,
    Method,
    Positive,
    Probability,
    ProbabilitySchedule,
    RateSchedule,
    ToppSection,
    parse_sections,
    read_config,
)
from meeple.learn.targets import TARGETS, Target
from meeple.nets.architecture import Architecture, NetworkFields
from meeple.nets.graph import numbers_per_position, weight_shapes
from meeple.search.mcts.classic import CLASSIC_PUCT, CLASSIC_UCT
from meeple.search.mcts.tree import Block, Node
from meeple.sentences import say

MAX_BATCH_BYTES = 100e9  # of one batch or wave; the ready configurations need less than 1e9
MOVES_PER_TREE = 3  # a tree has room for the expansions of 3 moves, since subtrees are reused
MAX_EXPANSIONS = 3000  # per move, for which a tree has room
Simulations = Annotated[int, Field(ge=2, le=1_000_000)]
Stage = tuple[Annotated[int, Field(ge=0, le=MAX_MOVES)], Simulations]
"""A move number of an episode, from 0, and the simulations per move from there on."""


class RunSection(ConfigSection):
    """Length of the run, its random seed, and the networks that it saves."""

    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    """Seed of all random numbers of the run: equal seeds give equal runs on one machine."""
    episodes: Annotated[int, Field(ge=1, le=MAX_EPISODES)] = 200
    """Number of games of self-play. In a run on game records, `records.epochs` sets it."""
    networks: Annotated[int, Field(ge=2, le=1000)] = 5
    """Number of networks to save: the untrained one first, the final one last, the others at equal
    intervals of `episodes`, or of `minutes` if that limit is reached sooner."""
    start: str | None = None
    """Network to start from, instead of random weights: a file, the folder of a run, or the name of
    a shipped network. It must be of the same game; its board may have another size."""
    teacher: str | None = None
    """Weights of patterns whose games the network learns from first: a file, the folder of a run of
    mode patterns, or the name of a shipped file. `teaching.episodes` says how many games."""
    minutes: Positive | None = None
    """Limit of the training time in minutes, in addition to `episodes`."""
    network_minutes: Positive | None = None
    """Also save a network each time this many minutes of training have passed."""


class NetworkSection(ConfigSection, NetworkFields):
    """Architecture of the network."""


class SearchSection(ConfigSection):
    """The tree search that chooses the moves of self-play."""

    mode: Literal["on-policy", "alphazero"] = "on-policy"
    """on-policy: UCT; each leaf is evaluated by a rollout that the network's policy plays, or by
    its value head, see `sigma`. alphazero: PUCT with the network's policy as priors and its value
    head at the leaves."""
    simulations: Simulations | Annotated[list[Stage], Field(min_length=1, max_length=100)] = 200
    """Simulations per move. [[0, 400], [10, 100]]: 400 from move 0 of an episode, 100 from its move
    10. Those in the subtree that is reused from the previous move are not counted."""
    seconds: Positive | None = None
    """Search time per move in seconds, shared by all games of a wave, instead of `simulations`. The
    result of the run then depends on the speed of the machine."""
    root: Literal["gumbel", "puct"] = "gumbel"
    """alphazero: how simulations are distributed at the root. gumbel: by sequential halving among
    actions that are sampled from the policy, useful from 16 simulations. puct: by the PUCT formula
    with Dirichlet noise."""
    considered: Annotated[int, Field(ge=2, le=1024)] = 16
    """gumbel: number of actions that sequential halving starts with, at most about the number of
    simulations."""
    value_scale: Positive = 1.0
    """gumbel: weight of the action values against the policy's logits, both in the choice of a move
    and in the policy target."""
    rule: Literal["puct", "improved"] = "puct"
    """alphazero: how actions are selected below the root. improved: visits in proportion to the
    improved policy."""
    fast_simulations: Simulations | None = None
    """alphazero: simulations of a fast move, which is played but not trained on. Not set: there are
    no fast moves."""
    full_share: Annotated[float, Field(gt=0, le=1)] = 0.25
    """With fast_simulations: share of the moves that get all `simulations` and are trained on."""
    c: Annotated[float, Field(ge=0, le=100)] | Literal["classic"] = 0.5
    """Exploration constant of UCT or PUCT for values in [0, 1]. classic: half of the usual
    constants for values in [-1, 1], which are sqrt 2 in UCT and 5 in PUCT."""
    leaves: Annotated[int, Field(ge=1, le=256)] = 4
    """Leaves of a tree that are evaluated in one call of the network. 1: the exact sequential
    search; more: larger batches, less exact."""
    solve: bool = True
    """Back up proven results, and do not train on a move that is proven to lose if another move is
    not."""
    noise_alpha: Positive = 10.0
    """puct: Dirichlet noise at the root has the parameter noise_alpha / number of legal actions."""
    noise_fraction: Probability = 0.25
    """puct: weight of the noise in the root's priors."""

    @property
    def exploration(self) -> float:
        """`c` as a number."""
        if self.c != "classic":
            return self.c
        return CLASSIC_UCT if self.mode == "on-policy" else CLASSIC_PUCT


class SelfPlaySection(ConfigSection):
    """How episodes of self-play are played."""

    games: Annotated[int, Field(ge=1, le=4096)] = 8
    """Episodes in a wave: they are played in lockstep, and the network is trained after them."""
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    """Threads that share the episodes of a wave."""
    epsilon: ProbabilitySchedule = 0.2
    """on-policy: probability of a random action at each move of a rollout. [first, last]: linear
    over the episodes."""
    sigma: ProbabilitySchedule = 1.0
    """on-policy: probability that a leaf is evaluated by a rollout, not by the value head. [first,
    last]: linear over the episodes."""
    temperature: Annotated[float, Field(gt=0, le=10)] = 1.0
    """Moves are sampled in proportion to visits ** (1 / temperature): below 1 greedier, above 1
    more random. With root = gumbel: factor of the Gumbel noise."""
    temperature_plies: Annotated[int, Field(ge=0, le=MAX_MOVES)] = 10_000
    """Number of moves at the start of an episode that are sampled; later ones are the best of the
    search."""
    random_plies: Annotated[int, Field(ge=0, le=100)] = 0
    """Each episode starts with a random number of random moves, from 0 to this, which are not
    trained on."""
    exact: Probability = 0.0
    """Work of the exact solver, as a share of that of the searches: it plays games of two players
    without chance or hidden information to their ends once it proves their results. 0: never."""
    format: Literal["auto", "float32", "bfloat16", "float16", "int8"] = "float32"
    """Number format of the network in self-play. auto: the faster one of float32 and bfloat16 on
    this machine. int8: conv on the CPU by OpenVINO, else as auto; observations must be from 0 to
    1. float16: on accelerators only."""
    device: Device = "auto"
    """Device of the network in self-play. auto: an accelerator if PyTorch finds one, and always the
    CPU for an mlp. The CPU is used if a device is missing."""


class ReplaySection(ConfigSection):
    """The replay buffer, from which minibatches are drawn."""

    capacity: Annotated[int, Field(ge=1, le=100_000_000)] = 20_000
    """Maximum number of positions in the buffer; the newest ones stay."""
    memory: Annotated[int, Field(ge=1, le=1_000_000)] = 4000
    """Maximum size of the buffer in memory, in megabytes. A larger one is stored in a file in the
    folder for temporary files (TMPDIR)."""


class TrainingSection(ConfigSection):
    """How the network is trained on minibatches of positions."""

    optimizer: Literal["adagrad", "sgd", "rmsprop", "adam"] = "adam"
    """Optimizer of the weights."""
    learning_rate: RateSchedule = 0.001
    """Step size of the optimizer. [first, last]: linear over the episodes, or over the minutes of
    the run if that limit is reached sooner."""
    weight_decay: Annotated[float, Field(ge=0, le=1)] = 0.0
    """L2 penalty: this times the weights is added to their gradient. Typically 0 to 0.001."""
    momentum: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Momentum of sgd and rmsprop; the other optimizers need 0."""
    batch_size: Annotated[int, Field(ge=1, le=65_536)] = 128
    """Positions in a minibatch."""
    batches: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Minibatches per episode, on average."""
    value_weight: Annotated[float, Field(ge=0, le=100)] = 1.0
    """Weight of the value loss; the policy loss has weight 1."""
    ownership: Annotated[float, Field(ge=0, le=100)] = 0.0
    """conv: weight of the loss of a third head, which predicts the owner of each cell at the end of
    the game; 0: no such head. Reversi and Hex define owners."""
    search_value: Probability = 0.0
    """Share of the search's value in the value target; the rest is the result of the game."""
    discount: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Factor per action of a player until the end of the game, by which its result in the value
    target is moved towards equal shares; outcomes of chance do not count; 1: no discount."""
    surprise: Probability = 0.0
    """Share of an episode's weight that its positions get in proportion to the KL divergence of the
    search's policy from the network's; 0: all positions weigh the same."""
    max_gradient_norm: Positive = 5.0
    """Longer gradients are scaled down to this L2 norm."""
    symmetries: bool = True
    """Transform each position of a minibatch by a random symmetry of the game."""
    threads: Annotated[int, Field(ge=0, le=64)] = 0
    """Threads of the training on the CPU; 0: one, or more if that is measured to be faster. With a
    number above 0, or an mlp, equal seeds give networks that are equal bit for bit."""
    device: Device = "auto"
    """Device of the training; see selfplay.device."""
    format: Literal["auto", "float32", "bfloat16", "fastest"] = "auto"
    """Number format of the training. bfloat16: mixed precision with weights in float32. fastest:
    the faster one, as measured. auto: the faster one on an accelerator, float32 on the CPU."""

    @property
    def loss_weights(self) -> dict[str, float]:
        """Weight of the loss of each head, by name."""
        auxiliary = {target.head: getattr(self, target.head) for target in TARGETS}
        return {"policy": 1.0, "value": self.value_weight, **auxiliary}


class RecordsSection(ConfigSection):
    """Training on records of games, by `meeple train --from-records`, instead of self-play.

    An episode is one training game, used once per epoch. The settings of
    search and self-play have no effect.
    """

    epochs: Annotated[int, Field(ge=1, le=10_000)] = 5
    """Passes over the training games. They set run.episodes."""
    held_out: Annotated[float, Field(gt=0, le=0.5)] = 0.1
    """Share of the games that are held out: the network is evaluated on them, never trained."""
    patience: Annotated[int, Field(ge=0, le=10_000)] = 2
    """Stop after this many epochs without a lower loss on the held-out games; 0: never."""
    smoothing: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of the policy target that is spread evenly over the legal actions; the rest is on the
    action that was played."""
    reports: Annotated[int, Field(ge=1, le=1000)] = 20
    """Number of times per epoch that the losses are reported and the run is saved."""


class TeachingSection(ConfigSection):
    """How the teacher of a run, `run.teacher`, plays the first episodes."""

    episodes: Annotated[int, Field(ge=1, le=MAX_EPISODES)] = 2000
    """Number of games of the teacher; the episodes after them are self-play."""
    depth: Annotated[int, Field(ge=1, le=60)] = 4
    """Plies of the teacher's search of a move."""
    exploration: Probability = 0.1
    """Probability that a random move is played instead of the teacher's, which is learned."""
    softness: Probability = 0.5
    """Share of the policy target that is a softmax over the values of all moves one ply ahead; the
    rest is on the move of the teacher's search."""
    temperature: Annotated[float, Field(gt=0, le=10)] = 0.05
    """Temperature of that softmax: a move that is worth so much less of the win has 0.37 times the
    weight."""
    search_value: Probability = 1.0
    """Share of the search's value in the value target; the rest is the result of the game."""


class SearchedMatchesSection(MatchesSection):
    """Matches against fixed opponents during training, which measure progress.

    They do not affect what is learned.
    """

    simulations: Annotated[int, Field(ge=0, le=100_000)] = 50
    """The network plays once without search and once with this many simulations per move; 0: only
    without search."""


class Config(Configuration):
    """The whole configuration of a run by self-play or on game records."""

    resumable: ClassVar[tuple[str, ...]] = ("episodes", "minutes", "networks", "network_minutes")
    """Fields of [run] that may change when a run is resumed; the first is its length."""

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
    teaching: TeachingSection | None = None

    @model_validator(mode="before")
    @classmethod
    def _without_processes(cls, sections: Any) -> Any:
        """Accept `training.processes = 1`, which configurations of earlier versions contain."""
        training = sections.get("training") if isinstance(sections, dict) else None
        if not isinstance(training, dict) or "processes" not in training:
            return sections
        if training["processes"] != 1:
            raise ValueError(
                "training.processes was removed, as one process trains the network: delete the "
                "line, and set training.threads if several threads should"
            )
        rest = {name: value for name, value in training.items() if name != "processes"}
        return sections | {"training": rest}

    def check(self) -> None:
        _check_size(self, self.make_game())

    @property
    def method(self) -> Method:
        """The training method."""
        return "self-play" if self.records is None else "records"

    @property
    def mode(self) -> str:
        """The training method, or the kind of search that self-play learns from."""
        return self.search.mode if self.records is None else "records"

    @property
    def teaching_settings(self) -> TeachingSection:
        """The section [teaching], or its defaults."""
        return self.teaching or TeachingSection()

    @property
    def taught(self) -> int:
        """Number of the first episodes, which the teacher plays; 0 without a teacher."""
        return self.teaching_settings.episodes if self.run.teacher else 0

    @property
    def unit(self) -> str:
        """What `run.episodes` counts: episodes of self-play, or games of records."""
        return "episode" if self.records is None else "game"

    @property
    def length(self) -> int:
        """Episodes of the complete run."""
        return self.run.episodes

    @property
    def planned_networks(self) -> int | None:
        """Number of networks that the run will save; None if it is not known before."""
        return self.run.networks if self.records is None else None

    def with_records(self) -> "Config":
        """Return the configuration with a section [records]. Raises ConfigError with a teacher."""
        if self.run.teacher is not None:
            raise ConfigError("run.teacher is for self-play, and has no games for records")
        if self.records is not None:
            return self
        return self.model_copy(update={"records": RecordsSection()})

    def agent_spec(self, network: str) -> str:
        """Return the spec of the agent that plays with a network of the run."""
        if self.network.critic:
            return write("puct", network, {"sims": 100})
        return write("policy", network)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.run.teacher is not None and self.records is not None:
            raise ValueError("run.teacher is for self-play, and excludes a section [records]")
        sigma = self.selfplay.sigma
        lowest = min(sigma) if isinstance(sigma, list) else sigma
        alphazero = self.search.mode == "alphazero"
        if (alphazero or lowest < 1) and not self.network.critic:
            raise ValueError(say("config.critic_needed"))
        if self.training.momentum and self.training.optimizer not in ("sgd", "rmsprop"):
            raise ValueError(say("config.no_momentum", optimizer=self.training.optimizer))
        stages = self.search.simulations
        if isinstance(stages, list) and (
            stages[0][0] != 0 or [s[0] for s in stages] != sorted({s[0] for s in stages})
        ):
            raise ValueError(say("config.stages_of_search"))
        if self.search.fast_simulations and not alphazero:
            raise ValueError(say("config.fast_needs_alphazero"))
        if self.search.fast_simulations and self.search.seconds:
            raise ValueError(say("config.fast_or_seconds"))
        if self.search.seconds and alphazero and self.search.root == "gumbel":
            raise ValueError(say("config.seconds_need_puct"))
        if self.network.kind == "mlp" and self.selfplay.format in ("bfloat16", "int8"):
            raise ValueError(say("config.format_of_mlp", format=self.selfplay.format))
        if self.run.networks > self.run.episodes + 1:
            raise ValueError(say("config.networks_of_run", n=self.run.episodes + 1))
        return self

    def make_game(self) -> Game:
        """Make the game of the run. Raises OptionError, or ConfigError if it lacks a target."""
        game = super().make_game()
        for target in self.targets:
            if missing := target.missing(game):
                raise ConfigError(
                    say("config.no_target", head=target.head, game=game.name, reason=missing)
                )
        return game

    @property
    def targets(self) -> tuple[Target, ...]:
        """Targets of the auxiliary heads that are trained."""
        weights = self.training.loss_weights
        return tuple(target for target in TARGETS if weights[target.head] > 0)

    def architecture(self, game: Game) -> Architecture:
        """Return the architecture of the network. Raises UsageError if it does not fit the game."""
        return Architecture(
            **self.network.model_dump(),
            **{target.head: True for target in self.targets},
            observation_shape=game.observation_shape,
            num_actions=game.num_actions,
            players=game.players,
        )

    def simulations_at(self, move: int) -> int:
        """Return the simulations for a move of an episode, numbered from 0."""
        stages = self.search.simulations
        if isinstance(stages, int):
            return stages
        return next(count for start, count in reversed(stages) if start <= move)

    @property
    def tree_expansions(self) -> int:
        """Number of expansions that the tree of an episode has room for."""
        wanted = MAX_EXPANSIONS if self.search.seconds else self.max_simulations
        return MOVES_PER_TREE * min(wanted, MAX_EXPANSIONS)

    @property
    def max_simulations(self) -> int:
        """The largest number of simulations of any move."""
        stages = self.search.simulations
        return stages if isinstance(stages, int) else max(count for _, count in stages)


def load_config(path: str | Path, changes: Iterable[str] = ()) -> Config:
    """Read a configuration file of self-play or of training on records; see `load`."""
    return parse_config(read_config(path), changes, str(path))


def parse_config(text: str, changes: Iterable[str] = (), name: str = "configuration") -> Config:
    """As `load_config`, from the text of a file; `name` stands for the file in messages."""
    return parse_sections(Config, text, changes, name)


def _check_size(config: Config, game: Game) -> None:
    """Raise UsageError if the network, a batch or the trees need more memory than is allowed."""
    architecture = config.architecture(game)
    try:
        weight_shapes(architecture)
    except UsageError as error:
        fields = "channels or network.blocks" if config.network.kind == "conv" else "hidden"
        raise ConfigError(f"lower network.{fields}: {error}") from None
    for what, size in memory_needs(config, game).items():
        if size > MAX_BATCH_BYTES:
            most = MAX_BATCH_BYTES / 1e9
            raise ConfigError(say(f"config.memory_of_{what}", n=size / 1e9, n2=most))


def memory_needs(config: Config, game: Game) -> dict[str, float]:
    """Return the bytes of minibatches, batches of positions and trees."""
    architecture = config.architecture(game)
    play, training = config.selfplay, config.training
    numbers = architecture.observation_size + numbers_per_position(architecture)
    max_children = 1 + min(game.max_moves, game.num_actions + 1)
    node = Node.itemsize + Block.itemsize + 8 * game.players + 3 * 4
    return {
        "minibatch": 8 * numbers * training.batch_size,  # outputs and gradients
        "positions": 4 * numbers * play.games * config.search.leaves,
        "trees": node * play.games * (config.tree_expansions + 1) * max_children,
    }
