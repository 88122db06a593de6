"""The learning race: the solver, its positions, the judge, and the clock that survives restarts."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.race import clock, judge, ours, solver
from meeple.agents.network_files import network_facts
from meeple.games.contract.game import Position

AT_NIGHT = pytest.mark.nightly("positions, clock and contestants of the learning race are right")
POSITIONS = judge.read_positions()


@pytest.fixture(scope="module")
def table() -> solver.Table:
    return solver.new_table(100_003)


def position_after(moves: tuple[int, ...]) -> Position:
    position = ours.GAME.start(0)
    for move in moves:
        position.play(move)
    return position


def naive_score(moves: tuple[int, ...]) -> int:
    """The score by exhaustive search with the rules of the example, from the mover's view."""
    position = position_after(moves)
    if position.is_over:  # the side that moved last has won, or nobody
        drawn = position.payoffs[0] == 0.5
        return 0 if drawn else -((solver.CELLS + 2 - len(moves)) // 2)
    return max(-naive_score((*moves, int(move))) for move in position.legal_actions())


class Perfect:
    """Plays the best column, or the worst, by the positions of the file."""

    def __init__(self, sign: int = 1) -> None:
        self._sign, self._known = sign, {one.moves: one.scores for one in POSITIONS}

    def choose(self, moves: object, simulations: int) -> int:
        assert isinstance(moves, tuple)
        scores = self._known[moves]
        return max(scores, key=lambda column: self._sign * scores[column])


@AT_NIGHT
@pytest.mark.parametrize("seed", range(6))
def test_solver_agrees_with_exhaustive_search_on_late_positions(
    table: solver.Table, seed: int
) -> None:
    generator, moves = np.random.default_rng(seed), tuple[int, ...]()
    while len(moves) < 36:
        moves = ()
        while len(moves) < 36 and not position_after(moves).is_over:
            moves = (*moves, int(generator.choice(position_after(moves).legal_actions())))
    if position_after(moves).is_over:
        moves = moves[:-1]
    legal = position_after(moves).legal_actions().tolist()
    expected = {column: -naive_score((*moves, column)) for column in legal}
    assert solver.scores(moves, table) == expected
    assert solver.solve(moves, table) == max(expected.values())


def test_positions_are_as_many_for_each_ply_and_have_good_and_bad_moves() -> None:
    plies = [len(one.moves) for one in POSITIONS]
    assert {ply: plies.count(ply) for ply in judge.PLIES} == dict.fromkeys(judge.PLIES, 23)
    assert len({solver.bitboards(one.moves) for one in POSITIONS}) == len(POSITIONS)
    for one in POSITIONS:
        position = position_after(one.moves)
        assert sorted(one.scores) == position.legal_actions().tolist()
        assert len({one.keeps_result(column) for column in one.scores}) == 2


@AT_NIGHT
def test_positions_have_the_scores_of_the_solver(table: solver.Table) -> None:
    for one in POSITIONS[-200:]:
        assert solver.scores(one.moves, table) == one.scores


@pytest.mark.parametrize(("sign", "share"), [(1, 1.0), (-1, 0.0)])
def test_perfect_play_keeps_every_result_and_the_worst_none(sign: int, share: float) -> None:
    found = judge.shares(Perfect(sign), POSITIONS, 0)
    assert found["keep"]["share"] == found["best"]["share"] == share
    assert found["keep"]["interval"][0] <= share <= found["keep"]["interval"][1]


def test_the_fastest_win_is_the_best_move_and_others_keep_the_result() -> None:
    solved = judge.Solved((), {0: -3, 2: 1, 3: 4, 5: 0})
    assert [solved.keeps_result(column) for column in solved.scores] == [False, True, True, False]
    assert [solved.is_best(column) for column in solved.scores] == [False, False, True, False]


@AT_NIGHT
def test_clock_counts_the_processor_time_of_children() -> None:
    burn = "import time\nwhile time.process_time() < 0.2: pass"
    code = f"import subprocess, sys\nsubprocess.run([sys.executable, '-S', '-c', {burn!r}])"
    command = [sys.executable, "-S", "-c", f"{code}\nprint(flush=True)\ninput()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert clock.tree_seconds(child.pid) >= 0.19
        child.communicate(b"\n")


def test_clock_continues_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "tree_seconds", lambda _: 90.0)
    one = clock.Clock(tmp_path)
    one.before = 7.5
    one.save()
    later = clock.Clock(tmp_path)
    assert later.before == 9
    assert later.minutes == 10.5
    assert later.marks() == [10, 20, 60]


@AT_NIGHT
def test_training_resumes_after_its_last_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waves, learn = list[int](), ours.Progress.wave

    def count(self: ours.Progress, *metrics: Any) -> None:
        waves.append(1)  # each takes a minute
        learn(self, *metrics)

    monkeypatch.setattr(ours.Progress, "wave", count)
    monkeypatch.setattr(clock, "tree_seconds", lambda _: 60.0 * len(waves))
    small = ("network.kind=mlp", "network.hidden=[8]", "selfplay.games=8", "search.simulations=2")
    monkeypatch.setattr(ours, "SETTINGS", (*ours.SETTINGS, *small))
    monkeypatch.setattr(clock, "MARKS", (2,))
    ours.train(tmp_path)
    saved = clock.checkpoint(tmp_path, 2).read_bytes()
    monkeypatch.setattr(clock, "MARKS", (2, 5))
    ours.train(tmp_path)
    assert clock.checkpoint(tmp_path, 2).read_bytes() == saved
    episodes = [
        network_facts(clock.checkpoint(tmp_path, mark)).extra["episodes"] for mark in (2, 5)
    ]
    assert 0 < episodes[0] < episodes[1]
