"""The disk cache of compiled kernels: its folder, its files, the message of a miss.

A kernel is compiled once on a machine; every later process loads it from this cache. The files hold
Numba's pickles, so that only files are read which no other user can have written, and which are
whole.
"""

import contextlib
import functools
import hashlib
import io
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba import config
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
    _CacheLocator,
)
from numba.core.serialize import dumps

from meeple.files import atomic_file, open_file
from meeple.kernels.source_stamp import stamp_of

_COMPILERS = f"{numba.__version__} {llvmlite.__version__} {np.__version__}"
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_DIGEST_BYTES = 32
_compiled: list[str] = []  # qualified names of the kernels that this process compiled
_announced: set[str] = set()
_label: ContextVar[str] = ContextVar("_label", default="kernels")
"""The name of what is being compiled, in each thread."""


def cache_folder() -> Path:
    """Return the folder of the compiled kernels: `MEEPLE_CACHE`, or the user's cache folder.

    If other users can write there, it is another folder, and stderr says so.
    """
    chosen = os.environ.get("MEEPLE_CACHE")
    return _safe(Path(chosen) if chosen else _user_folder() / "kernels")


def _user_folder() -> Path:
    return Path(platformdirs.user_cache_dir("meeple"))


@functools.cache
def _safe(folder: Path) -> Path:
    """Return a folder, or a private one if other users can write there."""
    reason = _danger_in(folder)
    if not reason:
        return folder
    private = _user_folder() / "private-kernels"
    if not os.environ.get("MEEPLE_QUIET"):
        print(
            f"{folder} {reason}: compiled kernels are in {private} instead; choose a folder that "
            "only you can write by MEEPLE_CACHE",
            file=sys.stderr,
            flush=True,
        )
    return private


def _danger_in(folder: Path) -> str:
    """Return why other users can have written files of the cache; empty if they cannot.

    What the administrator owns is safe if no other user can write it.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as parts:
        for status in (folder.stat(), *(part.stat() for part in parts if part.is_dir())):
            if _is_foreign(status):
                return "belongs to another user"
            if _is_shared(status):
                return "can be written by other users"
    return ""


def _is_foreign(status: os.stat_result) -> bool:
    return hasattr(os, "getuid") and status.st_uid not in (0, os.getuid())


def _is_shared(status: os.stat_result) -> bool:
    return os.name == "posix" and bool(status.st_mode & _OTHERS_WRITE)


def newly_compiled() -> tuple[str, ...]:
    """Return the kernels that this process compiled because the disk cache lacked them."""
    return tuple(_compiled)


@contextlib.contextmanager
def compiling(label: str) -> Iterator[None]:
    """Set the name of what is compiled in the block; the first cache miss prints it on stderr.

    A read-only cache folder is read. A kernel that cannot be written to the cache is compiled in
    every process, without an error.
    """
    before = _label.set(label)
    try:
        yield
    finally:
        _label.reset(before)


def _record_miss(function: Callable[..., Any]) -> None:
    _compiled.append(f"{function.__module__}.{function.__qualname__}")
    announce_compilation(_label.get())


def announce_compilation(label: str) -> None:
    """Print, once a process, that something of this name is being compiled."""
    if label in _announced:
        return
    _announced.add(label)
    if not os.environ.get("MEEPLE_QUIET"):
        print(f"compiling {label} ({_frequency()})…", file=sys.stderr, flush=True)


def _frequency() -> str:
    try:
        ensure_writable(cache_folder())
    except OSError:
        return f"every time, as {cache_folder()} cannot be written"
    return "once"


@functools.cache
def ensure_writable(folder: Path) -> None:
    """Make a folder of the cache, or the cache; raise OSError if no file can be created in it.

    No other user may write the folders that it makes, whatever the umask allows.
    """
    for made in (folder.parent, folder):
        made.mkdir(parents=True, exist_ok=True, mode=0o755)
    tempfile.TemporaryFile(dir=folder).close()


class _KernelLocator(_CacheLocator):  # type: ignore[misc]  # numba is untyped
    """Locates a kernel's binary, and gives the stamp by which it becomes stale."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._function = py_func
        self._path = cache_folder() / self.get_suitable_cache_subpath(py_file)

    def get_cache_path(self) -> str:
        return str(self._path)

    def ensure_cache_path(self) -> None:
        ensure_writable(self._path)

    def get_source_stamp(self) -> str:
        return stamp_of(self._function)

    def get_disambiguator(self) -> str:
        mode = "-checked" if config.BOUNDSCHECK else ""
        # With the module's name: a file that is loaded by its path and imported later is two
        # modules, and the binary of one refers to the other.
        return f"{self._function.__module__}-{self._function.__code__.co_firstlineno}{mode}"

    def is_writable(self) -> bool:
        """Return whether a binary can be written."""
        try:
            self.ensure_cache_path()
        except OSError:
            return False
        return True

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_KernelLocator | None":
        if not os.path.exists(py_file):
            return None
        locator = cls(py_func, py_file)
        if _danger_in(locator._path.parent):  # a private folder that is not
            return None
        usable = locator.is_writable() or os.access(locator._path, os.R_OK | os.X_OK)
        return locator if usable else None


