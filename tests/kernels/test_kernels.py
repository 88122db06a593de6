"""Kernels: random numbers, records, calls by address, and the cache on disk."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from meeple import kernels
from meeple.games.contract.registry import make
from meeple.kernels.table import caller

SRC = Path(__file__).parents[2] / "src"

# ---------------------------------------------------------------- random numbers


def generator(state):
    rng = np.zeros(1, kernels.Rng)
    rng["state"] = state
    return rng


def test_the_generator_yields_the_published_numbers_of_splitmix64():
    """The output of Vigna's reference implementation for seed 1234567, from Rosetta Code."""
    rng = generator(1234567)
    assert [int(kernels.next_uint64(rng[0])) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 100])
def test_numbers_below_a_bound_are_equally_frequent(bound):
    """Pearson's test: chi squared lies within five standard deviations of its mean."""
    rng, counts, draws = generator(bound), np.zeros(bound), 20_000
    for _ in range(draws):
        counts[kernels.below(rng[0], bound)] += 1
    expected = draws / bound
    chi_squared = ((counts - expected) ** 2 / expected).sum()
    assert abs(chi_squared - (bound - 1)) <= 5 * np.sqrt(2 * max(bound - 1, 0))


def test_hidden_cards_are_dealt_anew_in_every_order_alike():
    rng, draws = generator(3), 6_000
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(draws):
        places = np.array([0, 1, -1, 2, 0, 3], np.int8)
        kernels.redeal(rng[0], places, 0)
        assert places[[0, 2, 4]].tolist() == [0, -1, 0]  # the player's own, and one that all see
        found[tuple(places[[1, 3, 5]].tolist())] += 1
    assert len(found) == 6
    assert max(abs(count - draws / 6) for count in found.values()) < 5 * np.sqrt(draws / 6)


def test_outcomes_are_the_places_of_a_number_and_equally_likely():
    moves = np.zeros(1, kernels.moves_record(5))[0]
    kernels.add_outcomes(moves, np.array([1, 0, 1, 2, 1], np.int8), 1)
    assert moves.actions[: moves.count].tolist() == [0, 2, 4]
    assert moves.probabilities[: moves.count].tolist() == pytest.approx([1 / 3] * 3)


def test_uniform_numbers_fill_the_unit_interval():
    rng = generator(5)
    drawn = np.array([kernels.uniform(rng[0]) for _ in range(20_000)])
    assert ((drawn >= 0) & (drawn < 1)).all()
    assert drawn.mean() == pytest.approx(0.5, abs=0.01)
    assert drawn.var() == pytest.approx(1 / 12, abs=0.005)


def test_every_number_of_a_seed_changes_the_generator():
    seeds = [(0,), (1,), (0, 1), (1, 0), (0, 0), (-1,)]
    assert len({int(kernels.new_rng(*seed)["state"][0]) for seed in seeds}) == len(seeds)
    assert kernels.new_rng(3, 4) == kernels.new_rng(3, 4)


# ---------------------------------------------------------------- records


def test_a_field_may_have_the_name_of_an_attribute_of_numpy():
    kind = kernels.record(to_move=np.int8, size=np.int16, take=(np.int16, (3,)))
    rows = np.zeros(2, kind)
    rows[1].size = 7
    rows[1].take[2] = 5
    assert rows["size"].tolist() == [0, 7]
    assert rows["take"][1].tolist() == [0, 0, 5]
    with pytest.raises(ValueError, match="missing"):
        rows[0].missing = 1


def test_a_kernel_is_called_by_its_address():
    game = make("nim", stones=9)
    position = game.start()
    caller("play")(game.address_of(kernels.PLAY), position.address, 1)
    assert position.state.heaps[0] == 7
    assert position.to_move == 1


# ---------------------------------------------------------------- the cache

compiled_only = pytest.mark.skipif(
    not kernels.COMPILED, reason="kernels run as plain Python, and nothing is compiled"
)
FIRST_MOVE = """
import meeple
from meeple import kernels
from meeple.kernels import cache as kernel_cache
position = meeple.make("nim").start()
position.play(int(position.legal_actions()[0]))
print(*kernel_cache.newly_compiled())
"""


