"""Taking a move back: how far, whether it may be, and doing it."""

from meeple.server.play.table import Table
from meeple.server.store import PLAYING


def undo_goal(table: Table, you: frozenset[int]) -> int | None:
    """The ply where the last move of a person was made; None where there is none to undo."""
    return table.history.last_move_of(you, table.agreed.opening)


def undo_refusal(table: Table, you: frozenset[int]) -> str | None:
    """Why the last move of a person cannot be taken back, in a sentence; None where it can.

    A secret that was shown stays known, so the move that showed it stands. Dice come again as they
    were, so a player could try moves with dice known in advance: an agent cannot refuse that.
    """
    goal, hides = undo_goal(table, you), table.game.hides
    if goal is None:
        return "there is no move of yours to take back"
    if table.is_over and (hides or (table.result and table.result["how"] != "rules")):
        return "the game is over"
    if table.others(you) and (hides or table.is_over):
        return "with other people at the board this move stands"
    if table.history.has_shown_secrets(you, goal):
        return "what was hidden has been seen since: this move stands"
    if table.has_agent and table.history.has_drawn_chance(goal):
        return "dice or cards were drawn since: in a game with an agent this move stands"
    return None


def take_back(table: Table, goal: int) -> None:
    """Go back to a ply; a game that was over by its rules goes on."""
    table.history.take_back(goal)
    table.status, table.result = PLAYING, None
    table.note_change(moved=True)
