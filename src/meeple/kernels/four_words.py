"""Four words of 64 bits side by side, for kernels: `+ - & | ^ << >>` work on all at once.

They are vectors of the processor where it has them. In plain Python they are arrays.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

from meeple.kernels.decorator import COMPILED, inlined

if COMPILED:
    _WORD = ir.IntType(64)
    _VECTOR = ir.VectorType(_WORD, 4)

    class FourWords(types.Type):  # type: ignore[misc]  # numba is untyped
        """The type of four words in the compiler."""

        def __init__(self) -> None:
            """Name the type."""
            super().__init__(name="FourWords")

    @register_model(FourWords)
    class _Model(models.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, _VECTOR)

    _four = FourWords()

    def _operate(symbol: Callable[..., Any], instruction: str) -> None:
        @intrinsic  # type: ignore[untyped-decorator]
        def operate(typingctx: Any, left: Any, right: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return getattr(builder, instruction)(*arguments)

            return _four(_four, _four), codegen

        @overload(symbol, strict=False)  # type: ignore[untyped-decorator]  # annotations differ
        def on_words(left: Any, right: Any) -> Any:
            if left == _four and right == _four:
                return lambda left, right: operate(left, right)
            return None

    _operate(operator.add, "add")
    _operate(operator.sub, "sub")
    _operate(operator.and_, "and_")
    _operate(operator.or_, "or_")
    _operate(operator.xor, "xor")
    _operate(operator.lshift, "shl")
    _operate(operator.rshift, "lshr")

    @intrinsic  # type: ignore[untyped-decorator]
    def four_words(typingctx: Any, first: Any, second: Any, third: Any, fourth: Any) -> Any:
        """Return four words side by side."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            vector = ir.Constant(_VECTOR, ir.Undefined)
            for lane, word in enumerate(arguments):
                vector = builder.insert_element(vector, word, ir.Constant(ir.IntType(32), lane))
            return vector

        return _four(types.uint64, types.uint64, types.uint64, types.uint64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def any_word(typingctx: Any, words: Any) -> Any:
        """Return the bits that are set in any of four words."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            lanes = [
                builder.extract_element(arguments[0], ir.Constant(ir.IntType(32), lane))
                for lane in range(4)
            ]
            return builder.or_(builder.or_(lanes[0], lanes[1]), builder.or_(lanes[2], lanes[3]))

        return types.uint64(_four), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def word_at(typingctx: Any, words: Any, lane: Any) -> Any:
        """Return the word of a lane, 0 to 3."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.extract_element(arguments[0], arguments[1])

        return types.uint64(_four, types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def words_where(typingctx: Any, words: Any, tests: Any) -> Any:
        """Return each word whose test is not 0, and 0 for the others."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            zeros = ir.Constant(_VECTOR, [0] * 4)
            holds = builder.icmp_unsigned("!=", arguments[1], zeros)
            return builder.select(holds, arguments[0], zeros)

        return _four(_four, _four), codegen

else:

    def four_words(first: Any, second: Any, third: Any, fourth: Any) -> Any:
        """Return four words side by side."""
        return np.array([first, second, third, fourth], np.uint64)

    def any_word(words: Any) -> Any:
        """Return the bits that are set in any of four words."""
        return np.bitwise_or.reduce(words)

    def word_at(words: Any, lane: int) -> Any:
        """Return the word of a lane, 0 to 3."""
        return words[lane]

    def words_where(words: Any, tests: Any) -> Any:
        """Return each word whose test is not 0, and 0 for the others."""
        return np.where(tests != 0, words, np.uint64(0))


@inlined
def four_times(word: Any) -> Any:
    """Return a word four times side by side."""
    return four_words(word, word, word, word)
