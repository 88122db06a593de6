"""What an adviser's search says to a person at the board: a hint in a line, or an analysis."""

from meeple.agents.agent import Analysis
from meeple.cli import terminal
from meeple.games.contract.game import Position

HINTS = 3  # moves that a hint names
ANALYSED = 10  # moves that an analysis lists


def hint(position: Position, choice: int, analysis: Analysis | None) -> str:
    """The best few moves, each with the winning chance after it of who is to move."""
    if analysis is None:
        return f"Hint: {position.action_name(choice)}"
    seat, values = position.to_move, analysis.action_values
    tips = []
    for place in terminal.ranked(analysis)[:HINTS]:
        name = position.action_name(int(analysis.actions[place]))
        chance = "-" if values is None else terminal.percent(values[place, seat])
        tips.append(name if chance == "-" else f"{name} ({chance})")
    return f"Hint: {', '.join(tips)}"


def report(position: Position, spec: str, analysis: Analysis) -> str:
    """A whole analysis: its cost, the winning chances, the best moves, the expected play."""
    game, seat, values = position.game, position.to_move, analysis.action_values
    lines = [
        f"{spec}, {terminal.effort(analysis)}",
        f"winning chances: {terminal.chances(game, analysis, range(game.players))}",
    ]
    total = max(int(analysis.visits.sum()), 1)
    rows = [("move", "chance", "searched")]
    rows += [
        (
            position.action_name(int(analysis.actions[place])),
            "-" if values is None else terminal.percent(values[place, seat]),
            terminal.percent(analysis.visits[place] / total),
        )
        for place in terminal.ranked(analysis)[:ANALYSED]
    ]
    width = max(len(name) for name, _, _ in rows)
    lines += [f"  {name:<{width}}  {chance:>6}  {searched:>8}" for name, chance, searched in rows]
    expected = terminal.line_of_play(position, analysis.principal_variation)
    return "\n".join([*lines, f"expects {expected}"])
