"""The state of a run on a cluster: nodes, actors and counts, as a file, as text and as JSON data.

The trainer replaces the file `cluster.json` of the run's folder every few seconds. The file is for
display only and training does not resume from it: a run without it runs on this machine, and a
damaged file costs only the display.
"""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self, get_args

from pydantic import Field, model_validator

from meeple.errors import RunError
from meeple.files import reported, write_atomically
from meeple.learn.config import MAX_EPISODES
from meeple.learn.run.schema import Stored, read_stored
from meeple.sentences import counted, say

CLUSTER = "cluster.json"
FORMAT_VERSION = 1  # raised when files written before can no longer be read
MAX_NODES, MAX_ACTORS = 10_000, 100_000
MAX_FILE_BYTES = 2**25  # enough for MAX_ACTORS with names of a usual length
ACTOR_NAME = r"[a-z][a-z0-9-]{0,63}"  # it is also the name of the actor's log
MAX_LISTED = 200  # nodes in a list, and actors in a list
MAX_NAMED_DEAD = 5  # dead nodes or actors that a sentence names
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


class Snapshot(NamedTuple):
    """What a run is doing, for display."""

    stored: int  # games in its folder, or games whose labels are
    learned: int  # those that were learned from, or of rounds whose network was fitted
    network: int  # generation of the network that plays: episodes or rounds
    doing: str = ""  # what the trainer itself does; "" while the workers have jobs


def write_cluster(run: str | Path, state: ClusterState) -> None:
    """Replace `cluster.json` of a run atomically. Raises RunError."""
    path = Path(run) / CLUSTER
    with reported(f"cannot write {path}"):
        write_atomically(path, state.model_dump_json() + "\n")


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
    """Mark the cluster of a run as stopped: the run continues on this machine. Raises RunError."""
    state = read_cluster(run)
    if isinstance(state, ClusterState) and state.running:
        idle = [actor.model_copy(update={"games_per_second": 0.0}) for actor in state.actors]
        left = {"running": False, "actors": idle, "waiting": ""}
        write_cluster(run, state.model_copy(update=left))


# ------------------------------------------------------------ text and JSON data


def summary_of(state: ClusterState) -> str:
    """Return one line: "3 nodes (1 dead) · 12 actors (1 dead) · 13.7 games/s · waiting"."""
    summary = say(
        "training.cluster",
        nodes=_counted(state.nodes, "node"),
        actors=_counted(state.actors, "actor"),
        n=float(rate(state.games_per_second)),
    )
    if not state.waiting:
        return summary
    return say("training.cluster_waits", summary=summary, waiting=state.waiting)


def rate(per_second: float) -> str:
    """Format a rate with at least two significant digits: "0.12", "9.6", "134"."""
    return f"{per_second:.0f}" if per_second >= 9.95 else f"{per_second:.2g}"


def counts_in_words(counts: Counts) -> list[str]:
    """Return the numbers of games as sentences without full stops."""
    deaths = counted(counts.deaths, "dead_actor")
    numbers = {"n": counts.begun, "n2": counts.finished, "n3": counts.lost}
    numbers |= {"n4": counts.dropped, "n5": counts.in_flight}
    lines: list[str] = [
        say("training.games_begun_finished_lost", deaths=deaths, **numbers),
        say("training.stored_learned_from", n=counts.stored, n2=counts.trained),
    ]
    if counts.unaccounted:
        lines.append(say("training.the_counts_do_not", n=counts.unaccounted))
    return lines


def problems_of(state: ClusterState, is_trained: bool, now: float | None = None) -> list[str]:
    """Return the problems of a cluster as sentences without full stops.

    `is_trained`: whether a process holds the run's lock; `now`: seconds since 1970.
    """
    if not is_trained:
        crashed = state.running
        return [say("training.trainer_ended")] if crashed else []
    if not state.running:
        return []  # the run continues on this machine
    problems: list[str] = []
    if state.age(now) > SILENT_SECONDS:
        problems.append(say("training.the_trainer_has_reported", time=_duration(state.age(now))))
    problems += _dead("node", [_located_node(node) for node in state.nodes if not node.alive])
    problems += _dead("actor", [_located_actor(actor) for actor in state.actors if not actor.alive])
    return problems


