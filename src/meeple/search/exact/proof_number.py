"""Proof-number search: can one player be sure of at least a given share? Compiled, game-blind.

Depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees", 2002) with the
weak counting of Ueda, Hashimoto, Hashimoto and Iida ("Weak proof-number search", 2008): a node's
harder number is the largest of its children's plus one for each further open child, which keeps it
from exploding where many paths lead to the same position.

`prover` is the player whose share is in question. A node has two numbers, `[proof, disproof]`: how
hard it still looks to prove and to disprove that the prover gets `target`; once that is known, one
is 0 and the other `INFINITE`. An explicit stack lets the search stop and resume at any point.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import (
    CHANCE,
    IDENTITY,
    KNOWN_RESULT,
    LEGAL,
    OVER,
    PAYOFFS,
    PLAY,
    invoke2,
    kernel,
    scramble,
)
from meeple.search.moves import Moves, copy_state, list_moves, new_moves
from meeple.search.room import PliesExceeded, fits

INFINITE = 1 << 30
RUNNING, DONE, FULL, CHANCE_MET = range(4)  # what `run_proof_number` returns

# Words of `Search.cursor`.
DEPTH, ENTERING, POSITIONS = range(3)
# Columns of `Search.table`, an open-addressed hash table; a slot is free while its numbers are 0.
KEY_0, KEY_1, NUMBERS = range(3)

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
    table: Words  # [slots, 3], slots a power of two


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
        moves=new_moves(game.max_moves),
        shares=np.zeros(2),
        below=np.zeros(1),
        cursor=np.zeros(3, np.int64),
        table=np.zeros((slots, 3), np.uint64),
    )


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
            if cursor[POSITIONS] * 4 >= len(search.table) * 3:
                return FULL  # the caller enlarges the table and resumes
            if not _expand(rules, search, depth, prover, target):
                return CHANCE_MET
            cursor[ENTERING] = 0
        mine = _mover_column(search, depth, prover)
        best, easiest, second, hardest, spread = _weigh(search, depth, mine)
        limits = search.limits[depth]
        if easiest >= limits[mine] or hardest >= limits[1 - mine]:
            number = _pack(easiest, hardest) if mine == 0 else _pack(hardest, easiest)
            _store(search, depth, number)
            if depth == 0:
                return DONE
            cursor[DEPTH] = depth - 1
            _unpack(number, search.numbers[depth - 1, search.chosen[depth - 1]])
        else:
            # A child is searched until it looks a quarter harder than its rival, not to flit about
            # (the 1+epsilon trick of Pawlewicz and Lew, 2006).
            rival = min(second + 1 + second // 4, INFINITE)
            if not fits(search.counts, depth + 2):
                raise PliesExceeded
            search.limits[depth + 1, mine] = min(limits[mine], rival)
            search.limits[depth + 1, 1 - mine] = limits[1 - mine] - spread
            search.chosen[depth] = best
            _step(rules, search, depth, search.actions[depth, best], depth + 1)
            cursor[DEPTH] = depth + 1
            cursor[ENTERING] = 1
    return RUNNING


def root_number(search: Search) -> int:
    """The proof number of the position that was entered last: 0 if the prover gets the target."""
    slot = _slot(search.table, search.keys[0, 0], search.keys[0, 1])
    return int(search.table[slot, NUMBERS]) >> 32


@kernel
def _mover_column(search: Any, depth: int, prover: int) -> int:
    """Which of a node's numbers its mover wants to bring to 0."""
    return 0 if np.int8(search.states[depth, 0]) == prover else 1


@kernel
def _step(rules: Any, search: Any, depth: int, action: int, target: int) -> None:
    """Play an action of a node into another row of the stack."""
    copy_state(search.states[depth], search.states[target])
    invoke2(rules[PLAY], search.states[target].ctypes.data, np.int64(action))


@kernel
def _expand(rules: Any, search: Any, depth: int, prover: int, target: float) -> bool:
    """List a node's children with what is known of each; False at a chance node."""
    scratch = len(search.states) - 1
    _identify(rules, search.states[depth], search.keys[depth], prover)
    count = list_moves(rules, LEGAL, search.states[depth], search.moves)
    mine = _mover_column(search, depth, prover)
    key = search.keys[scratch]
    search.counts[depth] = count
    for child in range(count):
        action = search.moves.actions[child]
        search.actions[depth, child] = action
        _step(rules, search, depth, action, scratch)
        numbers = search.numbers[depth, child]
        mover = np.int8(search.states[scratch, 0])
        if mover == CHANCE:
            return False
        if _known_share(rules, search, scratch, mover):
            share = search.shares[prover]
            reached = share >= target
            numbers[0], numbers[1] = (0, INFINITE) if reached else (INFINITE, 0)
            if not reached:
                search.below[0] = max(search.below[0], share)
        else:
            _identify(rules, search.states[scratch], key, prover)
            _look_up(search.table, key, numbers)
        if numbers[mine] == 0:  # the mover has reached its goal: skip the other children
            search.counts[depth] = child + 1
            return True
    return True


