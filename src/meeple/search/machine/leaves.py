"""The shares of states that a search does not look beyond: known or estimated."""

from typing import Any

import numpy as np

from meeple.kernels import (
    EVALUATE_STATE,
    HEURISTIC,
    KERNELS,
    KNOWN_RESULT,
    OVER,
    PAYOFFS,
    inlined,
    invoke2,
    invoke4,
)

TABLES_AT = len(KERNELS)
"""The index in a search's table of kernels of the address that `EVALUATE_STATE` reads."""


@inlined
def known_shares(rules: Any, state: Any, mover: int, shares: Any) -> Any:
    """Fill in the shares of a state that is over or has a known result; return whether it is."""
    shares[0] = -1.0
    if mover == OVER:
        invoke2(rules[PAYOFFS], state.ctypes.data, shares.ctypes.data)
    elif rules[KNOWN_RESULT] != 0:
        invoke2(rules[KNOWN_RESULT], state.ctypes.data, shares.ctypes.data)
    return shares[0] >= 0.0


@inlined
def estimate_shares(rules: Any, state: Any, shares: Any) -> None:
    """Fill in the estimated shares of an unfinished state; equal shares without a heuristic."""
    if rules[EVALUATE_STATE] != 0:
        mover = np.int64(np.int8(state[0]))
        tables, address = rules[TABLES_AT], state.ctypes.data
        invoke4(rules[EVALUATE_STATE], tables, address, mover, shares.ctypes.data)
    elif rules[HEURISTIC] != 0:
        invoke2(rules[HEURISTIC], state.ctypes.data, shares.ctypes.data)
    else:
        for player in range(shares.shape[0]):
            shares[player] = 1.0 / shares.shape[0]
