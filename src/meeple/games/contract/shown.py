"""Boards of games as services show them: a faulty or endless drawing becomes a sentence."""

import json
from collections.abc import Mapping
from typing import Any

from meeple.errors import UsageError, shown
from meeple.games.boards.scene import Scene, checked, text
from meeple.games.contract.game import Position
from meeple.sentences import say

MAX_SCENE_CHARS = 200_000  # as JSON
MAX_TEXT_CHARS = 200  # of a piece, a note, a label, a name
MAX_GUIDE_CHARS = 5000  # of the guide to a position
LONG = ("text", "picture")  # the facts of a scene that may be longer: a drawing, and SVG
MAX_FAULT_CHARS = 300


def scene_of(position: Position, seat: int | None = None) -> Scene:
    """Return the scene of a position for a viewer; the reason as text if there is none to show."""
    try:
        scene = checked(position.game.scene(position, seat))
        ensure_short(scene.to_json())
    except Exception as error:  # of the author's code
        return text(fault_text(error))
    return scene


def fault_text(error: Exception) -> str:
    """Return the sentence about an error of a game's method that a service called."""
    fault = f"{type(error).__name__}: {error}"[:MAX_FAULT_CHARS]
    return say("game.not_drawn", fault=fault)


def ensure_short(board: Mapping[str, Any]) -> None:
    """Check the length of a scene as JSON, and of its texts. Raises UsageError for a long one."""
    chars = len(json.dumps(board))
    if chars > MAX_SCENE_CHARS:
        limit = f"at most {MAX_SCENE_CHARS:,} are drawn"
        raise UsageError(f"the scene has {chars:,} characters as JSON: {limit}")
    _ensure_texts("the scene", board)


def _ensure_texts(what: str, facts: Any) -> None:
    if isinstance(facts, Mapping):
        for name, fact in facts.items():
            if name not in LONG:
                _ensure_texts(f"a text in {shown(name)} of the scene", fact)
    elif isinstance(facts, list | tuple):
        for fact in facts:
            _ensure_texts(what, fact)
    elif isinstance(facts, str):
        ensure_text(what, facts)


def ensure_text(what: str, text: str, most: int = MAX_TEXT_CHARS) -> None:
    """Raise UsageError if a text has too many characters to be shown; `what` says which it is."""
    if len(text) > most:
        raise UsageError(f"{what} has {len(text):,} characters: at most {most:,} are shown")
