"""A cache of a network's predictions: positions that look alike are computed once.

In self-play several games meet the same position soon after the start, and one game meets a
position by several orders of moves. A direct-mapped table: a new position replaces the one in its
slot, so the memory is bounded, and searching takes one comparison.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import cache as kernel_cache
from meeple.kernels import kernel, scramble
from meeple.kernels.table import is_compilation_deferred
from meeple.search.evaluators import Predict
from meeple.search.state_hash import hash_bytes

MAX_SLOTS = 1 << 15  # predictions; four times as many gave 0.7 % more hits in waves of 128 games
MAX_BYTES = 1 << 26  # of a table

STORED = -1  # a slot's prediction is in the table, not among those to compute


class Table(NamedTuple):
    """S predictions of A actions and P players."""

    keys: npt.NDArray[np.uint64]  # [S] hashes of observations and legal actions; 0: an empty slot
    pending: npt.NDArray[np.int32]  # [S] number of a prediction of this batch, or STORED
    policies: npt.NDArray[np.float32]  # [S, A]
    values: npt.NDArray[np.float32]  # [S, P]


class EvaluationCache:
    """A network as a function that remembers its predictions; the network must not change.

    Of engines that compute a position alike in each batch, as OpenVINO does, no prediction changes
    by a bit. Two positions that differ are mistaken for each other with odds of 2**-48 a request.
    """

    def __init__(self, predict: Predict, num_actions: int, players: int) -> None:
        """Make an empty cache of at most `MAX_SLOTS` predictions and `MAX_BYTES`."""
        self._predict, self._has_values = predict, False
        row = 4 * (num_actions + players + 3)
        slots = min(MAX_SLOTS, 1 << (MAX_BYTES // row).bit_length() >> 1)
        self._table = Table(
            np.zeros(slots, dtype=np.uint64),
            np.full(slots, STORED, dtype=np.int32),
            np.zeros((slots, num_actions), dtype=np.float32),
            np.zeros((slots, players), dtype=np.float32),
        )
        if not is_compilation_deferred():
            self._load_kernels()

    def _load_kernels(self) -> None:
        """Compile or load the kernels, so that no wave's clock pays for it."""
        bits, rows = np.zeros((0, 1), dtype=np.uint8), np.zeros(0, dtype=np.int32)
        policies, values = self._table.policies[:0], self._table.values[:0]
        with kernel_cache.compiling("search"):
            _look_up(self._table, bits, bits, policies, values, rows, rows, rows)
            _fill_in(self._table, policies, values, policies, values, rows, rows)

    def __call__(
        self, observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        """Return policies [B, A] and relative values [B, P], as the network does."""
        size, table = len(observations), self._table
        policies = np.empty((size, table.policies.shape[1]), dtype=np.float32)
        values = np.empty((size, table.values.shape[1]), dtype=np.float32)
        rows, numbers, slots = np.empty((3, size), dtype=np.int32)
        seen = np.ascontiguousarray(observations).reshape(size, -1).view(np.uint8)
        bits = np.ascontiguousarray(legal).view(np.uint8)
        count = _look_up(table, seen, bits, policies, values, rows, numbers, slots)
        if count:
            try:
                found, value = self._predict(observations[rows[:count]], legal[rows[:count]])
            except BaseException:
                table.keys[:], table.pending[:] = 0, STORED  # some slots wait for a prediction
                raise
            self._has_values = value is not None
            computed = np.zeros((count, values.shape[1]), np.float32) if value is None else value
            _fill_in(table, found, computed, policies, values, numbers, slots[:count])
        return policies, values if self._has_values else None


@kernel
def _look_up(
    table: Table,
    seen: Any,
    legal: Any,
    policies: Any,
    values: Any,
    rows: Any,
    numbers: Any,
    slots: Any,
) -> int:
    """Write the known predictions, and claim a slot for each one to compute.

    Of those it lists the row of the batch in `rows` and the slot in `slots`, and returns how many
    there are. `numbers`: for each row of the batch its place in that list, or STORED.
    """
    count = 0
    for row in range(seen.shape[0]):
        key = scramble(hash_bytes(legal[row])) ^ hash_bytes(seen[row])
        key |= np.uint64(1)  # not 0
        slot = int((key >> np.uint64(1)) & np.uint64(table.keys.shape[0] - 1))
        if table.keys[slot] != key:
            table.keys[slot], table.pending[slot] = key, count
            rows[count], slots[count] = row, slot
            count += 1
        numbers[row] = table.pending[slot]
        if numbers[row] == STORED:
            for action in range(policies.shape[1]):
                policies[row, action] = table.policies[slot, action]
            for player in range(values.shape[1]):
                values[row, player] = table.values[slot, player]
    return count


@kernel
def _fill_in(
    table: Table, found: Any, computed: Any, policies: Any, values: Any, numbers: Any, slots: Any
) -> None:
    """Write computed predictions to the rows of the batch, and to the slots that they still own."""
    for row in range(numbers.shape[0]):
        number = numbers[row]
        if number == STORED:
            continue
        slot = slots[number]
        owns = table.pending[slot] == number
        for action in range(policies.shape[1]):
            policies[row, action] = found[number, action]
            if owns:
                table.policies[slot, action] = found[number, action]
        for player in range(values.shape[1]):
            values[row, player] = computed[number, player]
            if owns:
                table.values[slot, player] = computed[number, player]
    for slot in slots:
        table.pending[slot] = STORED
