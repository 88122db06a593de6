"""Games shown during play: names, moves, results; a key hides and shows them."""

import contextlib
import os
import pty
import sys
import time

from meeple.cli.board.shown import KEY, GameShow
from meeple.games.contract.registry import make

NAMES = ("one", "other")
WAIT = 20  # time limit of a test in seconds


def played(show, number=0, before=lambda ply: None):
    position = make("nim", stones=4).start()
    show.position(number, NAMES, position)
    while not position.is_over:
        position.play(0)
        before(len(position.actions))
        show.position(number, NAMES, position)


def test_a_game_is_printed_move_by_move(capsys):
    with GameShow() as show:
        played(show)
    out = capsys.readouterr().out
    assert out.count("Game 1: player 1 (one), player 2 (other)") == 1
    assert [out.count(f"{ply}. player") for ply in (1, 2, 3, 4)] == [1] * 4
    assert out.count("wins.") == 1


def test_hidden_plies_are_not_printed_and_the_players_are_printed_again(capsys):
    show = GameShow()

    def press(ply):
        if ply in (2, 3):
            show.press(KEY)
        show.press("x")  # a key without a function

    played(show, before=press)
    out = capsys.readouterr().out
    assert [out.count(f"{ply}. player") for ply in (1, 2, 3, 4)] == [1, 0, 1, 1]
    assert out.count("Game 1:") == 2


def test_a_delay_follows_every_position(monkeypatch, capsys):
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    played(GameShow(0.5))
    assert waits == [0.5] * 5


@contextlib.contextmanager
def terminal(monkeypatch):
    """Use a terminal as stdin and stdout; yield the user's end of it."""
    person, machine = pty.openpty()
    with open(machine, "r+b", buffering=0) as file, os.fdopen(os.dup(machine), "w") as out:
        monkeypatch.setattr(sys, "stdin", file)
        monkeypatch.setattr(sys, "stdout", out)
        yield person
    os.close(person)


def test_the_key_is_read_at_a_terminal_until_the_end(monkeypatch):
    with terminal(monkeypatch) as person:
        with GameShow() as show:
            os.write(person, KEY.encode())
            until = time.monotonic() + WAIT
            while show.visible and time.monotonic() < until:
                time.sleep(0.01)
            assert not show.visible
        os.write(person, KEY.encode())
        time.sleep(0.3)
        assert not show.visible


def test_no_keys_are_read_if_a_person_plays(monkeypatch):
    with terminal(monkeypatch) as person, GameShow(with_key=False) as show:
        os.write(person, KEY.encode())
        time.sleep(0.3)
        assert show.visible
