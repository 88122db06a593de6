"""Every command without any extra: it works, or names the extra to install."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from meeple.agents.networks import shipped_networks
from meeple.cli.main import OWN_SUBCOMMANDS
from meeple.extras import EXTRAS
from meeple.games.contract.records import record_of, to_lines
from meeple.games.contract.registry import make

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="one process is forked for each command"),
]

ROOT = Path(__file__).resolve().parent.parent
ALL = ",".join([*EXTRAS, "google", "scipy"])

WORKS = {
    "games": "games",
    "play": "play gomoku -o size=3 -o in_a_row=3 --against policy:tictactoe --hint uct:sims=20",
    "watch": "watch gomoku -o size=3 -o in_a_row=3 policy:tictactoe random",
    "match": "match hex policy:hex7 puct:hex7,sims=4 --games 2",
    "tournament": "tournament nim random uct:sims=10 --games 2 --output tournament",
    "ladder": "ladder nim -o stones=9 --games 2 --output ladder",
    "runs": "runs",
    "topp": "topp run --games 2",
    "convert": "convert games.jsonl games.sgf",
    "explore": "explore games.jsonl",
    "import": "import alphazero-gomoku net.model net.safetensors --in-a-row 3",
    "puzzles": "puzzles games.jsonl --output puzzles.jsonl",
    "qtable": "qtable learn nim nim.qtable --games 1 --sims 10",
    "new-game": "new-game my-own",
    "new-plugin": "new-plugin my-own",
    "check": "check nim --quick --seconds 1",
    "solve": "solve hex -o size=3",
    "plugins": "plugins",
    "warmup": "warmup",
    "info": "info",
    "nets": "nets hex7",
    "engine": "engine gtp random",
}
"""Command lines of subcommands that need no extra; of others the help is printed."""


def table():
    """Return the table of extras in docs/install.md: the command lines that need each extra."""
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `\[(\w+)\]` \| ([^|]*) \|", text, re.M)
    return {extra: re.findall(r"`meeple ([^`]*)`", commands) for extra, commands in rows}


NEEDING = [(extra, line) for extra, lines in table().items() for line in lines]


def test_the_install_document_lists_every_extra_for_users():
    packages = {package for _, package in EXTRAS.values()}
    assert {f"meeple[{extra}]" for extra in table()} == packages


def lines_without_extras():
    """Return a command line of every subcommand that needs no extra."""
    needing = {line.split()[0] for _, line in NEEDING}
    assert OWN_SUBCOMMANDS.keys() >= needing | WORKS.keys()
    return {
        name: WORKS.get(name, f"{name} --help")
        for name in OWN_SUBCOMMANDS
        if name in WORKS or name not in needing
    }


@pytest.fixture
def folder(tmp_path):
    """A folder with a run of two networks and a network of another program."""
    from tests.importers.test_alphazero_gomoku import random_arrays, written

    networks = tmp_path / "run" / "checkpoints"
    networks.mkdir(parents=True)
    for episodes in (0, 8):
        shutil.copy(shipped_networks()["tictactoe"], networks / f"{episodes:08d}.safetensors")
    written(tmp_path / "net.model", random_arrays(3))
    start = record_of(make("hex", size=3).start(), ["a", "b"])
    (tmp_path / "games.jsonl").write_text(to_lines([start]))
    return tmp_path


@pytest.fixture(scope="module")
def process():
    """A process without any extra that runs command lines, see `tests/without.py`."""
    with subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "without.py"), ALL],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as found:
        yield found
        found.communicate()


@pytest.fixture
def without_extras(process, folder):
    """Return a function that runs a command line; it returns its exit code, stdout and stderr."""

    def run(line):
        typed = "b2\nquit\n"  # read by `play` only
        order = {"words": line.split(), "folder": str(folder), "input": typed}
        process.stdin.write(json.dumps(order) + "\n")
        process.stdin.flush()
        code = int(process.stdout.readline())
        return code, (folder / "stdout").read_text(), (folder / "stderr").read_text()

    return run


@pytest.mark.parametrize("line", lines_without_extras().values(), ids=lines_without_extras())
def test_the_command_works_without_any_extra(line, without_extras):
    code, out, err = without_extras(line)
    assert code == 0, err
    assert out
    assert "Traceback" not in err


@pytest.mark.parametrize(("extra", "line"), NEEDING)
def test_a_command_without_its_extra_says_what_to_install(extra, line, without_extras):
    code, _, err = without_extras(line)
    assert (code, err.count("\n")) == (2, 1), err
    assert f"pip install 'meeple[{extra}]'" in err


def test_a_report_without_matplotlib_has_no_picture_and_a_message(without_extras, folder):
    code, _, err = without_extras(WORKS["tournament"])
    files = {path.name for path in (folder / "tournament").iterdir()}
    assert (code, files) == (0, {"report.html", "result.json", "games.jsonl"})
    assert "No picture: it needs Matplotlib: pip install 'meeple[plot]'" in err
    assert "<img" not in (folder / "tournament" / "report.html").read_text()
