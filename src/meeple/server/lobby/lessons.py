"""Lessons of the games: their steps as boards to click, and the replies to actions."""

from typing import Annotated, Any

from pydantic import Field

from meeple.games.contract.lessons import Lesson, answer, lesson_of, position_of
from meeple.games.contract.registry import make
from meeple.games.contract.shown import scene_of
from meeple.server.errors import NotFound, refusal
from meeple.server.play.precompile import wait_for_kernels
from meeple.server.play.views import actions_of, title
from meeple.server.resources import Resources
from meeple.server.web.schemas import Strict


class StepChoice(Strict):
    """A step of a lesson, and an action that answers its task."""

    step: Annotated[int, Field(ge=0, lt=100)]
    action: Annotated[int, Field(ge=0)] | None = None


class Lessons:
    """The lessons of all games; nothing is stored of a learner."""

    def __init__(self, resources: Resources) -> None:
        self._work = resources.work

    async def contents(self, name: str) -> dict[str, Any]:
        """Return a game's rules in short, and the number of steps; both empty without a lesson."""
        lesson = await self._work.files.do(_lesson, name)
        return {
            "game": name,
            "title": title(name),
            "rules": [] if lesson is None else list(lesson.rules),
            "steps": 0 if lesson is None else len(lesson.steps),
        }

    async def step(self, name: str, wanted: StepChoice) -> dict[str, Any]:
        """Return the board of a step, before an action or after an accepted one.

        Raises:
            NotFound: There is no such step.
            IllegalAction: The rules forbid the action.
        """
        await wait_for_kernels(name)
        return await self._work.short.do(_step, name, wanted)


def _lesson(name: str) -> Lesson | None:
    return lesson_of(make(name))


def _step(name: str, wanted: StepChoice) -> dict[str, Any]:
    lesson = _lesson(name)
    if lesson is None or wanted.step >= len(lesson.steps):
        raise refusal(NotFound, "no_step")
    step = lesson.steps[wanted.step]
    position = position_of(type(make(name)), step)
    seat = max(position.to_move, 0)
    reply = None
    if wanted.action is not None:
        reply = answer(position, step, wanted.action)._asdict()
    scene = scene_of(position, seat)
    is_open = bool(step.accepted) and (reply is None or not reply["is_right"])
    return {
        "text": step.text,
        "scene": {"game": position.game.name, **scene.to_json()},
        "actions": actions_of(position, scene) if is_open else [],
        "mover": seat,
        "players": position.game.seat_names,
        "is_task": bool(step.accepted),
        "reply": reply,
    }
