"""The stack of a depth-first search: its memory, and the loop that a search gives three steps.

Kernels have no recursion. A search here is a record with at least `rules` and `stack`, and three
functions, which are copied into the kernel that calls `run`:

- `open_node(search, ply)` lists the moves of the state in row `ply`, which was just entered;
- `advance(search, ply)` plays the next of them into the row below, and enters it or takes its
  result at once;
- `take(search, ply)` takes the result of the row below, which is done.

The first two return RUNNING, DONE once the row's own result is known, or a number of their own,
which ends the search. A search may stop after any step and resume.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import CHANCE, RecordType, inlined, record
from meeple.search.moves import (
    Moves,
    copy_and_play,
    copy_state,
    ensure_actions,
    new_moves,
    seat_to_move,
)
from meeple.search.room import PliesExceeded, fits

RUNNING, DONE, CHANCE_MET, NO_NUMBER = range(4)  # what a step returns, and `run`

LINE_PLIES = 16  # plies of the principal variation that are recorded

Cursor = record(
    ply=np.int64,  # the current row
    nodes=np.int64,  # positions played to, in all searches
    before=np.int64,  # nodes before the root's current child
    entering=np.bool_,  # whether the current row was just entered
)


class Stack(NamedTuple):
    """The path to the current node: row `d` is `d` plies below the root. W is the most moves."""

    states: npt.NDArray[np.uint8]  # [d, state bytes]
    frames: npt.NDArray[np.void]  # [d] a record of the search's own, with `next` and `count`
    actions: npt.NDArray[np.int32]  # [d, W]
    line: npt.NDArray[np.int32]  # [d, 1 + LINE_PLIES] length and actions
    nodes: npt.NDArray[np.int64]  # [W] below each child of the root
    cursor: npt.NDArray[np.void]  # [1] Cursor
    moves: Moves
    shares: npt.NDArray[np.float64]  # [players]


def new_stack(game: Game, rows: int, frame: RecordType) -> Stack:
    """Allocate a stack; unwritten pages cost no memory.

    Args:
        game: the game to search.
        rows: the most plies of a path, and 1.
        frame: the type of a frame, which has at least the fields `next` and `count`.
    """
    return Stack(
        states=np.zeros((rows, game.state_bytes), np.uint8),
        frames=np.zeros(rows, frame),
        actions=np.zeros((rows, game.max_moves), np.int32),
        line=np.zeros((rows, 1 + LINE_PLIES), np.int32),
        nodes=np.zeros(game.max_moves, np.int64),
        cursor=np.zeros(1, Cursor),
        moves=new_moves(game),
        shares=np.zeros(game.players),
    )


@inlined
def run(search: Any, nodes: int, open_node: Any, advance: Any, take: Any) -> Any:
    """Continue a search for about `nodes` nodes; return RUNNING, DONE or a step's own number."""
    cursor = search.stack.cursor[0]
    last = cursor.nodes + nodes
    while cursor.nodes < last:
        ply = cursor.ply
        if cursor.entering:
            cursor.entering = False
            status = open_node(search, ply)
        else:
            status = advance(search, ply)
        if status == DONE and ply > 0:
            cursor.ply = ply - 1
            take(search, ply - 1)
        elif status != RUNNING:
            return status
    return RUNNING


@inlined
def enter(stack: Any, ply: int) -> None:
    """Make the row whose state is written the current one, to be opened next."""
    stack.cursor[0].ply = ply
    stack.cursor[0].entering = True


@inlined
def write_children(stack: Any, ply: int, count: int) -> None:
    """Make the moves listed in `stack.moves` the children of a row."""
    frame = stack.frames[ply]
    mover = seat_to_move(stack.states[ply])
    if mover != CHANCE:
        ensure_actions(stack.moves.memory, count, mover)
    frame.next, frame.count = 0, count
    for child in range(count):
        stack.actions[ply, child] = stack.moves.actions[child]


@inlined
def play_next(rules: Any, stack: Any, ply: int) -> Any:
    """Play a row's next move into the row below; count the node, and return who moves next.

    Raises PliesExceeded if there is no such row.
    """
    if not fits(stack.states, ply + 2):
        raise PliesExceeded
    child = stack.frames[ply].next
    stack.line[ply + 1, 0] = 0
    stack.cursor[0].nodes += 1
    return copy_and_play(rules, stack.states, ply, ply + 1, stack.actions[ply, child])


@inlined
def extend_line(stack: Any, ply: int, action: int) -> None:
    """Make the action, then the line of the row below, the line of a row."""
    line, below = stack.line[ply], stack.line[ply + 1]
    line[0] = 1 + min(below[0], LINE_PLIES - 1)
    line[1] = action
    for place in range(1, line[0]):
        line[1 + place] = below[place]


@inlined
def count_nodes(stack: Any, child: int) -> None:
    """Note the nodes below the root's child that was just finished."""
    cursor = stack.cursor[0]
    stack.nodes[child] = cursor.nodes - cursor.before
    cursor.before = cursor.nodes


@inlined
def set_root(stack: Any, state: Any, actions: Any) -> None:
    """Begin at a state, whose children are to be these actions [n] in this order.

    Raises ValueError if there are more than the game's `max_moves`.
    """
    if not fits(stack.nodes, actions.shape[0]):
        raise ValueError
    frame, cursor = stack.frames[0], stack.cursor[0]
    copy_state(state, stack.states[0])
    for child in range(stack.nodes.shape[0]):
        stack.nodes[child] = 0
    for child in range(actions.shape[0]):
        stack.actions[0, child] = actions[child]
    frame.next, frame.count = 0, actions.shape[0]
    stack.line[0, 0] = 0
    cursor.ply, cursor.before, cursor.entering = 0, cursor.nodes, True


def root_nodes(stack: Stack) -> npt.NDArray[np.int64]:
    """Return the nodes [n] below the root's children so far."""
    frame, cursor = stack.frames[0], stack.cursor[0]
    nodes = stack.nodes[: frame.count].copy()
    nodes[frame.next : frame.next + 1] = cursor.nodes - cursor.before
    return nodes


def root_line(stack: Stack) -> list[int]:
    """Return the principal variation."""
    line: list[int] = stack.line[0, 1 : 1 + stack.line[0, 0]].tolist()
    return line
