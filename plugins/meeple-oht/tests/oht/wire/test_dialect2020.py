"""The dialect of 2020: texts and literals, whole, in pieces and concatenated."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meeple_oht.wire import dialect2020 as old
from meeple_oht.wire.messages import (
    AnswerError,
    Authentication,
    ClientQuestion,
    Failure,
    Finish,
    GameOver,
    GameStart,
    IllegalMove,
    Notice,
    RequestAction,
    SeriesOver,
    SeriesStart,
    TournamentOver,
    WireError,
)

TEXTS = {
    ("Series start", "7", "[(7, 2), (9, 1)]", "4", "(5,)"): SeriesStart(
        7, ((7, 2), (9, 1)), 4, (5,)
    ),
    ("Game start", "2"): GameStart(2),
    ("(1, 0, 2, 0, 1)",): RequestAction((1, 0, 2, 0, 1)),
    ("Game end", "1", "(2, 1, 1)"): GameOver(1, (2, 1, 1)),
    ("Series end", "[(7, 2, 3, 1), (9, 1, 1, 3)]"): SeriesOver(((7, 2, 3, 1), (9, 1, 1, 3))),
    ("Tournament end", "62.5"): TournamentOver(62.5),
    ("Illegal action", "(1, 0, 2)", "(0, 1)"): IllegalMove((1, 0, 2), (0, 1)),
}


@pytest.mark.parametrize(("texts", "message"), TEXTS.items())
def test_each_message_consists_of_texts_and_literals(texts, message):
    assert tuple(old.write(message)) == texts
    for text in texts[1:]:
        ast.literal_eval(text)
    reader, found = old.Texts(), []
    for text in texts:
        reader.feed(text)
        while (one := reader.next()) is not None:
            found.append(one)
    assert found == [message]


def test_concatenated_texts_are_split():
    reader = old.Texts()
    reader.feed("Welcome" + "Game start2(1, 0)Game end1(2, 1)Series end[(1, 1, 2, 0)]")
    found = [reader.next() for _ in range(5)]
    assert found == [
        Notice("Welcome"),
        GameStart(2),
        RequestAction((1, 0)),
        GameOver(1, (2, 1)),
        SeriesOver(((1, 1, 2, 0),)),
    ]
    assert reader.next() is None


def test_a_text_in_pieces_is_read_once_it_is_complete():
    reader = old.Texts()
    for piece in ("(1, 0", ", 2", ")"):
        assert reader.next() is None
        reader.feed(piece)
    assert reader.next() == RequestAction((1, 0, 2))


def test_the_messages_before_the_games_are_as_documented():
    reader = old.Texts()
    expected = {
        old.USERNAME: ClientQuestion("name", old.USERNAME.strip()),
        old.PASSWORD: Authentication(),
        old.QUALIFY: ClientQuestion("qualify", old.QUALIFY.strip()),
        old.WELCOME: Notice("Welcome"),
        "Invalid credentials": Failure("Invalid credentials"),
    }
    for text, message in expected.items():
        reader.feed(text)
        found = reader.next()
        assert type(found) is type(message)
    assert old.write(Finish()) == old.write(Notice("x")) == []


@pytest.mark.parametrize("text", ["(1, __import__('os'))", "(1, 2" + "[" * 50 + "]" * 50 + ")"])
def test_values_are_never_evaluated(text):
    reader = old.Texts()
    reader.feed(text)
    with pytest.raises(WireError):
        reader.next()


@given(st.text(max_size=60))
def test_an_answer_is_an_action_or_an_error(text):
    answers = old.Answers()
    answers.feed(text)
    for _ in range(70):
        try:
            action = answers.next_action()
        except AnswerError:
            continue
        if action is None:
            break
        assert all(isinstance(part, int) for part in action)
    else:
        raise AssertionError("an answer was read for ever")


def test_actions_are_read():
    answers = old.Answers()
    answers.feed("(1, 2)(3,")
    assert answers.next_action() == (1, 2)
    assert answers.next_action() is None
    answers.feed(" 4)")
    assert answers.next_action() == (3, 4)
    with pytest.raises(WireError):
        answers.feed("(" * 1000)
