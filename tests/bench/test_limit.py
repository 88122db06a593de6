"""The C programs of the speed comparison give the kernels' results; no speed is tested."""

import numpy as np
import pytest

from bench.limit import (
    LimitProgram,
    build,
    find_compiler,
    leaves_of,
    mean_share,
    shipped_evaluation,
    write_tables,
)
from meeple.games.contract.registry import make
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from tests.search.test_perft import REVERSI

AT_NIGHT = pytest.mark.nightly("search in C, a measure of speed, gives the results of kernels")
COMPILER = find_compiler() or ""
SEEDS = range(100)
SIMULATIONS = 2000

pytestmark = pytest.mark.skipif(not COMPILER, reason="there is no C compiler here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("limit")


@pytest.fixture(scope="module")
def hex_in_c(folder):
    """Compile Hex in C, once for each size."""
    programs = {}

    def of(size):
        if size not in programs:
            programs[size] = build(COMPILER, "limit_hex.c", f"SIZE={size}", folder=folder)
        return LimitProgram(programs[size])

    return of


@AT_NIGHT
@pytest.mark.parametrize("defines", [(), ("VECTORS",)])
def test_perft_in_c_has_the_published_counts(folder, defines):
    with LimitProgram(build(COMPILER, "limit_reversi.c", *defines, folder=folder)) as limit:
        counts = [limit.ask(plies)["count"] for plies in range(1, 9)]
    assert counts == REVERSI[:8]


@AT_NIGHT
def test_perft_in_c_counts_a_game_that_ended_earlier(folder):
    """The shortest games end at the ninth ply."""
    with LimitProgram(build(COMPILER, "limit_reversi.c", folder=folder)) as limit:
        assert limit.ask(10)["count"] == REVERSI[9]


@AT_NIGHT
def test_patterns_in_c_give_the_same_shares(folder):
    game = make("reversi")
    evaluation, leaves = shipped_evaluation(game), leaves_of(game)
    write_tables(folder / "patterns.bin", game, evaluation, leaves)
    program = build(COMPILER, "limit_patterns.c", folder=folder)
    with LimitProgram(program, folder / "patterns.bin") as limit:
        found = [limit.ask(1)["mean"], limit.ask(2)["mean"]]
    assert found == pytest.approx([mean_share(evaluation, leaves, 1)] * 2, abs=1e-6)


def seen(visits, value):
    """Return a root's visit shares by cell, their concentration, and its value."""
    assert visits.sum() == SIMULATIONS
    shares = visits / SIMULATIONS
    return [*shares, (shares**2).sum(), value]


def searches(size, moves):
    """Return the `seen` statistics of the root for each seed."""
    game = make("hex", size=size)
    search, position = (
        TreeSearch(OpenUct(game, UctSettings(solve=False, transpositions=False))),
        game.start(),
    )
    for move in moves:
        position.play(move)
    rows = []
    for seed in SEEDS:
        search.begin(seed)
        found = search.run(position, SIMULATIONS)
        visits = np.zeros(size * size)
        visits[found.actions] = found.visits
        rows.append(seen(visits, found.value[position.to_move]))
    return np.array(rows)


def searches_in_c(limit, moves):
    """Return the same statistics by the C program."""
    answers = [limit.ask(SIMULATIONS, seed, *moves) for seed in SEEDS]
    return np.array([seen(np.array(answer["visits"]), answer["value"]) for answer in answers])


@AT_NIGHT
@pytest.mark.parametrize(
    ("size", "moves"), [(3, []), (4, []), (4, [5]), (5, [12, 6, 7]), (9, [40, 30])], ids=str
)
def test_uct_in_c_has_the_root_statistics_of_the_kernels(hex_in_c, size, moves):
    """The means over seeds differ by less than five standard errors in all statistics."""
    ours = searches(size, moves)
    with hex_in_c(size) as limit:
        theirs = searches_in_c(limit, moves)
    errors = np.sqrt((ours.var(axis=0) + theirs.var(axis=0)) / len(SEEDS))
    assert np.all(np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) <= 5 * errors)
