"""The kernels, their parameters, and calls of a kernel by its address.

Search calls a game's kernels by address, so that one compiled search serves every game.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from meeple.kernels.decorator import COMPILED


class Parameter(NamedTuple):
    """What a kernel receives for one of its parameters: a number, or the address of the rest."""

    name: str
    items: Any = None  # the NumPy type of an array's items; None for a number or a record
    length: int | str = 1  # of an array, or the attribute of a game's rules that has it


NUMBER = Parameter("number")  # a number: an action, a seat or a depth, by value
STATE = Parameter("state")  # a record: the game's `State`
OPTIONS = Parameter("options")  # a record: the game's `Options`
RNG = Parameter("rng")  # a record: the random generator, `Rng`
MOVES = Parameter("moves")  # a record: the list of actions, `moves_record`
PARTS = Parameter("parts")  # a record: the features of all seats, `parts_record`
WEIGHTS = Parameter("weights")  # a record: the weights of a value network
TABLES = Parameter("tables")  # a record: the tables of a pattern evaluation
SHARES = Parameter("shares", np.float64, "players")  # an array: shares of the win
FEATURES = Parameter("features", np.float32, "num_features")  # an array: the observation, flat
KEY = Parameter("key", np.uint64, 2)  # an array: a 128-bit hash
OWNERS = Parameter("owners", np.int8, "num_cells")  # an array: the owner of each cell
CELLS = Parameter("cells", np.int8, "num_cells")  # an array: the content of each cell
FLAG = Parameter("flag", np.int8)  # an array: 0 or 1
DISTANCE = Parameter("distance", np.int32)  # an array: plies

SIGNATURES: dict[str, tuple[Parameter, ...]] = {}
"""The parameters of each kernel, by its name. A table of kernels holds addresses in this order."""


def _kernel(name: str, *parameters: Parameter) -> int:
    """Add a kernel to `SIGNATURES` and return its index."""
    SIGNATURES[name] = parameters
    return len(SIGNATURES) - 1


# The index of each kernel in a table of kernels. A new kernel is one line here, before those of an
# evaluation. The second process that compiles begins with the first; kernels that have much in
# common stand together, and the largest first.
LEGAL = _kernel("legal", STATE, MOVES)  # lists the legal actions, or the chance outcomes
PRUNE = _kernel("prune", STATE, MOVES)  # lists the legal actions worth searching
PLAY = _kernel("play", STATE, NUMBER)  # applies an action or outcome to the state
ROLLOUT = _kernel("rollout", STATE, RNG)  # plays the game to its end at random
GUIDED_ROLLOUT = _kernel("guided_rollout", STATE, RNG, NUMBER)  # a rollout by rules of thumb
KNOWN_RESULT = _kernel("known_result", STATE, SHARES)  # writes the payoffs if already certain
IDENTITY = _kernel("identity", STATE, KEY)  # hashes the position for tables
OBSERVE = _kernel("observe", STATE, NUMBER, FEATURES)  # writes what a seat may know
NARROW = _kernel("narrow", STATE, MOVES, NUMBER)  # shortens the list of `prune` for a tree
HEURISTIC = _kernel("heuristic", STATE, SHARES)  # estimates the payoffs of an unfinished game
SIMPLE_HEURISTIC = _kernel("simple_heuristic", STATE, SHARES)  # a cheaper `heuristic`
RESAMPLE = _kernel("resample", STATE, NUMBER, RNG)  # redraws what a seat cannot know
OWNERSHIP = _kernel("ownership", STATE, OWNERS)  # writes the owner of each cell at the end
CONTENTS = _kernel("contents", STATE, CELLS)  # writes the content of each cell for patterns
COUNT_LEGAL = _kernel("count_legal", STATE, MOVES)  # counts the legal actions only
SEAT_FEATURES = _kernel("seat_features", STATE, PARTS)  # writes the features of all seats
CANDIDATES = _kernel("candidates", STATE, MOVES, FLAG)  # lists the moves worth searching
FORCED_WIN = _kernel("forced_win", STATE, NUMBER, DISTANCE)  # the plies of a win by threats
START = _kernel("start", STATE, OPTIONS, RNG)  # writes the initial state
QUIET = _kernel("quiet", STATE, FLAG)  # whether the position can be evaluated as it stands
WINNING_ACTIONS = _kernel("winning_actions", STATE, MOVES)  # lists actions that win at once
PAYOFFS = _kernel("payoffs", STATE, SHARES)  # writes the payoffs of a finished game

EVALUATE_FEATURES = _kernel("evaluate_features", WEIGHTS, PARTS, SHARES)  # of a value network
EVALUATE_STATE = _kernel("evaluate_state", TABLES, NUMBER, NUMBER, SHARES)  # by patterns

PLAYING = (START, LEGAL, PLAY, PAYOFFS)  # the kernels that play a game to its end
REQUIRED = (*PLAYING, OBSERVE)  # those that every game has
CHANGING = (START, PLAY, ROLLOUT, GUIDED_ROLLOUT, RESAMPLE)  # those that change a state
KERNELS = tuple(SIGNATURES)  # the names of all kernels, by index
GAME_KERNELS = KERNELS[:EVALUATE_FEATURES]  # the names of those that a game may have, by index

python_kernels: list[Callable[..., None]] = [lambda *arguments: None]
"""In plain Python, the kernels by their address: an index into this list, where 0 is no kernel."""


def _invoke_intrinsic(count: int) -> Any:
    """Generate a call of the function at an address: `count` 64-bit arguments, no result."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        word = ir.IntType(64)
        kind = ir.FunctionType(cgutils.voidptr_t, [word] * count)
        target = builder.inttoptr(arguments[0], kind.as_pointer())
        builder.call(target, arguments[1:])
        return context.get_dummy_value()

    return codegen


if COMPILED:

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def invoke2(typingctx: Any, address: Any, first: Any, second: Any) -> Any:
        """Call the kernel at an address: `invoke2(rules[PLAY], state, action)`."""
        return types.none(types.int64, types.int64, types.int64), _invoke_intrinsic(2)

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def invoke3(typingctx: Any, address: Any, first: Any, second: Any, third: Any) -> Any:
        """Call the kernel at an address: `invoke3(rules[OBSERVE], state, player, out)`."""
        return types.none(*[types.int64] * 4), _invoke_intrinsic(3)

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def invoke4(
        typingctx: Any, address: Any, first: Any, second: Any, third: Any, fourth: Any
    ) -> Any:
        """Call the kernel at an address: `invoke4(rules[EVALUATE_STATE], tables, ...)`."""
        return types.none(*[types.int64] * 5), _invoke_intrinsic(4)

else:

    def invoke2(address: int, first: int, second: int) -> None:
        """Call the kernel at an address, in plain Python."""
        python_kernels[address](first, second)

    def invoke3(address: int, first: int, second: int, third: int) -> None:
        """Call the kernel at an address, in plain Python."""
        python_kernels[address](first, second, third)

    def invoke4(address: int, first: int, second: int, third: int, fourth: int) -> None:
        """Call the kernel at an address, in plain Python."""
        python_kernels[address](first, second, third, fourth)
