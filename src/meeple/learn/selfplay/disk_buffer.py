"""Arrays in an unnamed temporary file, which is deleted with them, for data beyond the memory."""

import errno
import os
import socket
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.errors import RunError


def arrays_in_file(like: Sequence[npt.NDArray[Any]], rows: int) -> list[npt.NDArray[Any]]:
    """Return arrays of zeros in a file.

    Args:
        like: arrays whose types and shapes of rows they get.
        rows: number of rows.

    Raises:
        RunError: the disk has too little space; all of it is reserved at once.
    """
    shapes = [(rows, *array.shape[1:]) for array in like]
    sizes = [
        int(np.prod(shape)) * array.itemsize for shape, array in zip(shapes, like, strict=True)
    ]
    folder = tempfile.gettempdir()
    with tempfile.TemporaryFile(dir=folder) as file:
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, max(1, sum(sizes)))
            else:
                file.truncate(max(1, sum(sizes)))
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
                raise
            raise RunError(
                f"the replay buffer needs {sum(sizes) / 1e6:,.0f} MB on the disk of {folder} on "
                f"{socket.gethostname()}, and there is no room: lower replay.capacity, raise "
                "replay.memory, or let TMPDIR name another disk"
            ) from None
        whole = np.memmap(file, dtype=np.uint8, mode="r+", shape=(max(1, sum(sizes)),))
    arrays, first = [], 0
    for array, shape, size in zip(like, shapes, sizes, strict=True):
        arrays.append(whole[first : first + size].view(array.dtype).reshape(shape))
        first += size
    return arrays
