"""Proof-number search: can one player be sure of at least a given share? Compiled, game-blind.

Depth-first proof-number search, see `kernels/proof_numbers.py`. `prover` is the player whose share
is in question; a node is proven if the prover gets `target`. An explicit stack lets the search stop
and resume at any point.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import (
    CHANCE,
    LEGAL,
    inlined,
    kernel,
)
from meeple.kernels.proof_numbers import INFINITE, limit_child, packed, unpack, weigh
from meeple.search.machine.leaves import known_shares
from meeple.search.machine.table import fill_slots, slot_of
from meeple.search.moves import Moves, copy_and_play, copy_state, list_moves, new_moves
from meeple.search.room import PliesExceeded, fits
from meeple.search.state_hash import mixed, write_key

RUNNING, DONE, FULL, CHANCE_MET = range(4)  # what `run_proof_number` returns

# Words of `Search.cursor`.
DEPTH, ENTERING, POSITIONS, VISITED = range(4)  # VISITED: children played so far
# Columns of `Search.entries`: the key, mixed so that its lowest bits look random, and the numbers.
MIXED, SECOND, NUMBERS = range(3)

Words = npt.NDArray[np.uint64]


class Search(NamedTuple):
    """One search's stack and table; `[d]` is the node `d` plies below the root, `d` <= `plies`."""

    states: npt.NDArray[np.uint8]  # [d, state bytes]; one spare row to try a move on
    counts: npt.NDArray[np.int32]  # [d] children
    actions: npt.NDArray[np.int32]  # [d, child]
    chosen: npt.NDArray[np.int32]  # [d] the child that is being searched
    keys: Words  # [d, 2]; one spare row for the key of a child
    limits: npt.NDArray[np.int64]  # [d, 2] numbers at which the search leaves the node
    numbers: npt.NDArray[np.int64]  # [d, child, 2]
    moves: Moves
    shares: npt.NDArray[np.float64]  # [2]
    below: npt.NDArray[np.float64]  # [1] the largest share under the target that was met
    cursor: npt.NDArray[np.int64]  # see above
    slots: npt.NDArray[np.int32]  # [T] entries by hash, see `machine/table.py`
    entries: Words  # [3 T / 8 + plies + 2, 3]; the first is not used


