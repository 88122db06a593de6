"""A run on a cluster in words and in order: how a `ClusterState` is shown everywhere."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from meeple.learn.run.cluster_state import ROLES, SILENT, Actor, ClusterState, Counts, Node
from meeple.learn.run.logs import in_order

MOST_SHOWN = 200  # nodes, and as many actors, that are listed one by one
MOST_NAMED = 5  # of the dead, in a sentence


def summary_of(state: ClusterState) -> str:
    """The whole in a line: "3 nodes (1 dead) · 12 actors (1 dead) · 13.7 games/s · waiting"."""
    parts = [_counted(state.nodes, "node"), _counted(state.actors, "actor")]
    parts.append(f"{rate(state.games_per_second)} games/s")
    if state.waiting:
        parts.append(state.waiting)
    return " · ".join(parts)


def rate(per_second: float) -> str:
    """A speed in two digits or more: "0.12", "9.6", "134"."""
    return f"{per_second:.0f}" if per_second >= 9.95 else f"{per_second:.2g}"


def counts_in_words(counts: Counts) -> list[str]:
    """What became of the games, in sentences without their points."""
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
    """What somebody who looks on should know, in sentences without their points.

    `is_trained`: whether a process holds the run's lock.
    """
    if not is_trained:
        told = state.running
        return ["the trainer ended without a word; this is what it said last"] if told else []
    if not state.running:
        return []  # it learns elsewhere now
    found = []
    if state.age(now) > SILENT:
        found.append(f"the trainer has said nothing for {_span(state.age(now))}")
    found += _dead("node", [_of_node(node) for node in state.nodes if not node.alive])
    found += _dead("actor", [_of_actor(actor) for actor in state.actors if not actor.alive])
    return found


def nodes_in_order(state: ClusterState) -> list[Node]:
    """The nodes that are listed: the dead first, then by name."""
    return sorted(state.nodes, key=lambda node: (node.alive, in_order(node.name)))[:MOST_SHOWN]


def actors_in_order(state: ClusterState) -> list[Actor]:
    """The actors that are listed: the dead first, then by role, those of self-play last."""
    ranks = {role: rank for rank, role in enumerate(sorted(ROLES, key="self-play".__eq__))}
    return sorted(
        state.actors, key=lambda actor: (actor.alive, ranks[actor.role], in_order(actor.name))
    )[:MOST_SHOWN]


def brief_view_of(state: ClusterState) -> dict[str, Any]:
    """The whole in a few numbers, as data."""
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
    """All of it as data, with lists cut at `MOST_SHOWN`."""
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
        "more_nodes": max(0, len(state.nodes) - MOST_SHOWN),
        "actors": [actor.model_dump() for actor in actors_in_order(state)],
        "more_actors": max(0, len(state.actors) - MOST_SHOWN),
        "account": {**state.account.model_dump(), "unaccounted": state.account.unaccounted},
        "account_words": counts_in_words(state.account),
        "problems": problems_of(state, is_trained),
    }


def accelerators_of(node: Node) -> str:
    """A node's accelerators in words: "none", "H100", "8 H100, 1 L4"."""
    counts = Counter(node.accelerators)
    if len(node.accelerators) == 1:
        return node.accelerators[0]
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def at_work(actor: Actor) -> str:
    """What an actor is at, in a word or two."""
    if not actor.alive:
        return "dead"
    return f"waits for {actor.waiting}" if actor.waiting else "at work"


def _counted(things: Sequence[Node | Actor], what: str) -> str:
    dead = sum(not thing.alive for thing in things)
    words = f"{len(things):,} {what}{'' if len(things) == 1 else 's'}"
    return f"{words} ({dead:,} dead)" if dead else words


def _dead(what: str, named: Iterable[str]) -> list[str]:
    names = list(named)
    if not names:
        return []
    if len(names) == 1:
        return [f"the {what} {names[0]} is dead"]
    more = len(names) - MOST_NAMED
    shown = [*names[:MOST_NAMED], *([f"{more:,} more"] if more > 0 else [])]
    return [f"the {what}s {', '.join(shown[:-1])} and {shown[-1]} are dead"]


def _of_node(node: Node) -> str:
    return f"{node.name} ({node.address})" if node.address else node.name


def _of_actor(actor: Actor) -> str:
    return f"{actor.name} on {actor.node}" if actor.node else actor.name


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:,.0f} min"
