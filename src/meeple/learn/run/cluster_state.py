"""The state of a run on a cluster: nodes, actors and counts, in `cluster.json` of its folder.

The trainer replaces the file every few seconds. The file is for display only and training does not
resume from it: a run without it runs on this machine, and a damaged file costs only the display.
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
FORMAT_VERSION = 1  # raised when files written before can no longer be read
MAX_NODES, MAX_ACTORS = 10_000, 100_000
MAX_FILE_BYTES = 2**25  # enough for MAX_ACTORS with names of a usual length
ACTOR_NAME = r"[a-z][a-z0-9-]{0,63}"  # it is also the name of the actor's log
SILENT_SECONDS = 60.0  # age of the file above which a running trainer is reported as silent

Role = Literal["self-play", "learner", "buffer", "inference", "matches"]
"""What an actor does: play training games, train the network, hold the replay buffer, evaluate
positions for other actors, or play matches against fixed opponents."""

ROLES: tuple[Role, ...] = get_args(Role)

_Count = Annotated[int, Field(ge=0, le=2**53)]
_Rate = Annotated[float, Field(ge=0, le=1e9)]
_Short = Annotated[str, Field(max_length=200)]
_Sentence = Annotated[str, Field(max_length=1000)]


class NodeState(Stored):
    """A machine of the cluster."""

    name: Annotated[str, Field(min_length=1, max_length=200)]  # unique in the cluster
    address: _Short
    processors: Annotated[float, Field(ge=0, le=1e6)]  # available to the cluster
    accelerators: Annotated[list[_Short], Field(max_length=1000)] = []  # models, such as "H100"
    alive: bool = True


class ActorState(Stored):
    """A process of the cluster that works for the run."""

    name: Annotated[str, Field(pattern=f"^{ACTOR_NAME}$")]  # such as "self-play-3"
    role: Role
    node: _Short = ""  # name of its node; "" before it is placed
    pid: Annotated[int, Field(ge=0, lt=2**32)] = 0  # on that node; 0 before it has started
    alive: bool = True
    games: _Count = 0  # played, learned from or stored since the run began, depending on the role
    games_per_second: _Rate = 0.0  # over the last seconds
    generation: Annotated[int, Field(ge=0, le=MAX_EPISODES)] | None = None
    """Version of the network that it uses: the number of episodes learned from."""
    waiting: _Sentence = ""  # what it waits for, such as "the learner"; "" while it works
    restarts: _Count = 0


class Counts(Stored):
    """Numbers of games since the run began.

    `begun` is `finished` plus `dropped`, `lost` and `in_flight`: see `unaccounted`.
    """

    begun: _Count = 0  # assigned to an actor; a game that is assigned twice counts twice
    finished: _Count = 0  # returned complete
    stored: _Count = 0  # in the run's file of games, each once
    trained: _Count = 0  # stored and learned from
    lost: _Count = 0  # unfinished when their actor died; new games replace them
    dropped: _Count = 0  # cancelled, since no more were needed
    deaths: _Count = 0  # actors that died
    in_flight: _Count = 0  # assigned to an actor now

    @property
    def unaccounted(self) -> int:
        """Games that are missing from the counts; 0 if the counts add up."""
        return self.begun - self.finished - self.dropped - self.lost - self.in_flight


class ClusterState(Stored):
    """Snapshot of a run on a cluster."""

    version: Annotated[int, Field(ge=FORMAT_VERSION, le=FORMAT_VERSION)] = FORMAT_VERSION
    place: _Short  # "ray", or "ray://HOST:PORT"
    time: Annotated[float, Field(ge=0, le=1e11)]  # of writing, in seconds since 1970
    running: bool  # False once the trainer has ended without a crash
    nodes: Annotated[list[NodeState], Field(max_length=MAX_NODES)] = []
    actors: Annotated[list[ActorState], Field(max_length=MAX_ACTORS)] = []
    account: Counts = Counts()
    waiting: _Sentence = ""  # what the run waits for, without a full stop; "" while it works

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        for what, names in (
            ("nodes", [node.name for node in self.nodes]),
            ("actors", [actor.name for actor in self.actors]),
        ):
            if len(set(names)) < len(names):
                raise ValueError(f"no two {what} may have the same name")
        return self

    @property
    def games_per_second(self) -> float:
        """Total rate of all live self-play actors."""
        return sum(
            actor.games_per_second
            for actor in self.actors
            if actor.alive and actor.role == "self-play"
        )

    def age(self, now: float | None = None) -> float:
        """Return the seconds since writing, at least 0 even if a clock was set back."""
        return max(0.0, (time.time() if now is None else now) - self.time)


def write_cluster(run: str | Path, state: ClusterState) -> None:
    """Replace `cluster.json` of a run atomically.

    Raises:
        RunError: the file cannot be written.
    """
    path = Path(run) / CLUSTER
    try:
        write_atomically(path, state.model_dump_json() + "\n")
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror or error}") from error


def read_cluster(run: str | Path) -> ClusterState | str | None:
    """Read `cluster.json` of a run.

    Returns:
        The state; a sentence that names the file if it is damaged; None if the run never ran on a
        cluster.
    """
    try:
        return read_stored(Path(run) / CLUSTER, ClusterState, MAX_FILE_BYTES)
    except FileNotFoundError:
        return None
    except RunError as error:
        return str(error)


def leave_cluster(run: str | Path) -> None:
    """Mark the cluster of a run as stopped, since the run continues on this machine.

    Raises:
        RunError: the file cannot be written.
    """
    state = read_cluster(run)
    if isinstance(state, ClusterState) and state.running:
        idle = [actor.model_copy(update={"games_per_second": 0.0}) for actor in state.actors]
        left = {"running": False, "actors": idle, "waiting": ""}
        write_cluster(run, state.model_copy(update=left))
