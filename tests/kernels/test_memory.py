"""Records and arrays at an address are the memory there, in Python and in kernels."""

import numpy as np
import pytest

from meeple.kernels import array_at, copy_bytes, kernel, record, record_at

Point = record(x=np.int8, y=np.float64)


def in_python(address, length):
    numbers = array_at(address, np.int32, length)
    numbers[3] = 9
    return numbers.sum()


def move_in_python(address):
    point = record_at(address, Point)
    point.y += point.x
    return point.y


@pytest.mark.parametrize("add_up", [in_python, kernel(in_python)], ids=["python", "kernel"])
def test_array_at_returns_the_memory_at_an_address(add_up):
    numbers = np.arange(6, dtype=np.int32)
    assert add_up(numbers.ctypes.data, 5) == 0 + 1 + 2 + 9 + 4
    assert numbers.tolist() == [0, 1, 2, 9, 4, 5]


@pytest.mark.parametrize("move", [move_in_python, kernel(move_in_python)], ids=["python", "kernel"])
def test_record_at_returns_the_fields_at_an_address(move):
    points = np.array([(2, 0.5)], dtype=Point)
    assert move(points.ctypes.data) == 2.5
    assert points["y"][0] == 2.5


@kernel
def copy_row(source, target):
    copy_bytes(source[1], target[0])


def test_bytes_are_copied_and_those_behind_them_stay():
    source = np.arange(3 * 1337).astype(np.uint8).reshape(3, 1337)
    target = np.zeros((2, 1339), np.uint8)
    copy_row(source, target)
    assert target[0].tolist() == [*source[1].tolist(), 0, 0]
    assert not target[1].any()
