"""A person at the terminal as an agent: asked until the answer is a legal move."""

import io

import pytest

import meeple
from meeple.agents.human import Human
from meeple.errors import MeepleError


def human(*lines):
    answers = iter(lines)
    said = []

    def read(prompt):
        said.append(prompt)
        for line in answers:
            return line
        raise EOFError

    return Human(read, said.append), said


def test_a_person_plays_what_they_type():
    position = meeple.make("hex", size=3).start()
    agent, said = human("b2")
    assert position.action_name(agent.choose(position)) == "b2"
    assert said[0].startswith(str(position))
    assert "player 1" in said[1]


def test_a_wrong_move_is_explained_and_asked_for_again():
    position = meeple.make("nim", stones=2).start()
    agent, said = human("take 5", "take 2")
    assert position.action_name(agent.choose(position)) == "take 2"
    (sentence,) = (text for text in said if "take 5" in text)
    assert "take 1, take 2" in sentence
    assert position.actions == ()


def test_the_end_of_the_input_is_an_error_in_words():
    agent, _ = human()
    with pytest.raises(MeepleError, match="input ended while player 1 was to move"):
        agent.choose(meeple.make("nim").start())


def test_by_default_the_prompt_goes_to_stderr_and_stdout_stays_clean(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("take 1\n"))
    position = meeple.make("nim").start()
    assert Human().choose(position) == position.parse_action("take 1")
    out, err = capsys.readouterr()
    assert out == ""
    assert "your move" in err
