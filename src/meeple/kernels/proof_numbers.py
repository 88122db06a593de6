"""Proof and disproof numbers, for depth-first proof-number searches.

Nagai, "Df-pn algorithm for searching AND/OR trees", 2002, with the weak counting of Ueda,
Hashimoto, Hashimoto and Iida ("Weak proof-number search", 2008): a node's harder number is the
largest of its children's plus one for each further open child, which keeps it from exploding where
many paths lead to the same position.

A node has two numbers, `[proof, disproof]`: how hard it still looks to prove and to disprove; once
that is known, one is 0 and the other `INFINITE`. Its mover wants to bring the number `mine` to 0:
0 is the proof number, 1 the disproof number.
"""

from typing import Any

import numpy as np

from meeple.kernels.decorator import inlined, kernel

INFINITE = 1 << 30
_S32, _LOW_32 = np.uint64(32), np.uint64(0xFFFFFFFF)


@kernel
def weigh(numbers: Any, count: int, mine: int) -> tuple[int, int, int, int, int]:
    """Compute a node's numbers from those of its children, `numbers` [count or more, 2].

    These are the best child, its number and the second best for the mover, the node's other number,
    and the part of it that is due to open children beside the hardest.
    """
    best, easiest, second, hardest, still_open = 0, INFINITE, INFINITE, 0, 0
    for child in range(count):
        good, bad = numbers[child, mine], numbers[child, 1 - mine]
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


@inlined
def limit_child(limits: Any, below: Any, mine: int, second: int, spread: int) -> None:
    """Set the numbers `below` at which the search leaves a node's best child, from the node's own.

    A child is searched until it looks a quarter harder than its rival: fewer returns to the same
    node (Pawlewicz and Lew, "Improving depth-first pn-search: 1 + epsilon trick", 2006).
    """
    below[mine] = min(limits[mine], second + second // 4 + 1)
    below[1 - mine] = limits[1 - mine] - spread


@inlined
def packed(easiest: int, hardest: int, mine: int) -> Any:
    """Both numbers of a node in one word; never 0, as they are not both 0."""
    proof, disproof = (easiest, hardest) if mine == 0 else (hardest, easiest)
    return np.uint64(proof) << _S32 | np.uint64(disproof)


@inlined
def unpack(word: Any, numbers: Any) -> None:
    """Write the two numbers of a word."""
    numbers[0] = np.int64(word >> _S32)
    numbers[1] = np.int64(word & _LOW_32)
