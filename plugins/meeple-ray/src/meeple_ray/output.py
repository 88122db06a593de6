"""Capture of standard output and error of a process, libraries and threads included."""

import fcntl
import os
import sys
import tempfile
import threading

MAX_TEXT_BYTES = 100_000  # returned at a time: the newest


class Output:
    """Redirects standard output and error of this process into a temporary file."""

    def __init__(self) -> None:
        # The operating system deletes it when the process ends for any reason.
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # open until the process ends
        flags = fcntl.fcntl(self._file, fcntl.F_GETFL)
        fcntl.fcntl(self._file, fcntl.F_SETFL, flags | os.O_APPEND)  # since it is truncated
        self._lock = threading.Lock()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        for descriptor in (1, 2):
            os.dup2(self._file.fileno(), descriptor)

    def new_text(self) -> str:
        """Return the output since the last call, and truncate the file."""
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        descriptor = self._file.fileno()
        with self._lock:
            size = os.fstat(descriptor).st_size
            if not size:
                return ""
            text = os.pread(descriptor, MAX_TEXT_BYTES, max(0, size - MAX_TEXT_BYTES))
            os.ftruncate(descriptor, 0)
        return text.decode(errors="replace")
