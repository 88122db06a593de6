"""A table of kernels: compiled in advance on request, otherwise at the first call."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from meeple import kernels
from meeple.errors import MeepleError
from meeple.games import nim
from meeple.games.contract.registry import make
from meeple.kernels import table as kernel_table
from meeple.kernels.table import KernelTable, Memory, caller

SRC = Path(__file__).parents[2] / "src"
NIM = make("nim", stones=9)
compiled_only = pytest.mark.skipif(
    not kernels.COMPILED, reason="kernels run as plain Python, and nothing is compiled"
)


def new_table():
    """Return a table of Nim's kernels in which nothing is compiled."""
    functions = {
        index: getattr(nim, name)
        for index, name in enumerate(kernels.KERNELS)
        if hasattr(nim, name)
    }
    records = {
        kernels.STATE: nim.Nim.State,
        kernels.OPTIONS: nim.Nim.Options,
        kernels.RNG: kernels.Rng,
        kernels.MOVES: kernels.moves_record(NIM.max_moves),
    }
    lengths = {kernels.SHARES: 2, kernels.FEATURES: 100, kernels.KEY: 2, kernels.OWNERS: 0}
    return KernelTable("nim", functions, Memory(records, lengths))


@compiled_only
def test_a_kernel_is_compiled_at_its_first_call_if_not_in_advance(monkeypatch):
    monkeypatch.setattr(kernel_table, "compiled_late", [])
    table, position = new_table(), NIM.start()
    stub = int(table.addresses[kernels.PLAY])
    caller("play")(stub, position.address, 1)
    assert position.state.heaps[0] == 7
    assert kernel_table.compiled_late == ["nim.play"]
    assert table.addresses[kernels.PLAY] != stub
    caller("play")(stub, position.address, 0)  # the address of the stub stays valid
    assert position.state.heaps[0] == 6
    assert kernel_table.compiled_late == ["nim.play"]


@compiled_only
def test_compile_compiles_kernels_in_advance(monkeypatch):
    monkeypatch.setattr(kernel_table, "compiled_late", [])
    table, position = new_table(), NIM.start()
    table.compile([kernels.PLAY])
    caller("play")(int(table.addresses[kernels.PLAY]), position.address, 1)
    caller("play")(table.address_of(kernels.PLAY), position.address, 0)
    assert position.state.heaps[0] == 6
    assert kernel_table.compiled_late == []


def test_the_address_of_a_missing_kernel_is_0_and_addresses_are_read_only():
    table = new_table()
    missing = [i for i, name in enumerate(kernels.KERNELS) if not hasattr(nim, name)]
    assert missing
    table.compile(range(len(kernels.KERNELS)))
    assert not table.addresses[missing].any()
    assert table.address_of(missing[0]) == 0
    with pytest.raises(ValueError, match="read-only"):
        table.addresses[kernels.PLAY] = 0


@compiled_only
def test_a_kernel_on_disk_needs_no_compilation():
    table = new_table()
    table.compile([kernels.PLAY])
    assert new_table().not_compiled([kernels.PLAY, kernels.NARROW]) == []


@compiled_only
def test_ctrl_c_during_a_late_compilation_is_deferred(monkeypatch):
    """Machine code that called Python cannot receive an exception."""

    class Pressed:
        """The future of a compilation during which Ctrl-C is pressed twice."""

        def __init__(self):
            self.left = 2

        def result(self):
            self.left -= 1
            if self.left >= 0:
                raise KeyboardInterrupt
            return 7

        def set_result(self, value):
            assert value == 7

    monkeypatch.setattr(kernel_table, "Future", Pressed)
    assert kernel_table.run_to_completion("play", lambda: 7) == (7, True)


BROKEN = """
import sys
sys.path.insert(0, sys.argv[1])
import meeple
from meeple import kernels
from broken import Broken
game = Broken()
position = game.start()
try:
    game.compile(kernels.ROLLOUT)
except Exception as error:
    print(type(error).__name__)
meeple.kernels.table.caller("rollout")(int(game.addresses[kernels.ROLLOUT]), position.address, 0)
print("not reached")
"""
GAME = """
from meeple.games.nim import *
from meeple.games.nim import Nim
from meeple.errors import MeepleError
from meeple.games import nim
from meeple.kernels import kernel
start, legal, play, payoffs, observe = nim.start, nim.legal, nim.play, nim.payoffs, nim.observe

@kernel
def rollout(s, rng):
    s.to_move = no_such_name

class Broken(Nim):
    name = "broken"
"""


@pytest.mark.slow
@compiled_only
def test_a_kernel_that_does_not_compile_raises_in_advance_and_ends_the_process_when_called(
    tmp_path,
):
    (tmp_path / "broken.py").write_text(GAME)
    done = subprocess.run(
        [sys.executable, "-c", "import meeple.kernels.table\n" + BROKEN, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(SRC)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.split() == ["KernelError"]
    assert "meeple: the kernel `rollout` does not compile" in done.stderr
    assert "no_such_name" in done.stderr


SEARCHES = """
import sys
import meeple
from meeple.kernels import table as kernel_table
from meeple.search.exact.solver import solve
from meeple.search.perft import perft

for name, options, specs in (
    ("nim", {"stones": 7}, ("random", "uct:sims=50", "minimax:depth=2,heuristic=even")),
    ("hex", {"size": 3}, ("uct:sims=50", "minimax:depth=2,heuristic=even")),
    ("gomoku", {"size": 5, "in_a_row": 4}, ("uct:sims=50", "minimax:depth=2", "greedy")),
    ("reversi", {"size": 4}, ("uct:sims=50", "uct:sims=20,guided=0.5", "minimax:depth=2",
                              "uct:sims=20,plies=3", "greedy")),
    ("ledge", {}, ("uct:sims=50",)),
    ("catan", {"players": 2}, ("uct:sims=20", "weighted", "greedy:determinizations=1",
                               "minimax:depth=1,determinizations=1")),
):
    game = meeple.make(name, **options)
    for spec in reversed(specs):  # UCT last, so that no other search uses what it compiled
        player, position = meeple.agent(spec, game), game.start()
        for _ in range(3):
            while position.to_move == -1:
                position.play_chance()
            if position.is_over:
                break
            position.play(player.choose(position))
    if name in ("nim", "hex"):
        solve(game.start())
        perft(game.start(), 2)
print(*kernel_table.compiled_late)
"""


@pytest.mark.slow
@compiled_only
def test_every_search_compiles_its_kernels_before_its_clock_starts():
    done = subprocess.run(
        [sys.executable, "-c", SEARCHES],
        env=os.environ | {"PYTHONPATH": str(SRC), "MEEPLE_QUIET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


@compiled_only
def test_a_missing_kernel_is_named_and_not_called():
    with pytest.raises(MeepleError, match="no kernel `prune`"):
        caller("prune")(NIM.address_of(kernels.PRUNE), 0, 0)
