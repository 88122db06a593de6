"""Equilibria and strategies of whole games as text and as JSON."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from meeple.cli.shared.words import title
from meeple.games.contract.records import action_names
from meeple.games.contract.result import percent
from meeple.search.exact.cfr import Equilibrium
from meeple.search.exact.information_tree import positions_of_sets

_MAX_SHOWN = 12  # decisions
_MAX_SHOWN_DEPTH = 3  # actions and outcomes before a shown decision


def equilibrium_data(found: Equilibrium) -> dict[str, Any]:
    """Return an equilibrium as JSON: for each information set a path to it, and its strategy."""
    return {
        "payoffs": found.payoffs.tolist(),
        "exploitability": found.exploitability,
        "iterations": found.iterations,
        "nodes": len(found.tree.mover),
        "information_sets": found.tree.sets.number,
        "strategy": [one._asdict() for one in decisions_of(found)],
        "seconds": round(found.seconds, 3),
    }


class Decision(NamedTuple):
    """The strategy of an equilibrium in an information set."""

    seat: int
    example: list[str]  # one path to the information set, including chance
    chances: dict[str, float]


def decisions_of(found: Equilibrium) -> Iterator[Decision]:
    """Yield all information sets, those reached first at the front."""
    sets = found.tree.sets
    for number, position in positions_of_sets(found.tree):
        slots = range(int(sets.first[number]), int(sets.first[number + 1]))
        chances = {
            position.action_name(int(sets.action[slot])): round(float(found.strategy[slot]), 4)
            for slot in slots
        }
        yield Decision(int(sets.mover[number]), action_names(position), chances)


def equilibrium_text(found: Equilibrium) -> str:
    """Return an equilibrium as text: the expected payoffs and the first decisions."""
    lines = [
        title(found.tree.game),
        f"With optimal play of both: {shares_text(found)}.",
        *decisions_text(found),
    ]
    lines.append(
        f"{found.tree.sets.number:,} information sets; a best response wins at most "
        f"{percent(found.exploitability)} more ({found.iterations:,} iterations, "
        f"{found.seconds:.2f} s). All decisions: --json"
    )
    return "\n".join(lines)


def shares_text(found: Equilibrium) -> str:
    """Return the expected shares of all players."""
    game = found.tree.game
    return ", ".join(
        f"{game.player_name(seat)} {game.worth(found.payoffs, seat)}" for seat in range(game.seats)
    )


def decisions_text(found: Equilibrium) -> list[str]:
    """Return a line for each of the first decisions, after a heading."""
    game, lines = found.tree.game, ["First decisions:"]
    first = [one for one in decisions_of(found) if len(one.example) <= _MAX_SHOWN_DEPTH][
        :_MAX_SHOWN
    ]
    for one in first:
        chances = ", ".join(f"{name} {percent(chance)}" for name, chance in one.chances.items())
        way = ", ".join(one.example) or "at the start"
        lines.append(f"  {game.player_name(one.seat)}, as after {way}: {chances}")
    return lines
