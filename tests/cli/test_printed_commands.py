"""Every command line that the program prints works, whatever its folder is called."""

import ast
import inspect
import io
import re
import shlex
from pathlib import Path

import pytest

import meeple
from meeple.cli.main import SUBCOMMANDS
from meeple.cli.shared.interrupt import say_stopped
from meeple.cli.train import demo
from meeple.errors import MeepleError, Stopped
from meeple.games.check.findings import ensure_playable
from meeple.games.contract.game_words import check_command
from meeple.games.contract.records import to_lines
from meeple.server.training.processes import RunProcesses
from tests.learn.small import HEX3
from tests.protocols.records.playing import random_game

PACKAGE = Path(meeple.__file__).parent
WRITERS = {"shell_line", "command_line", "command_for"}
ODD = 'it\'s a "b", c'
SMALL = [
    word for change in (*HEX3, "run.episodes=8", "run.networks=2") for word in ("--set", change)
]


def trees():
    for file in PACKAGE.rglob("*.py"):
        yield file, ast.parse(file.read_text(encoding="utf-8"))


def test_no_command_with_something_inserted_is_written_without_quotes():
    command = re.compile(rf"meeple (--load|{'|'.join(SUBCOMMANDS)})\b[^`\n]*[\0{{]")
    found = []
    for file, tree in trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.JoinedStr | ast.Constant):
                continue
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            words = [getattr(part, "value", "") for part in parts]
            text = "".join(word if isinstance(word, str) else "\0" for word in words)
            if command.search(text):
                found.append(f"{file}:{getattr(node, 'lineno', 0)}")
    assert found == []


def calls():
    """Return the (file, line) of every call that writes a command, except in the writers."""
    found = set()
    for file, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name in WRITERS:
                node.body = []
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in WRITERS:
                found.add((str(file), node.lineno))
    return found


@pytest.fixture
def printed(monkeypatch):
    """The lines that were written, each with the (file, line) of the calls that led to it."""
    join = shlex.join
    lines: dict[str, set[tuple[str, int]]] = {}

    def recorded(words):
        line = join(words)
        lines.setdefault(line, set()).update(
            (frame.filename, frame.lineno) for frame in inspect.stack(0)
        )
        return line

    monkeypatch.setattr("meeple.shell.shlex.join", recorded)
    return lines


@pytest.fixture
def quiet(monkeypatch):
    """Replace what would serve, train long or wait, and check no file of a game."""
    monkeypatch.setattr("meeple.games.contract.registry._registered", {})
    monkeypatch.setattr("meeple.cli.serve._run", lambda settings, show: None)
    monkeypatch.setattr(demo, "learn", lambda run, settings, watch, fresh: None)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setenv("MEEPLE_UNCHECKED", "1")


def write_all(command, folder, monkeypatch, model):
    """Write every command that the program prints."""
    command("new-game", "own", "--folder", folder)
    command("new-plugin", "ours", "--folder", folder)
    own = ("--load", folder / "own.py")
    run = folder / "run"
    assert command("train", "hex3", *SMALL, "--run", run)[0] == 0
    assert command("topp", run, "--games", 2)[0] == 0
    assert command("tensorboard", run)[0] == 0
    say_stopped(meeple.make("hex", size=3), "train", "--resume", "--run", run)
    demo.conclusion(meeple.make("hex", size=3), run)
    command("demo", "--run", run)
    with monkeypatch.context() as patched:
        patched.setattr("meeple.learn.race.train_chosen", stop_at_once)
        command("train", "hex", "-o", "size=3", "--minutes", "1", "--run", folder / "raced")
    with monkeypatch.context() as patched:
        patched.setattr("meeple.server.training.processes.sys.platform", "win32")
        with pytest.raises(MeepleError):
            RunProcesses([], 1.0).start(run, "topp")
    games = folder / "games.jsonl"
    assert command(*own, "match", "own", "random", "random", "--games", 2, "--save", games)[0] == 0
    for file in (games, folder / "hex.jsonl"):
        (folder / "hex.jsonl").write_text(to_lines([random_game("hex", n, size=3) for n in (1, 2)]))
        assert command("watch", file)[0] == 0
    assert command("explore", folder / "hex.jsonl")[0] == 0
    pairs = ("--output", folder / "cup", "--games", 2)
    assert command("tournament", "nim", "random", "perfect", *pairs)[0] == 0
    assert command("play", "nim", "--against", "random", "--save", folder / "saved")[0] == 0
    assert command("import", "alphazero-gomoku", model, folder / "net")[0] == 0
    assert command("qtable", "learn", "nim", folder / "q", "--games", 1, "--sims", 60)[0] == 0
    check_command(meeple.make("own"))
    check_command(meeple.make("hex", size=3))
    (folder / "wrong.py").write_text("wrong")
    with pytest.raises(MeepleError):
        ensure_playable(str(folder / "wrong.py"))


@pytest.mark.slow
def test_every_printed_command_works_in_a_folder_with_a_space_a_comma_and_quotes(
    command, tmp_path, monkeypatch, model, printed, quiet
):
    folder = Path(ODD)
    folder.mkdir()
    write_all(command, folder, monkeypatch, model)
    assert calls() - set().union(*printed.values()) == set()
    for line in list(printed):
        assert result_of(line, command), line


def stop_at_once(*arguments):
    raise Stopped


def result_of(line, command):
    """Return whether a printed line works."""
    program, *words = shlex.split(line)
    if program in ("pip", "tensorboard"):
        return Path(words[-1]).is_dir()
    if "ours" in words:  # works once the package is installed, which its tests do
        return words in (["ours"], ["play", "ours", "--against", "ours"])
    more: dict[str, list[object]] = {
        "train": ["--set", "run.episodes=16"],
        "check": ["--quick"],
        "topp": ["--games", 2],
    }
    name = next(word for word in words if word in SUBCOMMANDS)
    if "--minutes" in words:  # all else is understood
        words[words.index("--minutes") + 1] = "0"
        return "must be above 0" in command(*words)[2]
    code, out, _ = command(*words, *more.get(name, []))
    if "wrong.py" in line:
        return (code, "wrong.py" in out) == (1, True)
    return code == {"demo": 130}.get(name, 0)
