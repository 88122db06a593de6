"""Operations on the bits of machine words, for kernels."""

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from meeple.kernels.decorator import COMPILED

if COMPILED:

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def float_bits(typingctx: Any, number: Any) -> Any:
        """Return the bits of a float32 as an int32."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], cgutils.int32_t)

        return types.int32(types.float32), codegen

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def bits_set(typingctx: Any, word: Any) -> Any:
        """Return the number of set bits of a uint64."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), codegen

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def lowest_bit(typingctx: Any, word: Any) -> Any:
        """Return the index of the lowest set bit of a uint64; 64 for 0."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], cgutils.false_bit)

        return types.int64(types.uint64), codegen

else:

    def float_bits(number: Any) -> int:
        """Return the bits of a float32 as an int32."""
        return int(np.float32(number).view(np.int32))

    def bits_set(word: Any) -> int:
        """Return the number of set bits of a uint64."""
        return int(word).bit_count()

    def lowest_bit(word: Any) -> int:
        """Return the index of the lowest set bit of a uint64; 64 for 0."""
        return (int(word) & -int(word)).bit_length() - 1 if word else 64
