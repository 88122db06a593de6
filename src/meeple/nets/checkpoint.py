"""Saved networks: weights with their architecture, game, options and version."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from meeple import tensor_file
from meeple.errors import CheckpointError, UsageError
from meeple.nets.architecture import MAX_PARAMETERS, Architecture, Weights
from meeple.nets.graph import Shapes, weight_shapes
from meeple.tensor_file import PathLike, SavedWeights, Tensors

KIND = "Meeple network"  # in a file's metadata
MAX_FILE_BYTES = 4 * MAX_PARAMETERS + 2**20  # float32 weights and 1 MiB of metadata


@dataclass(frozen=True)
class Metadata:
    """The metadata of a saved network."""

    architecture: Architecture
    game: str
    options: dict[str, Any]
    extra: dict[str, Any]
    """Facts that the writer added, such as the episode."""
    variants: tuple[dict[str, Any], ...] | None = None
    """Other options that the network can play, by a symmetry of the game; each holds the options
    that differ from `options`. None if the file has none: then the variants of the game apply."""

    def trained_on(self, options: Mapping[str, Any], sizes: Sequence[str]) -> str:
        """Return the board of training as words, "trained on size=7", if it had another size.

        `options`: of the game to play; `sizes`: names of those that only set the size of the board.
        "" if the network plays a board of the size that it was trained on.
        """
        other = {name: self.options.get(name, options[name]) for name in sizes}
        if all(options[name] == value for name, value in other.items()):
            return ""
        return f"trained on {_settings(other)}"


@dataclass(frozen=True)
class Checkpoint(Metadata):
    """A loaded network with its metadata."""

    weights: Weights = field(kw_only=True)
    """Its architecture differs from that of the metadata if the board has another size."""


@dataclass(frozen=True)
class Board:
    """The board that a network will play on; its size may differ from that in training."""

    options: Sequence[str]
    """The game's options that only set the size of the board."""
    observation_shape: tuple[int, ...]
    num_actions: int


def save(
    path: PathLike,
    weights: Weights,
    *,
    game: str,
    options: dict[str, Any],
    extra: dict[str, Any] | None = None,
    variants: Sequence[Mapping[str, Any]] | None = None,
) -> None:
    """Write a network to a file, ending in ".safetensors", atomically.

    `options`, `extra` and `variants` are JSON values, as in `Metadata`.

    Raises:
        CheckpointError: the disk reports an error or a weight is not finite. An earlier file of
            this name is then unchanged.
    """
    more: dict[str, Any] = {"architecture": weights.architecture.model_dump(mode="json")}
    if variants is not None:
        more["variants"] = [dict(variant) for variant in variants]
    SavedWeights(weights.tensors, game, options, extra or {}).write(path, KIND, **more)


def read_metadata(path: PathLike) -> Metadata:
    """Read the metadata without the weights. Raises CheckpointError as `load` does."""
    return _parse(path, tensor_file.read_metadata(path, KIND))


def load(
    path: PathLike,
    *,
    game: str | None = None,
    options: dict[str, Any] | None = None,
    unsaid: Mapping[str, Any] | None = None,
    board: Board | None = None,
) -> Checkpoint:
    """Read a network that `save` wrote.

    Args:
        path: of the file.
        game: the game that it must have been trained for; None accepts any.
        options: the options that it must have been trained for; None accepts any.
        unsaid: defaults of options that are missing in the file.
        board: the board to play on; options that set its size may then differ from `options`, and
            the architecture is resized. The metadata stay as in the file.

    Raises:
        CheckpointError: the file is missing, truncated, corrupt, no Meeple network, of another
            format version, game or options, its weights do not fit its architecture, or the
            network cannot play a board of another size.
    """
    fields, tensors = tensor_file.read_tensors(path, KIND, max_bytes=MAX_FILE_BYTES)
    metadata = _parse(path, fields)
    said = replace(metadata, options={**(unsaid or {}), **metadata.options})
    _check_game(path, said, game, options, () if board is None else board.options)
    try:
        expected = weight_shapes(metadata.architecture)
    except UsageError as error:
        raise CheckpointError(f"{path}: {error}") from None
    check_shapes(path, tensors, expected)
    other_size = options != said.options
    architecture = (
        metadata.architecture if board is None else _on(path, metadata, board, other_size)
    )
    return Checkpoint(**vars(metadata), weights=Weights(architecture, tensors))


def _on(path: PathLike, metadata: Metadata, board: Board, other_size: bool) -> Architecture:
    """Return the architecture for a board. Raises CheckpointError if they do not fit."""
    found = metadata.architecture
    shape, actions = tuple(board.observation_shape), board.num_actions
    if other_size:
        try:
            return found.resized(shape, actions)
        except UsageError as error:
            trained = _described(metadata.game, metadata.options)
            raise CheckpointError(f"{path} was trained for {trained}, and it {error}") from None
    # The shapes of the weights do not show it, as convolutions fit boards of any size.
    if (found.observation_shape, found.num_actions) != (shape, actions):
        raise CheckpointError(
            f"{path} has observations {found.observation_shape} and {found.num_actions:,} actions, "
            f"but its game has {shape} and {actions:,}"
        )
    return found


def check_shapes(path: PathLike, tensors: Tensors, expected: Shapes) -> None:
    """Raise CheckpointError unless `tensors` has the expected names and shapes, and is finite."""
    if missing := sorted(expected.keys() - tensors.keys()):
        raise CheckpointError(f"{path} lacks weights of its architecture: {_some(missing)}")
    if unknown := sorted(tensors.keys() - expected.keys()):
        raise CheckpointError(f"{path} has weights its architecture lacks: {_some(unknown)}")
    for name, shape in expected.items():
        tensor = tensors[name]
        if tensor.shape != shape:
            raise CheckpointError(
                f"{path}: '{name}' has shape {tensor.shape}, but the architecture needs {shape}"
            )
        if not np.isfinite(tensor).all():
            raise CheckpointError(f"{path}: '{name}' holds numbers that are not finite")


def _check_game(
    path: PathLike,
    metadata: Metadata,
    game: str | None,
    options: dict[str, Any] | None,
    free: Sequence[str],
) -> None:
    """Raise CheckpointError if the game differs, or an option other than those in `free`."""

    def bound(options: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in options.items() if name not in free}

    wrong_game = game is not None and game != metadata.game
    wrong_options = options is not None and bound(options) != bound(metadata.options)
    if wrong_game or wrong_options:
        trained = _described(metadata.game, metadata.options)
        wanted = _described(game or metadata.game, options)
        raise CheckpointError(f"{path} was trained for {trained}, not for {wanted}")


def _described(game: str, options: dict[str, Any] | None) -> str:
    return f"{game} ({_settings(options)})" if options else game


def _settings(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in options.items())


def _parse(path: PathLike, fields: dict[str, Any]) -> Metadata:
    saved = SavedWeights.of(path, fields, {})
    match fields:
        case {"architecture": dict() as architecture, "meeple_version": str()}:
            try:
                built = Architecture(**architecture)
            except UsageError as error:
                raise CheckpointError(f"{path}: {error}") from None
            variants = fields.get("variants", [])
            if not isinstance(variants, list) or not all(isinstance(v, dict) for v in variants):
                raise CheckpointError(f"{path} is corrupt: its variants are not a list of options")
            given = tuple(variants) if "variants" in fields else None
            return Metadata(built, saved.game, saved.options, saved.extra, given)
    raise CheckpointError(f"{path} is corrupt: its metadata lacks a field")


def _some(names: list[str], shown: int = 3) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
