"""Search results as text for a person at the board: a hint in one line, or an analysis."""

from meeple.agents.agent import Analysis
from meeple.agents.evaluators import described
from meeple.cli.shared.words import chances, effort, line_of_play, ranked
from meeple.games.contract.game import Position
from meeple.games.contract.result import percent

HINTED = 3  # moves that a hint names
ANALYSED = 10  # moves that an analysis lists


def evaluated_by(position: Position, spec: str) -> str:
    """Return a sentence on the agent that evaluates, and its measured strength."""
    return f"Evaluated by {described(position.game, spec)}."


def name_of(position: Position, analysis: Analysis, action: int) -> str:
    """Return what an action is called: what it begins, or else its name."""
    return analysis.labels.get(action) or position.action_name(action)


def hint(position: Position, choice: int, analysis: Analysis | None) -> str:
    """Return the best few moves as text, each with the mover's winning chance and the reason."""
    if analysis is None:
        return f"Hint: {position.action_name(choice)}"
    seat, values = position.to_move, analysis.action_values
    tips = []
    for place in ranked(analysis)[:HINTED]:
        action = int(analysis.actions[place])
        chance = "-" if values is None else position.game.worth(values[place], seat)
        notes = [note for note in (chance, analysis.reasons.get(action, "-")) if note != "-"]
        name = name_of(position, analysis, action)
        tips.append(f"{name} ({'; '.join(notes)})" if notes else name)
    return f"Hint: {', '.join(tips)}"


def report(position: Position, spec: str, analysis: Analysis) -> str:
    """Return an analysis as text: its cost, the winning chances, the best moves, the main line.

    A reason for the agent's choice stands at the end.
    """
    game, seat, values = position.game, position.to_move, analysis.action_values
    lines = [
        f"{spec}, {effort(analysis)}",
        evaluated_by(position, spec),
        f"{game.worth_name}: {chances(game, analysis, range(game.seats))}",
    ]
    total = max(int(analysis.visits.sum()), 1)
    rows = [("move", "chance", "searched")]
    rows += [
        (
            name_of(position, analysis, int(analysis.actions[place])),
            "-" if values is None else game.worth(values[place], seat),
            percent(analysis.visits[place] / total),
        )
        for place in ranked(analysis)[:ANALYSED]
    ]
    width = max(len(name) for name, _, _ in rows)
    lines += [f"  {name:<{width}}  {chance:>6}  {searched:>8}" for name, chance, searched in rows]
    expected = line_of_play(position, analysis.principal_variation)
    lines.append(f"expects {expected}")
    best = analysis.principal_variation[0]
    if best in analysis.reasons:
        colon = ":" if best in analysis.labels else ""
        lines.append(f"{name_of(position, analysis, best)}{colon} {analysis.reasons[best]}")
    return "\n".join(lines)