def run(program, cache, *paths):
    """Run a program in a new process; return the words on stdout, and stderr.

    It writes no bytecode: Python takes a source of the same length and second for unchanged.
    """
    done = subprocess.run(
        [sys.executable, "-B", "-c", program],
        env=os.environ
        | {"MEEPLE_CACHE": str(cache), "PYTHONPATH": os.pathsep.join(map(str, [SRC, *paths]))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


@pytest.mark.slow
@compiled_only
def test_a_second_process_compiles_nothing_and_prints_nothing(tmp_path):
    first, words = run(FIRST_MOVE, tmp_path)
    assert "meeple.games.nim.play" in first
    assert words.count("compiling nim (once)") == 1
    assert run(FIRST_MOVE, tmp_path) == ([], "")


CALLED = """
from meeple.kernels import kernel

@kernel
def doubled(number):
    return 2 * number
"""
BETWEEN = """
from meeple.kernels import kernel
from called import doubled

@kernel
def passed_on(number):
    return doubled(number)
"""
CALLER = """
from meeple.kernels import kernel
from between import passed_on

@kernel
def answer(number):
    return passed_on(number) + 1
"""
PAIR = """
from typing import NamedTuple
from meeple.kernels import kernel

class Pair(NamedTuple):
    left: int
    right: int

@kernel
def total(pair):
    return pair.left + pair.right
"""
FACTORY = """
from meeple.kernels import inlined, kernel, named_kernel

@inlined
def doubled(number):
    return 2 * number

@inlined
def squared(number):
    return number * number

def applied(name, function):
    @named_kernel(name)
    def apply(number):
        return function(number)
    return apply

double, square = applied("double", doubled), applied("square", squared)

def answering(size):
    @named_kernel("answer")
    def answer():
        return size
    return answer
"""
CALLS = {"called": CALLED, "between": BETWEEN, "caller": CALLER}
ASK = "import caller", "caller.answer(5)"
TOTAL = "import pairs", "pairs.total(pairs.{}(3, 4))"
ENCLOSED = "import factory, sizes", "factory.answering(sizes.SIZE)()"
COMPILATIONS = {
    "an edit of a called kernel's file": (
        CALLS,
        [
            (ASK, {}, "11 caller.answer"),
            (ASK, {}, "11"),
            (ASK, {"called": CALLED.replace("2 *", "3 *")}, "16 caller.answer"),
        ],
    ),
    "kernels of a factory have names": (
        {"factory": FACTORY},
        [
            (("import factory", "factory.double(5)"), {}, "10 factory.double"),
            (("import factory", "factory.square(5)"), {}, "25 factory.square"),
            (("import factory", "factory.double(5), factory.square(5)"), {}, "10 25"),
        ],
    ),
    "another enclosed number": (
        {"factory": FACTORY, "sizes": "SIZE = 3"},
        [
            (ENCLOSED, {}, "3 factory.answer"),
            (ENCLOSED, {"sizes": "SIZE = 12"}, "12 factory.answer"),
            (ENCLOSED, {"sizes": "SIZE = 3"}, "3"),
        ],
    ),
    # The cache stays when a user installs a version that names a class of records differently.
    "a renamed class": (
        {"pairs": PAIR},
        [
            ((TOTAL[0], TOTAL[1].format("Pair")), {}, "7 pairs.total"),
            ((TOTAL[0], TOTAL[1].format("Pair")), {}, "7"),
            (
                (TOTAL[0], TOTAL[1].format("Couple")),
                {"pairs": PAIR.replace("Pair", "Couple")},
                "7 pairs.total",
            ),
            ((TOTAL[0], TOTAL[1].format("Couple")), {}, "7"),
        ],
    ),
}
"""Files, and for each new process an import and values, edits of the files, and what is printed:
the values, and the kernels that were compiled."""


def printed(call, cache, files):
    """Return the values of a call in a new process, and the kernels that were compiled for it."""
    imports, values = call
    program = f"{imports}\nfrom meeple.kernels import cache\n"
    return " ".join(run(f"{program}print({values}, *cache.newly_compiled())", cache, files)[0])


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize(("files", "steps"), COMPILATIONS.values(), ids=COMPILATIONS)
def test_a_new_process_compiles_what_has_changed_alone(files, steps, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    for call, edits, expected in [(steps[0][0], files, steps[0][2]), *steps[1:]]:
        for name, text in edits.items():
            (folder / f"{name}.py").write_text(text)
        assert printed(call, tmp_path / "cache", folder) == expected


@pytest.mark.slow
@compiled_only
def test_without_a_writable_cache_kernels_are_compiled_every_time(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    _, words = run(FIRST_MOVE, blocked / "cache")
    assert words == f"compiling nim (every time, as {blocked / 'cache'} cannot be written)…\n"


READ_ONLY = """
from meeple.kernels import cache as kernel_cache
def refuse(folder):
    raise OSError(30, "Read-only file system")
kernel_cache.ensure_writable = refuse
"""


@pytest.mark.slow
@compiled_only
def test_a_read_only_cache_is_read(tmp_path):
    """For example in a container image whose files belong to another user."""
    assert run(FIRST_MOVE, tmp_path)[0]
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert run(READ_ONLY + FIRST_MOVE, tmp_path) == ([], "")
    compiled, words = run(READ_ONLY + FIRST_MOVE.replace('"nim"', '"ledge"'), tmp_path)
    assert "meeple.games.ledge.play" in compiled
    assert words == f"compiling ledge (every time, as {tmp_path} cannot be written)…\n"
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == files


@pytest.mark.slow
@compiled_only
def test_binaries_of_different_processors_are_stored_side_by_side(tmp_path):
    other = "import os; os.environ['NUMBA_CPU_NAME'] = 'generic'\n"
    other += "os.environ['NUMBA_CPU_FEATURES'] = ''\n"
    assert run(FIRST_MOVE, tmp_path)[0]
    assert run(other + FIRST_MOVE, tmp_path)[0]
    assert run(other + FIRST_MOVE, tmp_path) == ([], "")
    assert run(FIRST_MOVE, tmp_path) == ([], "")
