"""A cache of a network's predictions: positions that look alike are computed once.

In self-play several games meet the same position soon after the start, and one game meets a
position by several orders of moves. A direct-mapped table: a new position replaces the one in its
slot, so the memory is bounded, and searching takes one comparison.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.kernels import cache as kernel_cache
from meeple.kernels import kernel, scramble
from meeple.kernels.table import is_compilation_deferred
from meeple.search.evaluators import Predict
from meeple.search.state_hash import hash_bytes

MAX_SLOTS = 1 << 15  # predictions; four times as many gave 0.7 % more hits in waves of 128 games
MAX_BYTES = 1 << 26  # of a table


class EvaluationCache:
    """A network as a function that remembers its predictions; the network must not change.

    Of engines that compute a position alike in each batch, as OpenVINO does, no prediction changes
    by a bit. Two positions that differ are mistaken for each other with odds of 2**-48 a request.
    """

    def __init__(self, predict: Predict, num_actions: int, players: int) -> None:
        """Make an empty cache of at most `MAX_SLOTS` predictions and `MAX_BYTES`."""
        self._predict, self._has_values = predict, False
        row = 4 * (num_actions + players + 2)
        slots = min(MAX_SLOTS, 1 << (MAX_BYTES // row).bit_length() >> 1)
        self._keys = np.zeros(slots, dtype=np.uint64)  # 0: an empty slot
        self._policies = np.zeros((slots, num_actions), dtype=np.float32)
        self._values = np.zeros((slots, players), dtype=np.float32)
        if not is_compilation_deferred():  # so that no wave's clock pays for it
            with kernel_cache.compiling("search"):
                _write_keys(*np.zeros((2, 0, 1), dtype=np.uint8), self._keys[:0])

    def __call__(
        self, observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        """Return policies [B, A] and relative values [B, P], as the network does."""
        rows = np.empty(len(observations), dtype=np.uint64)
        seen = np.ascontiguousarray(observations).reshape(len(rows), -1)
        _write_keys(seen.view(np.uint8), np.ascontiguousarray(legal).view(np.uint8), rows)
        keys, first, places = np.unique(rows, return_index=True, return_inverse=True)
        slots = (keys >> np.uint64(1)) & np.uint64(len(self._keys) - 1)
        policies, values = self._policies[slots], self._values[slots]
        new = np.flatnonzero(self._keys[slots] != keys)
        if len(new):
            new = new[np.argsort(first[new])]  # in the order of the batch
            policy, value = self._predict(observations[first[new]], legal[first[new]])
            self._has_values = value is not None
            policies[new], values[new] = policy, 0.0 if value is None else value
            new = new[np.unique(slots[new], return_index=True)[1]]  # one for each slot
            taken = slots[new]
            self._keys[taken] = keys[new]
            self._policies[taken], self._values[taken] = policies[new], values[new]
        return policies[places], values[places] if self._has_values else None


@kernel
def _write_keys(seen: Any, legal: Any, keys: Any) -> None:
    """Write the hashes of what is seen and legal in each row, none of which is 0."""
    for row in range(keys.shape[0]):
        key = scramble(hash_bytes(legal[row])) ^ hash_bytes(seen[row])
        keys[row] = key | np.uint64(1)
