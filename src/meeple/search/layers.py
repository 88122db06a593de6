"""Dense layers inside kernels: float32, weights as [inputs, outputs]; inputs of 0 cost nothing.

The loop over outputs is the innermost, so that the compiler makes it one over vectors. It does so
only where rows are named by unsigned numbers: a signed one could count from the end.
"""

from typing import Any

import numpy as np

from meeple.kernels import inlined

_NOTHING = np.float32(0.0)


@inlined
def add_products(inputs: Any, weights: Any, outputs: Any, found: Any) -> None:
    """Outputs [O] += inputs [I] @ weights [I, O]; `found` is scratch, int64 [I] or longer.

    Four rows at a time, as each visit to an output costs as much as one product.
    """
    count = _non_zero(inputs, found)
    place = 0
    while place + 4 <= count:
        a, b = np.uint64(found[place]), np.uint64(found[place + 1])
        c, d = np.uint64(found[place + 2]), np.uint64(found[place + 3])
        xa, xb, xc, xd = inputs[a], inputs[b], inputs[c], inputs[d]
        for o in range(outputs.shape[0]):
            outputs[o] += (xa * weights[a, o] + xb * weights[b, o]) + (
                xc * weights[c, o] + xd * weights[d, o]
            )
        place += 4
    while place < count:
        a = np.uint64(found[place])
        xa = inputs[a]
        for o in range(outputs.shape[0]):
            outputs[o] += xa * weights[a, o]
        place += 1


@inlined
def _non_zero(inputs: Any, found: Any) -> int:
    """Write the places of the inputs that are not 0; return how many there are."""
    count = 0
    for index in range(inputs.shape[0]):
        found[count] = index
        count += inputs[index] != _NOTHING
    return count


@inlined
def copy_values(source: Any, target: Any) -> None:
    """Copy an array into another of its length."""
    for index in range(target.shape[0]):
        target[index] = source[index]


@inlined
def rectify(values: Any) -> None:
    """Replace what is negative by 0, in place."""
    for index in range(values.shape[0]):
        values[index] = values[index] if values[index] > _NOTHING else _NOTHING


@inlined
def product(one: Any, other: Any) -> Any:
    """The sum of products of two arrays of one length."""
    total = _NOTHING
    for index in range(one.shape[0]):
        total += one[index] * other[index]
    return total
