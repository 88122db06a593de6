"""The end of input ends a search at once, in every protocol."""

import io
import subprocess
import sys
import threading
import time

import pytest

import meeple
from meeple.engines.gtp import GtpEngine
from meeple.engines.json_lines import JsonLinesEngine
from meeple.engines.loop import serve
from meeple.engines.nboard import NBoardEngine
from meeple.engines.piskvork import PiskvorkEngine

pytestmark = pytest.mark.slow

WAIT = 120.0  # seconds; generous for a busy machine, while the searches below take hours
LONG = "uct:sims=50000000"
ENGINES = [
    (GtpEngine, LONG, "hex", "genmove b\n", "= "),
    (PiskvorkEngine, LONG, "gomoku", "START 15\nBEGIN\n", ","),
    (NBoardEngine, "minimax:depth=2", "reversi", "set depth 1000000\nset depth 60\ngo\n", "==="),
    (JsonLinesEngine, LONG, "hex", '{"type":"position"}\n{"type":"go"}\n', "bestmove"),
    (
        JsonLinesEngine,
        LONG,
        "hex",
        '{"type":"game","game":"hex","options":{"size":9}}\n{"type":"position"}\n{"type":"go"}\n',
        "bestmove",
    ),
]


class Slow(io.StringIO):
    """Lines whose end is delayed until the search has started."""

    def __init__(self, text, thinking):
        super().__init__(text)
        self._thinking = thinking

    def readline(self, size=-1):
        line = super().readline(size)
        if not line:
            assert self._thinking.wait(WAIT)
        return line


@pytest.mark.parametrize(("make", "spec", "name", "lines", "answer"), ENGINES)
@pytest.mark.parametrize("under_way", [True, False], ids=["thinking", "not begun"])
def test_search_ends_with_the_input(make, spec, name, lines, answer, under_way):
    made = make(spec, meeple.make(name))
    thinking, sink = threading.Event(), io.StringIO()
    if under_way:
        choose = made._session.agent.choose

        def watched(position, stop=None):
            def asked():
                thinking.set()
                return stop()

            return choose(position, asked)

        made._session.agent.choose = watched
    if not under_way or "game" in lines or "START" in lines or "depth" in lines:
        thinking.set()  # not the watched agent
    begun = time.monotonic()
    serve(made, Slow(lines, thinking), sink)
    assert time.monotonic() - begun < WAIT
    assert answer in sink.getvalue()


def test_engine_ends_if_its_input_ends_during_a_search():
    command = [sys.executable, "-m", "meeple", "engine", "nboard", "minimax:depth=2"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as done:
        assert done.stdin is not None
        assert done.stdout is not None
        done.stdin.write("nboard 2\nset depth 60\ngo\n")
        done.stdin.flush()
        while "thinking" not in done.stdout.readline():
            pass
        done.stdin.close()
        assert done.wait(WAIT) == 0
