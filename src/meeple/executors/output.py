"""What a process prints, by whatever part of it, caught in a file and read bit by bit."""

import fcntl
import os
import sys
import tempfile
import threading

MOST = 100_000  # bytes given at a time: the newest


class Output:
    """Standard output and error of this process, from now on."""

    def __init__(self) -> None:
        # Nobody else needs the file, and it is gone with the process, however that ends.
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process
        flags = fcntl.fcntl(self._file, fcntl.F_GETFL)
        fcntl.fcntl(self._file, fcntl.F_SETFL, flags | os.O_APPEND)  # it will be emptied
        self._lock = threading.Lock()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        for descriptor in (1, 2):
            os.dup2(self._file.fileno(), descriptor)

    def new_text(self) -> str:
        """What came since the last time; the file is emptied, so that it stays small."""
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        descriptor = self._file.fileno()
        with self._lock:
            size = os.fstat(descriptor).st_size
            if not size:
                return ""
            text = os.pread(descriptor, MOST, max(0, size - MOST))
            os.ftruncate(descriptor, 0)
        return text.decode(errors="replace")
