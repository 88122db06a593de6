"""The command line as the user sees it: help, one sentence for an error, the exit code."""

import errno
import os
import re
import signal
import subprocess
import sys
import types

import pytest
import typer

from meeple.cli import main as cli
from meeple.errors import MeepleError, OptionError, Stopped

TRIAL = "tests_trial_subcommand"


@pytest.fixture
def trial(monkeypatch):
    """Return a function that runs another one as `trial` and returns the exit code."""

    def run(function, *arguments):
        module = types.ModuleType(TRIAL)
        module.trial = function  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, TRIAL, module)
        trial = cli.Subcommand(f"{TRIAL}:trial", cli.TOOLS)
        monkeypatch.setitem(cli.SUBCOMMANDS, "trial", trial)
        with pytest.raises(SystemExit) as end:
            cli.main(["trial", *arguments])
        return end.value.code

    return run


@pytest.mark.slow
def test_the_end_of_a_process_collects_no_garbage():
    """It took half a second of processor time, which a host that is stopped lacks under load."""
    program = (
        "import atexit, gc\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 1000))\n"
        "from meeple.cli.main import main\n"
        "main(['games', 'nim'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "True"


@pytest.mark.slow
def test_help_lists_every_subcommand_in_its_group_and_imports_none():
    program = (
        "import sys; from meeple.cli import main\n"
        "try: main.main(['--help'])\n"
        "finally: print([m for m in sys.modules if m.startswith('meeple.cli.')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0
    streams = "'meeple.cli.shared', 'meeple.cli.shared.streams'"
    assert done.stdout.splitlines()[-1] == f"[{streams}, 'meeple.cli.main']"
    panels = re.split(r"╭─ (\w+) ", done.stdout)
    shown = dict(zip(panels[1::2], panels[2::2], strict=True))
    for name, subcommand in cli.SUBCOMMANDS.items():
        assert f" {name} " in shown[subcommand.group]
        assert subcommand.help in shown[subcommand.group]


def test_running_without_arguments_shows_the_help(run):
    assert run().stdout.split() == run("--help").stdout.split() != []


@pytest.mark.parametrize("name", cli.SUBCOMMANDS)
def test_each_subcommand_loads_and_has_the_summary_of_the_table(name):
    assert cli.load(name).help.splitlines()[0] == cli.SUBCOMMANDS[name].help != ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gamse",), r"Meeple has no subcommand 'gamse'; did you mean 'games'\?"),
        (("xyzzy",), "Meeple has no subcommand 'xyzzy'; there are games, .*"),
        (("games", "--jsno"), ".*--jsno.* See `meeple games --help`."),
        (("match",), "Missing argument 'GAME'. .*"),
        (("engine", "hex"), "Invalid value for 'protocol': 'hex' is not one of 'gtp', .*"),
    ],
)
def test_wrong_usage_is_reported_in_one_sentence(run, words, said):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert re.fullmatch(f"{said}\n", err), err


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (None, 0, ""),
        (typer.Exit(1), 1, ""),
        (OptionError("Bad."), 2, "Bad.\n"),
        (MeepleError("Bad."), 1, "Bad.\n"),
        (KeyboardInterrupt(), 130, "Stopped.\n"),
        (Stopped(), 130, "Stopped.\n"),
        (RuntimeError("odd"), 1, "RuntimeError: odd. To see where, run again with --debug."),
        (ModuleNotFoundError("none", name="torch"), 2, "this needs PyTorch: pip install"),
        (ModuleNotFoundError("none", name="unknown"), 1, "ModuleNotFoundError"),
        (OSError(errno.ENOSPC, "No space"), 1, "nothing more can be written: No space\n"),
    ],
    ids=[
        *("done", "exit", "usage", "failure", "Ctrl-C", "stopped"),
        *("unexpected", "extra", "module", "disk"),
    ],
)
def test_an_error_is_reported_in_one_sentence_and_with_its_exit_code(
    trial, capsys, error, code, said
):
    def function():
        if error is not None:
            raise error

    assert trial(function) == code
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == bool(said)
    assert trial(function, "--debug") == code
    assert ("Traceback" in capsys.readouterr().err) == (bool(said) and code != 130)


@pytest.mark.slow
def test_a_closed_pipe_ends_quietly():
    program = (
        "import sys; from meeple.cli import main\n"
        "main.invoke = lambda *arguments: print('line\\n' * 100_000) or 0\n"
        "main.main([])"
    )
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert done.returncode == 128 + signal.SIGPIPE
    assert done.stderr == b""


def test_a_group_without_subcommand_prints_its_help_alone(run):
    done = run("qtable")
    assert (done.returncode, done.stderr) == (2, "")
    assert "export" in done.stdout
