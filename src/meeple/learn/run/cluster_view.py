"""Text and JSON data of a `ClusterState`, for the page and the command line."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from meeple.learn.run.cluster_state import (
    ROLES,
    SILENT_SECONDS,
    ActorState,
    ClusterState,
    Counts,
    NodeState,
)
from meeple.learn.run.logs import name_and_number

MAX_LISTED = 200  # nodes in a list, and actors in a list
MAX_NAMED_DEAD = 5  # dead nodes or actors that a sentence names


def summary_of(state: ClusterState) -> str:
    """Return one line: "3 nodes (1 dead) · 12 actors (1 dead) · 13.7 games/s · waiting"."""
    parts = [_counted(state.nodes, "node"), _counted(state.actors, "actor")]
    parts.append(f"{rate(state.games_per_second)} games/s")
    if state.waiting:
        parts.append(state.waiting)
    return " · ".join(parts)


def rate(per_second: float) -> str:
    """Format a rate with at least two significant digits: "0.12", "9.6", "134"."""
    return f"{per_second:.0f}" if per_second >= 9.95 else f"{per_second:.2g}"


def counts_in_words(counts: Counts) -> list[str]:
    """Return the numbers of games as sentences without full stops."""
    deaths = f"{counts.deaths:,} actor{'' if counts.deaths == 1 else 's'} that died"
    lines = [
        f"{counts.begun:,} games begun: {counts.finished:,} finished, {counts.lost:,} lost with "
        f"{deaths}, {counts.dropped:,} given up, {counts.in_flight:,} in flight",
        f"{counts.stored:,} stored, {counts.trained:,} learned from",
    ]
    if counts.unaccounted:
        lines.append(f"the counts do not add up: {counts.unaccounted:,} games are unaccounted for")
    return lines


def problems_of(state: ClusterState, is_trained: bool, now: float | None = None) -> list[str]:
    """Return the problems of a cluster as sentences without full stops.

    Args:
        state: the last state that the trainer wrote.
        is_trained: whether a process holds the run's lock.
        now: seconds since 1970; None: the current time.
    """
    if not is_trained:
        crashed = state.running
        return ["the trainer ended unexpectedly; this is its last report"] if crashed else []
    if not state.running:
        return []  # the run continues on this machine
    problems = []
    if state.age(now) > SILENT_SECONDS:
        problems.append(f"the trainer has reported nothing for {_duration(state.age(now))}")
    problems += _dead("node", [_located_node(node) for node in state.nodes if not node.alive])
    problems += _dead("actor", [_located_actor(actor) for actor in state.actors if not actor.alive])
    return problems


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
        "place": state.place,
        "running": state.running,
        "summary": summary_of(state),
        "nodes": len(state.nodes),
        "actors": len(state.actors),
        "dead_nodes": sum(not node.alive for node in state.nodes),
        "dead_actors": sum(not actor.alive for actor in state.actors),
        "games_per_second": round(state.games_per_second, 3),
        "waiting": state.waiting,
    }


def view_of(state: ClusterState, is_trained: bool) -> dict[str, Any]:
    """Return the whole state as JSON data, with lists cut at `MAX_LISTED`.

    Args:
        state: the last state that the trainer wrote.
        is_trained: whether a process holds the run's lock.
    """
    return {
        "place": state.place,
        "time": round(state.time, 1),
        "running": state.running and is_trained,
        "summary": summary_of(state),
        "games_per_second": round(state.games_per_second, 3),
        "waiting": state.waiting,
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
    words = f"{len(things):,} {what}{'' if len(things) == 1 else 's'}"
    return f"{words} ({dead:,} dead)" if dead else words


def _dead(what: str, named: Iterable[str]) -> list[str]:
    names = list(named)
    if not names:
        return []
    if len(names) == 1:
        return [f"the {what} {names[0]} is dead"]
    more = len(names) - MAX_NAMED_DEAD
    shown = [*names[:MAX_NAMED_DEAD], *([f"{more:,} more"] if more > 0 else [])]
    return [f"the {what}s {', '.join(shown[:-1])} and {shown[-1]} are dead"]


def _located_node(node: NodeState) -> str:
    return f"{node.name} ({node.address})" if node.address else node.name


def _located_actor(actor: ActorState) -> str:
    return f"{actor.name} on {actor.node}" if actor.node else actor.name


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:,.0f} min"
