"""Lessons: a game explained on its own board, step by step, with tasks that its rules check.

A lesson is data: in a TOML file, as those of the package, or in Python. A game has one if its class
has the method `lesson`.
"""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

from meeple.errors import IllegalAction
from meeple.games.contract.game import Game, Position
from meeple.games.contract.pasted import named
from meeple.kernels import CHANCE
from meeple.sentences import say


@dataclass(frozen=True)
class LessonStep:
    """A position with an explanation and, if actions are accepted, a task."""

    text: str
    """What the learner reads, with the task as its last sentence."""
    moves: tuple[str, ...] = ()
    """Names of the actions and outcomes that lead to the position; omitted outcomes are drawn."""
    accepted: tuple[str, ...] = ()
    """Names of the actions that fulfil the task; `*` stands for any characters."""
    praise: str = ""
    """The reply to an accepted action."""
    refusal: str = ""
    """The reply to another legal action."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the game."""


@dataclass(frozen=True)
class Lesson:
    """An introduction to a game."""

    rules: tuple[str, ...]
    """The rules in short, a paragraph each."""
    steps: tuple[LessonStep, ...]


@functools.cache
def read_lesson(file: Path) -> Lesson:
    """Return the lesson of a TOML file: `rules`, and `steps` with the fields of `LessonStep`."""
    data = tomllib.loads(file.read_text("utf-8"))
    steps: list[dict[str, Any]] = [
        {name: tuple(one) if isinstance(one, list) else one for name, one in step.items()}
        for step in data["steps"]
    ]
    return Lesson(tuple(data["rules"]), tuple(LessonStep(**step) for step in steps))


class Reply(NamedTuple):
    """The reply to an action in a lesson."""

    is_right: bool
    text: str


@runtime_checkable
class HasLesson(Protocol):
    """Explains the game to beginners: for the lesson and the help of the browser."""

    def lesson(self) -> Lesson:
        """Return the lesson, which may choose other options than the game's."""
        ...


def lesson_of(game: Game) -> Lesson | None:
    """Return a game's lesson; None if it has none."""
    return game.lesson() if isinstance(game, HasLesson) else None


def position_of(kind: type[Game], step: LessonStep) -> Position:
    """Return the position of a step, after all chance outcomes.

    Raises:
        MeepleError: The options or a move are not possible.
    """
    position = kind(**step.options).start()
    for name in step.moves:
        while position.to_move == CHANCE and named(position, name) is None:
            position.play_chance()
        position.play(position.parse_action(name))
    _draw_chance(position)
    return position


def answer(position: Position, step: LessonStep, action: int) -> Reply:
    """Play an action in the position of a step if it fulfils the task.

    Raises:
        IllegalAction: The rules forbid the action.
    """
    if action not in position.legal_actions():
        known = 0 <= action < position.game.num_actions
        reason = position.illegal_reason(action) if known else ""
        raise IllegalAction(reason or say("game.move_not_legal"))
    name = position.action_name(action)
    if not any(fnmatchcase(name, pattern) for pattern in step.accepted):
        return Reply(False, step.refusal or "That is legal, but not the task. Try again.")
    position.play(action)
    _draw_chance(position)
    return Reply(True, step.praise or "Right.")


def _draw_chance(position: Position) -> None:
    while position.to_move == CHANCE:
        position.play_chance()
