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


def raising(error):
    def function():
        raise error

    return function


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


def test_an_unknown_subcommand_suggests_the_nearest(run):
    done = run("gamse")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Meeple has no subcommand 'gamse'; did you mean 'games'?\n"


def test_an_unknown_subcommand_without_a_similar_one_lists_all(run):
    assert "there are games, " in run("xyzzy").stderr


def test_a_misspelt_option_is_reported_in_one_sentence_as_wrong_usage(run):
    done = run("games", "--jsno")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "--jsno" in done.stderr
    assert "meeple games --help" in done.stderr


def test_a_missing_argument_is_named(trial, capsys):
    def needs(game: str):
        pass

    assert trial(needs) == 2
    assert "GAME" in capsys.readouterr().err.upper()


@pytest.mark.parametrize(("error", "code"), [(OptionError("Bad."), 2), (MeepleError("Bad."), 1)])
def test_a_user_error_prints_only_its_message(trial, capsys, error, code):
    assert trial(raising(error)) == code
    assert capsys.readouterr().err == "Bad.\n"


def test_debug_shows_the_traceback_of_an_error(trial, capsys):
    assert trial(raising(MeepleError("Bad.")), "--debug") == 1
    assert "Traceback" in capsys.readouterr().err


def test_an_unexpected_error_suggests_the_debug_option(trial, capsys):
    assert trial(raising(RuntimeError("odd"))) == 1
    err = capsys.readouterr().err
    assert "RuntimeError: odd" in err
    assert "--debug" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("module", "code", "says"),
    [
        ("torch", 2, "this needs PyTorch: pip install 'meeple[learn]'"),
        ("nothing_known", 1, "ModuleNotFoundError"),
    ],
)
def test_a_missing_module_is_reported_in_a_sentence(trial, capsys, module, code, says):
    assert trial(raising(ModuleNotFoundError("No such module.", name=module))) == code
    err = capsys.readouterr().err
    assert says in err
    assert "Traceback" not in err


def test_a_full_disk_is_reported_in_a_sentence(trial, capsys):
    assert trial(raising(OSError(errno.ENOSPC, "No space left on device"))) == 1
    assert capsys.readouterr().err == "nothing more can be written: No space left on device\n"


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Stopped()], ids=["Ctrl-C", "Stopped"])
def test_an_interrupted_command_prints_nothing(trial, capsys, stop):
    assert trial(raising(stop)) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_a_subcommand_chooses_its_exit_code(trial):
    assert trial(raising(typer.Exit(1))) == 1
    assert trial(lambda: None) == 0


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


def test_an_argument_with_a_wrong_word_is_reported_with_the_allowed_ones(run):
    done = run("engine", "hex")
    assert done.stderr.startswith("Invalid value for 'protocol': 'hex' is not one of 'gtp', ")
