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


def hint(position: Position, choice: int, analysis: Analysis | None) -> str:
    """Return the best few moves as text, each with the mover's winning chance and the reason."""
    if analysis is None:
        return f"Hint: {position.action_name(choice)}"
    seat, values = position.to_move, analysis.action_values
    tips = []
    for place in ranked(analysis)[:HINTED]:
        action = int(analysis.actions[place])
        chance = "-" if values is None else percent(values[place, seat])
        notes = [note for note in (chance, analysis.reasons.get(action, "-")) if note != "-"]
        name = position.action_name(action)
        tips.append(f"{name} ({'; '.join(notes)})" if notes else name)
    return f"Hint: {', '.join(tips)}"


def report(position: Position, spec: str, analysis: Analysis) -> str:
    """Return an analysis as text: its cost, the winning chances, the best moves, the main line."""
    game, seat, values = position.game, position.to_move, analysis.action_values
    lines = [
        f"{spec}, {effort(analysis)}",
        evaluated_by(position, spec),
        f"winning chances: {chances(game, analysis, range(game.players))}",
    ]
    total = max(int(analysis.visits.sum()), 1)
    rows = [("move", "chance", "searched")]
    rows += [
        (
            position.action_name(int(analysis.actions[place])),
            "-" if values is None else percent(values[place, seat]),
            percent(analysis.visits[place] / total),
        )
        for place in ranked(analysis)[:ANALYSED]
    ]
    width = max(len(name) for name, _, _ in rows)
    lines += [f"  {name:<{width}}  {chance:>6}  {searched:>8}" for name, chance, searched in rows]
    expected = line_of_play(position, analysis.principal_variation)
    return "\n".join([*lines, f"expects {expected}"])
