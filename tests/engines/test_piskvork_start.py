"""The first answers to a Gomocup manager come before anything is compiled."""

import os
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import meeple
from meeple.engines.early import SIZES, EarlyPiskvork
from meeple.engines.piskvork import PiskvorkEngine

pytestmark = pytest.mark.slow

WAIT = 300.0  # seconds; for compilation on a busy machine
ANSWERS = ("name=", "OK", "DEBUG ", "ERROR ", "UNKNOWN ", "MESSAGE ")


class Held:
    """An engine whose construction waits for the test."""

    def __init__(self, spec="random", **options):
        self._let_go, self._spec, self._options = threading.Event(), spec, options
        self.early = EarlyPiskvork(spec, self._make)

    def _make(self):
        assert self._let_go.wait(WAIT)
        return PiskvorkEngine(self._spec, meeple.make("gomoku", **self._options))

    def told(self, line):
        self.early.look_ahead(line)
        return [answer.strip() for answer in self.early.handle(line)]

    def let_go(self):
        self._let_go.set()
        self.early.made.exception(WAIT)


def answers_and_times(command, lines, **environment):
    """Return each line that a program writes, including standard error, and its time in seconds."""
    begun = time.monotonic()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **environment},
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("".join(f"{line}\n" for line in lines))
        program.stdin.flush()
        found = [(line.rstrip(), time.monotonic() - begun) for line in program.stdout]
        assert program.wait(WAIT) == 0
    return found


def test_about_and_start_are_answered_before_the_engine_exists():
    held = Held()
    assert held.told("ABOUT")[0].startswith('name="Meeple"')
    assert held.told("START 15") == ["OK"]
    assert held.told("INFO rule 1") == []
    held.let_go()
    (move,) = held.told("BEGIN")
    assert "," in move
    engine: Any = held.early.made.result()
    assert engine._session.game.options["size"] == 15
    assert engine._session.game.options["rule"] == "standard"


@pytest.mark.parametrize("start", ["START 15", "RECTSTART 15,15", "start 15", "START 20\nSTART 15"])
@pytest.mark.parametrize("when", ["before START", "after START"])
def test_settings_before_and_after_start_hold_when_the_engine_is_made_later(start, when):
    held = Held()
    settings = [
        "INFO timeout_turn 300",
        "INFO timeout_match 60000",
        "INFO time_left 40000",
        "INFO max_memory 83886080",
        "INFO folder /nowhere",
        "info rule 4",
        "INFO seed 7",
    ]
    starts = start.splitlines()
    for line in [*settings, *starts] if when == "before START" else [*starts, *settings]:
        assert held.told(line) == (["OK"] if line in starts else [])
    held.let_go()
    assert "," in held.told("BEGIN")[-1]
    engine: Any = held.early.made.result()
    session = engine._session
    assert (engine._turn, engine._match, engine._left, session.seed) == (0.3, 60.0, 40.0, 7)
    assert (session.game.options["size"], session.game.options["rule"]) == (15, "renju")


@pytest.mark.parametrize("line", ["BEGIN", "RESTART", "TURN 3,3", "BOARD", "TAKEBACK 3,3"])
def test_game_without_start_is_refused_and_keeps_the_settings(line):
    held = Held()
    assert held.told("INFO timeout_turn 300") == []
    held.let_go()
    assert held.told(line) == ["ERROR there is no board yet: START comes first"]
    assert held.told("START 15") == ["OK"]
    engine: Any = held.early.made.result()
    assert engine._turn == 0.3


def test_late_refusal_of_the_engine_precedes_the_next_answer():
    held = Held("puct:gomoku8,sims=2", size=8)
    assert held.told("START 5") == ["OK"]
    assert held.told("INFO rule 8") == []
    held.let_go()
    answers = held.told("TURN 9,9")
    assert all(answer.startswith("ERROR") for answer in answers)
    assert any("caro" in answer for answer in answers)


def test_sizes_accepted_at_once_are_those_of_the_game():
    size: Any = meeple.make("gomoku").declared["size"]
    assert (SIZES.start, SIZES.stop - 1) == (5, size.high)


def test_end_before_the_engine_exists_ends_the_program():
    held = Held()
    assert held.told("END") == []
    assert held.early.ended
    held.let_go()


def test_wrong_spec_ends_the_program_with_a_sentence():
    command = [sys.executable, "-m", "meeple", "engine", "piskvork", "no-such-agent"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as done:
        assert done.stderr is not None
        assert "no-such-agent" in done.stderr.read()
        assert done.wait(WAIT) == 2


@pytest.mark.parametrize("module", ["meeple.cli.main", "meeple.cli.engine", "meeple.engines.early"])
def test_no_compiler_is_imported_before_the_first_answer(module):
    program = f"import sys, {module}; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.nightly("Piskvork's first answers come at once on a cold cache")
def test_start_is_answered_on_a_cold_cache_and_only_the_protocol_is_written(tmp_path):
    command = [sys.executable, "-m", "meeple", "engine", "piskvork", "random"]
    lines = ["ABOUT", "START 15", "INFO timeout_turn 1000", "INFO colour red", "BEGIN", "END"]
    found = answers_and_times(command, lines, MEEPLE_CACHE=str(tmp_path))
    words = [line for line, _ in found]
    assert words[0].startswith('name="Meeple"')
    assert words[1] == "OK"
    x, y = map(int, words[-1].split(","))
    assert 0 <= x < 15
    assert 0 <= y < 15
    assert all(line.startswith(ANSWERS) for line in words[:-1]), words
    assert found[1][1] < found[-1][1] / 2, "START waited until all was compiled"


def test_output_of_an_agent_does_not_enter_the_protocol(tmp_path):
    file = tmp_path / "chatty.py"
    file.write_text(
        "class Chatty:\n"
        "    def choose(self, position, stop=None):\n"
        "        print('let me think')\n"
        "        return int(position.legal_actions()[0])\n"
    )
    command = [sys.executable, "-m", "meeple", "engine", "piskvork", f"agent:{file}:Chatty"]
    done = subprocess.run(
        command, input="START 9\nBEGIN\nEND\n", capture_output=True, text=True, timeout=WAIT
    )
    assert done.returncode == 0
    assert [line for line in done.stdout.splitlines() if not line.startswith("DEBUG")] == [
        "OK",
        "0,0",
    ]
