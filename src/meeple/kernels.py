"""Compiled kernels: the decorator, record types, random numbers, bits, calls by address.

Everything that touches the compiler lives here; games and search only use what this file exports.
A state is a record of named fields in memory that Python owns. Kernels of a game are compiled for
that record's type, and search calls them by address through `invoke2` and `invoke3`, so one search
binary serves every game and both come from the disk cache in a second process.

With `NUMBA_DISABLE_JIT=1` every kernel runs as plain Python, with the same calls.
"""

import functools
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from meeple.kernel_compiler import dispatcher_of

__all__ = [
    "CHANCE",
    "COMPILED",
    "COUNT_LEGAL",
    "FEATURES",
    "GUIDED_ROLLOUT",
    "HEURISTIC",
    "IDENTITY",
    "KERNELS",
    "KEY",
    "KNOWN_RESULT",
    "LEGAL",
    "MOVES",
    "NARROW",
    "NUMBER",
    "OBSERVE",
    "OPTIONS",
    "OVER",
    "OWNERS",
    "OWNERSHIP",
    "PAYOFFS",
    "PLAY",
    "PRUNE",
    "RESAMPLE",
    "RNG",
    "ROLLOUT",
    "SHARES",
    "SIGNATURES",
    "SIMPLE_HEURISTIC",
    "START",
    "STATE",
    "WINNING_ACTIONS",
    "Fields",
    "Rng",
    "add",
    "add_outcome",
    "below",
    "bits_set",
    "float_bits",
    "inlined",
    "invoke2",
    "invoke3",
    "kernel",
    "lowest_bit",
    "moves_record",
    "new_rng",
    "next_uint64",
    "record",
    "scramble",
    "uniform",
]

CHANCE = -1  # `to_move` at a chance node
OVER = -2  # `to_move` once the game is over

COMPILED = not config.DISABLE_JIT  # False: every kernel is plain Python

# A kernel takes numbers of any width, so what it is called with is checked by the compiler alone.
Function = Callable[..., Any]  # a kernel, or any function
RecordType = np.dtype[np.void]  # what `record` returns


def kernel(function: Function) -> Function:
    """Compile a function for use in games and search.

    It may use numbers, arrays, records, other kernels and constants of its module. It releases the
    global interpreter lock, divides like NumPy, never touches Python objects, never allocates (its
    arrays are its caller's), and is compiled on first use and kept on disk.
    """
    return _compile(function)


def inlined(function: Function) -> Function:
    """A kernel that is copied into the kernels that call it: for the steps of a hot loop.

    A call that passes many arrays costs as much as a short step; without it, search ran half as
    fast. Compile time grows with every place that calls it.
    """
    return _compile(function, inline="always")


def _compile(function: Function, **options: Any) -> Function:
    if not COMPILED:
        return _in_python(function)
    return cast(Function, dispatcher_of(function, **options))


in_python: dict[str, Any] = {"over": "ignore"}
"""What NumPy does about overflow and the like (`numpy.errstate`) in kernels as plain Python."""


def _in_python(function: Function) -> Function:
    """The kernel as plain Python, where integers may wrap around silently as in machine code."""

    @functools.wraps(function)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        with np.errstate(**in_python):
            return function(*arguments, **named)

    wrapped.__dict__["py_func"] = function  # as a compiled kernel has it
    return cast(Function, wrapped)


# ---------------------------------------------------------------- records


class Fields(np.record):  # type: ignore[misc]  # final only in NumPy's stubs
    """A record whose attributes are its fields, even those named like one of NumPy's: `size`."""

    def __getattribute__(self, name: str) -> Any:
        fields = np.void.__getattribute__(self, "dtype").fields or ()
        return np.void.__getitem__(self, name) if name in fields else super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        np.void.__setitem__(self, name, value)


def record(**fields: Any) -> RecordType:
    """A record type of named fields, each a NumPy scalar type or `(type, shape)`.

    `record(to_move=int8, heaps=(int16, 8))` lays the fields out in this order, as C would.
    """
    layout: Any = np.dtype([(name, *_field(kind)) for name, kind in fields.items()], align=True)
    return np.dtype((Fields, layout))  # so that `s.field` works in plain Python too


def _field(kind: Any) -> tuple[Any, ...]:
    return (kind[0], kind[1]) if isinstance(kind, tuple) else (kind,)


def moves_record(capacity: int) -> RecordType:
    """The list that `legal` fills: up to `capacity` actions, or outcomes with probabilities."""
    return record(
        count=np.int32, actions=(np.int32, (capacity,)), probabilities=(np.float32, (capacity,))
    )


