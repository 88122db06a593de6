"""A search on the stack of `machine/stack.py` is a record and three functions: here, minimax."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from meeple.games.contract.registry import make
from meeple.kernels import LEGAL, OVER, PAYOFFS, inlined, invoke2, kernel, record
from meeple.search.exact.solver import solve
from meeple.search.machine.stack import (
    DONE,
    LINE_PLIES,
    RUNNING,
    Stack,
    count_nodes,
    enter,
    extend_line,
    new_stack,
    play_next,
    root_line,
    root_nodes,
    run,
    set_root,
    write_children,
)
from meeple.search.moves import list_moves, seat_to_move
from meeple.search.room import PliesExceeded

Frame = record(next=np.int64, count=np.int64, share=np.float64)


class Minimax(NamedTuple):
    """The first player's share of every position of a game of two players."""

    rules: Any
    stack: Stack


@inlined
def open_node(search, ply):
    state, frame = search.stack.states[ply], search.stack.frames[ply]
    if seat_to_move(state) == OVER:
        invoke2(search.rules[PAYOFFS], state.ctypes.data, search.stack.shares.ctypes.data)
        frame.share = search.stack.shares[0]
        return DONE
    if ply > 0:
        moves = list_moves(search.rules, LEGAL, state, search.stack.moves)
        write_children(search.stack, ply, moves)
    return RUNNING


@inlined
def advance(search, ply):
    if search.stack.frames[ply].next == search.stack.frames[ply].count:
        return DONE
    play_next(search.rules, search.stack, ply)
    enter(search.stack, ply + 1)
    return RUNNING


@inlined
def take(search, ply):
    frame, share = search.stack.frames[ply], search.stack.frames[ply + 1].share
    is_first = seat_to_move(search.stack.states[ply]) == 0
    if frame.next == 0 or ((share > frame.share) == is_first and share != frame.share):
        frame.share = share
        extend_line(search.stack, ply, search.stack.actions[ply, frame.next])
    if ply == 0:
        count_nodes(search.stack, frame.next)
    frame.next += 1


@kernel
def run_minimax(search, nodes):
    return run(search, nodes, open_node, advance, take)


def minimax(game, rows=None, nodes=1 << 40):
    """Return a finished search, run in slices of `nodes`."""
    search = Minimax(game.addresses, new_stack(game, rows or game.max_plies + 1, Frame))
    finish(search, game.start(), nodes)
    return search


def finish(search, position, nodes=1 << 40):
    """Search a position to its end, on the stack of earlier searches."""
    set_root(search.stack, position.row, position.legal_actions())
    while (status := run_minimax(search, nodes)) == RUNNING:
        pass
    assert status == DONE


def below(position):
    """Return the position after each action."""
    found = [position.copy() for _ in position.legal_actions()] if not position.is_over else []
    for child, action in zip(found, position.legal_actions(), strict=False):
        child.play(int(action))
    return found


def nodes_of(position):
    """Return the positions below one, counted once for each path."""
    return sum(1 + nodes_of(child) for child in below(position))


GAMES = [make("nim", heaps="1,2,2", take=2), make("ledge", row="10021")]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_search_of_three_functions_finds_the_value_of_perfect_play(game):
    search, exact = minimax(game), solve(game.start())
    assert search.stack.frames[0].share == exact.payoffs[0]
    assert search.stack.cursor[0].nodes == nodes_of(game.start())
    position = game.start()
    for action in root_line(search.stack):
        assert solve(position).payoffs[0] == exact.payoffs[0]
        position.play(action)
    assert position.is_over


@pytest.mark.parametrize("nodes", [1, 2, 7])
def test_a_search_in_slices_visits_the_same_nodes(nodes):
    game = GAMES[0]
    whole, sliced = minimax(game), minimax(game, nodes=nodes)
    assert sliced.stack.cursor[0].nodes == whole.stack.cursor[0].nodes
    assert root_line(sliced.stack) == root_line(whole.stack)


def test_a_stack_of_earlier_searches_gives_the_result_of_a_new_one():
    game = GAMES[1]
    position = game.start()
    search = minimax(game)
    while not position.is_over:
        before = int(search.stack.cursor[0].nodes)
        finish(search, position)
        counted = [1 + nodes_of(child) for child in below(position)]
        assert root_nodes(search.stack).tolist() == counted
        assert search.stack.cursor[0].nodes - before == sum(counted)
        line = root_line(search.stack)
        assert len(line) > 0
        position.play(line[0])
    finish(search, position)
    assert search.stack.frames[0].share == position.payoffs[0]
    assert root_line(search.stack) == []
    assert root_nodes(search.stack).tolist() == []


def test_more_actions_than_there_is_room_for_are_refused_at_the_root():
    game = GAMES[0]
    search = minimax(game)
    with pytest.raises(ValueError):  # a kernel's error has no words
        set_root(search.stack, game.start().row, np.zeros(game.max_moves + 1, np.int32))


def test_the_nodes_of_an_unfinished_move_of_the_root_are_those_so_far():
    search, position = minimax(GAMES[0]), GAMES[0].start()
    before = int(search.stack.cursor[0].nodes)
    set_root(search.stack, position.row, position.legal_actions())
    for nodes in range(1, nodes_of(position)):
        assert run_minimax(search, 1) == RUNNING
        assert root_nodes(search.stack).sum() == nodes == search.stack.cursor[0].nodes - before


def test_a_line_has_at_most_its_number_of_plies():
    assert root_line(minimax(make("nim", stones=20, take=1)).stack) == [0] * LINE_PLIES


def test_a_path_longer_than_the_stack_is_an_error():
    with pytest.raises(PliesExceeded):
        minimax(GAMES[0], rows=3)
