"""The disk cache of compiled kernels: where binaries lie, what makes them stale, what is said.

A kernel is compiled once on a machine; every other process finds it here. What compiles is in
`compiler.py`.
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
    "kernels/random_numbers.py",
    "kernels/records.py",
    "games",
    "search",
    "studies/biased.py",
    "studies/perceptron.py",
)
"""The files and folders that can change a compiled kernel; a change in any makes all stale."""
_compiled: list[str] = []  # what this process had to compile, by qualified name
_announced: set[str] = set()
_label: ContextVar[str] = ContextVar("_label", default="kernels")
"""What is being compiled, of each thread."""


def cache_folder() -> Path:
    """The folder of the compiled kernels (`MEEPLE_CACHE`, or the user's cache folder)."""
    chosen = os.environ.get("MEEPLE_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("meeple")) / "kernels"


def compiled_here() -> tuple[str, ...]:
    """The kernels that this process compiled because the disk cache did not hold them."""
    return tuple(_compiled)


@contextlib.contextmanager
def compiling(label: str) -> Iterator[None]:
    """Name what is compiled inside: at the first cache miss, one line on stderr says so.

    A cache folder that can only be read gives what is in it. What is not there, and cannot be
    written, costs a compilation in every process, never an error.
    """
    before = _label.set(label)
    try:
        yield
    finally:
        _label.reset(before)


def _note_miss(function: Callable[..., Any]) -> None:
    _compiled.append(f"{function.__module__}.{function.__qualname__}")
    announce(_label.get())


def announce(label: str) -> None:
    """Say, once a process, that something of this name is being compiled."""
    if label in _announced:
        return
    _announced.add(label)
    if not os.environ.get("MEEPLE_QUIET"):
        print(f"compiling {label} ({_how_often()})…", file=sys.stderr, flush=True)


def _how_often() -> str:
    try:
        _ensure_writable(cache_folder())
    except OSError:
        return f"every time, as {cache_folder()} cannot be written"
    return "once"


@functools.cache
def house_stamp() -> str:
    """A hash over every source file of this package that may hold a kernel."""
    return _hash_of([_PACKAGE / name for name in _KERNEL_SOURCES])


@functools.cache
def package_stamp() -> str:
    """A hash over every source file of this package."""
    return _hash_of([_PACKAGE])


def _hash_of(places: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(path.relative_to(_PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _stamp(function: Callable[..., Any]) -> str:
    """A hash over the sources a kernel depends on.

    Numba's own stamp covers only the file of the function itself, and misses an edit in a file
    whose kernels it calls. A file outside the package is stamped with every file that defines a
    kernel its module has imported, and so on from there.
    """
    if _PACKAGE in _source(function).parents:
        return house_stamp()
    files: set[Path] = set()
    waiting = [function]
    while waiting:
        code = waiting.pop()
        if _source(code) in files or _PACKAGE in _source(code).parents:
            continue
        files.add(_source(code))
        called = (getattr(value, "py_func", None) for value in code.__globals__.values())
        waiting += [kernel for kernel in called if kernel is not None]
    digest = hashlib.sha256(house_stamp().encode())
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _source(function: Callable[..., Any]) -> Path:
    return Path(function.__code__.co_filename).resolve()


@functools.cache
def _ensure_writable(folder: Path) -> None:
    """Raise OSError where no file can be made in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


class _KernelLocator(_CacheLocator):  # type: ignore[misc]  # numba is untyped
    """Where a kernel's binary is kept, and the stamp that makes it stale."""

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
        # The module's name: a file loaded by its path and imported later is two modules, and what
        # one of them cached refers to the other.
        return f"{self._function.__module__}-{self._function.__code__.co_firstlineno}{mode}"

    def is_writable(self) -> bool:
        """Whether a binary can be kept."""
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
    """The same for a kernel's C function, which is a binary of its own."""

    def get_disambiguator(self) -> str:
        return f"{super().get_disambiguator()}-c"


class _KernelCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]  # numba is untyped
    _locator_classes = (_KernelLocator,)


class _AddressCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]  # numba is untyped
    _locator_classes = (_AddressLocator,)


class KernelCache(FunctionCache):  # type: ignore[misc]  # numba is untyped
    """Numba's cache of one function, with our locator and a word before each compilation."""

    _impl_class = _KernelCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = None
        with contextlib.suppress(OSError):  # of a file that only somebody else may read
            found = super().load_overload(sig, target_context)
        if found is None:
            _note_miss(self._py_func)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):  # of a folder that can only be read, or a full disk
            super().save_overload(sig, data)


class AddressCache(KernelCache):
    """The cache of a function's C function."""

    _impl_class = _AddressCacheImpl


class _NoCache(NullCache):  # type: ignore[misc]  # numba is untyped
    """Of a kernel that cannot be kept, as its folder cannot be written."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._py_func = function

    def load_overload(self, sig: Any, target_context: Any) -> None:
        _note_miss(self._py_func)


def on_disk(kind: type[KernelCache], function: Callable[..., Any]) -> Any:
    """The cache of a kernel."""
    try:
        return kind(function)
    except RuntimeError:
        return _NoCache(function)


def has_address(function: Callable[..., Any]) -> bool:
    """Whether a function's C function is on disk, or could not be kept there."""
    cache = on_disk(AddressCache, function)
    if isinstance(cache, _NoCache) or not cache._impl.locator.is_writable():
        return True
    return bool(cache._cache_file._load_index())
