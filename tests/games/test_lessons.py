"""Lessons: every one can be played to its end, and a wrong answer gets a sentence."""

import pytest

from meeple.errors import IllegalAction
from meeple.games.check.looks import every_task_of_a_lesson_can_be_done
from meeple.games.check.walk import CheckFailure, GameWalk
from meeple.games.contract.lessons import Lesson, LessonStep, answer, lesson_of, position_of
from meeple.games.contract.registry import BUILT_IN, make

NAMES = sorted(BUILT_IN)


def outcomes(position, step):
    """Return the right and the wrong legal actions of a step."""
    right: list[int] = []
    wrong: list[int] = []
    for action in position.legal_actions().tolist():
        reply = answer(position.copy(), step, action)
        assert len(reply.text) > 3
        (right if reply.is_right else wrong).append(action)
    return right, wrong


@pytest.mark.parametrize("name", NAMES)
def test_every_lesson_can_be_played_to_its_end(name):
    game = make(name)
    lesson = lesson_of(game)
    assert lesson is not None
    assert 4 <= len(lesson.steps) <= 8
    assert lesson.rules
    refused = 0
    for step in lesson.steps:
        position = position_of(type(game), step)
        assert position.to_move >= 0
        right, wrong = outcomes(position, step)
        names = [position.action_name(action) for action in right]
        assert names, step.text
        refused += len(wrong)
        unused = [one for one in step.accepted if "*" not in one and "[" not in one]
        assert set(unused) <= set(names), step.text
        illegal = position.game.num_actions
        with pytest.raises(IllegalAction):
            answer(position, step, illegal)
    assert refused


NINE = LessonStep("Take all.", accepted=("take 9",), options={"stones": 3})
FAR = LessonStep("Go on.", moves=("take 4",))


@pytest.mark.parametrize(
    ("step", "words"), [(NINE, "accepts no action"), (FAR, "cannot be reached")]
)
def test_meeple_check_finds_a_task_that_cannot_be_done(monkeypatch, step, words):
    nim = make("nim")
    monkeypatch.setattr(type(nim), "lesson", lambda _: Lesson((), (step,)))
    with pytest.raises(CheckFailure, match=words):
        every_task_of_a_lesson_can_be_done(GameWalk(nim))
