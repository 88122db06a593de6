"""`lz-analyze` and `kata-analyze`: lines at intervals until the next command, over a real pipe."""

import json
import re
import shutil
import subprocess
import sys

import pytest

import meeple
from meeple.engines.gtp import GtpEngine

INFO = re.compile(
    r"info move (\S+) visits (\d+) winrate ([\d.]+) prior ([\d.]+) order (\d+) "
    r"pv ((?:[A-Ta-t]\d+ ?)+)"
)
COMMAND = [sys.executable, "-m", "meeple", "engine", "gtp"]


def moves_of(line):
    """Return each move of an info line with its figures; the line has nothing else."""
    found = INFO.findall(line)
    assert INFO.sub("", line).split() == []
    return [
        (move, int(visits), float(winrate), float(prior), int(order), play.split())
        for move, visits, winrate, prior, order, play in found
    ]


def engine(spec="uct:sims=200", **options):
    return GtpEngine(spec, meeple.make("hex", **{"size": 4, **options}))


def lines_of(made, line, count):
    """Return the first lines of a stream, after its head."""
    stream = made.handle(line)
    assert next(stream) == "=\n"
    found = [next(stream).rstrip("\n") for _ in range(count)]
    stream.close()
    return found


def test_each_line_has_the_moves_of_a_search_that_goes_on():
    first, second = lines_of(engine(), "lz-analyze b 1", 2)
    before, after = moves_of(first), moves_of(second)
    assert [order for *_, order, _ in after] == list(range(len(after)))
    assert sum(visits for _, visits, *_ in after) > sum(visits for _, visits, *_ in before)
    for move, _, winrate, prior, _, play in after:
        assert play[0] == move
        assert 0 <= winrate <= 10_000
        assert winrate == int(winrate)
        assert 0 <= prior <= 10_000
    assert len(after[0][5]) > 1  # the choice has the expected play


def test_the_format_of_katago_has_probabilities_and_a_limit_of_moves():
    (line,) = lines_of(engine(), "kata-analyze 1 maxmoves 3 rootinfo true", 1)
    found = moves_of(line)
    assert len(found) == 3
    assert all(0 <= winrate <= 1 and 0 <= prior <= 1 for _, _, winrate, prior, _, _ in found)


def test_a_move_ends_the_stream_of_genmove_analyze():
    made = engine()
    answer = "".join(made.handle("7 lz-genmove_analyze b 10"))
    head, info, move, *rest = answer.split("\n")
    assert (head, rest) == ("=7", ["", ""])
    assert move == f"play {moves_of(info)[0][0]}"
    assert len(made._session.position.actions) == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("lz-analyze w", "it is the turn of black"),
        ("lz-analyze b often", "analysis has no argument 'often'"),
        ("kata-analyze interval", "interval needs a whole number"),
        ("kata-analyze maxmoves -3", "maxmoves needs a whole number"),
    ],
)
def test_wrong_arguments_are_refused(line, reason):
    made = engine()
    "".join(made.handle("play w a1"))
    assert "".join(made.handle(line)) == f"? {reason}\n\n"


def test_an_agent_without_an_analysis_says_so():
    stream = engine("random").handle("lz-analyze 1")
    assert list(stream) == ["=\n", "# random gives no analysis\n", "\n"]


@pytest.mark.slow
def test_any_line_ends_a_stream_over_a_pipe_and_is_answered():
    command = [*COMMAND, "uct:sims=100", "-o", "size=4"]
    talk = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert talk.stdin is not None
    assert talk.stdout is not None
    to_engine = talk.stdin

    def say(line):
        to_engine.write(f"{line}\n")
        to_engine.flush()

    say("1 lz-analyze 5")
    assert talk.stdout.readline() == "=1\n"
    for _ in range(3):
        assert moves_of(talk.stdout.readline().rstrip("\n"))
    say("2 name")
    while (line := talk.stdout.readline()) != "\n":
        assert moves_of(line.rstrip("\n"))
    assert [talk.stdout.readline() for _ in range(2)] == ["=2 Meeple\n", "\n"]
    say("kata-analyze 5")  # a stream ends with the input, too
    rest, _ = talk.communicate(timeout=300)
    assert rest.startswith("=\n")
    assert rest.endswith("\n\n")
    assert talk.returncode == 0


SABAKI = """
const { Controller } = require("@sabaki/gtp");
const [, , ...command] = process.argv;
const engine = new Controller(command[0], command.slice(1));
(async () => {
  engine.start();
  const lines = [];
  const stream = engine.sendCommand({ name: "lz-analyze", args: ["b", "5"] }, ({ line }) => {
    lines.push(line);
    if (lines.length === 4) engine.sendCommand({ name: "name" }).then(({ content }) => {
      console.log(JSON.stringify({ lines, name: content }));
      engine.stop();
    });
  });
  await stream;
})();
"""


@pytest.mark.nightly("the library of Sabaki, fetched by npm, drives an analysis")
def test_the_library_of_sabaki_drives_an_analysis(tmp_path):
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("there is no Node.js")
    install = [npm, "install", "--prefix", str(tmp_path), "--no-audit", "--no-fund"]
    install.append("@sabaki/gtp@3")
    if subprocess.run(install, capture_output=True, check=False).returncode:
        pytest.skip("npm cannot install @sabaki/gtp")
    (tmp_path / "drive.js").write_text(SABAKI)
    command = [node, "drive.js", *COMMAND, "uct:sims=100", "-o", "size=4"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    said = json.loads(done.stdout)
    assert said["name"] == "Meeple"
    assert all(moves_of(line) for line in said["lines"] if line.startswith("info"))
    assert sum(line.startswith("info") for line in said["lines"]) >= 3
