"""A text of many games is cut into one for each, and never takes long."""

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
def test_games_end_where_their_brackets_do(text, cut):
    assert pieces(text) == cut


@pytest.mark.parametrize(
    "text", ["(;" + "(" * 10**6, "(;[" * 10**5, "(;" + "[\\" * 10**6, "(; " * 10**6]
)
def test_brackets_without_an_end_take_no_time(text):
    began = time.process_time()
    assert pieces(text) is None
    assert time.process_time() - began < 10


def test_many_games_are_cut_in_proportion_to_the_text():
    assert pieces("(;GM[2];B[f5])\n" * 100_000) == ["(;GM[2];B[f5])"] * 100_000