def name_and_number(name: str) -> tuple[str, int]:
    """Return a sort key that puts "self-play-9" before "self-play-10"."""
    stem, _, digits = name.rpartition("-")
    return (stem, int(digits)) if digits.isdecimal() else (name, -1)


def nodes_in_order(state: ClusterState) -> list[NodeState]:
    """Return at most `MAX_LISTED` nodes, sorted: dead ones first, then by name."""
    return sorted(state.nodes, key=lambda node: (node.alive, name_and_number(node.name)))[
        :MAX_LISTED
    ]


def actors_in_order(state: ClusterState) -> list[ActorState]:
    """Return at most `MAX_LISTED` actors, sorted: dead ones first, then by role, self-play last."""
    ranks = {role: rank for rank, role in enumerate(sorted(ROLES, key="self-play".__eq__))}
    return sorted(
        state.actors,
        key=lambda actor: (actor.alive, ranks[actor.role], name_and_number(actor.name)),
    )[:MAX_LISTED]


def brief_view_of(state: ClusterState) -> dict[str, Any]:
    """Return the summary and the totals, as JSON data."""
    return {
        **_totals(state),
        "nodes": len(state.nodes),
        "actors": len(state.actors),
        "dead_nodes": sum(not node.alive for node in state.nodes),
        "dead_actors": sum(not actor.alive for actor in state.actors),
    }


def _totals(state: ClusterState) -> dict[str, Any]:
    return {
        "place": state.place,
        "running": state.running,
        "summary": summary_of(state),
        "games_per_second": round(state.games_per_second, 3),
        "waiting": state.waiting,
    }


def view_of(state: ClusterState, is_trained: bool) -> dict[str, Any]:
    """Return the whole state as JSON data, with lists cut at `MAX_LISTED`.

    `is_trained`: whether a process holds the run's lock.
    """
    return {
        **_totals(state),
        "time": round(state.time, 1),
        "running": state.running and is_trained,
        "nodes": [
            {**node.model_dump(), "accelerators": accelerators_of(node)}
            for node in nodes_in_order(state)
        ],
        "more_nodes": max(0, len(state.nodes) - MAX_LISTED),
        "actors": [actor.model_dump() for actor in actors_in_order(state)],
        "more_actors": max(0, len(state.actors) - MAX_LISTED),
        "account": {**state.account.model_dump(), "unaccounted": state.account.unaccounted},
        "account_words": counts_in_words(state.account),
        "problems": problems_of(state, is_trained),
    }


def accelerators_of(node: NodeState) -> str:
    """Return a node's accelerators as text: "none", "H100", "8 H100, 1 L4"."""
    counts = Counter(node.accelerators)
    if len(node.accelerators) == 1:
        return node.accelerators[0]
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def actor_status(actor: ActorState) -> str:
    """Return "dead", "at work" or what the actor waits for."""
    if not actor.alive:
        return "dead"
    return f"waits for {actor.waiting}" if actor.waiting else "at work"


def _counted(things: Sequence[NodeState | ActorState], what: str) -> str:
    dead = sum(not thing.alive for thing in things)
    words = counted(len(things), what)
    return say("training.dead", things=words, n=dead) if dead else words


def _dead(what: str, named: Iterable[str]) -> list[str]:
    names = list(named)
    if not names:
        return []
    if len(names) == 1:
        return [say(f"training.{what}_dead", name=names[0])]
    more = len(names) - MAX_NAMED_DEAD
    *others, last = names[:MAX_NAMED_DEAD]
    if more > 0:
        others, last = names[:MAX_NAMED_DEAD], say("count.more", n=more)
    return [say(f"training.{what}s_dead", list=others, last=last)]


def _located_node(node: NodeState) -> str:
    return f"{node.name} ({node.address})" if node.address else node.name


def _located_actor(actor: ActorState) -> str:
    return say("training.actor_on", name=actor.name, node=actor.node) if actor.node else actor.name


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:,.0f} min"