@kernel
def _known_share(rules: Any, search: Any, row: int, mover: int) -> Any:
    """Whether a state is over, or its game knows the result; then `search.shares` holds."""
    search.shares[0] = -1.0
    if mover == OVER:
        invoke2(rules[PAYOFFS], search.states[row].ctypes.data, search.shares.ctypes.data)
    elif rules[KNOWN_RESULT] != 0:
        invoke2(rules[KNOWN_RESULT], search.states[row].ctypes.data, search.shares.ctypes.data)
    return search.shares[0] >= 0.0


@kernel
def _identify(rules: Any, state: Any, key: Any, prover: int) -> None:
    """Write a position's key: the game's own, or a hash of the state's bytes.

    The key includes whether it is the prover's turn: shares of equal keys are equal for the player
    to move.
    """
    if rules[IDENTITY] != 0:
        invoke2(rules[IDENTITY], state.ctypes.data, key.ctypes.data)
    else:
        first, second = np.uint64(1), np.uint64(2)
        for byte in state:
            first = scramble(first ^ np.uint64(byte)) + first
            second = scramble(second ^ np.uint64(byte)) + second
        key[0], key[1] = first, second
    if np.int8(state[0]) == prover:
        key[1] = ~key[1]


@kernel
def _weigh(search: Any, depth: int, mine: int) -> tuple[int, int, int, int, int]:
    """Compute a node's numbers from those of its children.

    These are the best child, its number and the second best for the mover, the node's other number,
    and the part of it that is due to open children beside the hardest.
    """
    best, easiest, second, hardest, still_open = 0, INFINITE, INFINITE, 0, 0
    for child in range(search.counts[depth]):
        good = search.numbers[depth, child, mine]
        bad = search.numbers[depth, child, 1 - mine]
        if good < easiest:
            best, easiest, second = child, good, easiest
        elif good < second:
            second = good
        if bad > hardest:
            hardest = bad
        if bad > 0:
            still_open += 1
    spread = max(still_open - 1, 0)
    if hardest < INFINITE:
        hardest = min(hardest + spread, INFINITE - 1)
    if easiest == 0:
        hardest = INFINITE
    elif hardest == 0:
        easiest = INFINITE
    return best, easiest, second, hardest, spread


@kernel
def _pack(proof: int, disproof: int) -> Any:
    """Both numbers in one word; never 0, as they are not both 0."""
    return (np.uint64(proof) << np.uint64(32)) | np.uint64(disproof)


@kernel
def _unpack(word: Any, numbers: Any) -> None:
    numbers[0] = np.int64(word >> np.uint64(32))
    numbers[1] = np.int64(word & np.uint64(0xFFFFFFFF))


@kernel
def _slot(table: Any, first: Any, second: Any) -> Any:
    """Return the slot of a key, or the free slot to insert it in."""
    mask = np.uint64(len(table) - 1)
    at = scramble(first ^ scramble(second + np.uint64(0x9E3779B97F4A7C15))) & mask
    while table[at, NUMBERS] != np.uint64(0):
        if table[at, KEY_0] == first and table[at, KEY_1] == second:
            break
        at = (at + np.uint64(1)) & mask
    return np.int64(at)


@kernel
def _look_up(table: Any, key: Any, numbers: Any) -> None:
    """Read the numbers of a key; 1 and 1 if the table has no entry."""
    word = table[_slot(table, key[0], key[1]), NUMBERS]
    if word == np.uint64(0):
        numbers[0], numbers[1] = 1, 1
    else:
        _unpack(word, numbers)


@kernel
def _store(search: Any, depth: int, number: Any) -> None:
    first, second = search.keys[depth, 0], search.keys[depth, 1]
    at = _slot(search.table, first, second)
    if search.table[at, NUMBERS] == np.uint64(0):
        search.cursor[POSITIONS] += 1
        search.table[at, KEY_0], search.table[at, KEY_1] = first, second
    search.table[at, NUMBERS] = number


@kernel
def rehash(old: Any, new: Any) -> None:
    """Move every entry of a table to a larger one."""
    for at in range(len(old)):
        if old[at, NUMBERS] != np.uint64(0):
            to = _slot(new, old[at, KEY_0], old[at, KEY_1])
            for word in range(3):
                new[to, word] = old[at, word]
