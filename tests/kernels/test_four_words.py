"""Four words side by side: every operation against plain integers."""

import numpy as np

from meeple.kernels import any_word, four_times, four_words, kernel, word_at, words_where

MASK = 2**64 - 1


@kernel
def combined(words, others, shifts, out):
    """Write one word for each operation."""
    first = four_words(words[0], words[1], words[2], words[3])
    second = four_words(others[0], others[1], others[2], others[3])
    shift = four_words(shifts[0], shifts[1], shifts[2], shifts[3])
    out[0] = any_word(first)
    out[1] = any_word(first & second)
    out[2] = any_word(first | second)
    out[3] = any_word(first << shift)
    out[4] = any_word(first >> shift)
    out[5] = any_word(words_where(first, second))
    out[6] = any_word(first + second)
    out[7] = any_word(first - second)
    out[8] = any_word(first & four_times(others[0]))
    out[9] = any_word(first ^ second)


def test_operations_on_four_words_are_those_on_each_word():
    rng = np.random.default_rng(1)
    for _ in range(50):
        words = rng.integers(2**64, size=4, dtype=np.uint64)
        others = rng.integers(2**64, size=4, dtype=np.uint64) * rng.integers(2, size=4).astype("u8")
        shifts = rng.integers(64, size=4).astype(np.uint64)
        out = np.zeros(10, np.uint64)
        combined(words, others, shifts, out)
        lanes = list(zip(map(int, words), map(int, others), map(int, shifts), strict=True))
        expected = [0] * 10
        for word, other, shift in lanes:
            results = (
                word,
                word & other,
                word | other,
                (word << shift) & MASK,
                word >> shift,
                word if other else 0,
                (word + other) & MASK,
                (word - other) & MASK,
                word & int(others[0]),
                word ^ other,
            )
            expected = [known | result for known, result in zip(expected, results, strict=True)]
        assert out.tolist() == expected


@kernel
def copied(words, out):
    """Write four words, each by its lane."""
    four = four_words(words[0], words[1], words[2], words[3])
    for lane in range(4):
        out[lane] = word_at(four, lane)


def test_a_word_is_read_by_its_lane():
    words, out = np.array([5, 2**64 - 1, 0, 7], np.uint64), np.zeros(4, np.uint64)
    copied(words, out)
    assert out.tolist() == words.tolist()
