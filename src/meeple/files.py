"""Atomic writing, appending and bounded reading of files.

A crash during a write leaves the old content or the new, never a part. Reading refuses what is not
a regular file or exceeds its limit in bytes.
"""

import contextlib
import errno
import importlib.metadata
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from meeple.errors import MeepleError, RunError
from meeple.sentences import say

TEMPORARY_SUFFIX = ".tmp"
MAX_TEXT_BYTES = 1 << 24  # of a text file that a user writes, such as a list of engines
BYTE_ORDER_MARK = "\ufeff"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@contextlib.contextmanager
def reported(failure: str, error: type[MeepleError] = RunError) -> Iterator[None]:
    """Raise `error` if the block raises OSError; its sentence is `failure` with the reason."""
    try:
        yield
    except OSError as reason:
        raise error(f"{failure}: {reason.strerror or reason}") from reason


@contextlib.contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a binary file that replaces `path` when the block ends without an exception.

    The bytes go to a temporary file in the same folder and to the disk (`fsync`) before the file is
    renamed to `path`. After any failure, a full disk or Ctrl-C included, the old file is unchanged,
    the temporary file is removed and the exception is raised.

    Raises:
        OSError: the file cannot be written.
    """
    target = Path(path)
    descriptor, name = tempfile.mkstemp(
        prefix=f".{target.name}.", suffix=TEMPORARY_SUFFIX, dir=target.parent
    )
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.chmod(name, _permissions(target))
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(target.parent)


def open_file(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open a file to read its bytes. Raises OSError if it is a folder or a device."""
    if not stat.S_ISREG(os.stat(path).st_mode):  # opening a pipe would wait for its writer
        raise OSError(errno.EINVAL, "it is not a file")
    return open(path, "rb")


def read_bounded(path: str | os.PathLike[str], max_bytes: int) -> bytes:
    """Return the content of a file. Raises OSError if it has more than `max_bytes`."""
    with open_file(path) as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise OSError(errno.EFBIG, f"it has more than {max_bytes:,} bytes")
    return content


def read_end(path: str | os.PathLike[str], max_bytes: int) -> tuple[bytes, bool]:
    """Return the last bytes of a file, and whether they are all; raise OSError as `open_file`."""
    with open_file(path) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - max_bytes))
        return file.read(max_bytes), size <= max_bytes


def as_text(content: bytes) -> str:
    """Return the text of a file's bytes, without a byte order mark.

    The encoding is UTF-8, or UTF-16 or UTF-32 as the first bytes show: the shell of Windows writes
    UTF-16 by `>`, and editors write a mark before UTF-8.

    Raises:
        OSError: the bytes are in no such encoding.
    """
    try:
        text = content.decode(json.detect_encoding(content))
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, say("record.not_utf_8")) from None
    return text.removeprefix(BYTE_ORDER_MARK)


def read_text(path: str | os.PathLike[str], max_bytes: int = MAX_TEXT_BYTES) -> str:
    """Return the text of a file; see `read_bounded` and `as_text`. Raises OSError."""
    return as_text(read_bounded(path, max_bytes))


def open_text(path: str | os.PathLike[str]) -> IO[str]:
    """Open a text file to read its lines, in an encoding as in `as_text`.

    Raises:
        OSError: the file cannot be read. Reading raises UnicodeError if it is in no such encoding.
    """
    with open_file(path) as file:
        encoding = json.detect_encoding(file.read(4))
    return open(path, newline="", encoding=encoding)


def write_atomically(path: str | os.PathLike[str], content: bytes | str) -> None:
    """Replace the content of a file, text as UTF-8, atomically. Raises OSError on failure."""
    data = content.encode() if isinstance(content, str) else content
    with atomic_file(path) as file:
        file.write(data)


def save(path: Path, content: bytes | str) -> None:
    """Write a file atomically, and its folder if missing; raise RunError if that fails."""
    with reported(f"cannot save {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)


def open_for_append(path: str | os.PathLike[str]) -> IO[str]:
    """Open a text file to append lines, after a newline if a killed writer left half a line.

    Raises:
        OSError: the file cannot be opened or written.
    """
    file = open(path, "a", encoding="utf-8")  # noqa: SIM115  # closed by the caller
    if file.tell():
        with open(path, "rb") as written:
            written.seek(-1, os.SEEK_END)
            file.write("" if written.read() == b"\n" else "\n")
    return file


def write_private_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Create a file that only its owner may read, atomically; leave an existing file unchanged.

    If several processes create the file at once, one succeeds and the others keep its content.

    Raises:
        OSError: the file cannot be created, for instance on a file system without hard links.
    """
    target = Path(path)
    descriptor, name = tempfile.mkstemp(  # readable by its owner only
        prefix=f".{target.name}.", suffix=TEMPORARY_SUFFIX, dir=target.parent
    )
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(name, target)  # a rename would replace what another process made
    finally:
        os.unlink(name)
    _sync_folder(target.parent)


def remove_leftovers(folder: str | os.PathLike[str]) -> None:
    """Delete temporary files that killed writers left; call it while no process writes there."""
    for path in Path(folder).glob(f".*{TEMPORARY_SUFFIX}"):
        if not path.is_dir():
            path.unlink(missing_ok=True)


def _permissions(target: Path) -> int:
    """Return the mode of the replaced file, or of a new file; `mkstemp` would make it private."""
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, if the system can open a folder (not Windows)."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def lock_holder(lock: str | os.PathLike[str]) -> str:
    """Return "process 4242", the holder of a file's lock, if Linux shows it to this process."""
    with contextlib.suppress(OSError, ValueError):
        inode = str(os.stat(lock).st_ino)
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            _, kind, _, _, pid, place, *_ = line.replace("->", "").split()
            if kind == "FLOCK" and place.split(":")[-1] == inode and int(pid) > 0:
                return f"process {pid}"
    return "another process"


def is_plain_name(name: str) -> bool:
    """Return whether a name is safe as a file name: no path, no hidden file, 64 characters."""
    return bool(_PLAIN.fullmatch(name))


def version() -> str:
    """Return the version of Meeple, which its files record."""
    try:
        return importlib.metadata.version("meeple")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"  # run from a source folder that is not installed
