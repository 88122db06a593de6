"""Writing files so that a crash at any instant leaves the old content or the new, never a part.

And adding lines to one, and reading such as may be damaged: none that is no file, or longer than it
may be.
"""

import contextlib
import errno
import importlib.metadata
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

TEMPORARY_SUFFIX = ".tmp"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@contextlib.contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a binary file that takes `path`'s place when the block ends without an exception.

    The bytes go to a temporary file in the same folder, reach the disk (`fsync`), and only then is
    the file renamed over `path`. Whatever fails, a full disk or Ctrl-C included, the old file is
    untouched, the temporary one is removed and the exception (an OSError for the disk) is raised.
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
    """Open a file to read its bytes. OSError, with its words, where it is a folder or a device."""
    if not stat.S_ISREG(os.stat(path).st_mode):  # opening a pipe would wait for its writer
        raise OSError(errno.EINVAL, "it is not a file")
    return open(path, "rb")


def read_bounded(path: str | os.PathLike[str], most: int) -> bytes:
    """The content of a file of at most so many bytes. OSError, with its words, of any other."""
    with open_file(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
    return content


def write_atomically(path: str | os.PathLike[str], content: bytes | str) -> None:
    """Replace `path` by `content` (text as UTF-8), all or nothing. OSError when it cannot be."""
    data = content.encode() if isinstance(content, str) else content
    with atomic_file(path) as file:
        file.write(data)


def open_for_append(path: str | os.PathLike[str]) -> IO[str]:
    """A file of lines, open to add some: at the beginning of one, as a writer that was killed may
    have left half a line. OSError when it cannot be.
    """
    file = open(path, "a", encoding="utf-8")  # noqa: SIM115  # closed by the caller
    if file.tell():
        with open(path, "rb") as written:
            written.seek(-1, os.SEEK_END)
            file.write("" if written.read() == b"\n" else "\n")
    return file


def write_private_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Make a file that its owner alone may read, all or nothing, unless there is one by then.

    Of several processes that make it at once one does, and the others leave its content alone.
    OSError when it cannot be, as on a file system without links.
    """
    target = Path(path)
    descriptor, name = tempfile.mkstemp(  # for its owner alone
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
    """Delete the temporary files that killed writers left; call it while nobody writes there."""
    for path in Path(folder).glob(f".*{TEMPORARY_SUFFIX}"):
        if not path.is_dir():
            path.unlink(missing_ok=True)


def _permissions(target: Path) -> int:
    """Those of the file that is replaced, or of any new file; `mkstemp` would make it private."""
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable, where the system lets a folder be opened (not Windows)."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def is_plain_name(name: str) -> bool:
    """Whether a name is one of a file or folder beside others, which leads nowhere else."""
    return bool(_PLAIN.fullmatch(name))


def version() -> str:
    """Of this program, for its files to say what wrote them."""
    try:
        return importlib.metadata.version("meeple")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"  # run from a source folder that was never installed
