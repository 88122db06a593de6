"""Files of named arrays with JSON metadata: safetensors with a checksum, never pickle."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from meeple.errors import CheckpointError, shown
from meeple.files import reported, version, write_atomically
from meeple.sentences import say

Tensors = dict[str, NDArray[Any]]  # named arrays
PathLike = str | os.PathLike[str]  # a file's path

FLOAT32 = frozenset({"F32"})  # the name of the type in safetensors

FORMAT_VERSION = 1
"""Increased when older files can no longer be read, or their networks compute differently."""


def write_tensors(path: PathLike, kind: str, tensors: Tensors, metadata: dict[str, Any]) -> None:
    """Write a file atomically.

    Args:
        path: the file, which is replaced if it exists.
        kind: what the file holds, such as "network"; readers must give the same.
        tensors: the arrays, of any shapes.
        metadata: values that JSON can hold.

    Raises:
        CheckpointError: the file cannot be written, or a number is not finite.
    """
    if name := _not_finite(tensors):
        raise CheckpointError(
            f"not saving {path}: '{name}' holds numbers that are not finite (training diverged)"
        )
    tensors = {name: np.asarray(tensor, order="C") for name, tensor in tensors.items()}
    texts = {key: json.dumps(value) for key, value in metadata.items()}
    texts |= {"kind": kind, "format_version": str(FORMAT_VERSION)}
    texts["sha256"] = _digest(texts, tensors)
    with reported(f"cannot save {path}", CheckpointError):
        write_atomically(path, save(tensors, texts))


@dataclass(frozen=True)
class SavedWeights:
    """The content of a file of weights: arrays by name, with what they were trained for."""

    weights: Tensors
    game: str
    options: dict[str, Any]
    extra: dict[str, Any] = field(default_factory=dict)
    """Whatever the writer added, such as the round."""

    @staticmethod
    def of(path: PathLike, metadata: Mapping[str, Any], weights: Tensors) -> "SavedWeights":
        """Return the content by a file's metadata. Raises CheckpointError if they lack a field."""
        match metadata:
            case {"game": str() as game, "options": dict() as options, "extra": dict() as extra}:
                return SavedWeights(weights, game, options, extra)
        raise CheckpointError(say("option.is_corrupt_its_metadata", file=path))

    def write(self, path: PathLike, kind: str, **more: Any) -> None:
        """Write a file atomically; `more`: metadata of its kind. Errors as in `write_tensors`."""
        header = {"game": self.game, "options": self.options, "extra": self.extra}
        write_tensors(path, kind, self.weights, {**header, "meeple_version": version(), **more})


def read_weights(
    path: PathLike, kind: str, types: frozenset[str] = FLOAT32, max_bytes: int | None = None
) -> SavedWeights:
    """Return the content of a file of weights; arguments and errors as in `read_tensors`."""
    return SavedWeights.of(path, *read_tensors(path, kind, types, max_bytes))


def kind_of(path: PathLike) -> str:
    """Return the kind in a file's metadata, "" if it has none; its content is not checked."""
    try:
        with safe_open(path, framework="numpy") as file:
            return str((file.metadata() or {}).get("kind", ""))
    except (SafetensorError, OSError):
        return ""


def read_metadata(path: PathLike, kind: str) -> dict[str, Any]:
    """Return the metadata. Raises CheckpointError if this is not a complete file of the kind."""
    _check_file(path, kind, None)
    return _read(path, kind, None)[0]


def read_tensors(
    path: PathLike, kind: str, types: frozenset[str] = FLOAT32, max_bytes: int | None = None
) -> tuple[dict[str, Any], Tensors]:
    """Return the metadata and the arrays of a file, checked by its checksum.

    Args:
        path: the file.
        kind: what the file must hold.
        types: the number types that it may hold, by their names in safetensors.
        max_bytes: the largest size of the file.

    Raises:
        CheckpointError: the file is missing, corrupt, too large, or of another kind or version, or
            a number is not finite.
    """
    _check_file(path, kind, max_bytes)
    metadata, tensors = _read(path, kind, types)
    if name := _not_finite(tensors):
        raise CheckpointError(f"{path}: '{name}' holds numbers that are not finite")
    return metadata, tensors


def _not_finite(tensors: Tensors) -> str | None:
    """Return the name of an array with a number that is not finite, or None."""
    return next((name for name, one in tensors.items() if not np.isfinite(one).all()), None)


def _check_file(path: PathLike, kind: str, max_bytes: int | None) -> None:
    """Raise CheckpointError if there is no such file, or it is too large."""
    if not os.path.exists(path):
        raise CheckpointError(f"there is no file {path}")
    if not os.path.isfile(path):
        raise CheckpointError(f"{path} is not a file")
    if max_bytes is not None and os.path.getsize(path) > max_bytes:
        raise CheckpointError(
            f"{path} has more than the {max_bytes:,} bytes that a {kind} may have"
        )


def _read(
    path: PathLike, kind: str, types: frozenset[str] | None
) -> tuple[dict[str, Any], Tensors]:
    """Return metadata and arrays; without arrays if `types` is None."""
    tensors: Tensors = {}
    try:
        with safe_open(path, framework="numpy") as file:
            texts = file.metadata() or {}
            _check_kind(path, kind, texts)
            if types is not None:
                # A type that NumPy lacks must be refused before the array is read.
                found = {file.get_slice(name).get_dtype() for name in file.keys()}  # noqa: SIM118  # not a dict
                if found - types:
                    raise CheckpointError(
                        f"{path} holds numbers of type {_list(found)}, not {_list(types)} alone"
                    )
                tensors = {name: _array(path, file, name) for name in file.keys()}  # noqa: SIM118  # not a dict
    except SafetensorError as error:
        raise CheckpointError(f"{path} is truncated or corrupt ({error})") from None
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error.strerror or error}") from error
    expected = texts.pop("sha256", "")
    if types is not None and _digest(texts, tensors) != expected:
        raise CheckpointError(f"{path} is corrupt: its content does not match its checksum")
    del texts["kind"], texts["format_version"]
    try:
        return {key: json.loads(text) for key, text in texts.items()}, tensors
    except (ValueError, RecursionError):
        raise CheckpointError(f"{path} is corrupt: its metadata is not JSON") from None


def _array(path: PathLike, file: Any, name: str) -> NDArray[Any]:
    """Return an array of an open file; NumPy lacks some shapes that safetensors allows."""
    try:
        array: NDArray[Any] = file.get_tensor(name)
    except (ValueError, OverflowError, MemoryError) as error:
        shape = file.get_slice(name).get_shape()
        raise CheckpointError(
            f"{path} is corrupt: {shown(name)} has shape {shown(shape)} ({error})"
        ) from None
    return array


def _list(types: Iterable[str]) -> str:
    return ", ".join(sorted(types))


def _check_kind(path: PathLike, kind: str, texts: dict[str, str]) -> None:
    found = texts.get("kind")
    if found != kind:
        what = f"a {found}" if found else "a file of another program"
        raise CheckpointError(f"{path} is not a {kind} but {what}")
    version = texts.get("format_version")
    if version != str(FORMAT_VERSION):
        raise CheckpointError(
            f"{path} has format version {version}; this Meeple reads version {FORMAT_VERSION}"
        )


def _digest(texts: dict[str, str], tensors: Tensors) -> str:
    """Return the checksum of all else in the file, in an order independent of libraries."""
    digest = hashlib.sha256(json.dumps(texts, sort_keys=True).encode())
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].shape}".encode())
        digest.update(tensors[name].tobytes())
    return digest.hexdigest()
