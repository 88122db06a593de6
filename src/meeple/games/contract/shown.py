"""Boards of games as services show them: a faulty or endless drawing becomes a sentence."""

import json

from meeple.errors import UsageError
from meeple.games.boards.scene import Scene, checked, text
from meeple.games.contract.game import Position
from meeple.sentences import say

MAX_SCENE_CHARS = 200_000  # as JSON
MAX_FAULT_CHARS = 300


def scene_of(position: Position, seat: int | None = None) -> Scene:
    """Return the scene of a position for a viewer; the reason as text if there is none to show."""
    try:
        scene = checked(position.game.scene(position, seat))
        ensure_short(len(json.dumps(scene.to_json())))
    except Exception as error:  # of the author's code
        fault = f"{type(error).__name__}: {error}"[:MAX_FAULT_CHARS]
        return text(say("game.not_drawn", fault=fault))
    return scene


def ensure_short(chars: int) -> None:
    """Check the length of a scene as JSON. Raises UsageError if it is too long."""
    if chars > MAX_SCENE_CHARS:
        limit = f"at most {MAX_SCENE_CHARS:,} are drawn"
        raise UsageError(f"the scene has {chars:,} characters as JSON: {limit}")
