"""Saved networks: weights with the architecture, game, options and version they belong to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from meeple import tensor_file
from meeple.errors import CheckpointError, UsageError
from meeple.files import version
from meeple.nets.architecture import MAX_PARAMETERS, Architecture
from meeple.nets.graph import Shapes, weight_shapes
from meeple.nets.weights import Weights
from meeple.tensor_file import PathLike, Tensors

KIND = "Meeple network"  # in a file's metadata
MOST_BYTES = 4 * MAX_PARAMETERS + 2**20  # of a file: float32, and what it says about itself


@dataclass(frozen=True)
class Metadata:
    """All that a saved network says about itself."""

    architecture: Architecture
    game: str
    options: dict[str, Any]
    extra: dict[str, Any]
    """Whatever the writer added, such as the episode."""
    meeple_version: str
    """Of the program that wrote the file."""
    variants: tuple[dict[str, Any], ...] | None = None
    """Options under which it plays too, by a symmetry of the game; each has those that differ from
    `options`. None in a file that says nothing of them: then the game's own variants hold."""


@dataclass(frozen=True)
class Checkpoint:
    """A network as loaded, with what it was trained for."""

    weights: Weights
    metadata: Metadata

    @property
    def architecture(self) -> Architecture:
        return self.metadata.architecture

    @property
    def game(self) -> str:
        return self.metadata.game

    @property
    def options(self) -> dict[str, Any]:
        return self.metadata.options

    @property
    def extra(self) -> dict[str, Any]:
        return self.metadata.extra


@dataclass(frozen=True)
class Board:
    """The board that a network is to play on, where its size may be another than in training."""

    options: Sequence[str]
    """The game's options that set nothing but the board's size."""
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
    """Write a network to `path` (".safetensors"), all or nothing.

    `options`, `extra` and `variants` (see `Metadata`) hold what JSON can hold. CheckpointError
    when the disk refuses or a weight is not finite; the file that was there before is then
    untouched.
    """
    metadata: dict[str, Any] = {
        "architecture": weights.architecture.model_dump(mode="json"),
        "game": game,
        "options": options,
        "extra": extra or {},
        "meeple_version": version(),
    }
    if variants is not None:
        metadata["variants"] = [dict(variant) for variant in variants]
    tensor_file.write_tensors(path, KIND, weights.tensors, metadata)


def read_metadata(path: PathLike) -> Metadata:
    """What the file says about itself, its weights unread; CheckpointError as for `load`."""
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
        game, options: what it must have been trained for; None accepts anything.
        unsaid: options as they are where the file says nothing of them.
        board: where the network is to play; its options may then differ from `options`, and the
            network is resized. Its metadata stay as they are in the file.

    Raises:
        CheckpointError: the file is missing, truncated, corrupt, no Meeple network, of another
            format version, game or options, its weights do not fit its architecture, or that
            cannot play a board of another size.
    """
    fields, tensors = tensor_file.read_tensors(path, KIND, max_bytes=MOST_BYTES)
    metadata = _parse(path, fields)
    said = replace(metadata, options={**(unsaid or {}), **metadata.options})
    _check_game(path, said, game, options, () if board is None else board.options)
    try:
        expected = weight_shapes(metadata.architecture)
    except UsageError as error:
        raise CheckpointError(f"{path}: {error}") from None
    check_shapes(path, tensors, expected)
    architecture = metadata.architecture
    if board is not None and options != said.options:
        architecture = _resized(path, metadata, board)
    elif board is not None:
        _check_board(path, architecture, board)
    return Checkpoint(Weights(architecture, tensors), metadata)


def _check_board(path: PathLike, architecture: Architecture, board: Board) -> None:
    """CheckpointError where a network has other observations or actions than its game.

    A tower's weights fit boards of any size, so that they do not tell.
    """
    found = architecture.observation_shape, architecture.num_actions
    wanted = tuple(board.observation_shape), board.num_actions
    if found != wanted:
        raise CheckpointError(
            f"{path} has observations {found[0]} and {found[1]:,} actions, but its game has "
            f"{wanted[0]} and {wanted[1]:,}"
        )


def _resized(path: PathLike, metadata: Metadata, board: Board) -> Architecture:
    try:
        return metadata.architecture.resized(board.observation_shape, board.num_actions)
    except UsageError as error:
        trained = _described(metadata.game, metadata.options)
        raise CheckpointError(f"{path} was trained for {trained}, and it {error}") from None


def check_shapes(path: PathLike, tensors: Tensors, expected: Shapes) -> None:
    """CheckpointError unless these are exactly the expected finite tensors."""
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
    """CheckpointError where the game is another, or options are that may not differ."""

    def bound(options: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in options.items() if name not in free}

    wrong_game = game is not None and game != metadata.game
    wrong_options = options is not None and bound(options) != bound(metadata.options)
    if wrong_game or wrong_options:
        trained = _described(metadata.game, metadata.options)
        wanted = _described(game or metadata.game, options)
        raise CheckpointError(f"{path} was trained for {trained}, not for {wanted}")


def _described(game: str, options: dict[str, Any] | None) -> str:
    settings = ", ".join(f"{key}={value}" for key, value in (options or {}).items())
    return f"{game} ({settings})" if settings else game


def _parse(path: PathLike, fields: dict[str, Any]) -> Metadata:
    match fields:
        case {
            "architecture": dict() as architecture,
            "game": str() as game,
            "options": dict() as options,
            "extra": dict() as extra,
            "meeple_version": str() as version,
        }:
            try:
                built = Architecture(**architecture)
            except UsageError as error:
                raise CheckpointError(f"{path}: {error}") from None
            return Metadata(built, game, options, extra, version, _variants(path, fields))
    raise CheckpointError(f"{path} is corrupt: its metadata lacks a field")


def _variants(path: PathLike, fields: dict[str, Any]) -> tuple[dict[str, Any], ...] | None:
    match fields.get("variants"):
        case None:
            return None
        case list() as found if all(isinstance(one, dict) for one in found):
            return tuple(found)
    raise CheckpointError(f"{path} is corrupt: its variants are not a list of options")


def _some(names: list[str], most: int = 3) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
