"""Every command without any extra: it works, or names the extra to install."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from meeple.agents.networks import shipped_networks
from meeple.cli.main import SUBCOMMANDS
from meeple.extras import EXTRAS
from meeple.games.contract.records import record_of, to_lines
from meeple.games.contract.registry import make

pytestmark = pytest.mark.slow

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
    "qtable": "qtable learn nim nim.qtable --games 1 --sims 10",
    "new-game": "new-game my-own",
    "check": "check nim --quick --seconds 1",
    "solve": "solve hex -o size=3",
    "reproduce": "reproduce reversi-mcts --quick --games 1 --only short-random",
    "bench": "bench games -g nim --repeats 1",
    "warmup": "warmup",
    "info": "info",
    "engine": "engine gtp random",
    "oht": "oht token players.toml Ada Bob",
    "serve": "serve --help",  # test_wheel.py starts a real server from the wheel
}
"""A command line of each subcommand that needs no extra."""


def without_extras(line, folder):
    """Run a command line; return its exit code, stdout and stderr."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "without.py"), ALL, *line.split()],
        cwd=folder,
        input="b2\nquit\n",  # read by `play` only
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def table():
    """Return the table of extras in docs/install.md: the command lines that need each extra."""
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `\[(\w+)\]` \| ([^|]*) \|", text, re.M)
    return {extra: re.findall(r"`meeple ([^`]*)`", commands) for extra, commands in rows}


NEEDING = [(extra, line) for extra, lines in table().items() for line in lines]


def test_the_install_document_lists_every_extra_for_users():
    packages = {package for _, package in EXTRAS.values()}
    assert {f"meeple[{extra}]" for extra in table()} == packages


def test_every_command_is_tested():
    needing = {line.split()[0] for _, line in NEEDING}
    assert needing | WORKS.keys() == SUBCOMMANDS.keys()


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


@pytest.mark.parametrize("line", WORKS.values(), ids=WORKS)
def test_the_command_works_without_any_extra(line, folder):
    code, out, err = without_extras(line, folder)
    assert code == 0, err
    assert out
    assert "Traceback" not in err


@pytest.mark.parametrize(("extra", "line"), NEEDING)
def test_a_command_without_its_extra_says_what_to_install(extra, line, folder):
    code, _, err = without_extras(line, folder)
    assert (code, err.count("\n")) == (2, 1), err
    assert f"pip install 'meeple[{extra}]'" in err


def test_a_report_without_matplotlib_has_no_picture_and_a_message(folder):
    code, _, err = without_extras(WORKS["tournament"], folder)
    files = {path.name for path in (folder / "tournament").iterdir()}
    assert (code, files) == (0, {"report.html", "result.json", "games.jsonl"})
    assert "No picture: it needs Matplotlib: pip install 'meeple[plot]'" in err
    assert "<img" not in (folder / "tournament" / "report.html").read_text()
