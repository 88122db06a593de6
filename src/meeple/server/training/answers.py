"""The answers about training runs, as the page gets them."""

from typing import Any, Literal

from meeple.learn.run.cluster import Role
from meeple.server.web.schemas import Strict, Words

Unit = Literal["episode", "round"]
Status = Literal["running", "stopping", "elsewhere", "finished", "stopped", "failed"]


class RatingGain(Strict):
    """The gain of training: Elo of the last network minus the first, with its interval."""

    rating: float
    interval: tuple[float, float]


class Unreadable(Strict):
    """A run that cannot be read."""

    name: str
    problem: Words


class RunWords(Strict):
    """The summary of a run."""

    name: str
    game: str
    title: str
    options: dict[str, bool | int | float | str]
    status: Status
    late: bool  # still running long after the request to stop
    rating: bool  # whether the TOPP of its networks is running
    episodes: int  # or rounds, see `unit`
    of: int | None  # None: as many as its minutes allow
    unit: Unit
    changed: float
    gain: RatingGain | None
    place: str | None  # the cluster that trains it; None: this machine
    problem: Words | None


class RunList(Strict):
    """The runs, the last changed first."""

    runs: list[RunWords | Unreadable]


class CurveData(Strict):
    """A curve: points (last episode, mean of the waves since the previous point)."""

    name: str
    group: str
    title: Words
    words: Words
    points: list[tuple[int, float]]


class Rated(Strict):
    """A network's result in the TOPP."""

    episode: int
    rating: float
    interval: tuple[float, float]
    share: float


class Report(Strict):
    """The TOPP of a run's networks; `matrix[i][j]`: the share of i against j."""

    unit: Unit
    policy: str
    epsilon: float
    games: int
    games_per_pair: int
    distinct_games: int
    networks: list[Rated]
    matrix: list[list[float | None]]
    gain: RatingGain
    made: float


class ClusterNode(Strict):
    """A machine of a cluster."""

    name: str
    address: str
    processors: float
    accelerators: str  # names, or "none"
    alive: bool


class ClusterActor(Strict):
    """A process of a run on a cluster."""

    name: str
    role: Role
    node: str
    pid: int
    alive: bool
    games: int
    games_per_second: float
    generation: int | None
    waiting: str
    restarts: int


class GameCounts(Strict):
    """The numbers of games of a run on a cluster, by their state."""

    begun: int
    finished: int
    stored: int
    trained: int
    lost: int
    dropped: int
    deaths: int
    in_flight: int
    unaccounted: int


class ClusterFacts(Strict):
    """The state of a run on a cluster, with shortened lists; see `learn/run/cluster.py`."""

    place: str
    time: float  # of writing, in seconds since 1970
    running: bool
    summary: Words
    games_per_second: float
    waiting: str
    nodes: list[ClusterNode]
    more_nodes: int
    actors: list[ClusterActor]
    more_actors: int
    account: GameCounts
    account_words: list[Words]
    problems: list[Words]


class LogTail(Strict):
    """The last lines of an actor's log."""

    name: str
    lines: list[str]


class Finding(Strict):
    """A problem of training and its remedy."""

    problem: Words
    advice: Words


class RunFacts(RunWords):
    """The facts of a run. The points of the curves replace those after the episode `since`."""

    race: str | None  # the method that is trained while methods race for the run
    seconds: float
    left: float | None
    networks: list[int]
    marks: int | None  # number of networks that it will save, if known
    since: int
    curves: list[CurveData]
    progress: list[Words]  # the results against fixed opponents
    findings: list[Finding]
    topp: Report | None
    output: list[str]
    spec: str | None
    settings: dict[str, Any]
    yours: bool  # whether the visitor may stop and resume it
    cluster: ClusterFacts | None
    logs: list[str]  # the actors that have a log


class Sample(Strict):
    """A game of self-play."""

    episode: int
    plies: int
    result: Words
    record: str


class Samples(Strict):
    """Some games, and the number of the last stored one."""

    games: list[Sample]
    last: int


class FormField(Strict):
    """A field of a form: see `training.form.sections`."""

    name: str
    kind: Literal["integer", "number", "flag", "choice", "text", "list"]
    allowed: Words
    help: str
    default: Any
    optional: bool
    low: float | None = None
    high: float | None = None
    above: float | None = None
    below: float | None = None
    choices: list[str] | None = None


class FormSection(Strict):
    """Fields that belong together."""

    name: str
    help: str
    fields: list[FormField]


class ReadyConfig(Strict):
    """A ready configuration: its game with that game's options, and the value of every field."""

    name: str
    game: str
    words: str
    options: list[FormField]
    values: dict[str, Any]


class ConfigList(Strict):
    """The ready configurations and the sections of the form."""

    configs: list[ReadyConfig]
    sections: list[FormSection]