def new_search(game: Game, plies: int, slots: int) -> Search:
    """Allocate memory for a search of at most `plies` plies; unwritten pages cost none."""
    width = min(game.max_moves, game.num_actions)
    return Search(
        states=np.zeros((plies + 2, game.state_bytes), np.uint8),
        counts=np.zeros(plies + 1, np.int32),
        actions=np.zeros((plies + 1, width), np.int32),
        chosen=np.zeros(plies + 1, np.int32),
        keys=np.zeros((plies + 2, 2), np.uint64),
        limits=np.zeros((plies + 1, 2), np.int64),
        numbers=np.zeros((plies + 1, width, 2), np.int64),
        moves=new_moves(game),
        shares=np.zeros(2),
        below=np.zeros(1),
        cursor=np.zeros(4, np.int64),
        slots=np.zeros(slots, np.int32),
        entries=np.zeros((3 * slots // 8 + plies + 2, 3), np.uint64),
    )


def with_more_room(search: Search) -> Search:
    """Return the search with room for twice as many positions."""
    slots = np.zeros(2 * len(search.slots), np.int32)
    more = np.zeros((3 * len(search.slots) // 8, 3), np.uint64)
    entries = np.concatenate([search.entries, more])
    fill_slots(slots, entries[:, MIXED], search.cursor[POSITIONS] + 1)
    return search._replace(slots=slots, entries=entries)


@kernel
def enter(search: Any, state: Any) -> None:
    """Begin at a position that is not over, given as its row of bytes."""
    copy_state(state, search.states[0])
    search.limits[0, 0], search.limits[0, 1] = INFINITE, INFINITE
    search.cursor[DEPTH] = 0
    search.cursor[ENTERING] = 1


@kernel
def run_proof_number(rules: Any, search: Any, prover: int, target: float, steps: int) -> int:
    """Continue for `steps` node visits; once DONE, `root_number` holds the answer.

    Raises PliesExceeded at a game longer than the stack.
    """
    cursor = search.cursor
    for _ in range(steps):
        depth = cursor[DEPTH]
        if cursor[ENTERING]:
            # Before the next check, each node of the stack may be stored.
            if cursor[POSITIONS] * 8 >= len(search.slots) * 3:
                return FULL  # the caller makes room and resumes
            if not _expand(rules, search, depth, prover, target):
                return CHANCE_MET
            cursor[ENTERING] = 0
        mine, limits = _mover_column(search, depth, prover), search.limits[depth]
        best, easiest, second, hardest, spread = weigh(
            search.numbers[depth], search.counts[depth], mine
        )
        if easiest >= limits[mine] or hardest >= limits[1 - mine]:
            number = packed(easiest, hardest, mine)
            _store(search, search.keys[depth], number)
            if depth == 0:
                return DONE
            cursor[DEPTH] = depth - 1
            unpack(number, search.numbers[depth - 1, search.chosen[depth - 1]])
        else:
            if not fits(search.counts, depth + 2):
                raise PliesExceeded
            limit_child(limits, search.limits[depth + 1], mine, second, spread)
            search.chosen[depth] = best
            copy_and_play(rules, search.states, depth, depth + 1, search.actions[depth, best])
            cursor[DEPTH] = depth + 1
            cursor[ENTERING] = 1
    return RUNNING


def root_number(search: Search) -> int:
    """The proof number of the position that was entered last: 0 if the prover gets the target."""
    numbers = np.zeros(2, np.int64)
    look_up(search, search.keys[0], numbers)
    return int(numbers[0])


@kernel
def _mover_column(search: Any, depth: int, prover: int) -> int:
    """Which of a node's numbers its mover wants to bring to 0."""
    return 0 if np.int8(search.states[depth, 0]) == prover else 1


@kernel
def _expand(rules: Any, search: Any, depth: int, prover: int, target: float) -> bool:
    """List a node's children with what is known of each; False at a chance node."""
    scratch = len(search.states) - 1
    write_question(rules, search.states[depth], search.keys[depth], prover)
    count = list_moves(rules, LEGAL, search.states[depth], search.moves)
    mine = _mover_column(search, depth, prover)
    key = search.keys[scratch]
    search.counts[depth] = count
    for child in range(count):
        action = search.moves.actions[child]
        search.actions[depth, child] = action
        mover = copy_and_play(rules, search.states, depth, scratch, action)
        search.cursor[VISITED] += 1
        numbers = search.numbers[depth, child]
        if mover == CHANCE:
            return False
        if known_shares(rules, search.states[scratch], mover, search.shares):
            share = search.shares[prover]
            reached = share >= target
            numbers[0], numbers[1] = (0, INFINITE) if reached else (INFINITE, 0)
            if not reached:
                search.below[0] = max(search.below[0], share)
        else:
            write_question(rules, search.states[scratch], key, prover)
            look_up(search, key, numbers)
        if numbers[mine] == 0:  # the mover has reached its goal: skip the other children
            search.counts[depth] = child + 1
            return True
    return True


@inlined
def write_question(rules: Any, state: Any, key: Any, prover: int) -> None:
    """Write a position's key, with whether it is the prover's turn, as in a row of `entries`.

    Shares of equal keys are equal for the player to move.
    """
    write_key(rules, state, key)
    if np.int8(state[0]) == prover:
        key[1] = ~key[1]
    key[0] = mixed(key)


@inlined
def _slot(search: Any, key: Any) -> int:
    return int(slot_of(search.slots, search.entries[:, MIXED], key[0]))


@kernel
def look_up(search: Any, key: Any, numbers: Any) -> None:
    """Read the numbers of a key; 1 and 1 if there is no entry."""
    entry = search.entries[search.slots[_slot(search, key)]]
    if entry[NUMBERS] != np.uint64(0) and entry[SECOND] == key[1]:
        unpack(entry[NUMBERS], numbers)
    else:
        numbers[0], numbers[1] = 1, 1


@kernel
def _store(search: Any, key: Any, number: Any) -> None:
    """Store the numbers of a key, in place of any entry with the same first word."""
    slot = _slot(search, key)
    if search.slots[slot] == 0:
        search.cursor[POSITIONS] += 1
        search.slots[slot] = search.cursor[POSITIONS]
    entry = search.entries[search.slots[slot]]
    entry[MIXED], entry[SECOND], entry[NUMBERS] = key[0], key[1], number
