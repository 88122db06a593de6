"""Calls of a game's kernels by address, so that one compiled search serves every game."""

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from meeple.kernels.decorator import COMPILED

# Kinds of parameters that follow the state. Each argument is the address of a record or of an array
# that the caller owns, or a number.
STATE, OPTIONS, RNG, MOVES, NUMBER, SHARES, FEATURES, KEY, OWNERS, FLAG, PARTS, WEIGHTS = range(12)
SIGNATURES: dict[str, tuple[int, ...]] = {
    "start": (STATE, OPTIONS, RNG),
    "legal": (STATE, MOVES),
    "play": (STATE, NUMBER),
    "payoffs": (STATE, SHARES),
    "observe": (STATE, NUMBER, FEATURES),
    "rollout": (STATE, RNG),
    "heuristic": (STATE, SHARES),
    "prune": (STATE, MOVES),
    "resample": (STATE, NUMBER, RNG),
    "identity": (STATE, KEY),
    "known_result": (STATE, SHARES),
    "guided_rollout": (STATE, RNG, NUMBER),
    "ownership": (STATE, OWNERS),
    "narrow": (STATE, MOVES, NUMBER),
    "count_legal": (STATE, MOVES),
    "quiet": (STATE, FLAG),
    "seat_features": (STATE, PARTS),
    "simple_heuristic": (STATE, SHARES),
    "winning_actions": (STATE, MOVES),
    "judge": (WEIGHTS, PARTS, SHARES),  # of a network, not of a game
}
"""The kernels that a game may have, by name, and what kind each of their parameters is."""

KERNELS = tuple(SIGNATURES)
"""The names of the kernels. A table of kernels has their addresses in this order."""

# Indices into KERNELS and into a table of addresses.
START = KERNELS.index("start")
LEGAL = KERNELS.index("legal")
PLAY = KERNELS.index("play")
PAYOFFS = KERNELS.index("payoffs")
OBSERVE = KERNELS.index("observe")
ROLLOUT = KERNELS.index("rollout")
HEURISTIC = KERNELS.index("heuristic")
PRUNE = KERNELS.index("prune")
RESAMPLE = KERNELS.index("resample")
IDENTITY = KERNELS.index("identity")
KNOWN_RESULT = KERNELS.index("known_result")
GUIDED_ROLLOUT = KERNELS.index("guided_rollout")
OWNERSHIP = KERNELS.index("ownership")
NARROW = KERNELS.index("narrow")
COUNT_LEGAL = KERNELS.index("count_legal")
QUIET = KERNELS.index("quiet")
SEAT_FEATURES = KERNELS.index("seat_features")
SIMPLE_HEURISTIC = KERNELS.index("simple_heuristic")
WINNING_ACTIONS = KERNELS.index("winning_actions")
JUDGE = KERNELS.index("judge")
PLAYING = (START, LEGAL, PLAY, PAYOFFS)  # the kernels that every game has

python_kernels: list[Callable[..., None]] = [lambda *arguments: None]  # 0 is no kernel


def _invoke_intrinsic(count: int) -> Any:
    """A call of the function at an address with `count` 64-bit arguments and no result."""

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

else:

    def invoke2(address: int, first: int, second: int) -> None:
        """Call the kernel at an address, in plain Python."""
        python_kernels[address](first, second)

    def invoke3(address: int, first: int, second: int, third: int) -> None:
        """Call the kernel at an address, in plain Python."""
        python_kernels[address](first, second, third)