class _AddressLocator(_KernelLocator):
    """Locates the binary of a kernel's C function, which is a separate file."""

    def get_disambiguator(self) -> str:
        return f"{super().get_disambiguator()}-c"


class _KernelCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]  # numba is untyped
    _locator_classes = (_KernelLocator,)


class _AddressCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]  # numba is untyped
    _locator_classes = (_AddressLocator,)


class _CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]  # numba is untyped
    """The index and the binaries of one kernel; a damaged or foreign file counts as missing.

    A file ends with a digest of its content, its name, the versions of the compiler and the
    kernel's stamp. So Numba unpickles nothing that a crash or another version left. A binary holds
    its key too, since processes that write an index at the same time may give one file two keys.
    """

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def _load_index(self) -> Any:
        return super()._load_index() if self._is_whole(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        return super()._load_data(name) if self._is_whole(self._data_path(name)) else None

    def _is_whole(self, path: str) -> bool:
        """Return whether a file is as this user or the administrator wrote it."""
        with contextlib.suppress(OSError), open_file(path) as file:
            status = os.fstat(file.fileno())
            content = file.read()
            if not (_is_foreign(status) or _is_shared(status)):
                return content[-_DIGEST_BYTES:] == self._digest(path, content[:-_DIGEST_BYTES])
        return False

    @contextlib.contextmanager
    def _open_for_write(self, path: str) -> Iterator[io.BytesIO]:
        written = io.BytesIO()
        yield written
        content = written.getvalue()
        with atomic_file(path) as file:
            os.chmod(file.name, os.stat(file.name).st_mode & ~_OTHERS_WRITE)
            file.write(content + self._digest(path, content))

    def _digest(self, path: str, content: bytes) -> bytes:
        about = f"{_COMPILERS} {self._source_stamp} {os.path.basename(path)} ".encode()
        return hashlib.sha256(about + content).digest()


class KernelCache(FunctionCache):  # type: ignore[misc]  # numba is untyped
    """Numba's cache of one function, with our files and a message before a compilation."""

    _impl_class = _KernelCacheImpl

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        impl = self._impl
        self._cache_file = _CheckedFiles(
            self._cache_path, impl.filename_base, impl.locator.get_source_stamp()
        )

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Return the key of a binary: for a `named_kernel`, without the kernels that it encloses.

        Numba hashes the enclosed values, which for kernels differ from process to process.
        """
        function = self._py_func
        if function.__qualname__ == function.__code__.co_qualname:
            return super()._index_key(sig, codegen)
        enclosed = [cell.cell_contents for cell in function.__closure__ or ()]
        constants = [value for value in enclosed if not hasattr(value, "py_func")]
        return sig, codegen.magic_tuple(), hashlib.sha256(dumps(constants)).hexdigest()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load a binary from disk; None, recorded as a miss, if it is missing or unusable."""
        found = None
        with contextlib.suppress(Exception):  # whatever the file holds, the kernel is compiled
            found = super().load_overload(sig, target_context)
        if found is None:
            _record_miss(self._py_func)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a binary to disk if possible."""
        with contextlib.suppress(OSError):  # a read-only folder or a full disk
            super().save_overload(sig, data)


class AddressCache(KernelCache):
    """The disk cache of a kernel's C function."""

    _impl_class = _AddressCacheImpl


class _NoCache(NullCache):  # type: ignore[misc]  # numba is untyped
    """The cache of a kernel whose folder cannot be written."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._py_func = function

    def load_overload(self, sig: Any, target_context: Any) -> None:
        _record_miss(self._py_func)


def open_cache(kind: type[KernelCache], function: Callable[..., Any]) -> Any:
    """Return the disk cache of a kernel, or one that stores nothing if no folder is usable."""
    try:
        return kind(function)
    except RuntimeError:
        return _NoCache(function)


def is_cached(function: Callable[..., Any]) -> bool:
    """Return whether a kernel's C function is on disk, or cannot be written there."""
    cache = open_cache(AddressCache, function)
    if isinstance(cache, _NoCache) or not cache._impl.locator.is_writable():
        return True
    return bool(cache._cache_file._load_index())
