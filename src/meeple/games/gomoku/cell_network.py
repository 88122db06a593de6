"""Evaluation by a small network over the empty cells near stones.

For rows of five; `threats.py` surveys threats for other lengths. The four cells on both sides of an
empty cell, on each of its lines, are one of `PATTERNS` patterns: equal numbers of `Made` for both
players are one pattern, and where longer rows do not win, that of the `STAND_INS` counts. With a
row of `EMBEDDINGS` for each:

    cell   = max(0, sum of the embeddings of its four patterns)
    sums   = sum of all cells
    first  = max(0, sums @ FIRST + FIRST_BIAS)
    second = max(0, first @ SECOND + SECOND_BIAS)
    value  = sums @ DIRECT + second @ LAST + BIAS    log-odds of the player to move

Tables of embeddings instead of a convolution are an idea of Rapfi (Jin, Duan and Hang, "Rapfi:
Distilling Efficient Neural Network for the Game of Gomoku", 2025, https://arxiv.org/abs/2503.13178).
`python -m bench.fit_gomoku` fits the weights.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.gomoku.cell_scores import (
    LENGTH,
    STAND_INS,
    Words,
    all_around,
    cells_of,
    kind_of,
    made_by_stone,
    near_cells,
    of_opponent,
)
from meeple.games.gomoku.lines import completes, makes_straight_four
from meeple.games.gomoku.renju import NOT_FORBIDDEN, forbidden
from meeple.kernels import four_times, four_words, inlined, kernel, lowest_bit, word_at
from meeple.tensor_file import read_tensors

WIDTH = 16  # units of an embedding, and of each layer
UNIT = 4096  # of embeddings, for 1.0

# An embedding is four words side by side. Four of its units are the 16-bit fields of a word, each
# with `OFFSET` added: the sum of four fields has the bit `_SIGN` if it is not negative, and none
# overflows.
WORDS = WIDTH // 4
OFFSET = 4096
_SIGN = np.uint64(14)
_FIELD_BITS = np.uint64(16)
_ONES = np.uint64(0x0001000100010001)
_EVEN_FIELDS = np.uint64(0x0000FFFF0000FFFF)
_LOW_HALF, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)

# In an entry of `PATTERN_OF`, above the number of the pattern: what a stone completes or makes.
_PATTERN = np.uint16((1 << 13) - 1)
_OWN_FIVE, _OWN_STRAIGHT, _THEIR_FIVE_AT = 1 << 13, 1 << 14, 15
_THEIR_FIVE = 1 << _THEIR_FIVE_AT
_FLAGS = _OWN_FIVE | _OWN_STRAIGHT | _THEIR_FIVE

_UNITS = 2 * 3 * WIDTH  # 16-bit items of the deck of a state, scratch memory of the layers
_ZERO, _NOTHING = np.float32(0), np.uint64(0)


def pattern_numbers() -> npt.NDArray[np.int64]:
    """Return [65536] the number of each pattern, by the eight cells around a cell."""
    code = np.zeros(1 << 16, np.int64)
    for count in made_by_stone():
        code = 6 * code + count
    both = code * 6 ** len(made_by_stone()._fields) + of_opponent(code)
    return np.unique(both, return_inverse=True)[1].astype(np.int64)


def _entries() -> npt.NDArray[np.uint16]:
    """Return `PATTERN_OF`."""
    made = [made_by_stone(exact) for exact in (False, True)]
    five = [(kinds.fives > 0).astype(np.int64) for kinds in made]
    flags = [_OWN_FIVE * five[at] + _OWN_STRAIGHT * (made[at].straights > 0) for at in range(2)]
    entries = [
        pattern_numbers()[STAND_INS[kind]]
        | flags[kind & 1]
        | of_opponent(five[kind >> 1]) << _THEIR_FIVE_AT
        for kind in range(4)
    ]
    return np.asarray(entries, np.uint16)


def pack(embeddings: npt.NDArray[np.int64]) -> Words:
    """Return [patterns, WORDS] the units of embeddings, [patterns, WIDTH] below `OFFSET`."""
    fields = (embeddings + OFFSET).astype(np.uint64).reshape(-1, WORDS, 4)
    shifts = _FIELD_BITS * np.arange(4, dtype=np.uint64)
    return np.asarray(np.bitwise_or.reduce(fields << shifts, axis=2))


PATTERN_OF = _entries()
"""[kind, 65536] by `kind_of` the mover and the eight cells around a cell, as entries of
`cell_scores.py`: the number of the pattern, below the flags."""
WEIGHTS = Path(__file__).with_name("cell_network.safetensors")
_weights = read_tensors(WEIGHTS, "cell network", frozenset({"I16", "F32"}))[1]
EMBEDDINGS = _weights["embeddings"].astype(np.int64)  # [patterns, WIDTH] in units of 1 / UNIT
PATTERNS = len(EMBEDDINGS)
FIELDS = pack(EMBEDDINGS)
DIRECT, FIRST = _weights["direct"] / np.float32(UNIT), _weights["first"] / np.float32(UNIT)
FIRST_BIAS, SECOND_BIAS = _weights["first_bias"], _weights["second_bias"]
SECOND, LAST, BIAS = _weights["second"], _weights["last"], np.float32(_weights["bias"][0])


@kernel
def evaluate_cells(s: Any, mover: int) -> tuple[Any, Any, Any, Any]:
    """Evaluate a position by all empty cells near stones; `s` is changed during the call only.

    Returns:
        The log-odds of the mover; whether a stone of the mover completes a row; the number of cells
        where a stone of the opponent does; and whether a stone of the mover makes a straight four.
    """
    size: Any = np.int64(s.size)
    own, other = s.lines[mover], s.lines[1 - mover]
    kind = kind_of(s, mover)
    pattern_of = PATTERN_OF[kind]
    even = odd = four_times(_NOTHING)
    flags, their_fives = np.int64(0), np.int64(0)
    for row in range(size):
        near = near_cells(own, other, size, row)
        in_row = cells_of(own, other, size, np.uint64(row))
        while near:
            column = lowest_bit(np.uint64(near))
            near &= near - 1
            place, down = np.uint64(column), np.uint64(row)
            one, two, three, four = all_around(own, other, size, in_row, down, place)
            across, along = pattern_of[one], pattern_of[two]
            rising, falling = pattern_of[three], pattern_of[four]
            found = np.int64(across | along | rising | falling)
            if kind != 0 and found & _FLAGS:
                found &= ~_refuted(s, mover, row * size + column, kind, found)
            flags |= found
            their_fives += found >> _THEIR_FIVE_AT
            a, b = np.uint64(across & _PATTERN), np.uint64(along & _PATTERN)
            c, d = np.uint64(rising & _PATTERN), np.uint64(falling & _PATTERN)
            fields = _positive(_row(a) + _row(b) + _row(c) + _row(d))
            even = even + (fields & four_times(_EVEN_FIELDS))
            odd = odd + (fields >> four_times(_FIELD_BITS) & four_times(_EVEN_FIELDS))
    units = s.deck[:_UNITS].view(np.float32)
    for word in range(WORDS):
        _unpack(word_at(even, word), units, 4 * word)
        _unpack(word_at(odd, word), units, 4 * word + 1)
    return _layers(units), flags & _OWN_FIVE != 0, their_fives, flags & _OWN_STRAIGHT != 0


@kernel
def _refuted(s: Any, mover: int, cell: int, kind: int, found: int) -> int:
    """Return the flags of a cell that the whole lines or Renju's rules refute."""
    own, other, size = s.lines[mover], s.lines[1 - mover], np.int64(s.size)
    refuted = 0
    if found & _OWN_FIVE and not completes(own, size, cell, LENGTH, kind & 1 != 0):
        refuted |= _OWN_FIVE
    if found & _THEIR_FIVE and not completes(other, size, cell, LENGTH, kind & 2 != 0):
        refuted |= _THEIR_FIVE
    if found & _OWN_STRAIGHT:
        allowed = s.renju == 0 or kind & 1 == 0 or forbidden(s, cell) == NOT_FORBIDDEN
        if not (allowed and makes_straight_four(own, other, size, cell, kind & 1 != 0)):
            refuted |= _OWN_STRAIGHT
    return refuted


