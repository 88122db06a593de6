"""Puzzles from recorded games: exactly one move wins, by exhaustive search in plain Python."""

import dataclasses

import numpy as np
import pytest

import meeple
from meeple.arena.puzzles import NOTE, PROVEN, RATINGS, Prover, puzzles
from meeple.errors import UsageError
from meeple.games.contract.records import record_of, replay
from meeple.search.exact.solver import solve

NODES = 20_000


def random_records(game, count, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        position = game.start()
        while not position.is_over:
            position.play(int(rng.choice(position.legal_actions())))
        yield record_of(position, ["a", "b"])


def found(game, count, nodes=NODES):
    return [one for one in puzzles(random_records(game, count), nodes) if one is not None]


def exhaustive(game):
    """A function that returns the winning moves of a position by trying all continuations."""
    shares = {}

    def value(position):
        """The first seat's share under best play."""
        if position.is_over:
            return float(position.payoffs[0])
        key = position.row.tobytes()
        if key not in shares:
            best = max if position.to_move == 0 else min
            shares[key] = best(map(value, children(position)))
        return shares[key]

    def children(position):
        for action in position.legal_actions().tolist():
            position.play(action)
            yield position
            position.undo()

    def winning(position):
        actions, own = position.legal_actions().tolist(), 1.0 - position.to_move
        values = list(map(value, children(position)))
        return [action for action, share in zip(actions, values, strict=True) if share == own]

    return winning


def by_exact_search(game):
    """The same by proof-number search, which knows nothing of the game's own solver."""
    return lambda position: solve(position).winning_actions


@pytest.mark.parametrize(
    ("name", "options", "oracle"),
    [
        ("hex", {"size": 3}, exhaustive),
        pytest.param("reversi", {"size": 4}, by_exact_search, marks=pytest.mark.slow),
    ],
)
def test_one_move_alone_wins_at_each_step_of_the_solution(name, options, oracle):
    game = meeple.make(name, **options)
    winning, checked = oracle(game), 0
    for puzzle in found(game, 6):
        record = puzzle.record()
        assert replay(record).actions == (*puzzle.position.actions, *puzzle.solution)
        assert record.opening == len(puzzle.position.actions)
        assert record.notes[NOTE] == {"proof": PROVEN, "rating": puzzle.rating}
        assert puzzle.rating in RATINGS
        assert len(puzzle.solution) % 2 == 1
        walk = puzzle.position.copy()
        walk.play(puzzle.solution[0])
        assert not walk.is_over  # no win in one move
        walk = puzzle.position.copy()
        for number, action in enumerate(puzzle.solution):
            if number % 2 == 0:
                assert winning(walk) == [action]
                checked += 1
            walk.play(action)
    assert checked >= 5


@pytest.mark.slow
def test_a_solution_by_threats_wins_by_exact_search():
    game = meeple.make("gomoku", size=5, in_a_row=4)
    late = [one for one in found(game, 60, 2_000) if one.position.actions[9:]]
    assert late
    for puzzle in late:
        assert puzzle.proof == "a search of 2,000 nodes finds no other winning move"
        if len(puzzle.position.actions) > 4:  # what the exact solver has room for
            assert puzzle.solution[0] in solve(puzzle.position).winning_actions


def test_equal_games_give_equal_puzzles_whatever_was_searched_before():
    game, nodes = meeple.make("gomoku", size=5, in_a_row=4), 500
    records = list(random_records(game, 6))
    together = [one.record() for one in puzzles(records, nodes) if one]
    assert together
    for record in together:
        position = replay(
            dataclasses.replace(record, actions=record.actions[: record.opening], payoffs=None)
        )
        winning = Prover(game, nodes).winning(position) or []
        assert [position.action_name(action) for action in winning] == [
            record.actions[record.opening]
        ]


@pytest.mark.slow
def test_a_position_beyond_the_limit_is_no_puzzle():
    position = meeple.make("hex", size=11).start()
    position.play(60)
    position.play(10)
    assert list(puzzles([record_of(position, ["a", "b"])], 1)) == [None]


def test_games_of_more_players_or_with_secrets_have_no_puzzles():
    catan = meeple.make("catan", players=3).start()
    with pytest.raises(UsageError, match="open games of two players"):
        list(puzzles([record_of(catan, ["a", "b", "c"])], NODES))
