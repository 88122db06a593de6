"""The disk cache of compiled kernels: its folder, when a binary is stale, the message of a miss.

A kernel is compiled once on a machine; every later process loads it from this cache.
"""

import contextlib
import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import platformdirs
from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache, _CacheLocator

_PACKAGE = Path(__file__).resolve().parent.parent
_KERNEL_SOURCES = (
    "kernels/bits.py",
    "kernels/cache.py",
    "kernels/calls.py",
    "kernels/compiler.py",
    "kernels/decorator.py",
    "kernels/memory.py",
    "kernels/random_numbers.py",
    "kernels/records.py",
    "games",
    "search",
    "studies/biased.py",
    "studies/perceptron.py",
)
"""The files and folders that can change a compiled kernel; an edit of any makes all stale."""
_compiled: list[str] = []  # qualified names of the kernels that this process compiled
_announced: set[str] = set()
_label: ContextVar[str] = ContextVar("_label", default="kernels")
"""The name of what is being compiled, in each thread."""


def cache_folder() -> Path:
    """Return the folder of the compiled kernels: `MEEPLE_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("MEEPLE_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("meeple")) / "kernels"


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
        _ensure_writable(cache_folder())
    except OSError:
        return f"every time, as {cache_folder()} cannot be written"
    return "once"


@functools.cache
def kernel_sources_hash() -> str:
    """Return a hash of all source files of this package that may hold a kernel."""
    return _hash_of([_PACKAGE / name for name in _KERNEL_SOURCES])


@functools.cache
def package_hash() -> str:
    """Return a hash of all source files of this package."""
    return _hash_of([_PACKAGE])


def _hash_of(places: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(path.relative_to(_PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _stamp(function: Callable[..., Any]) -> str:
    """Return a hash of the sources that a kernel depends on.

    Numba's own stamp covers only the file of the function itself, and misses an edit of a file
    whose kernels it calls. For a file outside this package the hash covers the file, every file
    that defines a kernel in its module's namespace, and recursively those of these files.
    """
    if _PACKAGE in _source(function).parents:
        return kernel_sources_hash()
    files: set[Path] = set()
    waiting = [function]
    while waiting:
        code = waiting.pop()
        if _source(code) in files or _PACKAGE in _source(code).parents:
            continue
        files.add(_source(code))
        called = (getattr(value, "py_func", None) for value in code.__globals__.values())
        waiting += [kernel for kernel in called if kernel is not None]
    digest = hashlib.sha256(kernel_sources_hash().encode())
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _source(function: Callable[..., Any]) -> Path:
    return Path(function.__code__.co_filename).resolve()


@functools.cache
def _ensure_writable(folder: Path) -> None:
    """Raise OSError if no file can be created in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


class _KernelLocator(_CacheLocator):  # type: ignore[misc]  # numba is untyped
    """Locates a kernel's binary, and gives the stamp by which it becomes stale."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._function = py_func
        self._path = cache_folder() / self.get_suitable_cache_subpath(py_file)

    def get_cache_path(self) -> str:
        return str(self._path)

    def ensure_cache_path(self) -> None:
        _ensure_writable(self._path)

    def get_source_stamp(self) -> str:
        return _stamp(self._function)

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


class KernelCache(FunctionCache):  # type: ignore[misc]  # numba is untyped
    """Numba's cache of one function, with our locator and a message before a compilation."""

    _impl_class = _KernelCacheImpl

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        # Numba compares the version before it unpickles the rest of an index. The rest names
        # classes of the package, which another version of the package may not have.
        index = self._cache_file
        index._version = f"{index._version} {index._source_stamp}"

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Return the key of a binary: for a `named_kernel`, without what it encloses.

        Numba hashes the enclosed values, which for kernels differ from process to process.
        """
        if self._py_func.__qualname__ != self._py_func.__code__.co_qualname:
            return sig, codegen.magic_tuple()
        return super()._index_key(sig, codegen)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load a binary from disk; None, recorded as a miss, if it is missing or stale."""
        found = None
        with contextlib.suppress(OSError):  # the file may belong to another user
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
