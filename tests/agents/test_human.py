"""The human agent at the terminal asks until the answer is a legal move."""

import io

import pytest

import meeple
from meeple.agents.human import Human
from meeple.errors import MeepleError
from tests.games.catan.positions import in_turn


def human(*lines):
    answers = iter(lines)
    said = []

    def read(prompt):
        said.append(prompt)
        for line in answers:
            return line
        raise EOFError

    return Human(read, said.append), said


def test_human_plays_the_typed_move():
    position = meeple.make("hex", size=3).start()
    agent, said = human("b2")
    assert position.action_name(agent.choose(position)) == "b2"
    assert said[0].startswith(str(position))
    assert "player 1" in said[1]


def test_wrong_move_is_explained_and_asked_again():
    position = meeple.make("nim", stones=2).start()
    agent, said = human("take 5", "take 2")
    assert position.action_name(agent.choose(position)) == "take 2"
    (sentence,) = (text for text in said if "take 5" in text)
    assert "take 1, take 2" in sentence
    assert position.actions == ()
    with pytest.raises(MeepleError, match="input ended while player 1 was to move"):
        agent.choose(position)


def test_prompt_goes_to_stderr_by_default(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("take 1\n"))
    position = meeple.make("nim").start()
    assert Human().choose(position) == position.parse_action("take 1")
    out, err = capsys.readouterr()
    assert out == ""
    assert "your move" in err


def test_choice_of_the_menu_and_of_a_group_is_an_action():
    """Select a settlement on the beginners' island by its number, then the second road."""
    position = meeple.make("catan", board="beginner", players=2).start()
    agent, said = human("27", "39")
    for name in ("settlement 27", "road 39"):
        action = agent.choose(position)
        assert position.action_name(action) == name
        position.play(action)
    assert "player 1, place a settlement (0-53): " in said


def test_whole_offer_is_played_after_one_prompt():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 2}})
    agent, said = human("9 wood for 1 ore", "2 wood for 1 ore")
    names = []
    while position.to_move == 0:
        action = agent.choose(position)
        names.append(position.action_name(action))
        position.play(action)
    assert names == ["offer wood", "offer wood", "ask ore", "propose"]
    assert sum("your choice" in text for text in said) == 2
    assert any("player 1 holds 2 wood and cannot give 9" in text for text in said)
    position = in_turn({0: {"wood": 2}, 1: {"ore": 2}})
    agent, _ = human("2 wood for 1 ore", "end turn")
    agent.choose(position)
    agent.begin(0)  # which discards the rest of the line
    assert position.action_name(agent.choose(position)) == "end turn"
