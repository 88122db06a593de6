"""Every command works with closed standard streams, and on terminals that lack characters."""

import contextlib
import io
import subprocess
import sys

import pytest

from meeple.cli.main import SUBCOMMANDS, load, main
from meeple.cli.shared.streams import prepare_streams
from meeple.cli.shared.words import frame
from meeple.games.contract.registry import game_names, make

COMMANDS = [
    words
    for name in SUBCOMMANDS
    for words in ([name], *([name, one] for one in getattr(load(name), "commands", ())))
]
STREAMS = ("stdin", "stdout", "stderr")


class Terminal(io.TextIOWrapper):
    """A terminal with an encoding."""

    def __init__(self, encoding):
        super().__init__(io.BytesIO(), encoding)

    def isatty(self):
        return True

    def text(self):
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


@contextlib.contextmanager
def closed_streams(monkeypatch):
    with monkeypatch.context() as patched:
        for name in STREAMS:
            patched.setattr(sys, name, None)
        yield
        for name in STREAMS:
            getattr(sys, name).close()


def code_of(*words):
    with pytest.raises(SystemExit) as end:
        main(words)
    return end.value.code


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_ends_as_usual_with_closed_streams_and_has_help_in_ascii(monkeypatch, words):
    with closed_streams(monkeypatch):
        codes = code_of(*words, "--help"), code_of(*words, "--no-such-option")
    assert codes == (0, 2)
    terminal = Terminal("ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    assert code_of(*words, "--help") == 0
    assert "Usage: " in terminal.text()


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252", "koi8-r"])
@pytest.mark.parametrize("name", game_names())
def test_every_board_is_drawn_with_characters_that_the_terminal_has(monkeypatch, name, encoding):
    terminal = Terminal(encoding)
    monkeypatch.setattr(sys, "stdout", terminal)
    prepare_streams()
    position = make(name).start(1)
    print(frame(position, "heading", position.game.player_names))
    assert terminal.text()
    assert not set("?●★") & set(terminal.text())


def test_characters_that_a_stream_lacks_are_written_alike(monkeypatch):
    terminal = Terminal("ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    prepare_streams()
    print("misère… a · b × 棋 \udcff")
    assert terminal.text() == "misere... a - b x ? ?\n"


def test_typed_bytes_that_are_no_text_are_an_unknown_word(monkeypatch, meeple):
    typed = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nquit\n"), "utf-8")
    monkeypatch.setattr(sys, "stdin", typed)
    code, out, err = meeple("play", "nim", "--against", "random")
    assert code == 0
    assert "is neither a legal move nor a command" in out + err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("games >&-", 0),
        ("games <&- >&- 2>&-", 0),
        ("no-such-command 2>&-", 2),
        ("play nim --against random <&-", 0),
        ("games >/dev/full", 1),
        ("games | head -1", 0),
        ("no-such-command 2>&1 | true", 0),
    ],
)
def test_streams_that_the_shell_closes_cause_no_traceback(line, code, tmp_path):
    shell = f"{sys.executable} -m meeple {line}"
    done = subprocess.run(["sh", "-c", shell], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == code
    assert "Error" not in done.stderr
    assert "Exception" not in done.stderr