@inlined
def _row(pattern: Any) -> Any:
    """Return the embedding of a pattern."""
    return four_words(
        FIELDS[pattern, 0], FIELDS[pattern, 1], FIELDS[pattern, 2], FIELDS[pattern, 3]
    )


@inlined
def _positive(fields: Any) -> Any:
    """Return the fields of a sum of four embeddings without their offsets, 0 for a negative sum."""
    sign = four_times(_SIGN)
    signs = fields >> sign & four_times(_ONES)
    return fields & ((signs << sign) - signs)


@inlined
def _unpack(sums: Any, units: Any, unit: int) -> None:
    """Write the two sums of a word to a unit and the second unit after it."""
    units[unit] = np.float32(sums & _LOW_HALF)
    units[unit + 2] = np.float32(sums >> _HALF)


@kernel
def _layers(units: Any) -> Any:
    """Return the output of the layers; the first units are the sums. Clears all units."""
    first, second = units[WIDTH : 2 * WIDTH], units[2 * WIDTH :]
    for unit in range(WIDTH):
        first[unit], second[unit] = FIRST_BIAS[unit], SECOND_BIAS[unit]
    value = BIAS
    for unit in range(np.uint64(WIDTH)):
        value += DIRECT[unit] * units[unit]
        for to in range(np.uint64(WIDTH)):
            first[to] += FIRST[unit, to] * units[unit]
    for unit in range(np.uint64(WIDTH)):
        if first[unit] > _ZERO:
            for to in range(np.uint64(WIDTH)):
                second[to] += SECOND[unit, to] * first[unit]
    for unit in range(WIDTH):
        if second[unit] > _ZERO:
            value += LAST[unit] * second[unit]
    for unit in range(3 * WIDTH):
        units[unit] = 0
    return value
