"""What a run on a cluster is at: nodes, actors and counts, in `cluster.json` of its folder.

The trainer replaces the file every few seconds. It is for whoever looks on, and nothing is resumed
from it: a run without the file is one of this machine, and a damaged file costs only the view.
"""

import time
from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from meeple.errors import RunError
from meeple.files import write_atomically
from meeple.learn.config import MAX_EPISODES
from meeple.learn.run.schema import Stored, read_stored

CLUSTER = "cluster.json"
VERSION = 1  # raised when files written before can no longer be read
MOST_NODES, MOST_ACTORS = 10_000, 100_000
MOST_BYTES = 2**25  # of the file: MOST_ACTORS with names of a usual length
ACTOR_NAME = r"[a-z][a-z0-9-]{0,63}"  # a log is named after it
SILENT = 60.0  # seconds without news after which a trainer that still runs is said to be silent

Role = Literal["self-play", "learner", "buffer", "inference", "matches"]
"""What an actor does: it plays games to learn from, learns, keeps cases, evaluates positions for
others, or plays matches against fixed opponents."""

ROLES: tuple[Role, ...] = get_args(Role)

_Count = Annotated[int, Field(ge=0, le=2**53)]
_Rate = Annotated[float, Field(ge=0, le=1e9)]
_Short = Annotated[str, Field(max_length=200)]
_Sentence = Annotated[str, Field(max_length=1000)]


class Node(Stored):
    """A machine of the cluster."""

    name: Annotated[str, Field(min_length=1, max_length=200)]  # one of its own
    address: _Short
    processors: Annotated[float, Field(ge=0, le=1e6)]  # that the cluster may use there
    accelerators: Annotated[list[_Short], Field(max_length=1000)] = []  # such as "H100", each
    alive: bool = True


class Actor(Stored):
    """A process of the cluster that works for the run."""

    name: Annotated[str, Field(pattern=f"^{ACTOR_NAME}$")]  # such as "self-play-3"
    role: Role
    node: _Short = ""  # its node's name; "" while it has none
    pid: Annotated[int, Field(ge=0, lt=2**32)] = 0  # on that node; 0 while it has none
    alive: bool = True
    games: _Count = 0  # that it played, learned from or kept since the run began, by its role
    games_per_second: _Rate = 0.0  # lately
    generation: Annotated[int, Field(ge=0, le=MAX_EPISODES)] | None = None
    """Episodes after which the network was kept that it works with."""
    waiting: _Sentence = ""  # what for, such as "the learner"; "" while it is at work
    restarts: _Count = 0


class Counts(Stored):
    """What became of the games of a run since it began.

    `begun` is `finished` plus `dropped`, `lost` and `in_flight`: see `unaccounted`.
    """

    begun: _Count = 0  # given to an actor, each time that it was
    finished: _Count = 0  # that came back whole
    stored: _Count = 0  # that are in the run's file of games, each once
    trained: _Count = 0  # stored, and learned from
    lost: _Count = 0  # unfinished when their actor died; others are begun in their place
    dropped: _Count = 0  # given up, as no more were wanted
    deaths: _Count = 0  # of actors
    in_flight: _Count = 0  # with an actor now

    @property
    def unaccounted(self) -> int:
        """Games of which nobody knows what became: 0 where the counts add up."""
        return self.begun - self.finished - self.dropped - self.lost - self.in_flight


class ClusterState(Stored):
    """All that is known of a run on a cluster at a moment."""

    version: Annotated[int, Field(ge=VERSION, le=VERSION)] = VERSION  # of this format
    place: _Short  # "ray", or "ray://HOST:PORT"
    time: Annotated[float, Field(ge=0, le=1e11)]  # of writing, in seconds since 1970
    running: bool  # False once the trainer has ended in an orderly way
    nodes: Annotated[list[Node], Field(max_length=MOST_NODES)] = []
    actors: Annotated[list[Actor], Field(max_length=MOST_ACTORS)] = []
    account: Counts = Counts()
    waiting: _Sentence = ""  # what the whole waits for, without its point; "" while it is at work

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        for what, names in (
            ("nodes", [node.name for node in self.nodes]),
            ("actors", [actor.name for actor in self.actors]),
        ):
            if len(set(names)) < len(names):
                raise ValueError(f"no two {what} may have one name")
        return self

    @property
    def games_per_second(self) -> float:
        """Of all self-play together."""
        return sum(
            actor.games_per_second
            for actor in self.actors
            if actor.alive and actor.role == "self-play"
        )

    def age(self, now: float | None = None) -> float:
        """Seconds since it was written; never less than 0, whatever the clocks say."""
        return max(0.0, (time.time() if now is None else now) - self.time)


def write_cluster(run: str | Path, state: ClusterState) -> None:
    """Make this what a run's folder says of its cluster, all or nothing. Raises RunError."""
    path = Path(run) / CLUSTER
    try:
        write_atomically(path, state.model_dump_json() + "\n")
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror or error}") from error


def read_cluster(run: str | Path) -> ClusterState | str | None:
    """What a run's folder says of its cluster; None of a run of one machine alone.

    A sentence where the file is damaged, which names it.
    """
    try:
        return read_stored(Path(run) / CLUSTER, ClusterState, MOST_BYTES)
    except FileNotFoundError:
        return None
    except RunError as error:
        return str(error)


def leave_cluster(run: str | Path) -> None:
    """Say of a run that goes on on this machine that no cluster is at work for it any more.

    Raises RunError.
    """
    state = read_cluster(run)
    if isinstance(state, ClusterState) and state.running:
        idle = [actor.model_copy(update={"games_per_second": 0.0}) for actor in state.actors]
        left = {"running": False, "actors": idle, "waiting": ""}
        write_cluster(run, state.model_copy(update=left))