def parts_record(seats: int, own: int, sites: int, site: int, table: int) -> RecordType:
    """What `seat_features` fills: numbers of each seat, of the best sites of each, and of all.

    Whole record to be filled. A site that is not there is all zeros, one that is there begins with
    a number that is not, and those come first.
    """
    return record(
        players=np.int32,
        own=(np.float32, (seats, own)),
        sites=(np.float32, (seats, sites, site)),
        table=(np.float32, (table,)),
    )


@kernel
def add(moves: Any, action: int) -> None:
    """Append a legal action to the list that `legal` fills."""
    moves.actions[moves.count] = action
    moves.count += 1


@kernel
def add_outcome(moves: Any, outcome: int, probability: float) -> None:
    """Append a chance outcome with its probability; those of one node sum to 1."""
    moves.probabilities[moves.count] = probability
    moves.actions[moves.count] = outcome
    moves.count += 1


# ---------------------------------------------------------------- random numbers

Rng = record(state=np.uint64)  # a generator of random numbers, 8 bytes

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31, _S32 = (np.uint64(shift) for shift in (11, 27, 30, 31, 32))


@kernel
def scramble(z: Any) -> Any:
    """A 64-bit word that looks random, one to one: the mixing step of SplitMix64."""
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@kernel
def next_uint64(rng: Any) -> Any:
    """The next 64 random bits; consumes one step of the generator.

    SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
    """
    rng.state = rng.state + _GOLDEN
    return scramble(rng.state)


@kernel
def below(rng: Any, bound: int) -> int:
    """A whole number in 0..bound-1, for 1 <= bound < 2**31; consumes one step.

    Multiply-shift (Lemire, "Fast random integer generation in an interval", 2019) without the
    rejection: a number's probability is off by at most 2**-32.
    """
    return int(np.int64(((next_uint64(rng) >> _S32) * np.uint64(bound)) >> _S32))


@kernel
def uniform(rng: Any) -> float:
    """A float in [0, 1); consumes one step."""
    return float(np.float64(next_uint64(rng) >> _S11) * (1.0 / 9007199254740992.0))


def new_rng(*seed: int) -> npt.NDArray[Any]:
    """A generator record, an array [1], that depends on every number of the seed."""
    # With their number at the end, as a seed sequence takes [1] and [1, 0] for the same.
    entropy = [*(part & 0xFFFFFFFFFFFFFFFF for part in seed), len(seed)]
    sequence = np.random.SeedSequence(entropy)
    rng = np.zeros(1, dtype=Rng)
    rng["state"] = sequence.generate_state(1, np.uint64)
    return rng


# ---------------------------------------------------------------- bits

if COMPILED:

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def float_bits(typingctx: Any, number: Any) -> Any:
        """The bits of a float32 as an int32."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], cgutils.int32_t)

        return types.int32(types.float32), codegen

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def bits_set(typingctx: Any, word: Any) -> Any:
        """How many bits of a uint64 are set."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), codegen

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def lowest_bit(typingctx: Any, word: Any) -> Any:
        """The place of the lowest bit set of a uint64; 64 where none is."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], cgutils.false_bit)

        return types.int64(types.uint64), codegen

else:

    def float_bits(number: Any) -> int:
        """The bits of a float32 as an int32, in plain Python."""
        return int(np.float32(number).view(np.int32))

    def bits_set(word: Any) -> int:
        """How many bits of a uint64 are set, in plain Python."""
        return int(word).bit_count()

    def lowest_bit(word: Any) -> int:
        """The place of the lowest bit set of a uint64, in plain Python; 64 where none is."""
        return (int(word) & -int(word)).bit_length() - 1 if word else 64


# ---------------------------------------------------------------- calls by address

# What a game's kernels take after the state. Each argument is the address of a record or of an
# array that the caller owns, or a number.
STATE, OPTIONS, RNG, MOVES, NUMBER = range(5)  # kinds of parameters
SHARES, FEATURES, KEY, OWNERS = range(5, 9)  # kinds of parameters
FLAG, PARTS, WEIGHTS = range(9, 12)  # kinds of parameters
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

KERNELS = tuple(SIGNATURES)  # their names
START, LEGAL, PLAY, PAYOFFS, OBSERVE = range(5)  # places in KERNELS
ROLLOUT, HEURISTIC, PRUNE, RESAMPLE = range(5, 9)  # places in KERNELS
IDENTITY, KNOWN_RESULT, GUIDED_ROLLOUT = range(9, 12)  # places in KERNELS
OWNERSHIP, NARROW, COUNT_LEGAL = range(12, 15)  # places in KERNELS
QUIET, SEAT_FEATURES = range(15, 17)  # places in KERNELS
SIMPLE_HEURISTIC, WINNING_ACTIONS, JUDGE = range(17, len(KERNELS))  # places in KERNELS
PLAYING = (START, LEGAL, PLAY, PAYOFFS)  # what any position needs

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
