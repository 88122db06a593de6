"""The stamp of a kernel: a hash of all source files whose code and constants it may contain.

A kernel contains code of the kernels that it calls, and constants of its module. Both come from
its file, from files that this one imports, directly or indirectly, and from files of arrays beside
one of them that this one names.
"""

import functools
import hashlib
import os
import re
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import resolve_name
from pathlib import Path
from typing import Any, NamedTuple

_PACKAGE = Path(__file__).resolve().parent.parent
_PREFIX = str(_PACKAGE) + os.sep
_WORDS = _PACKAGE / "sentences.py"  # only texts for people: no kernel has code or constants of it
_IMPORT = re.compile(
    rb"^([ \t]*)(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^)]*\)|.*)|import[ \t]+(.*))",
    re.MULTILINE,
)
_ARRAYS = re.compile(rb'"([\w.-]+\.(?:npy|npz|safetensors))"')
_SKIPPED = re.compile(rb"#.*|\\\r?\n")  # comments, and ends of lines that the next one continues
_DOTTED = re.compile(r"[\w.]+")
_LIBRARIES = tuple(
    str(Path(sysconfig.get_path(kind)).resolve())
    for kind in ("stdlib", "platstdlib", "purelib", "platlib")
)


@functools.cache
def package_hash(package: Path = _PACKAGE) -> str:
    """Return a hash of all source files of a package, by default this one."""
    return _hash_of(hashlib.sha256(file.read_bytes()).digest() for file in package.rglob("*.py"))


def stamp_of(function: Callable[..., Any]) -> str:
    """Return a hash of the sources of a kernel, given as a Python function."""
    return _hash_of(source.digest for source in _sources_of(function))


def files_of(function: Callable[..., Any]) -> set[Path]:
    """Return the files whose code and constants a kernel may contain."""
    return {source.file for source in _sources_of(function)}


class _Source(NamedTuple):
    """A source file, as it is at the time."""

    file: Path
    digest: bytes
    imports: tuple[tuple[Path, str], ...]  # the sources that it imports, and their packages


def _hash_of(digests: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()


def _sources_of(function: Callable[..., Any]) -> Iterable[_Source]:
    """Return the file of a kernel, and all that it imports, directly or indirectly.

    A function that a `named_kernel` encloses may come from a file that its own does not import.
    """
    enclosed = (cell.cell_contents for cell in function.__closure__ or ())
    functions = (function, *(getattr(value, "py_func", None) for value in enclosed))
    waiting = [
        (_resolved(one.__code__.co_filename), one.__globals__.get("__package__") or "")
        for one in functions
        if one is not None
    ]
    found: dict[Path, _Source] = {}
    while waiting:
        file, package = waiting.pop()
        if file not in found and file != _WORDS:
            found[file] = _source_of(file, package, _version_of(file))
            waiting += found[file].imports
    return found.values()


def _version_of(file: Path) -> tuple[int, int] | None:
    """Return what changes with an edit of a game's file; None for this package's files."""
    if _is_in_package(file):
        return None
    status = file.stat()
    return status.st_mtime_ns, status.st_size


@functools.cache
def _source_of(file: Path, package: str, version: tuple[int, int] | None) -> _Source:
    """Read a source file; `package` is that of its module."""
    text = file.read_bytes()
    imports = set()
    for name in set(_imported_names(text, package, _is_in_package(file))):
        spec = _spec_of(name)
        if spec is None or not spec.has_location or not str(spec.origin).endswith(".py"):
            continue
        path = _resolved(str(spec.origin))
        if _is_own(path, name, package):
            imports.add((path, spec.parent or ""))
    digest = hashlib.sha256(text)
    for name in sorted(set(_ARRAYS.findall(text))):
        arrays = file.with_name(name.decode())
        digest.update(arrays.read_bytes() if arrays.is_file() else b"")
    return _Source(file, digest.digest(), tuple(imports))


def _imported_names(text: bytes, package: str, outside_only: bool) -> Iterator[str]:
    """Yield the names of modules that a source may import, and of other things.

    With `outside_only`, imports inside functions and blocks do not count.
    """
    for indent, module, names, modules in _IMPORT.findall(_SKIPPED.sub(b" ", text)):
        if indent and outside_only:
            continue
        if not module:
            yield from _DOTTED.findall(modules.decode("utf-8", "replace"))
            continue
        origin = _absolute(module.decode("utf-8", "replace"), package)
        yield origin
        for name in _DOTTED.findall(names.decode("utf-8", "replace")):
            yield f"{origin}.{name}"


def _absolute(name: str, package: str) -> str:
    try:
        return resolve_name(name, package)
    except ImportError:  # more dots than folders
        return name.lstrip(".")


@functools.cache
def _spec_of(name: str) -> ModuleSpec | None:
    """Return where a module comes from, whether it is loaded or not; None if there is none."""
    spec: ModuleSpec | None = getattr(sys.modules.get(name), "__spec__", None)
    if spec is not None:
        return spec
    parent, _, _ = name.rpartition(".")
    if not parent:
        return PathFinder.find_spec(name)
    above = _spec_of(parent)
    if above is None or above.submodule_search_locations is None:
        return None
    try:
        return PathFinder.find_spec(name, list(above.submodule_search_locations))
    except KeyError:  # a namespace inside one that is not loaded: no kernel is in it
        return None


def _is_in_package(file: Path) -> bool:
    return str(file).startswith(_PREFIX)


def _is_own(file: Path, name: str, package: str) -> bool:
    """Return whether a source is Meeple's, the game's, or of another program that uses Meeple."""
    if name.partition(".")[0] == package.partition(".")[0] or _is_in_package(file):
        return True
    return not str(file).startswith(_LIBRARIES) or _names_meeple(file)


@functools.cache
def _names_meeple(file: Path) -> bool:
    return b"meeple" in file.read_bytes()


@functools.cache
def _resolved(file: str) -> Path:
    return Path(file).resolve()
