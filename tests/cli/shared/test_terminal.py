"""Colour is used at terminals only, and columns fit them."""

import io

from meeple.cli.shared import terminal


class Tty(io.StringIO):
    def isatty(self):
        return True


def test_colour_is_used_at_terminals_and_can_be_disabled(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert not terminal.in_colour()
    monkeypatch.setattr("sys.stdout", Tty())
    assert terminal.in_colour()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal.in_colour()
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not terminal.in_colour()


def test_words_are_printed_in_columns_within_the_width_of_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "12")
    assert terminal.in_columns(["a1", "b1", "c1", "a10"]) == "a1   b1\nc1   a10"
