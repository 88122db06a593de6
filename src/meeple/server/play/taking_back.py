"""Undo: its target, and the reasons to refuse it."""

from meeple.server.play.table import Table


def undo_goal(table: Table, you: frozenset[int]) -> int | None:
    """Return the first ply of a person's last move; None if there is no move to undo."""
    return table.history.last_move_of(you, table.agreed.opening)


def undo_refusal(table: Table, you: frozenset[int]) -> str | None:
    """Return the code of why a person's last move cannot be taken back; None if it can.

    A move that revealed hidden information stands. So does a move before chance outcomes in a game
    with an agent, which cannot refuse: the same outcomes would follow, now known in advance.
    """
    goal, hides = undo_goal(table, you), table.game.hides
    if goal is None:
        return "no_move_to_undo"
    if table.is_over and (hides or (table.result and table.result["how"] != "rules")):
        return "game_over"
    if table.clock and table.clock.is_up:
        return "game_over"
    if table.others(you) and (hides or table.is_over):
        return "undo_with_others"
    if table.history.has_shown_secrets(you, goal):
        return "undo_seen"
    if table.has_agent and table.history.has_drawn_chance(goal):
        return "undo_chance"
    return None
