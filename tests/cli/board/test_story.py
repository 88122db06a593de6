"""Sentences with one subject share a line that fits the terminal."""

import pytest

from meeple.cli.board.story import Story


@pytest.fixture
def told(capsys, monkeypatch):
    """Return a function that prints sentences in a terminal of `columns` and returns the output."""

    def run(*sentences, columns=80):
        monkeypatch.setenv("COLUMNS", str(columns))
        story = Story(["player 1", "player 11"])
        for sentence in sentences:
            story.tell(sentence)
        story.end()
        return capsys.readouterr().out

    return run


def test_a_subject_is_named_once_a_line(told):
    assert told("player 1 rolled 8", "player 1 built a road", "player 11 rolled 9") == (
        "player 1 rolled 8; built a road\nplayer 11 rolled 9\n"
    )


def test_a_sentence_without_a_subject_stands_alone(told):
    lines = "player 1 passed\nthe game ends\nplayer 1 wins\n"
    assert told("player 1 passed", "the game ends", "player 1 wins") == lines


def test_long_lines_are_broken_between_words(told):
    out = told(*["player 1 built a road at 30"] * 5, columns=30)
    assert max(map(len, out.splitlines())) <= 30
    assert " ".join(out.split()) == "player 1 built a road at 30" + "; built a road at 30" * 4


def test_no_sentences_print_nothing(told):
    assert told() == ""
