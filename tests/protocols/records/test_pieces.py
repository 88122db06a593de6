"""A text of many games is split into games, in linear time."""

import time

import pytest

from meeple.protocols.records.sgf_pieces import pieces


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", []),
        ("no game", []),
        ("x(;A[1])y ( ;B[2]) z", ["(;A[1])", "( ;B[2])"]),
        ("(;A[)](;B[\\]((]))(;C[])", ["(;A[)](;B[\\]((]))", "(;C[])"]),
        (") ](;A[1])", ["(;A[1])"]),
        ("(;A[1]", None),
        ("(;A[1)", None),
        ("(;A[1];(;B)", None),
    ],
)
def test_games_end_at_their_closing_brackets(text, cut):
    assert pieces(text) == cut


@pytest.mark.parametrize(
    "text", ["(;" + "(" * 10**6, "(;[" * 10**5, "(;" + "[\\" * 10**6, "(; " * 10**6]
)
def test_unclosed_brackets_take_linear_time(text):
    began = time.process_time()
    assert pieces(text) is None
    assert time.process_time() - began < 10


def test_many_games_are_split_in_linear_time():
    assert pieces("(;GM[2];B[f5])\n" * 100_000) == ["(;GM[2];B[f5])"] * 100_000
